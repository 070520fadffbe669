// Values that try to run, in definitions whose commands are bash, sh, zsh or none. None of them runs.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { assert, suite } from "../../harness.ts";
import { needPrograms } from "../../programs-needed.ts";
import { withTools } from "./yaml-fixture.ts";

const test = suite("custom-tools under attack");

const values = [
  "$(touch mark)",
  "`touch mark`",
  "; touch mark",
  "a\ntouch mark\n",
  '"; touch mark; "',
  "'; touch mark; '",
  "${x:=$(touch mark)}",
  "| touch mark",
  "& touch mark &",
  "\\$(touch mark)",
  "{RAW:PATTERN}",
  "{DIRECTORY}",
  "-exec touch mark ;",
  "!!",
  "<(touch mark)",
  "*'\"$(touch mark)\"'",
];
const parameters =
  "parameters:\n  DIRECTORY: { description: D, default: . }\n  PATTERN: { description: P, required: true }\n";
const line = 'find {DIRECTORY} -name "{PATTERN}"; echo {PATTERN} "<{PATTERN}>" \'{PATTERN}\'';
const scripts: Readonly<Record<string, string>> = {
  bash: `bash: |\n  ${line}\n`,
  sh: `script: |\n  ${line}\nshell: sh\n`,
  zsh: `script: |\n  ${line}\nshell: zsh\n`,
};

for (const [shell, script] of Object.entries(scripts)) {
  test(`no value runs in ${shell}, and each arrives as it is`, () => {
    needPrograms(shell);
    return withTools({ t: `description: D\n${script}${parameters}` }, async ({ call, folder }) => {
      for (const value of values) {
        const result = await call("t", { PATTERN: value });
        assert.is(existsSync(join(folder, "mark")), false, value);
        const text = result.content.map((item) => (item.type === "text" ? item.text : "")).join("");
        if (result.status === "ok") assert.ok(text.includes(`<${value}>`), `${value}: ${text}`);
        else assert.is(result.failure.kind, "invalid-arguments");
      }
      assert.equal(readdirSync(folder), [".tools"]);
    });
  });
}

test("no value adds a word without a shell", () =>
  withTools(
    { t: `description: D\nrun: printf '<%s>' "{PATTERN}" x{PATTERN}\n${parameters.replace(/ {2}DIRECTORY.*\n/, "")}` },
    async ({ said }) => {
      for (const value of values.filter((one) => !one.startsWith("-")))
        assert.is(await said("t", { PATTERN: value }), `<${value}><x${value}>`);
    },
  ));

test.run();
