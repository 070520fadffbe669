// The files that a command runs, as far as its words name them.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createNodeHost } from "../../src/core/host/node-host.ts";
import { executedBy } from "../../src/core/policy/command-files.ts";
import { shownIn } from "../../src/core/policy/project.ts";
import type { JsonObject } from "../../src/core/schema/json.ts";
import { assert, suite } from "../harness.ts";

const test = suite("executedBy");
const host = createNodeHost();

interface Found {
  readonly files: readonly string[];
  readonly rest: readonly string[];
  readonly isKnown: boolean;
}

function executed(call: JsonObject, within = "."): Found {
  const project = realpathSync(mkdtempSync(join(tmpdir(), "dottool-executed-")));
  mkdirSync(join(project, within), { recursive: true });
  try {
    const { files, rest, unknown } = executedBy([call], { host, cwd: join(project, within), project });
    return { files: [...files].map((path) => shownIn(path, project)), rest: [...rest], isKnown: unknown.size === 0 };
  } finally {
    rmSync(project, { recursive: true });
  }
}

const words = (line: string): JsonObject => ({ argv: line.split(" ") });

/** Each named file is among those that the command runs. */
const named: readonly (readonly [line: string, ...files: readonly string[]])[] = [
  ["sh tools/build", "tools/build"],
  ["sh -eu tools/build x y", "tools/build"],
  ["bash -x -o pipefail tools/build", "tools/build"],
  ["/bin/bash tools/build", "tools/build"],
  ["tools/build now", "tools/build"],
  ["./build", "build"],
  ["env FOO=1 sh tools/build", "tools/build"],
  ["env -u A -i FOO=1 nice -n 5 timeout -k 1 5 bash tools/build", "tools/build"],
  ["sudo -u me sh tools/build", "tools/build"],
  ["xargs -n 1 sh tools/build", "tools/build"],
  ["find . -name x -exec sh tools/build {} ;", "tools/build"],
  ["python app.py", "app.py", "app.py/__main__.py"],
  ["python3.12 -u app.py x", "app.py", "app.py/__main__.py"],
  ["python3 -m app.cli x", "app/cli.py", "app/cli/__init__.py", "app/cli/__main__.py"],
  ["node x", "x", "x.js", "x/index.js"],
  ["node --require ./hook.js x.js", "hook.js", "x.js"],
  ["ruby -I lib x.rb", "x.rb"],
  ["perl -Ilib x.pl", "x.pl"],
  ["awk -f prog data", "prog"],
  ["deno run -A x.ts", "x.ts"],
  ["make", "Makefile", "makefile", "GNUmakefile"],
  ["make -C sub test", "sub/Makefile"],
  ["make -f build.mk", "build.mk"],
  ["make -fbuild.mk --directory=sub", "sub/build.mk"],
  ["npm test", "package.json", ".npmrc"],
  ["npm --prefix web run build", "web/package.json"],
  ["npx tsc", "node_modules/.bin/tsc"],
  ["cargo run", "Cargo.toml", "build.rs"],
  ["go run .", "go.mod"],
  ["docker build -f ops/Dockerfile .", "ops/Dockerfile"],
  ["just -f tasks.just all", "tasks.just"],
  ["pytest -q", "conftest.py", "pyproject.toml"],
  ["./gradlew test", "gradlew", "build.gradle", "gradle/wrapper/gradle-wrapper.jar"],
  ["uv run app.py", "pyproject.toml"],
];

for (const [line, ...files] of named)
  test(`\`${line}\` runs ${files.join(", ")}`, () => {
    const found = executed(words(line));
    assert.equal([files.filter((file) => !found.files.includes(file)), found.isKnown], [[], true]);
  });

