// `exec` as programs use it: a reply in, results out, in the real program.
import { spawn } from "node:child_process";
import { existsSync, readFileSync, watch } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { readCommandWords } from "../../src/cli/words/command-words.ts";
import { execCommand } from "../../src/features/dialects/commands/exec.ts";
import { defaultOptions } from "../../src/cli/words/global-options.ts";
import type { Terminal, TerminalPort } from "../../src/core/tool/terminal.ts";
import { type TestProject, testProject, startingOnce } from "../test-project.ts";
import { assert, suite } from "../harness.ts";

const test = suite("cli/exec");
const runLine = startingOnce();

const tool = (name: string, command: string, more = ""): string =>
  `${name}.\n\n@title ${name}\n@name ${name}\n@wrapped run_command\n@command ${command}\n${more}`;
const TOOLS = {
  "home/.config/dottool/config.yaml": "policy:\n  - {decision: allow, tool: [greet, ana/greet, wait]}\n",
  "tools/greet.tool": tool(
    "greet",
    "echo hello {name}",
    "@param name {string} [required] Whom\n@param loud {boolean} Loudly\n@tags read\n",
  ),
  "tools/ana/greet.tool": tool("greet", "echo ana greets {name}", "@param name {string} [required] Whom\n@tags read\n"),
  "tools/wait.tool": tool("wait", "sh -c 'touch begun; sleep 60'", "@tags read\n"),
  "tools/mark.tool": tool("mark", "touch {file}", "@param file {path} [required] What to make\n@tags write\n"),
};

const run = (bench: TestProject, stdin: string, ...words: readonly string[]): ReturnType<TestProject["run"]> =>
  runLine(bench, ["--tools", "tools", "exec", ...words], { stdin });

/** Runs the program with bytes, for input that is not text or is long. */
function runBytes(
  bench: TestProject,
  bytes: Uint8Array,
): Promise<{ readonly stdout: string; readonly stderr: string; readonly exitCode: number | null }> {
  return new Promise((resolve, reject) => {
    const { command, words, environment } = bench.program;
    const child = spawn(command, [...words, "exec"], { cwd: bench.folder, env: environment });
    const texts = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => (texts.stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (texts.stderr += text));
    child.stdin.on("error", () => undefined).end(bytes);
    child.on("error", reject).on("close", (exitCode) => resolve({ ...texts, exitCode }));
  });
}

const chatCall = (id: string, name: string, args: string): unknown => ({
  id,
  type: "function",
  function: { name, arguments: args },
});

interface ToolMessage {
  readonly tool_call_id: string;
  readonly content: string;
}

test("exec answers each call once, in order and in the shape of the API; what is wrong with one is its result", async () => {
  using bench = testProject(TOOLS);
  const calls = [
    chatCall("a", "greet", '{"name":"Ana"}'),
    chatCall("b", "gret", "{}"),
    chatCall("c", "greet", '{"name":"B'),
    chatCall("a", "greet", '{"name":"Ben"}'),
    chatCall("e", "greet", '{"name":5}'),
    chatCall("f", "ana__greet", '{"name":"Eve"}'),
    chatCall("g", "greet", '{"name":"Ida","loud":null}'),
    chatCall("h", "__proto__", '{"__proto__":{"x":1}}'),
    chatCall("i", "ana__greet", '{"nam":"Eve"}'),
    chatCall("j", "greet", `{"name":${"[".repeat(10_000)}${"]".repeat(10_000)}}`),
  ];
  const { stdout, stderr, exitCode } = await run(
    bench,
    JSON.stringify({
      choices: [{ finish_reason: "tool_calls", message: { role: "assistant", content: null, tool_calls: calls } }],
    }),
    "--show-dialect",
  );
  const messages = JSON.parse(stdout) as ToolMessage[];
  assert.equal(
    [exitCode, stderr, messages.map(({ tool_call_id }) => tool_call_id).join("")],
    [0, "dialect: openai, 10 calls\n", "abcaefghij"],
  );
  const contents = messages.map(({ content }) => content);
  assert.equal([contents[0], contents[5], contents[6]], ["hello Ana\n", "ana greets Eve\n", "hello Ida\n"]);
  assert.match(contents[1] ?? "", /^failed\[unknown-tool\]: there is no tool `gret`; did you mean `greet`/);
  assert.is(
    contents[2],
    "failed[call]: the arguments are not usable JSON: the JSON ends here, within a string (line 1, column 11)\n",
  );
  assert.is(
    contents[3],
    "failed[call]: an earlier call has the same id `a`, so this one was not run; give each call its own id\n",
  );
  assert.match(contents[4] ?? "", /^failed\[invalid-arguments\][^]*\{"name":"greet","arguments":\{"name":"5"\}\}/);
  assert.match(contents[7] ?? "", /^failed\[unknown-tool\]: there is no tool `__proto__`/);
  assert.match(contents[8] ?? "", /\{"name":"ana__greet","arguments":\{"name":"Eve"\}\}/);
  assert.is(
    contents[9],
    "failed[call]: the arguments are not usable JSON: is nested deeper than 128 levels (line 1, column 136)\n",
  );
});

