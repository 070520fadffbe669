// The features of this program: a row each, with what is known of it before it is loaded. This is the only file that
// names features. A feature goes with its folder and its row here; the others go on without it.
import type { FeatureRow } from "../core/tool/feature.ts";
import type {} from "../cli/commands.ts";

export const features: readonly FeatureRow[] = [
  {
    name: "agent",
    uses: ["dialects", "files", "models", "web"],
    commands: [
      {
        name: "agent",
        group: "agents",
        summary: "let a model do a task with the tools",
        callsForModels: true,
        traces: true,
      },
    ],
    load: () => import("./agent/feature.ts"),
  },
  {
    name: "bundle",
    uses: ["check", "packages"],
    commands: [
      { name: "bundle", group: "share", place: 8, summary: "build one executable with your tools inside" },
      { name: "self-update", group: "administer", summary: "replace a bundle by its newest release" },
    ],
    parts: ["newestBundle", "tellNewer", "writeBundleInfo"],
    load: () => import("./bundle/feature.ts"),
  },
  {
    name: "check",
    uses: ["javascript", "models"],
    commands: [
      { name: "check", group: "write", place: 5, summary: "find mistakes in definitions" },
      { name: "test", group: "write", place: 6, summary: "run the tests in definitions" },
      {
        name: "doctor",
        group: "administer",
        summary: "show what works on this machine, and how to fix what does not",
        isForLooking: true,
      },
      { name: "explain-code", group: "write", summary: "explain a diagnostic code" },
    ],
    load: () => import("./check/feature.ts"),
  },
  {
    name: "choose",
    uses: ["list"],
    commands: [{ name: "choose", group: "use", summary: "pick a tool, answer what it asks for, and run it" }],
    parts: ["askSecrets", "chooseSome"],
    load: () => import("./choose/feature.ts"),
  },
  {
    name: "completions",
    uses: ["runs"],
    commands: [
      { name: "completions", group: "use", summary: "print completions for bash, zsh, fish or pwsh" },
      { name: "__complete" },
    ],
    load: () => import("./completions/feature.ts"),
  },
  {
    name: "confinement",
    uses: ["web"],
    commands: [
      { name: "try", group: "use", summary: "run an unreviewed definition in the sandbox" },
      { name: "sandbox", group: "administer", summary: "run a command in the sandbox" },
      { name: "__relay" },
    ],
    parts: ["confine", "runConfined"],
    findings: true,
    load: () => import("./confinement/feature.ts"),
  },
  {
    name: "convert",
    uses: ["check", "yaml"],
    commands: [
      { name: "fmt", group: "write", summary: "format definitions" },
      { name: "convert", group: "write", summary: "convert a .tool file to YAML, or YAML to a .tool file" },
    ],
    load: () => import("./convert/feature.ts"),
  },
  {
    name: "dev",
    commands: [
      { name: "dev", group: "write", summary: "show, trust, check and test each change while you write tools" },
    ],
    load: () => import("./dev/feature.ts"),
  },
  {
    name: "dialects",
    uses: ["yaml"],
    commands: [
      { name: "schema", group: "agents", summary: "print tools as declarations for a model API" },
      {
        name: "exec",
        group: "agents",
        summary: "run the calls in a model's reply",
        callsForModels: true,
        traces: true,
      },
    ],
    load: () => import("./dialects/feature.ts"),
  },
  {
    name: "diff",
    uses: ["dialects", "packages"],
    commands: [
      { name: "diff", group: "write", summary: "show what a change of tools breaks, and what they may do now" },
    ],
    load: () => import("./diff/feature.ts"),
  },
  {
    name: "embedding",
    uses: ["dialects", "mcp-server"],
    parts: ["library"],
    load: () => import("./embedding/feature.ts"),
  },
  {
    name: "eval",
    uses: ["agent", "dialects", "models"],
    commands: [
      { name: "eval", group: "write", summary: "find out whether what people ask for leads to the right tool" },
    ],
    load: () => import("./eval/feature.ts"),
  },
  {
    name: "explain",
    uses: ["confinement", "hook"],
    commands: [
      { name: "explain", group: "use", place: 4, summary: "show what a call would do, without running it" },
      { name: "policy", group: "administer", summary: "show the rules in force, or test them with a file of calls" },
    ],
    parts: ["explainFound"],
    load: () => import("./explain/feature.ts"),
  },
  {
    name: "export",
    uses: ["bundle", "check", "dialects", "hook", "packages"],
    commands: [
      { name: "export", group: "share", summary: "write the tools as a plugin, extension or skill for a client" },
    ],
    load: () => import("./export/feature.ts"),
  },
  {
    name: "files",
    parts: ["editPreview"],
    baseTools: ["edit_file", "find_files", "list_dir", "read_file", "search_text", "write_file"],
    load: () => import("./files/feature.ts"),
  },
  {
    name: "forge",
    uses: ["agent", "check", "dialects", "javascript", "models", "new"],
    commands: [{ name: "forge", group: "agents", summary: "review and keep the tools that models made" }],
    parts: ["forgingTools"],
    load: () => import("./forge/feature.ts"),
  },
  {
    name: "graph",
    commands: [{ name: "graph", group: "write", summary: "draw the steps or dependencies of a tool" }],
    load: () => import("./graph/feature.ts"),
  },
  {
    name: "hook",
    uses: ["files", "web"],
    commands: [
      { name: "hook", group: "agents", summary: "apply your policy to other agents: Claude Code, Gemini CLI, …" },
    ],
    parts: ["writtenPaths"],
    load: () => import("./hook/feature.ts"),
  },
  {
    name: "import",
    uses: ["mcp-client", "new", "web"],
    commands: [{ name: "import", group: "write", summary: "make tools from npm scripts, justfiles, makefiles, …" }],
    load: () => import("./import/feature.ts"),
  },
  {
    name: "javascript",
    uses: ["web"],
    parts: ["transformedArguments", "code", "createSandbox"],
    load: () => import("./javascript/feature.ts"),
  },
  {
    name: "list",
    uses: ["dialects", "graph", "hook"],
    commands: [
      {
        name: "list",
        group: "use",
        place: 3,
        summary: "list tools, or the best matches for a query",
        isForLooking: true,
      },
      { name: "__start", isForLooking: true },
      { name: "show", group: "use", summary: "show everything about a tool" },
    ],
    load: () => import("./list/feature.ts"),
  },
  {
    name: "lsp",
    uses: ["check", "yaml"],
    commands: [{ name: "lsp", group: "write", summary: "serve editors: mistakes, completion, hover", lasts: true }],
    parts: ["authorHelp"],
    load: () => import("./lsp/feature.ts"),
  },
  {
    name: "mcp-client",
    commands: [{ name: "pin", group: "agents", summary: "accept the tools of MCP servers as they are now" }],
    parts: ["openRemoteTools", "askServers", "loginPromptAt"],
    findings: true,
    load: () => import("./mcp-client/feature.ts"),
  },
  {
    name: "mcp-proxy",
    uses: ["confinement", "dialects", "mcp-client", "mcp-server"],
    commands: [
      {
        name: "mcp-proxy",
        group: "agents",
        summary: "serve another MCP server to a client, from within the sandbox",
        callsForModels: true,
        lasts: true,
      },
    ],
    load: () => import("./mcp-proxy/feature.ts"),
  },
  {
    name: "mcp-server",
    uses: ["dialects", "javascript", "packages", "runs", "web"],
    commands: [
      {
        name: "mcp",
        group: "agents",
        place: 7,
        summary: "serve the tools to clients of the Model Context Protocol",
        callsForModels: true,
        lasts: true,
      },
    ],
    load: () => import("./mcp-server/feature.ts"),
  },
  {
    name: "models",
    uses: ["web"],
    baseTools: ["ask_model", "converse"],
    parts: ["providerFailure"],
    load: () => import("./models/feature.ts"),
  },
  {
    name: "new",
    commands: [
      { name: "init", group: "write", place: 1, summary: "start here: create `.tools` with a working example" },
      { name: "new", group: "write", place: 2, summary: "write a starter definition" },
    ],
    load: () => import("./new/feature.ts"),
  },
  {
    name: "packages",
    uses: ["check", "hook"],
    commands: [
      { name: "add", group: "share", summary: "add packages of tools to the project" },
      { name: "remove", group: "share", summary: "remove packages from the project" },
      { name: "search", group: "share", summary: "find packages of tools in the registry" },
      { name: "publish", group: "share", summary: "publish a package, after checks and tests" },
      { name: "update", group: "share", summary: "replace packages by newer versions that fit" },
      { name: "outdated", group: "share", summary: "list packages with newer versions" },
      { name: "audit", group: "share", summary: "show what installed packages may do, and what is wrong with them" },
      { name: "install", group: "share", summary: "install the packages of `dottool.lock`" },
    ],
    parts: ["packageFolders", "unapprovedFailure", "listPackages", "newestVersion", "packageRules"],
    load: () => import("./packages/feature.ts"),
  },
  {
    name: "plugins",
    uses: ["check", "javascript"],
    commands: [{ name: "__plugin-tests" }],
    parts: ["createModules", "runPluginTests", "sessionPlugins"],
    load: () => import("./plugins/feature.ts"),
  },
  {
    name: "queue",
    uses: ["packages"],
    commands: [
      { name: "batch", group: "use", summary: "run a tool once for each line of standard input", traces: true },
      {
        name: "worker",
        group: "administer",
        summary: "make the calls of batches on a queue, on any machine",
        callsForModels: true,
      },
    ],
    parts: ["openStepQueue", "hostQueues"],
    load: () => import("./queue/feature.ts"),
  },
  {
    name: "repair",
    parts: ["repairs"],
    load: () => import("./repair/feature.ts"),
  },
  {
    name: "resident",
    uses: ["mcp-server"],
    commands: [
      { name: "resident", group: "administer", summary: "keep a process ready that makes calls at once" },
      { name: "__resident", lasts: true },
    ],
    parts: ["openStarter", "readHandedOver"],
    load: () => import("./resident/feature.ts"),
  },
  {
    name: "runs",
    uses: ["list", "web"],
    commands: [
      { name: "runs", group: "use", summary: "list, follow and cancel calls that go on in the background" },
      { name: "__detached" },
    ],
    parts: ["detach", "keptIfResumable"],
    load: () => import("./runs/feature.ts"),
  },
  {
    name: "stats",
    commands: [
      { name: "log", group: "administer", summary: "print the calls that people, models and other agents made" },
      { name: "stats", group: "administer", summary: "count these calls by tool, caller and day" },
    ],
    load: () => import("./stats/feature.ts"),
  },
  {
    name: "trace",
    parts: ["openTraceFile"],
    load: () => import("./trace/feature.ts"),
  },
  {
    name: "web",
    parts: ["createWeb", "listen"],
    baseTools: ["google_search", "web_fetch", "web_search"],
    load: () => import("./web/feature.ts"),
  },
  {
    name: "windows-shells",
    parts: ["bindWindows", "windowsScripts"],
    load: () => import("./windows-shells/feature.ts"),
  },
  {
    name: "yaml",
    parts: ["yamlReader"],
    load: () => import("./yaml/feature.ts"),
  },
];