const scripts: readonly (readonly [text: string, ...files: readonly string[]])[] = [
  ["sh tools/build", "tools/build"],
  ["cd sub && sh build", "build", "sub/build"],
  [". ./lib.sh; true", "lib.sh"],
  ["if true; then A=1 bash tools/build; fi", "tools/build"],
  ["echo $(sh tools/build)", "tools/build"],
  ['x=tools/build; sh "$x"', "tools/build"],
  ["sh < tools/build", "tools/build"],
  ["eval 'sh tools/build'", "tools/build"],
  ["sh -c 'bash -c \"sh tools/build\"'", "tools/build"],
  ["build() { sh tools/build; }; build", "tools/build"],
  ["! time sh tools/build &", "tools/build"],
];

for (const [text, ...files] of scripts)
  test(`the script \`${text}\` runs ${files.join(", ")}`, () => {
    const found = executed({ command: text });
    assert.equal([files.filter((file) => !found.files.includes(file)), found.isKnown], [[], true]);
  });

test("a value that a script is given is the file that it names", () =>
  assert.equal(executed({ argv: ["sh", "-c", 'sh "${1}" "$2"', "dottool", "tools/build", "b"] }), {
    files: ["tools/build"],
    rest: ["what `tools/build` runs or imports in turn"],
    isKnown: true,
  }));

test("a value that is moved to a variable is the file that it names", () =>
  assert.equal(
    executed({
      argv: ["sh", "-c", 'dottool_1=${1}; set --; f() { true; }; sh "${dottool_1}"', "dottool", "tools/build"],
    }).files,
    ["tools/build"],
  ));

test("a variable that the call sets is the file that it names", () =>
  assert.equal(executed({ argv: ["sh", "-c", 'sh "$SCRIPT"'], env: { SCRIPT: "tools/build" } }).files, [
    "tools/build",
  ]));

const unknown: readonly string[] = [
  'for f in tests/*.sh; do sh "$f"; done',
  "sh tests/*.sh",
  "cat build | sh",
  'f() { sh "$1"; }; f tools/build',
  'sh "$(cat which)"',
  '"$TOOL" x',
  "sh {fetch.stdout}",
];

for (const text of unknown)
  test(`\`${text}\` runs what is known only at run time`, () => assert.is(executed({ command: text }).isKnown, false));

test("what is piped to a shell may be any file that the script names", () =>
  assert.ok(executed({ command: "cat tools/build | sh" }).files.includes("tools/build")));

test("a program of the project may run more", () =>
  assert.equal(executed(words("./build")), {
    files: ["build"],
    rest: ["what `./build` runs or imports in turn"],
    isKnown: true,
  }));

test("a program that only reads runs nothing of the project", () => {
  for (const line of [
    "cat tools/build",
    "grep -r sh tools",
    "ls",
    "docker ps",
    "npm view left-pad",
    "go version",
    "wc -l Makefile",
  ])
    assert.equal(executed(words(line)), { files: [], rest: [], isKnown: true }, line);
});

test("a file is looked for in the folders above, up to the project's", () =>
  assert.equal(
    executed(words("cargo test"), "a/b").files.filter((path) => path.endsWith("Cargo.toml")),
    ["a/b/Cargo.toml", "a/Cargo.toml", "Cargo.toml"],
  ));

test("a command runs in its own folder", () =>
  assert.equal(executed({ argv: ["sh", "build"], working_dir: "sub" }).files, ["sub/build"]));

test("a script on standard input is read", () =>
  assert.equal(executed({ argv: ["sh"], stdin: "sh tools/build" }).files, ["tools/build"]));

test("what goes beyond a limit is told", () => {
  const rest = (text: string): readonly string[] => executed({ command: text }).rest;
  const deep = ["commands that are nested too deep to check"];
  assert.equal(rest("true\n".repeat(600)), ["more commands than can be checked"]);
  assert.equal([rest(`${"env ".repeat(10)}sh x`), rest(`${"eval ".repeat(10)}sh x`)], [deep, deep]);
  assert.equal(rest("cd a; cd b; cd c; cd d; cd e"), ["scripts in more folders than can be checked"]);
});

test.run();
