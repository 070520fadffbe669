// `dottool check`: which files a path includes, and files that cannot be read.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { isLong } from "../amount.ts";
import { assert, suite } from "../harness.ts";
import { testProject, type ToolRun, startingOnce } from "../test-project.ts";

const test = suite("check");
const runLine = startingOnce();

const lint = "Lints.\n\n@title Lint\n@name lint\n@wrapped run_command\n@command true\n";
const wrap = (name: string, base: string): string => `@name ${name}\n@wrapped ${base}\n`;
const clean = (what: string): ToolRun => ({ stdout: `${what} checked: no problems\n`, stderr: "", exitCode: 0 });

test("check of a file or folder takes the tool folder around it, whatever folder one works in", async () => {
  using bench = testProject({
    "p/.tools/lint.tool": lint,
    "p/.tools/lint2.tool": wrap("lint2", "lint"),
    "p/.tools/acme/x.tool": wrap("x", "lint"),
    "p/.tools/all.tool": "All.\n\n@title All\n@name all\n@step a uses lint2\n@step b uses acme/x\n",
    "loose/lint.tool": lint,
    "loose/lint2.tool": wrap("lint2", "lint"),
    "else/where": "",
  });
  for (const path of [
    "p/.tools/lint2.tool",
    "p/.tools/acme/x.tool",
    "p/.tools/all.tool",
    "p/.tools/acme",
    "loose/lint2.tool",
  ]) {
    assert.equal(await runLine(bench, ["check", "--fix", `../${path}`], { cwd: "else" }), clean("1 definition"), path);
  }
  for (const path of ["p", "p/.tools"])
    assert.equal(await runLine(bench, ["check", `../${path}`], { cwd: "else" }), clean("4 definitions"), path);
  assert.is(readFileSync(join(bench.folder, "p/.tools/lint2.tool"), "utf8"), wrap("lint2", "lint"));
});

test("check reads the definitions for other platforms too", async () => {
  const elsewhere = ["windows", "macos"].find((platform) => !process.platform.startsWith(platform.slice(0, 3)));
  using bench = testProject({
    ".tools/lint.tool": `${lint}@platforms ${["linux", "macos", "windows"].filter((one) => one !== elsewhere).join(" ")}\n`,
    [`.tools/lint.${elsewhere}.tool`]: `${lint.replace("run_command\n@command true", "no_such_tool")}@platforms ${elsewhere}\n`,
  });
  for (const words of [["check"], ["check", `.tools/lint.${elsewhere}.tool`]]) {
    const { stdout, exitCode } = await runLine(bench, words);
    assert.match(stdout, /^error\[unknown-base-tool\]: there is no tool `no_such_tool` to wrap$/m);
    assert.is(exitCode, 65);
  }
});

test("check of a file runs no plugin beside it, and of a project none before it is trusted", async () => {
  const plugin = "console.error('it runs');\nexport default {};\n";
  using bench = testProject(
    {
      "loose/lint.tool": lint,
      "loose/plugins/p.ts": plugin,
      "p/.tools/lint2.tool": lint.replace("lint", "lint2"),
      "p/.tools/plugins/p.ts": plugin,
    },
    { isTrusted: false },
  );
  assert.equal(await runLine(bench, ["check", "loose/lint.tool", "p/.tools/lint2.tool"]), clean("2 definitions"));
  const { stdout, stderr } = await runLine(bench, ["check", "p"]);
  assert.equal(
    [stdout.split("\n", 1)[0], stderr],
    ["warning[untrusted-plugin]: the plugin `p/.tools/plugins/p.ts` is not loaded: `p/.tools` is not trusted yet", ""],
  );
});

