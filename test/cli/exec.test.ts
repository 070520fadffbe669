// `exec` as programs use it: a reply in, results out, in the real program.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type ToolBench, toolBench } from "../tool-bench.ts";
import { assert, suite } from "../harness.ts";

const test = suite("cli/exec");

const tool = (name: string, command: string, more = ""): string => `${name}.\n\n@title ${name}\n@name ${name}\n@wrapped run_command\n@command ${command}\n${more}`;
const TOOLS = {
  "home/.config/dottool/config.yaml": "policy:\n  - {decision: allow, tool: [greet, ana/greet]}\n",
  "tools/greet.tool": tool("greet", "echo hello {name}", "@param name {string} [required] Whom\n@param loud {boolean} Loudly\n@tags read\n"),
  "tools/ana/greet.tool": tool("greet", "echo ana greets {name}", "@param name {string} [required] Whom\n@tags read\n"),
  "tools/mark.tool": tool("mark", "touch {file}", "@param file {path} [required] What to make\n@tags write\n"),
};

async function withBench(use: (bench: ToolBench) => Promise<void>): Promise<void> {
  const bench = toolBench(TOOLS);
  try {
    await use(bench);
  } finally {
    bench.remove();
  }
}

const run = (bench: ToolBench, stdin: string, ...words: readonly string[]): ReturnType<ToolBench["run"]> => bench.run(["--tools", "tools", "exec", ...words], { stdin });

/** For what is not text, and for what is long. */
function runBytes(bench: ToolBench, bytes: Uint8Array): Promise<{ readonly stdout: string; readonly stderr: string; readonly exitCode: number | null }> {
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

const chatCall = (id: string, name: string, args: string): unknown => ({ id, type: "function", function: { name, arguments: args } });

interface ToolMessage {
  readonly tool_call_id: string;
  readonly content: string;
}

test("exec answers each call once, in order and in the shape of the API; what is wrong with one is its result", async () => {
  await withBench(async (bench) => {
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
    ];
    const { stdout, stderr, exitCode } = await run(bench, JSON.stringify({ choices: [{ finish_reason: "tool_calls", message: { role: "assistant", content: null, tool_calls: calls } }] }), "--show-dialect");
    const messages = JSON.parse(stdout) as ToolMessage[];
    assert.equal([exitCode, stderr, messages.map(({ tool_call_id }) => tool_call_id).join("")], [0, "dialect: openai, 9 calls\n", "abcaefghi"]);
    const contents = messages.map(({ content }) => content);
    assert.equal([contents[0], contents[5], contents[6]], ["hello Ana\n", "ana greets Eve\n", "hello Ida\n"]);
    assert.match(contents[1] ?? "", /^failed\[unknown-tool\]: there is no tool `gret`; did you mean `greet`/);
    assert.is(contents[2], "failed[call]: the arguments are no JSON that can be used: the JSON ends here, within a string (line 1, column 11)\n");
    assert.is(contents[3], "failed[call]: a call before this one has the id `a` too, so this one was not run; give each call an id of its own\n");
    assert.match(contents[4] ?? "", /^failed\[invalid-arguments\][^]*\{"name":"greet","arguments":\{"name":"5"\}\}/);
    assert.match(contents[7] ?? "", /^failed\[unknown-tool\]: there is no tool `__proto__`/);
    assert.match(contents[8] ?? "", /\{"name":"ana__greet","arguments":\{"name":"Eve"\}\}/);
  });
});

test("exec answers text with text: JSON and XML, and nothing that is quoted", async () => {
  await withBench(async (bench) => {
    const reply = 'I will.\n<tool>{"server_name":"local","tool_name":"greet","arguments":{"name":"</tool>"}}</tool>\n<tool><tool_name>ana/greet</tool_name><arguments><name><![CDATA[<b>]]> & co</name></arguments></tool>\n<tool>{"tool_name":"greet","arguments":{"nme":"x"}}</tool>\n```\n<tool>{"tool_name":"mark","arguments":{"file":"quoted"}}</tool>\n```\n';
    const { stdout, stderr, exitCode } = await run(bench, reply);
    assert.equal([exitCode, stderr], [0, "note: a `<tool>` stands in code or in a thought, which quotes it, and was not run\n"]);
    assert.is(stdout.split("status=\"error\"")[0], '<tool_result call="1" tool_name="greet" status="ok">\nhello &lt;/tool>\n</tool_result>\n<tool_result call="2" tool_name="ana/greet" status="ok">\nana greets <b> & co\n</tool_result>\n<tool_result call="3" tool_name="greet" ');
    assert.match(stdout, /call it like this: \{"server_name":"local","tool_name":"greet","arguments":\{"name":"x"\}\}/);
  });
});

