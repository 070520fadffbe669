// The scenarios that run with faults: each command that changes something, and calls of tools that write. Each has
// files, a preparation, and the words of the run. `prepare` may return a function that ends what it has started.
import process from "node:process";
import { fileURLToPath } from "node:url";
import { startModel } from "./model.mjs";

const say =
  "Say.\n\n@title Say\n@name say\n@wrapped run_command\n@command echo {word}\n@param word {string} [required] What\n";
const CONFIG = "home/.config/dottool/config.yaml";
const allowAll = 'policy:\n  - decision: allow\n    tool: "*"\n    effect: [read, write, run, network, unknown]\n';

const remoteServer = fileURLToPath(new URL("remote-server.mjs", import.meta.url));
const remote = `mcp_servers:\n  it:\n    command: ${JSON.stringify(process.execPath)}\n    args: ["${remoteServer}"]\n`;
const echo = "Say it again.\n\n@title Echo\n@name echo\n@wrapped mcp:it/echo\n";

const toolCall = (name, args) =>
  JSON.stringify({
    choices: [
      {
        message: {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "1", type: "function", function: { name, arguments: JSON.stringify(args) } }],
        },
      },
    ],
  });

/** A request for a tool that adds. */
const adding = JSON.stringify({
  name: "add",
  description: "Adds.",
  implementation: { mode: "sandbox", code: "return input.a + 1;" },
  testCases: [{ input: { a: 1 }, expectedOutput: 2 }],
});
const forgeAdding = (bench) => bench.run(["--allow-forge", "call", "forge_tool", "--json", adding]);

