// Plugins in the program itself: those of the repository, broken ones, and ones that misbehave while they run.
import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { fewOf } from "../amount.ts";
import { assert, suite } from "../harness.ts";
import { startingOnce, testProject } from "../test-project.ts";

const test = suite("plugins in the program");
const runLine = startingOnce();
/**
 * Tests that are left out in Deno, where a start takes longer: the same code, and nothing about how a plugin is loaded
 * or ends.
 */
const inNode: (...words: Parameters<typeof test>) => void = "Deno" in globalThis ? () => undefined : test;
const root = fileURLToPath(new URL("../..", import.meta.url));

const head = 'import { definePlugin, defineTool, integer, string } from "dottool";\n';

function plugin(name: string, run: string, before = ""): string {
  return `${head}${before}export default definePlugin({ name: "${name}", tools: [defineTool({ name: "${name}", description: "Does it.", effects: [], run: ${run} })] });\n`;
}

test("hello.ts greets", async () => {
  using bench = testProject({ ".tools/plugins/hello.ts": readFileSync(join(root, "plugins/hello.ts"), "utf8") });
  assert.equal(await runLine(bench, ["hello", "--who", "Ana", "--times", "2"]), {
    exitCode: 0,
    stdout: "hello Ana\nhello Ana\n",
    stderr: "",
  });
  assert.equal(await runLine(bench, ["hello", "--who", " "]), {
    exitCode: 1,
    stdout: "",
    stderr: "failed[rejected]: there is nobody to greet\n  = give `who` a name\n",
  });
  assert.is((await runLine(bench, ["hello", "--times", "11"])).exitCode, 64);
});

test("changelog.ts works with its sibling file, its package and its enum", async () => {
  using bench = testProject({ "CHANGELOG.md": "# Changes\n\n## 1.1.0\n\n- More\n\n## 1.0.0\n\n- First\n" });
  for (const name of ["changelog.ts", "changelog"])
    cpSync(join(root, "plugins", name), join(bench.folder, ".tools/plugins", name), { recursive: true });
  cpSync(join(root, "node_modules/semver"), join(bench.folder, ".tools/node_modules/semver"), { recursive: true });
  assert.equal(await runLine(bench, ["changes", "--since", "1.0.0"]), {
    exitCode: 0,
    stdout: "1.1.0\n  More\n",
    stderr: "",
  });
  const json = await runLine(bench, ["changes", "--since", "0.9.0", "--form", "json"]);
  assert.equal(JSON.parse(json.stdout), [
    { version: "1.1.0", lines: ["More"] },
    { version: "1.0.0", lines: ["First"] },
  ]);
});

inNode("what plugins/README.md shows says of each tool what it may do; an empty list is unknown", async () => {
  const [, words = ""] = /```ts\n([^]*?)```/.exec(readFileSync(join(root, "plugins/README.md"), "utf8")) ?? [];
  using bench = testProject({ ".tools/plugins/words.ts": words, ".tools/plugins/odd.ts": plugin("odd", '() => ""') });
  const effectsOf = async (name: string): Promise<unknown> =>
    (JSON.parse((await runLine(bench, ["show", name, "--json"])).stdout) as { effects: unknown }).effects;
  assert.equal(await Promise.all(["join_words", "count_lines", "odd"].map(effectsOf)), [["read"], ["read"], []]);
});

inNode("of two plugin tools with one name the first is used, and check says so", async () => {
  using bench = testProject({
    ".tools/plugins/a.ts": plugin("same", '() => "first"'),
    ".tools/plugins/b.ts": plugin("same", '() => "second"'),
  });
  assert.equal(await runLine(bench, ["same"]), { exitCode: 0, stdout: "first\n", stderr: "" });
  const { stdout, exitCode } = await runLine(bench, ["check"]);
  assert.is(exitCode, 0);
  assert.match(
    stdout,
    "warning[duplicate-tool]: the tool `same` of `.tools/plugins/b.ts` is not used: `.tools/plugins/a.ts` has a tool with that name and is loaded first\n",
  );
  const list = await runLine(bench, ["list", "same", "--json"]);
  assert.equal((JSON.parse(list.stdout) as { unused: unknown }).unused, [
    {
      name: "same",
      place: ".tools/plugins/b.ts",
      reason: "`.tools/plugins/a.ts` has a tool with that name and is loaded first",
    },
  ]);
});