test("exec answers text with text: JSON and XML, and nothing that is quoted", async () => {
  using bench = testProject(TOOLS);
  const reply =
    'I will.\n<tool>{"server_name":"local","tool_name":"greet","arguments":{"name":"</tool>"}}</tool>\n<tool><tool_name>ana/greet</tool_name><arguments><name><![CDATA[<b>]]> & co</name></arguments></tool>\n<tool>{"tool_name":"greet","arguments":{"nme":"x"}}</tool>\n```\n<tool>{"tool_name":"mark","arguments":{"file":"quoted"}}</tool>\n```\n';
  const { stdout, stderr, exitCode } = await run(bench, reply);
  assert.equal(
    [exitCode, stderr],
    [0, "note: a `<tool>` is in code, in a quotation or in a thought, and was not run\n"],
  );
  assert.is(
    stdout.split('status="error"')[0],
    '<tool_result call="1" tool_name="greet" status="ok">\nhello &lt;/tool>\n</tool_result>\n<tool_result call="2" tool_name="ana/greet" status="ok">\nana greets <b> & co\n</tool_result>\n<tool_result call="3" tool_name="greet" ',
  );
  assert.match(stdout, /call it like this: \{"server_name":"local","tool_name":"greet","arguments":\{"name":"x"\}\}/);
});

test("exec runs no call of another form that is only quoted, and says so", async () => {
  using bench = testProject(TOOLS);
  const call = '<tool_call>{"name":"mark","arguments":{"file":"quoted"}}</tool_call>';
  const note = "note: a call in the form `<tool_call>` is in code, in a comment or in a quotation, and was not run\n";
  for (const reply of [`Example:\n\n    ${call}\n`, `<!-- ${call} -->\n`, `So:\n\`\`\`\n${call}\n\`\`\`\n`]) {
    const { stdout, stderr } = await run(bench, reply);
    assert.equal([reply, stdout, stderr], [reply, "", note]);
  }
});

test("what may change something is for policy to allow, and nobody is there to ask", async () => {
  using bench = testProject(TOOLS);
  const { stdout, exitCode } = await runLine(bench, ["--tools", "tools", "--trace", "trace.json", "exec"], {
    stdin: JSON.stringify({ type: "tool_use", id: "t", name: "mark", input: { file: "made" } }),
  });
  const [message] = JSON.parse(stdout) as { content: { is_error: boolean; content: string }[] }[];
  assert.equal([exitCode, message?.content[0]?.is_error], [0, true]);
  assert.match(
    message?.content[0]?.content ?? "",
    /^failed\[denied\]: `mark` was not approved for `dottool exec`\n {2}= a person can allow it at a terminal with: dottool .*allow mark --for exec/,
  );
  const trace = JSON.parse(readFileSync(join(bench.folder, "trace.json"), "utf8")) as {
    resourceSpans: { scopeSpans: { spans: { name: string }[] }[] }[];
  };
  assert.equal(
    trace.resourceSpans[0]?.scopeSpans[0]?.spans.map(({ name }) => name),
    ["mark"],
  );
  assert.is(existsSync(join(bench.folder, "made")), false);
});

