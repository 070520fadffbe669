// A person's call at a terminal gives that terminal to the command of the tool: keys, colours, editors and pagers work,
// and Ctrl-C and Ctrl-Z mean what they mean in a shell. Through a pseudo-terminal of util-linux's `script`.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { commandLine } from "../../src/core/base/quote.ts";
import { type AtTerminal, type Typed, typeAtTerminal } from "../at-terminal.ts";
import { assert, suite } from "../harness.ts";
import { type TestProject, testProject } from "../test-project.ts";

const test = suite("lent-terminal");

const tool = (name: string, command: string, more = ""): string =>
  `Do it.\n\n@title Do\n@name ${name}\n@wrapped run_command\n@shell sh\n@command ${command}\n${more}`;
const streams = '[ -t 0 ] && [ -t 1 ] && [ -t 2 ] && echo "a terminal" || echo "no terminal"';

const files = {
  ".tools/where.tool": tool("where", streams),
  ".tools/alias.tool": "@name alias\n@wrapped where\n",
  ".tools/ask.tool": tool("ask", `printf 'name? '; read name; echo "hello $name"; exit 3`),
  ".tools/color.tool":
    "Colour.\n\n@title Color\n@name color\n@wrapped run_command\n@command grep --color=auto red -- red.txt\n",
  ".tools/edit.tool":
    "Edit.\n\n@title Edit\n@name edit\n@wrapped run_command\n@command vi -u NONE -- {file}\n@param file {path} [required] Which\n",
  ".tools/page.tool": tool("page", "seq 300 | less"),
  ".tools/nap.tool": tool("nap", "echo begun; exec sleep 300"),
  ".tools/deaf.tool": tool(
    "deaf",
    `trap 'echo caught; is=over' INT; echo begun; while [ -z "$is" ]; do sleep 0.1; done; echo ended`,
  ),
  ".tools/raw.tool": tool("raw", "stty -echo -icanon; echo begun; sleep 300", "@timeout 1s\n"),
  ".tools/secret.tool": tool(
    "secret",
    `${streams}; echo {token}`,
    "@param token {string} [required, secret] The token\n",
  ),
  ".tools/named.tool": tool("named", `${streams}; echo "$TOKEN"`, "@env TOKEN=secret:OUR_TOKEN\n"),
  ".tools/limited.tool": tool("limited", streams, "@limit output=1MiB\n"),
  ".tools/tried.tool": tool("tried", streams, "@retry 2\n"),
  ".tools/steps.tool": `Steps.\n\n@title Steps\n@name steps\n@step one sh\n    ${streams}\n`,
  ".tools/fed.tool": tool("fed", "[ -t 0 ] || cat", "@stdin fed\n"),
  ".tools/sure.tool": tool("sure", "echo it ran", "@confirm Sure?\n"),
  "red.txt": "red\n",
};

function atTerminal(
  { folder, program }: TestProject,
  line: string,
  { typed, environment = {} }: { readonly typed?: Typed; readonly environment?: Readonly<Record<string, string>> } = {},
): Promise<AtTerminal> {
  return typeAtTerminal(line, { folder, environment: { ...program.environment, ...environment }, typed });
}

const has = (program: string): boolean => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;

async function withFixture(use: (bench: TestProject, call: (line: string) => string) => Promise<void>): Promise<void> {
  using bench = testProject(files);
  const { command, words } = bench.program;
  await use(bench, (line) => `${commandLine([command, ...words])} ${line}`);
}

