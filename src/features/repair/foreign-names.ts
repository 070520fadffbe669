// The names that other agents and models use for our tools, so that a model trained on others finds them.

/** Between blanks. */
const byTool: Readonly<Record<string, string>> = {
  run_command: `
    bash shell sh cmd powershell terminal exec execute execute_command execute_bash run_bash run_shell
    run_shell_command run_terminal_cmd run_in_terminal local_shell shell_command run_cmd run exec_command
    container.exec`,
  edit_file: `
    str_replace str_replace_editor str_replace_based_edit_tool replace_in_file search_replace search_and_replace
    apply_edit multi_edit edit replace replace_string_in_file text_editor`,
  read_file: `
    cat view view_file open_file get_file read read_text_file file_read get_file_contents show_file view_image
    read_many_files`,
  write_file: "create_file save_file write_to_file write file_write new_file create put_file",
  find_files: "glob glob_search file_search search_files find find_by_name locate_files",
  search_text: `
    grep grep_search rg search code_search codebase_search search_code text_search search_in_files search_file_content
    find_in_files search_for_pattern search_files grep_files`,
  list_dir: "ls list list_files list_directory dir read_dir read_directory list_folder directory_tree",
  web_fetch: `
    fetch fetch_url get_url open_url http_get browse download read_url fetch_webpage read_web_page url_fetch curl`,
  web_search: "search_web internet_search brave_search bing_search",
  google_search: "google google_web_search",
  todo_write: "todo todos update_plan manage_todo_list update_todos plan write_todos",
  task_completion: "attempt_completion finish done complete task_done final_answer submit end_turn",
  ask_question: "ask_followup_question ask_user ask_user_question ask ask_human request_user_input question",
  converse: "reply respond say message send_message message_user",
};

/** Our tools by their names elsewhere, in small letters without `_` and `-`. */
export const foreignNames: ReadonlyMap<string, readonly string[]> = toolsByName();

function toolsByName(): ReadonlyMap<string, readonly string[]> {
  const tools = new Map<string, readonly string[]>();
  for (const [tool, names] of Object.entries(byTool))
    for (const name of names.trim().replaceAll(/[_.]/g, "").split(/\s+/))
      tools.set(name, [...(tools.get(name) ?? []), tool]);
  return tools;
}