test("what may change something is for policy to allow, and nobody is there to ask", async () => {
  await withBench(async (bench) => {
    const { stdout, exitCode } = await bench.run(["--tools", "tools", "--trace", "trace.json", "exec"], { stdin: JSON.stringify({ type: "tool_use", id: "t", name: "mark", input: { file: "made" } }) });
    const [message] = JSON.parse(stdout) as { content: { is_error: boolean; content: string }[] }[];
    assert.equal([exitCode, message?.content[0]?.is_error], [0, true]);
    assert.match(message?.content[0]?.content ?? "", /^failed\[denied\]: nobody has agreed to `mark` for `dottool exec`\n {2}= a person allows it at a terminal with: dottool .*allow mark --for exec/);
    const trace = JSON.parse(readFileSync(join(bench.folder, "trace.json"), "utf8")) as { resourceSpans: { scopeSpans: { spans: { name: string }[] }[] }[] };
    assert.equal(trace.resourceSpans[0]?.scopeSpans[0]?.spans.map(({ name }) => name), ["mark"]);
    assert.is(existsSync(join(bench.folder, "made")), false);
  });
});

test("a reply without calls is answered with nothing", async () => {
  await withBench(async (bench) => {
    assert.equal(await run(bench, '{"role":"assistant","content":"All done."}'), { stdout: "[]\n", stderr: "", exitCode: 0 });
  });
});

test("what cannot be read is refused with exit code 64, and nothing runs", async () => {
  await withBench(async (bench) => {
    const refused = async (stdin: string, ...words: readonly string[]): Promise<string> => {
      const { stdout, stderr, exitCode } = await run(bench, stdin, ...words);
      assert.equal([stdout, exitCode], ["", 64]);
      return stderr.split("\n")[0] ?? "";
    };
    assert.is(await refused('{"model":"x"}'), "failed[reply]: the reply is JSON, but of no API that is known: an object with `model`");
    assert.is(await refused("x", "--parallel", "0"), "failed[usage]: `--parallel` takes a number from 1 to 64, got `0`");
    const bytes = [[Buffer.from([0xff, 0xfe, 0x00, 0x41]), "the reply is no UTF-8"], [Buffer.from("a\0b"), "the reply holds NUL characters, as no text does"], [Buffer.alloc(17 * 1024 * 1024, "a"), "the reply has more than 16,777,216 bytes"]] as const;
    for (const [given, problem] of bytes) {
      const { stdout, stderr, exitCode } = await runBytes(bench, given);
      assert.equal([stdout, exitCode, stderr.split("\n")[0]], ["", 64, `failed[reply]: ${problem}`]);
    }
  });
});

test("a reply of 15 MB, and one that is nested 10,000 deep", async () => {
  await withBench(async (bench) => {
    const long = await runBytes(bench, Buffer.from(JSON.stringify([chatCall("a", "read_file", JSON.stringify({ file_path: "x".repeat(15 * 1024 * 1024) }))])));
    assert.equal([long.exitCode, (JSON.parse(long.stdout) as ToolMessage[]).length], [0, 1]);
    const deep = await run(bench, JSON.stringify([chatCall("a", "greet", `{"name":${"[".repeat(10_000)}${"]".repeat(10_000)}}`)]));
    assert.equal([deep.exitCode, JSON.parse(deep.stdout)], [0, [{ role: "tool", tool_call_id: "a", content: "failed[call]: the arguments are no JSON that can be used: is nested deeper than 128 levels (line 1, column 136)\n" }]]);
  });
});

test.run();