if (spawnSync("script", ["--version"]).status === 0) {
  test("a command called at a terminal has that terminal, through aliases too", () =>
    withFixture(async (bench, call) => {
      const given = { text: "a terminal\r\n", exitCode: 0 };
      assert.equal(await atTerminal(bench, call("where")), given);
      assert.equal(await atTerminal(bench, call("alias")), given);
      assert.equal(await atTerminal(bench, call("call where")), given);
    }));

  test("a command that asks reads what is typed, and its exit code is dottool's", () =>
    withFixture(async (bench, call) => {
      assert.equal(await atTerminal(bench, call("ask"), { typed: [["name? ", "Ana\n"]] }), {
        text: "name? Ana\r\nhello Ana\r\n",
        exitCode: 3,
      });
    }));

  test("the question about trust comes before, and takes none of the command's keys", async () => {
    using bench = testProject({ ".tools/ask.tool": files[".tools/ask.tool"] }, { isTrusted: false });
    const { command, words } = bench.program;
    const { text, exitCode } = await atTerminal(bench, commandLine([command, ...words, "ask"]), {
      typed: [
        ["trust this content? [y/N] ", "y\n"],
        ["name? ", "Ana\n"],
      ],
    });
    assert.match(text, "hello Ana\r\n");
    assert.is(exitCode, 3);
  });

  test("what was typed before a question does not answer it", () =>
    withFixture(async (bench, call) => {
      const { text } = await atTerminal(bench, `echo begin; sleep 1; ${call("sure")}`, {
        typed: [
          ["begin", "y"],
          ["[y/N]", "\n"],
        ],
      });
      assert.match(text, "`sure` was not approved");
      assert.not.match(text, "it ran\r\n");
    }));

  test("a program colours its output at a terminal, and not in a pipe", () =>
    withFixture(async (bench, call) => {
      assert.match((await atTerminal(bench, call("color"))).text, "\u001b[01;31m");
      assert.is((await atTerminal(bench, `${call("color")} | cat`)).text, "red\r\n");
      assert.is((await bench.run(["color"])).stdout, "red\n");
    }));

  if (has("vi"))
    test("an editor edits", () =>
      withFixture(async (bench, call) => {
        const { exitCode } = await atTerminal(bench, call("edit new.txt"), { typed: [["~", "ione\u001b:wq\n"]] });
        assert.is(exitCode, 0);
        assert.is(readFileSync(join(bench.folder, "new.txt"), "utf8"), "one\n");
      }));

  if (has("less"))
    test("a pager pages", () =>
      withFixture(async (bench, call) => {
        const { text, exitCode } = await atTerminal(bench, call("page"), { typed: [[":", "q"]] });
        assert.is(exitCode, 0);
        assert.ok(text.includes("5\r\n") && !text.includes("300"), text);
      }));

  test("Ctrl-C ends the command, with 130 and without a word, unless it decides otherwise", () =>
    withFixture(async (bench, call) => {
      // Without `exec`, the shell that starts it gets the signal too.
      assert.equal(await atTerminal(bench, `exec ${call("nap")}`, { typed: [["begun", "\u0003"]] }), {
        text: "begun\r\n^C",
        exitCode: 130,
      });
      assert.equal(await atTerminal(bench, `exec ${call("deaf")}`, { typed: [["begun", "\u0003"]] }), {
        text: "begun\r\n^Ccaught\r\nended\r\n",
        exitCode: 0,
      });
    }));

  test("`@timeout` counts, and leaves the terminal as it should be", () =>
    withFixture(async (bench, call) => {
      const { text } = await atTerminal(bench, `${call("raw")}; echo "code $?"; stty -a`);
      assert.match(text, "failed[timeout]: timed out after 1 s");
      assert.match(text, "code 124");
      assert.ok(/\s(?:icanon)\b/.test(text) && /\secho\b/.test(text), text);
    }));

  if (has("bash"))
    test("Ctrl-Z stops the command with dottool, and fg continues it", () =>
      withFixture(async (bench, call) => {
        const { text } = await atTerminal(bench, "bash --norc --noprofile -i", {
          typed: [
            ["$ ", `${call("ask")}\n`],
            ["name? ", "\u001a"],
            ["Stopped", ""],
            // On a busy machine the stopped `read` may still take the first key: a space changes neither reader's line.
            ["$ ", " jobs\n"],
            ["Stopped", ""],
            ["$ ", "fg\n"],
            // The line that `fg` prints.
            [" ask\r\n", "Ben\n"],
            ["hello Ben", ""],
            ["$ ", 'echo "code $?"\n'],
            ["code 3", "exit\n"],
          ],
        });
        assert.match(text, "hello Ben");
      }));

  test("the terminal stays here where a secret is masked or the output is needed", () =>
    withFixture(async (bench, call) => {
      const said = async (line: string) => (await atTerminal(bench, line)).text;
      assert.is(await said(call("secret abcdefgh")), "no terminal\r\n•••\r\n");
      assert.is(
        (await atTerminal(bench, call("named"), { environment: { OUR_TOKEN: "abcdefgh" } })).text,
        "no terminal\r\n•••\r\n",
      );
      for (const name of ["limited", "tried"]) assert.is(await said(call(name)), "no terminal\r\n", name);
      assert.match(await said(call("steps")), "no terminal");
      assert.is(await said(call("fed")), "fed");
      assert.match(await said(call("--result json where")), '"text": "no terminal');
      assert.match(await said(call("--result model where")), "no terminal");
      assert.is(await said(`${call("where")} | cat`), "no terminal\r\n");
      assert.is(await said(`${call("where")} < red.txt`), "no terminal\r\n");
      assert.is(await said(`${call("where")} 2> errors.txt`), "no terminal\r\n");
    }));

  test("nothing of a command that had the terminal is left", () =>
    withFixture(async (bench, call) => {
      const mark = `sleep 300.${process.pid}`;
      bench.write(".tools/left.tool", tool("left", `${mark} & echo begun`));
      bench.trust();
      assert.is((await atTerminal(bench, call("left"))).text, "begun\r\n");
      assert.is(spawnSync("pgrep", ["-f", mark]).status, 1);
    }));
}

test.run();
