// The names of the base tools as data, so that a call of one tool need not load the others. test/base/all.test.ts
// compares them with all.ts.

export const baseToolNames: readonly string[] = [
  "ask_model",
  "ask_question",
  "converse",
  "edit_file",
  "find_files",
  "google_search",
  "list_dir",
  "read_file",
  "read_output",
  "run_command",
  "search_text",
  "task_completion",
  "todo_write",
  "web_fetch",
  "web_search",
  "write_file",
];

/** Tools that end an agent's turn. No definition can take their names. */
export const loopBreakingNames: readonly string[] = ["ask_question", "converse", "task_completion"];

/** Tools for people and for steps. A model gets them only if they are named. */
export const unofferedNames: readonly string[] = ["ask_model"];