inNode("the tool folders of a plugin have the rights of the folder that the plugin is in", async () => {
  const tool = (name: string): string =>
    `Says it.\n\n@title Says\n@name ${name}\n@wrapped run_command\n@command echo ${name} of the plugin\n`;
  const contributes =
    'import { definePlugin } from "dottool";\nexport default definePlugin({ name: "more", toolFolders: ["../more", "../nothing"] });\n';
  const files = { "plugins/more.ts": contributes, "more/ls.tool": tool("ls"), "more/fresh.tool": tool("fresh") };
  const place = (folder: string): Readonly<Record<string, string>> =>
    Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]));
  using bench = testProject({ ...place(".tools"), ...place("given") });
  const origins = async (words: readonly string[]): Promise<readonly unknown[]> => {
    const { tools, unused } = JSON.parse((await runLine(bench, [...words, "list", "--json"])).stdout) as {
      tools: { name: string; origin: string }[];
      unused: { name: string; place: string }[];
    };
    return [
      ...tools.filter(({ name }) => name === "ls" || name === "fresh").map(({ name, origin }) => [name, origin]),
      ...unused.map((one) => [one.name, one.place]),
    ];
  };
  assert.equal(await origins([]), [
    ["fresh", "project"],
    ["ls", "project"],
    ["ls", "builtin:ls.tool:4"],
  ]);
  assert.is((await runLine(bench, ["fresh"])).stdout, "fresh of the plugin\n");
  assert.is((await runLine(bench, ["check"])).stdout.includes("`.tools/nothing` cannot be read"), true);
  assert.equal((await origins(["--tools", "given"])).slice(0, 2), [
    ["fresh", "given"],
    ["ls", "given"],
  ]);
});

test("what a plugin throws where nobody waits names the plugin, exits with 70 and ends its processes", async () => {
  const mark = "86398.375";
  const start = `void context.invoke("run_command", { command: "sleep ${mark}" });`;
  const files = {
    ".tools/plugins/timer.ts": plugin(
      "timer",
      `(_args, context) => { ${start} return new Promise(() => void setTimeout(() => { throw new Error("boom"); }, 300)); }`,
    ),
    ".tools/plugins/promise.ts": plugin(
      "promise",
      `(_args, context) => { ${start} setTimeout(() => void Promise.reject(new Error("bang")), 300); return new Promise(() => undefined); }`,
    ),
  };
  {
    using bench = testProject(files);
    for (const [name, reason] of [
      ["timer", "boom"],
      ["promise", "bang"],
    ] as const) {
      const { exitCode, stdout, stderr } = await bench.run([name]);
      assert.equal({ exitCode, stdout }, { exitCode: 70, stdout: "" });
      assert.ok(
        stderr.startsWith(
          `failed[crashed]: the plugin \`<bench>/.tools/plugins/${name}.ts\` has a bug: ${reason}\n  at `,
        ),
        stderr,
      );
      assert.ok(!stderr.includes("Node.js v"), stderr);
    }
  }
  assert.equal(running(mark), []);
});

const ends = [
  "process.exit(0)",
  "process.reallyExit(0)",
  "exit(0)",
  "setTimeout(process.exit, 1, 0)",
  ...("Deno" in globalThis ? ["Deno.exit(0)"] : []),
];
const imports = 'import process, { exit } from "node:process";\n';

test("a plugin that ends the program as it loads is broken, and the others work", async () => {
  const enders = ends
    .filter((end) => !end.startsWith("set"))
    .map((end, index) => [`.tools/plugins/bye${index}.ts`, `${imports}${end};\n`] as const);
  using bench = testProject({
    ".tools/plugins/good.ts": plugin("good", '() => "fine"'),
    ...Object.fromEntries(enders),
  });
  assert.equal(await bench.run(["good"]), { exitCode: 0, stdout: "fine\n", stderr: "" });
  const { exitCode, stdout, stderr } = await bench.run(["check"]);
  assert.equal({ exitCode, stderr }, { exitCode: 65, stderr: "" });
  assert.equal(
    stdout.split("\n").filter((line) => line.startsWith("error[")),
    enders.map(
      ([path, text]) =>
        `error[broken-plugin]: the plugin \`${path}\` cannot be used: it tried to end the program with \`${text.includes("Deno") ? "Deno.exit" : "process.exit"}\`; a tool must return or throw`,
    ),
  );
});

