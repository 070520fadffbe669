// The commands there are, as data: read by main (is this word a command?), by help and by completion, so nothing is
// loaded for it.

export interface CommandSummary {
  readonly name: string;
  readonly summary: string;
}

export const commands = [
  { name: "call", summary: "run a tool" },
  { name: "list", summary: "the tools there are, or the best matches for a query" },
  { name: "show", summary: "everything known of one tool" },
  { name: "explain", summary: "what a call would do; runs nothing" },
  { name: "graph", summary: "draw the steps of a tool, or what it stands on" },
  { name: "check", summary: "find mistakes in definitions" },
  { name: "fmt", summary: "lay definitions out in the canonical way" },
  { name: "convert", summary: "a .tool file as YAML, or YAML as a .tool file" },
  { name: "new", summary: "write a starter definition" },
  { name: "test", summary: "run the tests that definitions carry" },
  { name: "schema", summary: "tools as declarations for a model API" },
  { name: "exec", summary: "run the calls in a model's reply" },
  { name: "mcp", summary: "serve the tools to clients of the Model Context Protocol" },
  { name: "agent", summary: "let a model do a task with the tools" },
  { name: "pin", summary: "take the tools of MCP servers as they are now" },
  { name: "trust", summary: "let a project's tools run, once you have looked at them" },
  { name: "untrust", summary: "take that back" },
  { name: "allow", summary: "let models call a tool without asking, while it stays what it is" },
  { name: "doctor", summary: "what works on this machine, and how to get what does not" },
  { name: "completions", summary: "completion for bash, zsh, fish or pwsh" },
  { name: "explain-code", summary: "what a diagnostic code means" },
  { name: "help", summary: "help on a command or a tool" },
] as const satisfies readonly CommandSummary[];

/** `__complete` answers the completion scripts and is not shown. */
export type CommandName = (typeof commands)[number]["name"] | "__complete";

export function isCommandName(word: string): word is CommandName {
  return word === "__complete" || commands.some((command) => command.name === word);
}
