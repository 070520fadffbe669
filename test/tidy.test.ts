// The checks of `npm run tidy` can fail: a bad tree has every complaint, and a repaired one has none.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { assert, suite } from "./harness.ts";

const test = suite("tidy");
const project = fileURLToPath(new URL("..", import.meta.url));
const script = join(project, "scripts/tidy.mjs");
const runtime = "deno" in process.versions ? ["run", "-A"] : [];

function tidy(files: Readonly<Record<string, string>>): string {
  return inTree(files, (root) => {
    const { stdout, stderr, status } = spawnSync(process.execPath, [...runtime, script, "--root", root], {
      encoding: "utf8",
    });
    return `${stdout}${stderr}exit ${status}\n`.replaceAll(root, "ROOT");
  });
}

function inTree<T>(files: Readonly<Record<string, string>>, work: (root: string) => T): T {
  const root = mkdtempSync(join(tmpdir(), "dottool-tidy-"));
  try {
    execFileSync("git", ["init", "--quiet", root]);
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    }
    return work(root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Returns Biome's rules that a tree breaks under the project's own configuration, once for each place. */
function lint(files: Readonly<Record<string, string>>): { readonly found: readonly string[]; readonly isOk: boolean } {
  return inTree({ ...files, "biome.json": readFileSync(join(project, "biome.json"), "utf8") }, (root) => {
    const { stdout, status } = spawnSync(process.execPath, [...runtime, join(project, "scripts/ok.mjs"), "lint"], {
      cwd: root,
      encoding: "utf8",
      env: { ...process.env, PATH: [join(project, "node_modules/.bin"), process.env["PATH"]].join(delimiter) },
    });
    const found = [...stdout.matchAll(/^\S+ (\S+?):(\d+):\d+: (?:lint\/)?(\S+):/gm)].map(
      ([, path, line, rule]) => `${path}:${line} ${rule}`,
    );
    return { found: [...new Set(found)].sort(), isOk: status === 0 };
  });
}

/** Returns the complaints about one file. */
function complaintsOf(path: string, text: string): readonly string[] {
  const lines = tidy({ [path]: text })
    .trimEnd()
    .split("\n")
    .slice(0, -2);
  return lines.map((line) => line.slice(path.length + 1));
}

test("a tidy tree has no complaints", () => {
  assert.is(
    tidy({ "src/core/text/source.ts": "export const lineMax = 3;\n", "README.md": "# A tool\n" }),
    "tidy: 2 files\nexit 0\n",
  );
});

test("sizes: a long file, a long function, many parameters", () => {
  const long = `export function f(a: 1, b: 2, c: 3, d: 4) {\n${"  g();\n".repeat(105)}}\n${"g();\n".repeat(384)}`;
  assert.equal(complaintsOf("src/core/text/long.ts", long), [
    "1  file-size  491 lines, over 490; find the second idea and give it a file",
    "1  function-size  a function of 107 lines, over 105; give its second idea a function",
    "1  parameters  4 parameters, over 3; put the later ones into an options object",
  ]);
  assert.equal(
    complaintsOf("src/core/text/table.ts", `export const table = [\n${"  1,\n".repeat(600)}] as const;\n`),
    [],
  );
});

test("syntax: a file that does not parse", () => {
  assert.equal(complaintsOf("src/core/text/broken.ts", "\nexport const = 1;\n"), ["2  syntax  Unexpected token"]);
});

test("names: vague files, quantities without a unit", () => {
  assert.equal(complaintsOf("src/core/text/string-utils.ts", "export const x = 1;\n"), [
    "1  file-name  `string-utils` says nothing of what is inside; name it after its one idea",
  ]);
  assert.equal(
    complaintsOf(
      "src/core/text/limits.ts",
      "const timeout = 3;\nexport interface Limits {\n  readonly outputBytesMax: number;\n  readonly retryDelay: number;\n  readonly timeoutMax: number;\n  limit: number;\n  unit: string;\n}\nexport const f = (delay: number, limit: string) => setLimit(timeout, delay, limit);\n",
    ),
    [
      "1  unit  `timeout` has no unit; end it with one, as in `timeoutMs` or `outputBytesMax`",
      "4  unit  `retryDelay` has no unit; end it with one, as in `timeoutMs` or `outputBytesMax`",
      "5  unit  `timeoutMax` has no unit; end it with one, as in `timeoutMs` or `outputBytesMax`",
      "6  unit  `limit` has no unit; end it with one, as in `timeoutMs` or `outputBytesMax`",
      "9  unit  `delay` has no unit; end it with one, as in `timeoutMs` or `outputBytesMax`",
    ],
  );
});

test("modules: what the bundle cannot hold", () => {
  assert.equal(complaintsOf("src/core/text/modules.ts", "await join(import.meta.url);\n"), [
    "1  module  `import.meta` is empty in the executable; generate what is needed at build time",
    "1  module  top-level await cannot be bundled for the executable; move it into a function",
  ]);
});

test("layers: upwards, sideways, the host, folders that nobody placed", () => {
  const imports = (...names: readonly string[]) => names.map((name) => `import "${name}";\n`).join("");
  assert.equal(
    complaintsOf(
      "src/core/base/run.ts",
      imports(
        "../tool/tool.ts",
        "../run/judge.ts",
        "../steps/order.ts",
        "../host/files/files.ts",
        "../../../test/x.ts",
        "../../new/x.ts",
        "../../features/web/web-text.ts",
      ),
    ),
    [
      "2  layers  `base` may not import `run`, which does not lie below it; move what both need down, or pass it in",
      "3  layers  `base` may not import `steps`, which does not lie below it; move what both need down, or pass it in",
      "4  layers  `src/core/host/files/files.ts` is imported by core/session/assemble.ts alone; take a `Host` as a parameter",
      "5  layers  `test/x.ts` lies outside src/; the program imports only its own source",
      "6  layers  `src/new` is in no layer; add it to scripts/tidy/layers.mjs",
      "7  layers  `base` may not import `features/web`, which does not lie below it; move what both need down, or pass it in",
    ],
  );
  assert.equal(complaintsOf("src/core/host/files/files.ts", imports("../../tool/host.ts", "../../run/judge.ts")), [
    "2  layers  `host` may not import `run`; it knows store, tool, schema and text alone",
  ]);
  assert.equal(complaintsOf("src/new/x.ts", ""), [
    "1  layers  `src/new` is in no layer; add it to scripts/tidy/layers.mjs",
  ]);
  assert.equal(
    complaintsOf("src/cli/call.ts", imports("../core/host/terminal/terminal.ts", "../core/host/node-host.ts")),
    [
      "2  layers  `src/core/host/node-host.ts` is imported by core/session/assemble.ts alone; take a `Host` as a parameter",
    ],
  );
});

test("features: another one only if the row says so, and never in a circle", () => {
  const tree = (uses: readonly string[]) => ({
    "src/features/index.ts": [
      "export const features = [",
      `  { name: "web", uses: ${JSON.stringify(uses)}, load: () => import("./web/feature.ts") },`,
      '  { name: "hook", uses: ["web"], load: () => import("./hook/feature.ts") },',
      "];\n",
    ].join("\n"),
    "src/features/web/feature.ts": uses.length === 0 ? "" : 'import "../hook/rows.ts";\n',
    "src/features/hook/feature.ts": 'export const load = () => import("../web/feature.ts");\n',
    "src/features/hook/rows.ts": "",
    "src/core/text/x.ts": "",
    "src/features/web/README.md": "# web\n",
    "src/features/hook/README.md": "# hook\n",
  });
  assert.is(tidy(tree([])), "tidy: 7 files\nexit 0\n");
  assert.match(
    tidy({ ...tree([]), "src/features/web/feature.ts": 'import type { Row } from "../hook/rows.ts";\n' }),
    /src\/features\/web\/feature\.ts:1 {2}layers {2}the feature `web` imports `hook`, and its row in src\/features\/index\.ts does not say `uses`/,
  );
  assert.match(tidy(tree(["hook"])), /index\.ts:1 {2}layers {2}`web`, `hook` use each other in a circle/);
});

test("cycles: through other files, by types, and through a module that is loaded later", () => {
  const files = {
    "src/core/tool/one.ts": 'import "./two.ts";\n',
    "src/core/tool/two.ts": 'import type { Three } from "./three.ts";\n',
    "src/core/tool/three.ts": 'export * from "./one.ts";\n',
    "src/core/tool/later.ts": 'export const load = () => import("./loaded.ts");\n',
    "src/core/tool/loaded.ts": 'import "./later.ts";\n',
  };
  assert.equal(
    tidy(files),
    [
      "src/core/tool/later.ts:1  cycles  `src/core/tool/later.ts` imports `src/core/tool/loaded.ts` imports " +
        "`src/core/tool/later.ts`; move what both need down",
      "src/core/tool/one.ts:1  cycles  `src/core/tool/one.ts` imports `src/core/tool/two.ts` imports `src/core/tool/three.ts` imports " +
        "`src/core/tool/one.ts`; move what both need down",
      "tidy: 2 complaints",
      "exit 1\n",
    ].join("\n"),
  );
});

test("budget: a room over its number, far below it, without one", () => {
  const sizes = (lines: string, raised = "[]") => ({
    "src/sizes.yaml": `lines:\n${lines}raised: ${raised}\n`,
    "src/core/text/a.ts": "export const a = 1;\n".repeat(300),
    "src/cli/b.ts": "export const b = 1;\n",
  });
  const complaints = (files: Readonly<Record<string, string>>): string =>
    tidy(files).replaceAll(/^src\/sizes\.yaml:/gm, "");
  assert.is(tidy(sizes("  core: 300\n  cli: 100\n")), "tidy: 3 files\nexit 0\n");
  assert.is(
    complaints(sizes("  core: 299\n  cli: 300\n  features/gone: 100\n")),
    [
      "2  budget  `core` has 300 lines, over 299; take something out, or raise the number and say under `raised` what was taken out for it",
      "3  budget  `cli` has only 1 lines; lower 300, so that they stay out",
      "4  budget  there is no `features/gone`; remove its number",
      "tidy: 3 complaints",
      "exit 1\n",
    ].join("\n"),
  );
  assert.match(complaints(sizes("  core: 300\n")), /1 {2}budget {2}`cli` has 1 lines and no number here; give it one/);
  assert.match(
    complaints(sizes("  core: 300\n  cli: 100\n", "[{room: core, for: names}]")),
    /4 {2}budget {2}each entry of `raised` has a `room`, what it was raised `for`, and what went `out` for it/,
  );
});

test("the outside world: modules and globals that only host/ may use", () => {
  const source =
    'import { readFileSync } from "node:fs";\nimport type { Stats } from "node:fs";\nconsole.log(process.env.HOME, Date.now(), new Date(), Math.random());\nexport const of = (fetch: () => Stats) => [fetch(), new Date(0), { process: 1 }.process, readFileSync];\n';
  assert.equal(complaintsOf("src/core/run/clock.ts", source), [
    "1  outside-world  `node:fs` reaches out of the process; take it through the `Host`",
    "3  outside-world  `console`: results go through the terminal",
    "3  outside-world  `process`: the environment, argv and streams come from the host",
    "3  outside-world  `Date.now`: the clock is `host.nowMs`, the date `host.timestamp`",
    "3  outside-world  `new Date()`: the date is `host.timestamp`",
    "3  outside-world  `Math.random`: randomness is `host.randomId`",
  ]);
  assert.equal(complaintsOf("src/core/host/clock.ts", source), []);
});

test("promises: what is not waited for handles its own failure", () => {
  const source =
    "void save();\nvoid save().catch(tell);\nsave().then(tell, tell);\nconst f = () => void save().then(tell);\nvoid host.sleep(1).then(tell);\n";
  const complaint = "promises  nothing handles a rejection of this promise; end it with `.catch(…)`";
  assert.equal(complaintsOf("src/core/run/x.ts", source), [`1  ${complaint}`, `4  ${complaint}`]);
});

test("tables: read by a name that may be inherited", () => {
  const table = "export const rows: Readonly<Record<string, number>> = { a: 1 };\n";
  const said = tidy({
    "src/core/text/rows.ts": table,
    "src/core/text/read.ts":
      'import { rows } from "./rows.ts";\nexport const b = (name: string) => rows[name] ?? rows["a"];\n',
  });
  assert.match(said, /^src\/core\/text\/read\.ts:2 {2}table {2}read `rows` with `rowOf`/m);
});

test("tests: suites that do not run, assertions that compare nothing", () => {
  const source = 'test("x", () => assert.throws(f, "text"));\n';
  assert.equal(complaintsOf("test/x.test.ts", source), [
    "1  tests  `assert.throws` with a text compares nothing; give it a function or a regular expression",
    "1  tests  no suite runs; end the file with `.run()`",
  ]);
});

test("codes: each is seen by a golden case", () => {
  const codes = {
    "src/core/text/codes.ts": 'export const diagnosticCodes = ["needs-shell", "empty-command"] as const;\n',
  };
  const seen = "error[needs-shell]: …\n";
  assert.is(
    tidy({ ...codes, "test/cases/shell/expected.txt": seen }),
    "src/core/text/codes.ts:1  codes  `empty-command` has no golden case; add a folder to test/cases whose expected.txt shows `[empty-command]`\ntidy: 1 complaints\nexit 1\n",
  );
});

test("documents: a feature without a README, and a file that a map of the sources names and that is gone", () => {
  const feature = "src/features/list/feature.ts";
  assert.equal(
    complaintsOf(feature, "export const feature = {};\n").filter((line) => line.includes("feature-readme")),
    [
      "1  feature-readme  write src/features/list/README.md: what it is for, what it promises, where to begin, its limits",
    ],
  );
  const map = "src/features/list/README.md";
  assert.equal(complaintsOf(map, "# list\n\n1. gone.ts, and commands/NAME.ts\n"), [
    "3  named-files  `gone.ts` does not exist",
  ]);
});

test("documents: examples that nobody runs, links that lead nowhere", () => {
  const readme = "[here](src/gone.md) [there](https://example.com) [this](#top)\n\n```console\n$ dottool\n```\n";
  assert.equal(complaintsOf("README.md", readme), [
    "1  links  `src/gone.md` does not exist",
    '3  examples  its examples are not run; name "README.md" in test/docs.test.ts',
  ]);
});

test("origin: no registry and no folder of one machine", () => {
  // In two pieces, or this file would break the rule that it tests.
  const registry = `https://registry.${"npmjs"}.org/x`;
  assert.equal(complaintsOf("notes.txt", `see ${registry}\nand ${["", "root", "x"].join("/")}\n`), [
    `1  origin  \`registry.${"npmjs"}\` names a package registry; leave it to the machine's configuration`,
    `2  origin  \`${["", "root", "x"].join("/")}\` is a folder of one machine; write it relative to the repository`,
  ]);
});

test("lint: a mistake of any severity fails, and a tree without one passes", () => {
  const bad = {
    "src/core/text/plus.ts": 'export const line = (text: string): string => `${text}` + "\\n";\n',
    "src/core/text/path.ts":
      'import { join } from "path";\nimport { line } from "./plus";\nexport default join(line("x"));\n',
    "test/x.test.ts": 'test.only("y", f);\ntest.skip("z", () => {});\nconst any: any = require("x") + __dirname;\n',
    "test/broken.ts": "export const = 1;\n",
  };
  assert.equal(lint(bad), {
    found: [
      "src/core/text/path.ts:1 style/useNodejsImportProtocol",
      "src/core/text/path.ts:2 correctness/useImportExtensions",
      "src/core/text/path.ts:3 style/noDefaultExport",
      "src/core/text/plus.ts:1 style/useTemplate",
      "test/broken.ts:1 parse",
      "test/x.test.ts:1 suspicious/noFocusedTests",
      "test/x.test.ts:2 suspicious/noSkippedTests",
      "test/x.test.ts:3 correctness/noGlobalDirnameFilename",
      "test/x.test.ts:3 correctness/noUnusedVariables",
      "test/x.test.ts:3 style/noCommonJs",
      "test/x.test.ts:3 suspicious/noExplicitAny",
    ],
    isOk: false,
  });
  assert.is(lint({ "src/core/text/plus.ts": bad["src/core/text/plus.ts"] }).isOk, false);
  assert.equal(lint({ "src/core/text/plus.ts": "export const one = 1;\n" }), { found: [], isOk: true });
});

test.run();
