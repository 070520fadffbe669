// `dottool import` of makefiles, Taskfiles and scripts of argc: the definitions word for word, and that they do what
// the original does.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { assertGolden } from "../golden.ts";
import { assert, suite } from "../harness.ts";
import { needPrograms } from "../programs-needed.ts";
import { type TestProject, startingOnce, testProject } from "../test-project.ts";

const test = suite("import of runners");
const runLine = startingOnce();

const makefile = `# My project
NAME ?= world
FLAGS = -a -b
VERSION := 1.0
BIN = bin/app
export MODE = fast
.PHONY: all greet flags stop words loop again stamp
all: greet flags ## Everything

greet: ## Say hello
	@echo "hello $(NAME) $$MODE $(VERSION)"
	@cd / && pwd
	@pwd

# Shows what the flags are
flags:
	@printf '<%s>' $(FLAGS); echo
	-@false
	@echo after

stop:
	@echo a; exit 3
	@echo b

words:
	@printf '<%s>' $(ARGS) $(WHO); echo

app: $(BIN) ## Builds it
$(BIN): main.c
	@mkdir -p bin; cp main.c bin/app; echo built

loop:
	@for i in 1 2; do \\
	  echo $$i; \\
	done

again:
	@$(MAKE) --no-print-directory greet NAME=x

stamp:
	@echo $(shell echo hi) $(TAG)
_hidden:
	@echo $(API_KEY)
`;

const taskfile = `version: '3'
vars:
  GREETING: Hello
  NOW: {sh: date}
env:
  MODE: slow
tasks:
  hi:
    desc: Say hi
    vars: {WHO: '{{.WHO | default "you"}}'}
    cmds:
      - echo "{{.GREETING}} {{.WHO}} $MODE"
      - |
        false || true
        echo x {{.CLI_ARGS}}
      - cmd: "false"
        ignore_error: true
      - "false"
      - echo never
  deep: {deps: [prep], cmds: [echo deep, {task: sub, vars: {N: "{{.WHO}}1"}}]}
  sub: echo sub {{.N}}
  prep: {internal: true, cmd: echo prep}
  now: echo {{.NOW}} {{.ZONE}}
  choose: {requires: {vars: [A, {name: B, enum: [x, y]}]}, cmds: ["echo {{.A}} {{.B}}"], dir: sub, platforms: [linux/amd64, darwin]}
  ask: {prompt: Sure?, cmd: echo yes}
  gen: {sources: [a], cmds: [make x]}
`;

const argcScript = `#!/usr/bin/env bash
# @describe A tool
# @flag -v --verbose Say more
# @env API_KEY! something
# @cmd Upload a file
# @alias u
# @option -t --target! <DIR>  Where
# @option --mode[=fast|slow] $UPLOAD_MODE How
# @option -H --header* <X>  Headers
# @option --shape[\`shapes\`] Shape
# @arg source! $$ What
# @arg rest~  Others
upload() { echo "$argc_target $argc_source"; }
# @cmd
foo::bar() { :; }
# @cmd Group
foo() { :; }
eval "$(argc --argc-eval "$0" "$@")"
`;

for (const [file, text, golden] of [
  ["Makefile", makefile, "make"],
  ["ci/Taskfile.yml", taskfile, "task"],
  ["scripts/upload.sh", argcScript, "argc"],
] as const)
  test(`import makes tools of ${file} as in golden/import-${golden}.txt`, async () => {
    using bench = testProject({ [file]: text });
    const { stdout, stderr, exitCode } = await runLine(bench, ["import", file, "--print"]);
    assertGolden(`cli/golden/import-${golden}.txt`, `${stdout}${stderr}exit ${exitCode}\n`);
  });

test("imported targets print what make prints", async () => {
  const [make = ""] = needPrograms("make");
  using bench = testProject({ Makefile: makefile });
  await runLine(bench, ["import", "Makefile"]);
  const calls = [
    [["all"], ["all"]],
    [
      ["greet", "NAME=bob"],
      ["greet", "--NAME", "bob"],
    ],
    [
      ["words", "ARGS=1 2", "WHO=w"],
      ["words", "--ARGS", "1", "--ARGS", "2", "--WHO", "w"],
    ],
    [["loop"], ["loop"]],
    [["again"], ["again"]],
    [
      ["stamp", "TAG=v1.0"],
      ["stamp", "--TAG", "v1.0"],
    ],
  ] as const;
  for (const [words, own] of calls) {
    const original = await printed(make, ["-s", "--no-print-directory", ...words], bench);
    assert.is((await runLine(bench, own)).stdout, original);
  }
});

function printed(command: string, words: readonly string[], { folder, program }: TestProject): Promise<string> {
  return new Promise((resolve) => {
    execFile(command, words, { cwd: folder, env: program.environment }, (_error, stdout) =>
      resolve(stdout.replaceAll(folder, "<bench>")),
    );
  });
}

test("an imported target ends with the exit code of its first line that fails", async () => {
  using bench = testProject({ Makefile: makefile });
  await runLine(bench, ["import", "Makefile", "--only", "stop"]);
  const { stdout, exitCode } = await runLine(bench, ["stop"]);
  assert.equal([stdout, exitCode], ["a\n", 3]);
});

test("a value of an imported target is data, or refused where make would run it", async () => {
  using bench = testProject({ Makefile: makefile });
  needPrograms("make");
  await runLine(bench, ["import", "Makefile"]);
  const value = "$(touch broken)`touch broken`;x";
  assert.is((await runLine(bench, ["words", "--WHO", value])).stdout, `<${value}>\n`);
  assert.is((await runLine(bench, ["stamp", "--TAG", value])).exitCode, 64);
});

test("an imported task does what the documentation of task says", async () => {
  using bench = testProject({ "Taskfile.yml": taskfile });
  await runLine(bench, ["import", "Taskfile.yml", "--only", "hi"]);
  const words = ["hi", "--WHO", "a; b", "--CLI_ARGS", "q r"];
  const { stdout, exitCode } = await runLine(bench, words, { environment: { MODE: "mine" } });
  assert.equal([stdout, exitCode], ["Hello a; b mine\nx q r\n", 1]);
});

test("an imported task of Deno gets each word as it is", async () => {
  const deno = join(import.meta.dirname, "../../node_modules/@deno/linux-x64-glibc");
  using bench = testProject({ "deno.json": JSON.stringify({ tasks: { words: 'printf "<%s>"' } }) });
  await runLine(bench, ["import", "."]);
  const words = ["a b", "$(touch broken)", "`touch broken`", '\\" ; touch broken ; echo \\"', "*", "--help"];
  const { stdout } = await runLine(bench, ["words", ...words], {
    environment: { PATH: `${deno}:${process.env["PATH"] ?? ""}` },
  });
  assert.is(stdout, words.map((word) => `<${word}>`).join(""));
  assert.not(existsSync(join(bench.folder, "broken")));
});

test.run();