/** Runs the command in this process, for input with which no tool runs. */
async function refusedHere(
  bytes: Uint8Array | undefined,
  ...words: readonly string[]
): Promise<readonly [problem: string, exitCode: number]> {
  let text = "";
  const port: TerminalPort = {
    isTerminal: false,
    hasColor: false,
    movesCursor: false,
    columns: 80,
    rows: 24,
    write: (content) => void (text += String(content)),
  };
  const terminal = {
    output: port,
    errors: port,
    input: { isTerminal: false, readBytes: async () => bytes },
  } as unknown as Terminal;
  const read = readCommandWords("exec", execCommand, words);
  if (read === "help") return [read, 0];
  if ("problem" in read) return [read.problem, 64];
  const exitCode = await execCommand.run(read.input, { terminal, options: defaultOptions });
  return [text.split("\n")[0] ?? "", exitCode];
}

test("what cannot be read is refused with exit code 64, and nothing runs", async () => {
  assert.equal(await refusedHere(Buffer.from('{"model":"x"}')), [
    "failed[reply]: the reply is JSON, but not of a known API: an object with `model`",
    64,
  ]);
  assert.equal(await refusedHere(Buffer.from("x"), "--parallel", "0"), [
    "failed[usage]: `--parallel` must be a number from 1 to 64; got `0`",
    64,
  ]);
  assert.equal(await refusedHere(Buffer.from([0xff, 0xfe, 0x00, 0x41])), ["failed[reply]: the reply is not UTF-8", 64]);
  assert.equal(await refusedHere(Buffer.from("a\0b")), [
    "failed[reply]: the reply contains NUL characters, so it is not text",
    64,
  ]);
  assert.equal(await refusedHere(Buffer.from("  ")), ["failed[reply]: the reply is empty", 64]);
  using bench = testProject(TOOLS);
  const { stdout, stderr, exitCode } = await runBytes(bench, Buffer.alloc(17 * 1024 * 1024, "a"));
  assert.equal(
    [stdout, exitCode, stderr.split("\n")[0]],
    ["", 64, "failed[reply]: the reply has more than 16,777,216 bytes"],
  );
});

test("a reply of 15 MB, and one without calls", async () => {
  using bench = testProject(TOOLS);
  assert.equal(await run(bench, '{"role":"assistant","content":"All done."}'), {
    stdout: "[]\n",
    stderr: "",
    exitCode: 0,
  });
  const { exitCode, stdout } = await runBytes(
    bench,
    Buffer.from(
      JSON.stringify([chatCall("a", "read_file", JSON.stringify({ file_path: "x".repeat(15 * 1024 * 1024) }))]),
    ),
  );
  assert.equal([exitCode, (JSON.parse(stdout) as ToolMessage[]).length], [0, 1]);
});

test("Ctrl-C ends what runs and runs nothing more, and each call has its result", async () => {
  using bench = testProject(TOOLS);
  const { command, words, environment } = bench.program;
  const child = spawn(command, [...words, "--tools", "tools", "exec", "--parallel", "1"], {
    cwd: bench.folder,
    env: environment,
  });
  let stdout = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  const begun = new Promise<void>((resolve) => {
    const watcher = watch(bench.folder, (_event, name) => void (name === "begun" && (watcher.close(), resolve())));
  });
  child.stdin.end(JSON.stringify([chatCall("a", "wait", "{}"), chatCall("b", "greet", '{"name":"Ana"}')]));
  await begun;
  // After `child.kill` Deno reports the signal instead of the exit code.
  process.kill(child.pid ?? 0, "SIGINT");
  const exitCode = await new Promise((resolve) => child.on("close", resolve));
  assert.equal(
    [exitCode, (JSON.parse(stdout) as ToolMessage[]).map(({ tool_call_id: id, content }) => `${id} ${content}`)],
    [
      130,
      ["a failed[cancelled]: cancelled before it finished\n", "b failed[cancelled]: cancelled before it finished\n"],
    ],
  );
});

test.run();
