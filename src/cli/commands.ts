// The commands as data, for main (is this word a command?), help and completion, which load nothing for it.

interface CommandSummary {
  readonly name: string;
  readonly summary: string;
}

export const commands = [
  { name: "init", summary: "start here: create `.tools` with a working example" },
  { name: "run", summary: "run a tool, as `dottool NAME` does" },
  { name: "call", summary: "run a tool with its arguments as options or JSON" },
  { name: "batch", summary: "run a tool once for each line of standard input" },
  { name: "worker", summary: "make the calls of batches on a queue, on any machine" },
  { name: "runs", summary: "list, follow and cancel calls that go on in the background" },
  { name: "list", summary: "list tools, or the best matches for a query" },
  { name: "show", summary: "show everything about a tool" },
  { name: "explain", summary: "show what a call would do, without running it" },
  { name: "graph", summary: "draw the steps or dependencies of a tool" },
  { name: "check", summary: "find mistakes in definitions" },
  { name: "fmt", summary: "format definitions" },
  { name: "convert", summary: "convert a .tool file to YAML, or YAML to a .tool file" },
  { name: "import", summary: "make tools from npm scripts, justfiles, makefiles, …" },
  { name: "new", summary: "write a starter definition" },
  { name: "test", summary: "run the tests in definitions" },
  { name: "schema", summary: "print tools as declarations for a model API" },
  { name: "exec", summary: "run the calls in a model's reply" },
  { name: "export", summary: "write the tools as a plugin, extension or skill for a client" },
  { name: "mcp", summary: "serve the tools to clients of the Model Context Protocol" },
  { name: "agent", summary: "let a model do a task with the tools" },
  { name: "add", summary: "add packages of tools to the project" },
  { name: "remove", summary: "remove packages from the project" },
  { name: "install", summary: "install the packages of `dottool.lock`" },
  { name: "update", summary: "replace packages by newer versions that fit" },
  { name: "search", summary: "find packages of tools in the registry" },
  { name: "publish", summary: "publish a package, after checks and tests" },
  { name: "outdated", summary: "list packages with newer versions" },
  { name: "audit", summary: "show what packages may do, and what is wrong with them" },
  { name: "bundle", summary: "build one executable with your tools inside" },
  { name: "pin", summary: "accept the tools of MCP servers as they are now" },
  { name: "trust", summary: "let a project's tools run, after you review them" },
  { name: "untrust", summary: "revoke trust in a project" },
  { name: "forge", summary: "review and keep the tools that models made" },
  { name: "allow", summary: "let models call a tool without asking, until it changes" },
  { name: "hook", summary: "apply your policy to other agents: Claude Code, Gemini CLI, …" },
  { name: "try", summary: "run an unreviewed definition in the sandbox" },
  { name: "sandbox", summary: "run a command in the sandbox" },
  { name: "resident", summary: "keep a process ready that makes calls at once" },
  { name: "doctor", summary: "show what works on this machine, and how to fix what does not" },
  { name: "completions", summary: "print completions for bash, zsh, fish or pwsh" },
  { name: "explain-code", summary: "explain a diagnostic code" },
  { name: "help", summary: "show help on a command or a tool" },
] as const satisfies readonly CommandSummary[];

/** Not shown: for completion scripts, detached calls, the relay in the sandbox, the resident process and its launcher. */
const hidden = ["__complete", "__detached", "__relay", "__resident", "__shared-server"] as const;

export type CommandName = (typeof commands)[number]["name"] | (typeof hidden)[number];

export function isCommandName(word: string): word is CommandName {
  return hidden.some((name) => name === word) || commands.some(({ name }) => name === word);
}