test("check says of code that nests too deep, or takes too long to read, that it does, and goes on with the others", async () => {
  const code = (name: string, text: string): string =>
    `Codes.\n\n@title Code\n@name ${name}\n@param text {string} [required] Text\n@returns {string} Text\n@code\n    ${text}\n@tags read\n`;
  const changed = (name: string, text: string): string =>
    `Changes.\n\n@title Change\n@name ${name}\n@wrapped run_command\n@param text {string} [required, transform="${text}"] Text\n@command echo {text}\n`;
  const texts: Readonly<Record<string, string>> = {
    parentheses: `return ${"(".repeat(20_000)}`,
    lists: `return ${"[".repeat(20_000)}`,
    typed: `const typed: number = ${"(".repeat(20_000)}`,
    generics: `return f${"<a".repeat(20_000)}`,
    // The compiler takes seconds to give up, and test/sandbox/erasing-attacks.test.ts waits for that in every run.
    ...(isLong && { comparisons: `const typed: number = 1; ${`a${"<b".repeat(200)};`.repeat(300)}` }),
    open: `return '${"x".repeat(100_000)}`,
    wrong: "return (1 +;",
    sound: "return text;",
  };
  using bench = testProject({
    ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [`p/.tools/${name}.tool`, code(name, text)])),
    "p/.tools/deeper.tool": changed("deeper", "(".repeat(20_000)),
  });
  const { stdout, exitCode } = await runLine(bench, ["check", "p"]);
  const said = [...stdout.matchAll(/^(error\[.*?\]: .*)\n *╭─ (\S+?):/gm)].map(
    ([, what = "", where = ""]) => `${where} ${what}`,
  );
  const unread = (name: string, why: string): string =>
    `p/.tools/${name}.tool error[bad-code]: the code cannot be read: ${why}`;
  assert.equal(
    [exitCode, said.sort()],
    [
      65,
      [
        ...(isLong ? [unread("comparisons", "its types take too long to parse")] : []),
        unread("lists", "it is nested too deep"),
        unread("open", "unexpected end of string"),
        unread("parentheses", "it is nested too deep"),
        unread("typed", "it is nested too deep"),
        unread("wrong", "unexpected token in expression: ';'"),
        "p/.tools/deeper.tool error[bad-code]: the transform of `text` cannot be read: it is nested too deep",
      ].sort(),
    ],
  );
});

test("check offers no name that would make a circle", async () => {
  using bench = testProject({
    ".tools/lint2.tool": wrap("lint2", "lint3"),
    ".tools/lint4.tool": wrap("lint4", "lint2"),
    ".tools/list9.tool": "L.\n\n@title L\n@name list9\n@step a uses list8\n",
  });
  const { stdout } = await runLine(bench, ["check", "--fix", ".tools/lint2.tool", ".tools/list9.tool"]);
  assert.equal(stdout.match(/^error.*|did you mean.*|^fixed.*|= .*/gm), [
    "error[unknown-base-tool]: there is no tool `lint3` to wrap",
    "= help: `dottool list --all` shows all tools",
    "error[unknown-base-tool]: there is no tool `list8` to use",
    "= help: `dottool list --all` shows all tools",
  ]);
});

test("check names no type as the type of its own property", async () => {
  using bench = testProject({
    "node.tool":
      "N.\n\n@title N\n@name n\n@type Node {object}\n@property Node.next {Nodee} The next\n@param node {Node} Which\n@wrapped run_command\n@command echo {node.next}\n",
  });
  const { stdout } = await runLine(bench, ["check", "node.tool"]);
  assert.equal(stdout.match(/^error\[unknown-type\].*|did you mean.*/gm), [
    "error[unknown-type]: unknown type `Nodee`",
  ]);
});

test("check and fmt tell what they were asked for and cannot read", async () => {
  using bench = testProject({ "t/lint.tool": lint });
  mkdirSync(join(bench.folder, "t/dir.tool"));
  execFileSync("mkfifo", [join(bench.folder, "t/fifo.tool")]);
  const told = async (path: string): Promise<readonly unknown[]> => {
    const { stdout, exitCode } = await runLine(bench, ["check", path]);
    const fmt = await runLine(bench, ["fmt", "--check", path]);
    assert.equal([fmt.stderr, fmt.exitCode], [stdout.slice(0, stdout.lastIndexOf("\n\n") + 2), 65], path);
    return [...stdout.split("\n").filter((line) => line !== ""), exitCode];
  };
  const fifo = [
    "error[unreadable-file]: `t/fifo.tool` cannot be read: it is not a regular file",
    "  = help: move it out of the tool folder",
  ];
  const folder = [
    "error[unreadable-file]: `t/dir.tool` cannot be read: it is a directory",
    "  = help: rename it: only a definition has a name that ends like this",
  ];
  assert.equal(await told("t/fifo.tool"), [...fifo, "0 definitions checked: 1 error", 65]);
  assert.equal(await told("t/dir.tool"), [...folder, "0 definitions checked: 1 error", 65]);
  assert.equal(await told("t"), [...folder, ...fifo, "1 definition checked: 2 errors", 65]);
  assert.equal(await told("/dev/null"), [
    "error[unreadable-file]: `/dev/null` cannot be read: it is not a regular file",
    "  = help: name a definition, a plugin or a folder of them",
    "0 definitions checked: 1 error",
    65,
  ]);
});