export const scenarios = [
  {
    name: "trust",
    files: { ".tools/say.tool": say },
    environment: async (bench) => ({
      DOTTOOL_TRUST: (await bench.run(["trust", "--show"])).stdout.trim().split("\n").at(-1),
    }),
    words: ["trust"],
  },
  { name: "untrust", files: { ".tools/say.tool": say }, isTrusted: true, words: ["untrust"] },
  {
    name: "trust-list",
    files: { ".tools/say.tool": say },
    isTrusted: true,
    words: ["trust", "--list"],
    answers: true,
    mayWarn: true,
  },
  { name: "untrust-all", files: { ".tools/say.tool": say }, isTrusted: true, words: ["untrust", "--all"] },
  {
    name: "allow",
    files: { "tools/say.tool": say },
    words: async (bench) => ["--tools", "tools", "allow", "say", "--for", "exec", "--hash", await hashOf(bench)],
  },
  {
    name: "revoke",
    files: { "tools/say.tool": say },
    prepare: async (bench) =>
      bench.run(["--tools", "tools", "allow", "say", "--for", "exec", "--hash", await hashOf(bench)]),
    words: ["--tools", "tools", "allow", "--revoke", "say"],
  },
  { name: "forge", files: {}, words: ["--allow-forge", "call", "forge_tool", "--json", adding] },
  { name: "forge-keep", files: {}, prepare: forgeAdding, words: ["forge", "keep", "add", "--yes"] },
  { name: "forge-revoke", files: {}, prepare: forgeAdding, words: ["forge", "revoke", "add"] },
  {
    name: "package-add",
    files: { "words/package.json": '{"name":"words","version":"1.0.0","dottool":{}}', "words/say.tool": say },
    words: ["add", "./words"],
  },
  { name: "fmt", files: { "tools/say.tool": say.replace("@title", "@title   ") }, words: ["--tools", "tools", "fmt"] },
  {
    name: "fmt-check",
    files: { "tools/say.tool": say, "tools/other.tool": say.replace("@name say", "@name other") },
    prepare: (bench) => bench.run(["--tools", "tools", "fmt"]),
    words: ["--tools", "tools", "fmt", "--check"],
    answers: true,
  },
  {
    name: "fmt-check-folder",
    files: { "t/one/say.tool": say, "t/two/other.tool": say.replace("@name say", "@name other") },
    prepare: (bench) => bench.run(["fmt", "t"]),
    words: ["fmt", "--check", "t"],
    answers: true,
  },
  {
    name: "check",
    files: { "tools/say.tool": say, "tools/own/other.tool": say.replace("@name say", "@name other") },
    words: ["--tools", "tools", "check"],
    answers: true,
  },
  {
    name: "check-path",
    files: { "t/say.tool": say, "t/own/other.tool": say.replace("@name say", "@name other") },
    words: ["check", "t"],
    answers: true,
  },
  {
    name: "check-broken",
    files: { "tools/say.tool": say.replace("{word}", "{wrod}") },
    words: ["--tools", "tools", "check"],
    answers: true,
  },
  {
    name: "check-fix",
    files: { "tools/say.tool": say.replace("{word}", "{wrod}") },
    words: ["--tools", "tools", "check", "--fix"],
  },
  {
    name: "test",
    files: { "tools/say.tool": `${say}\n@test says\n    with {"word": "hello"}\n    expect output-contains hello\n` },
    words: ["--tools", "tools", "test"],
    answers: true,
  },
  { name: "new", files: { ".tools/.keep": "" }, words: ["new", "todo", "--from", "grep -rn TODO ."] },
  { name: "convert", files: { "tools/say.tool": say }, words: ["--tools", "tools", "convert", "say", "--write"] },
  { name: "list", files: { "tools/say.tool": say }, words: ["--tools", "tools", "list"], answers: true, mayWarn: true },
  {
    name: "call",
    files: { "tools/say.tool": say },
    words: ["--tools", "tools", "say", "hello"],
    answers: true,
    mayWarn: true,
  },
  {
    name: "call-trusted",
    files: { ".tools/say.tool": say },
    isTrusted: true,
    prepare: (bench) => bench.run(["say", "hello"]),
    words: ["say", "hello"],
    answers: true,
    mayWarn: true,
  },
  {
    name: "call-lines",
    files: {},
    words: ["run_command", "--", "sh", "-c", "echo one; echo two >&2; cat; exit 3"],
    answers: true,
    mayWarn: true,
  },
  {
    name: "call-shell-output",
    files: { [CONFIG]: allowAll },
    words: ["exec", "--dialect", "openai"],
    stdin: toolCall("run_command", { argv: ["sh", "-c", "echo one; echo two"] }),
    answers: true,
    mayWarn: true,
  },
  {
    name: "write_file",
    files: { "a.txt": "old\n" },
    words: ["write_file", "--file_path", "a.txt", "--content", "new\n"],
    answers: true,
    mayWarn: true,
  },
  {
    name: "write_file-new",
    files: {},
    words: ["write_file", "--file_path", "deep/er/a.txt", "--content", "new\n", "--create_dirs"],
    answers: true,
    mayWarn: true,
  },
  {
    name: "edit_file",
    files: { "a.txt": "one\ntwo\n" },
    words: ["edit_file", "--json", JSON.stringify({ file_path: "a.txt", edits: [{ search: "two", replace: "2" }] })],
    answers: true,
    mayWarn: true,
  },
  { name: "read_file", files: { "a.txt": "one\ntwo\n" }, words: ["read_file", "a.txt"], answers: true, mayWarn: true },
  {
    name: "list_dir",
    files: { "d/a.txt": "one\n", "d/e/b.txt": "" },
    words: ["list_dir", "--path", "d"],
    answers: true,
    mayWarn: true,
  },
  {
    name: "find_files",
    files: { "d/a.txt": "one\n", "d/e/b.txt": "" },
    words: ["find_files", "--json", JSON.stringify({ patterns: ["**/*.txt"], path: "d" })],
    answers: true,
    mayWarn: true,
  },
  {
    name: "search_text",
    files: { "d/a.txt": "one\n", "d/e/b.txt": "one more" },
    words: ["search_text", "--json", JSON.stringify({ pattern: "one", path: "d" })],
    answers: true,
    mayWarn: true,
  },
  {
    name: "temp_dir",
    files: {
      "tools/temp.tool":
        'Use a folder.\n\n@title Temp\n@name temp\n@step one runs\n    sh -c \'echo kept >"$0/file"; cat "$0/file"\' {TEMP_DIR}\n',
    },
    words: ["--tools", "tools", "temp"],
    answers: true,
    mayWarn: true,
  },
  {
    name: "step-cache",
    files: { "tools/slow.tool": "Keep it.\n\n@title Slow\n@name slow\n@step one runs [cache=1h]\n    echo kept\n" },
    words: ["--tools", "tools", "slow"],
    answers: true,
    mayWarn: true,
  },
  {
    name: "output-file",
    files: { "tools/slow.tool": "Keep it.\n\n@title Slow\n@name slow\n@step one runs\n    echo kept\n" },
    words: ["--tools", "tools", "slow", "--output-file", "out.txt"],
  },
  {
    name: "rate",
    files: { "tools/say.tool": say, [CONFIG]: "policy:\n  - tool: say\n    rate: 1/day\n" },
    prepare: (bench) => bench.run(["--tools", "tools", "say", "first"]),
    words: ["--tools", "tools", "say", "second"],
    answers: true,
  },
  {
    name: "denied",
    files: { "tools/say.tool": say, [CONFIG]: "policy:\n  - decision: deny\n    tool: say\n" },
    words: ["--tools", "tools", "say", "second"],
    answers: true,
  },
  {
    name: "denied-project",
    files: { ".tools/say.tool": say, ".tools/config.yaml": "policy:\n  - decision: deny\n    tool: say\n" },
    isTrusted: true,
    words: ["say", "second"],
    answers: true,
  },
  {
    name: "exec",
    files: { "tools/say.tool": say, [CONFIG]: allowAll },
    words: ["--tools", "tools", "exec"],
    stdin: toolCall("say", { word: "hello" }),
    answers: true,
    mayWarn: true,
  },
  {
    name: "exec-write",
    files: { "a.txt": "old\n", [CONFIG]: allowAll },
    words: ["exec"],
    stdin: toolCall("write_file", { file_path: "a.txt", content: "new\n" }),
    answers: true,
    mayWarn: true,
  },
  {
    name: "exec-spill",
    files: { [CONFIG]: allowAll },
    words: ["exec"],
    stdin: toolCall("run_command", { argv: ["seq", "20000"] }),
    answers: true,
    mayWarn: true,
  },
  {
    name: "mcp",
    files: { "tools/say.tool": say, [CONFIG]: allowAll },
    words: ["--tools", "tools", "mcp"],
    serves: { name: "say", arguments: { word: "hello" } },
  },
  {
    name: "mcp-write",
    files: { "a.txt": "old\n", [CONFIG]: allowAll },
    words: ["mcp"],
    serves: { name: "write_file", arguments: { file_path: "a.txt", content: "new\n" } },
  },
  {
    name: "mcp-http",
    files: { "tools/say.tool": say, [CONFIG]: allowAll },
    words: ["--tools", "tools", "mcp", "--http", "0", "--without-token"],
    serves: { name: "say", arguments: { word: "hello" } },
    isOverHttp: true,
  },
  { name: "pin", files: { "tools/echo.tool": echo, [CONFIG]: remote }, words: ["--tools", "tools", "pin", "it/echo"] },
  {
    name: "pin-changed",
    files: { "tools/echo.tool": echo, [CONFIG]: remote },
    prepare: pinOther,
    words: ["--tools", "tools", "pin", "it"],
  },
  {
    name: "call-remote",
    files: { "tools/echo.tool": echo, [CONFIG]: remote },
    prepare: (bench) => bench.run(["--tools", "tools", "pin", "it"]),
    words: ["--tools", "tools", "echo", "hello"],
    answers: true,
    mayWarn: true,
  },
  {
    name: "agent",
    files: { "a.txt": "old\n" },
    prepare: useModel,
    words: ["agent", "Write it, then read it."],
    answers: true,
    mayWarn: true,
  },
];

/** Pins a tool whose description differs from the server's. */
function pinOther(bench) {
  bench.write(CONFIG, remote.replace(remoteServer, `${remoteServer}", "other`));
  bench.run(["--tools", "tools", "pin", "it"]);
  bench.write(CONFIG, remote);
}

async function useModel(bench) {
  const { port, close } = await startModel([
    { name: "write_file", arguments: { file_path: "a.txt", content: "new\n" } },
    { name: "read_file", arguments: { file_path: "a.txt" } },
  ]);
  bench.write(
    CONFIG,
    `${allowAll}providers:\n  default: local\n  local: { kind: openai, url: "http://127.0.0.1:${port}/v1", model: small }\n`,
  );
  return close;
}

async function hashOf(bench) {
  const { stderr } = await bench.run(["--tools", "tools", "allow", "say", "--for", "exec"]);
  return /--hash (\w+)/.exec(stderr)?.[1] ?? "none";
}