test("a plugin that ends the program as it runs has crashed, also from a timer", async () => {
  using bench = testProject();
  for (const end of fewOf(ends, 3)) {
    bench.write(".tools/plugins/bye.ts", plugin("bye", `() => new Promise(() => { ${end}; })`, imports));
    const { exitCode, stdout, stderr } = await bench.run(["bye"]);
    assert.equal({ end, exitCode, stdout }, { end, exitCode: 70, stdout: "" });
    assert.match(stderr.split("\n", 1).join(""), "it tried to end the program with `");
    assert.is(stderr.split(": ")[0], "failed[crashed]");
  }
});

test("a program that has dottool in it may end itself, and its plugins may not end it", async () => {
  using bench = testProject({ ".tools/plugins/bye.ts": plugin("bye", "() => process.exit(0)", imports) });
  const library = pathToFileURL(join(root, "src/dottool.ts")).href;
  bench.write(
    "own.mjs",
    `import process from "node:process";\nimport { openTools } from "${library}";\nconst { failure } = await (await openTools({ cwd: "." })).call("bye", {});\nconsole.log(failure.kind);\nprocess.exit(3);\n`,
  );
  const { environment } = bench.program;
  // Deno adds its own environment to `env`.
  const env = { ...environment, XDG_STATE_HOME: join(bench.folder, "home/.local/state") };
  const { status, stdout } = spawnSync(
    process.execPath,
    [...("Deno" in globalThis ? ["run", "-A", "--config", join(root, "deno.json")] : []), "own.mjs"],
    { cwd: bench.folder, env, encoding: "utf8" },
  );
  assert.equal({ status, stdout }, { status: 3, stdout: "crashed\n" });
});

inNode("a result that is no JSON is a crash of the tool", async () => {
  using bench = testProject({
    ".tools/plugins/big.ts": plugin("big", "() => ({ size: 1n }) as never"),
    ".tools/plugins/lost.ts": plugin("lost", "() => (() => 1) as never"),
    ".tools/plugins/map.ts": plugin("map", "() => ({ all: new Map([[1, 2]]) }) as never"),
    ".tools/plugins/ask3.ts": plugin(
      "ask3",
      "async (_args, context) => String((await context.invoke(3 as never, 4 as never)).status)",
    ),
  });
  for (const [name, reason] of [
    ["big", "it returned a bigint as `size`"],
    ["lost", "it returned a function, which JSON cannot represent"],
    ["map", "it returned a Map as `all`, which JSON cannot represent"],
    ["ask3", "`context.invoke` takes the name of a tool and an object of arguments"],
  ] as const) {
    const { exitCode, stdout, stderr } = await (name === "big" ? bench.run([name]) : bench.here([name]));
    assert.equal({ exitCode, stdout }, { exitCode: 70, stdout: "" });
    assert.ok(
      stderr.startsWith("failed[crashed]: ") && stderr.includes(`\`${name}\``) && stderr.includes(reason),
      stderr,
    );
  }
});

test("whatever a tool throws is a crash of it, and so is whatever it throws where nobody waits", async () => {
  using bench = testProject({
    ".tools/plugins/odd.ts": plugin("odd", "() => { throw { toString() { throw 1; } }; }"),
    ".tools/plugins/late.ts": plugin(
      "late",
      "() => new Promise(() => void setTimeout(() => { throw Object.create(null); }, 1))",
    ),
  });
  const odd =
    "failed[crashed]: a bug in `odd`: it threw a value that cannot be shown\n  = report it with the call that led here\n";
  assert.equal(await bench.run(["odd"]), { exitCode: 70, stdout: "", stderr: odd });
  const late = await bench.run(["late"]);
  assert.equal(
    [late.exitCode, late.stderr.includes("it threw a value that cannot be shown"), late.stderr.includes("Node.js v")],
    [70, true, false],
  );
});