test("check of a folder without definitions says so, and where those of its project are", async () => {
  using bench = testProject({ "p/.tools/lint.tool": lint, "p/src/a.ts": "", "empty/a": "" });
  const [above, none] = await Promise.all(["p/src", "empty"].map((path) => runLine(bench, ["check", path])));
  assert.equal(above, {
    stdout: "0 definitions checked: none found in `p/src`; the project's are in `p/.tools`\n",
    stderr: "",
    exitCode: 0,
  });
  assert.equal(none, { stdout: "0 definitions checked: none found in `empty`\n", stderr: "", exitCode: 0 });
});

const titled = (name: string, ...rows: readonly string[]): string =>
  ["Does.", "", "@title Does", `@name ${name}`, ...rows, ""].join("\n");

test("check reads JavaScript without running it, and says where it is wrong", async () => {
  using bench = testProject({
    ".tools/body.tool": titled(
      "body",
      '@param x {string} [transform="value.replace("] X',
      "@code",
      "    const a: number = 1;",
      "    return (a +;",
    ),
    ".tools/fine.tool": titled(
      "fine",
      "@param x {string} [transform=\"value.trim() + '!'\"] X",
      "@code",
      "    const a: string = x;",
      "    return a as string;",
    ),
    ".tools/steps.tool": titled(
      "steps",
      "@step one code",
      "    const z: number = 3;",
      "      if (z { return 1 }",
      "@step two code",
      "    }}); for (;;) {} (async function () {{",
      "@step three python",
      "    print((",
    ),
    ".tools/flow.yaml":
      'name: flow\ndescription: D\nsteps:\n  - output_var: s\n    type: code\n    language: javascript\n    code: |\n      const a = 1;\n      return {;\n  - output_var: t\n    type: code\n    language: javascript\n    code: "return (("\n',
  });
  const { stdout, exitCode } = await runLine(bench, ["check", "--json"]);
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { code: string; message: string; path: string; line: number; column: number }[];
  };
  assert.equal(
    diagnostics.map(({ code, message, path, line, column }) => [code, message, `${path}:${line}:${column}`]),
    [
      ["bad-code", "the transform of `x` cannot be read: it ends too early", ".tools/body.tool:5:45"],
      ["bad-code", "the code cannot be read: Expression expected", ".tools/body.tool:8:16"],
      ["bad-code", "the code of the step `s` cannot be read: invalid property name", ".tools/flow.yaml:9:15"],
      ["bad-code", "the code of the step `t` cannot be read: it ends too early", ".tools/flow.yaml:13:12"],
      ["bad-code", "the code of the step `one` cannot be read: Expected ')', got '{'", ".tools/steps.tool:7:13"],
    ],
  );
  assert.is(exitCode, 65);
});

test("a call blames the definition for a transform that no value gets through", async () => {
  using bench = testProject({
    ".tools/open.tool": titled("open", '@param x {string} [transform="value.replace("] X', "@code", "    return x;"),
    ".tools/typo.tool": titled("typo", '@param x {string} [transform="valu.trim()"] X', "@code", "    return x;"),
    ".tools/deep.tool": titled("deep", '@param x {string} [transform="value.a.b"] X', "@code", "    return x;"),
  });
  const runs = await Promise.all(["open", "typo", "deep"].map((name) => runLine(bench, [name, "--x", "a"])));
  assert.equal(
    runs.map(({ stderr }) => stderr.split("\n").slice(0, 2)),
    [
      [
        "failed[code-failed]: the code cannot be parsed: Unexpected token '}', in the transform `value.replace(` of `x`",
        "  = the call is fine; fix `transform` in the definition",
      ],
      [
        "failed[code-failed]: the code threw ReferenceError: valu is not defined, in the transform `valu.trim()` of `x`",
        "  = the call is fine; fix `transform` in the definition",
      ],
      [
        "failed[invalid-arguments]: `deep` does not accept these arguments",
        "  x  the transform `value.a.b` fails with this value: the code threw TypeError: cannot read property 'b' of undefined",
      ],
    ],
  );
});

test.run();