test("a plugin that leaves a timer or a server running does not keep the program", async () => {
  const before =
    'import { createServer } from "node:net";\nsetInterval(() => undefined, 1000);\ncreateServer().listen(0, "127.0.0.1");\n';
  const text = "x".repeat(99);
  using bench = testProject({
    ".tools/plugins/stays.ts": plugin(
      "stays",
      `() => { setInterval(() => undefined, 1000); return "${text}\\n".repeat(30_000); }`,
      before,
    ),
  });
  const called = await bench.run(["stays"]);
  assert.equal([called.exitCode, called.stderr, called.stdout.length], [0, "", 3_000_000]);
  const rows = [
    [["check"], 0],
    [["list", "stays"], 0],
    [["show", "stays"], 0],
    [["explain", "stays"], 0],
    [["stays", "x"], 64],
    [["schema", "stays"], 0],
    [["test"], 0],
    [["nothing"], 66],
  ] as const;
  for (const [words, exitCode] of fewOf(rows, 4)) {
    assert.equal([words, (await bench.run(words)).exitCode], [words, exitCode]);
  }
});

/** The reader reads a little, waits, and reads the rest: the end of the output must arrive. */
test("a slow reader gets all of what a plugin that stays has printed", async () => {
  using bench = testProject({
    ".tools/plugins/stays.ts": plugin(
      "stays",
      '() => { setInterval(() => undefined, 1000); return "0123456789".repeat(30_000); }',
    ),
  });
  const { command, words, environment } = bench.program;
  const child = spawn(command, [...words, "stays"], {
    cwd: bench.folder,
    env: environment,
    stdio: ["ignore", "pipe", "ignore"],
  });
  let length = 0;
  child.stdout.once("data", (chunk: Buffer) => {
    length += chunk.length;
    child.stdout.pause();
    setImmediate(() => child.stdout.on("data", (more: Buffer) => (length += more.length)).resume());
  });
  assert.equal([await new Promise((resolve) => child.on("close", resolve)), length], [0, 300_001]);
});

inNode("check counts and checks the plugins of what it is given", async () => {
  const broken = "error[broken-plugin]: the plugin `PATH` cannot be used: not today\n";
  const files = {
    ".tools/plugins/bad.ts": 'throw new Error("not today");\n',
    ".tools/plugins/good.ts": plugin("good", "() => 1"),
    "other/plugins/bad.ts": 'throw new Error("not today");\n',
  };
  using bench = testProject(files);
  const start = startingOnce();
  const rows: readonly (readonly [words: readonly string[], last: string, path?: string])[] = [
    [["check"], "2 plugins checked: 1 error", ".tools/plugins/bad.ts"],
    [["check", ".tools"], "2 plugins checked: 1 error", ".tools/plugins/bad.ts"],
    [["check", ".tools/plugins/bad.ts"], "1 plugin checked: 1 error", ".tools/plugins/bad.ts"],
    [["check", ".tools/plugins/good.ts"], "1 plugin checked: no problems"],
    [["--tools", "other", "check", "other/plugins/bad.ts"], "1 plugin checked: 1 error", "other/plugins/bad.ts"],
    [["--tools", "other", "check", "other/plugins"], "1 plugin checked: 1 error", "other/plugins/bad.ts"],
  ];
  for (const [words, last, path] of rows) {
    const { stdout, exitCode } = await start(bench, words);
    assert.equal(
      { words, exitCode, last: stdout.trimEnd().split("\n").at(-1) },
      { words, exitCode: path === undefined ? 0 : 65, last },
    );
    assert.ok(path === undefined || stdout.includes(broken.replace("PATH", path)), stdout);
  }
  bench.write(".tools/one.tool", "Lists.\n\n@title One\n@name one\n@wrapped run_command\n@command ls\n");
  assert.ok((await start(bench, ["check", ".tools"])).stdout.includes("1 definition and 2 plugins checked: "));
  assert.is((JSON.parse((await start(bench, ["check", ".tools", "--json"])).stdout) as { checked: number }).checked, 3);
});

/** Returns the command lines of processes with `mark`, or none without /proc. */
function running(mark: string): readonly string[] {
  if (!existsSync("/proc")) return [];
  return readdirSync("/proc")
    .filter((id) => /^\d+$/.test(id))
    .flatMap((id) => {
      try {
        const line = readFileSync(`/proc/${id}/cmdline`, "utf8");
        return line.includes(mark) ? [line] : [];
      } catch {
        return [];
      }
    });
}

test.run();
