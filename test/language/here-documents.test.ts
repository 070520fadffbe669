// A value in a here-document is put in as text, which no shell reads again. Where a program runs the text, the value is
// refused as in any other input.
import { spawnSync } from "node:child_process";
import process from "node:process";
import { commandWrap } from "../../src/core/base/bind-command.ts";
import type { Parameter } from "../../src/core/schema/parameter.ts";
import { assert, suite } from "../harness.ts";
import { commandOf, parameter, problemsOf } from "./command-fixture.ts";

const test = suite("here-documents");
const parameters: readonly Parameter[] = [
  parameter("p", { type: "string" }, { required: true }),
  parameter("list", { type: "array", items: { type: "string" } }, { required: true }),
];
const values = [
  "plain",
  "$(touch mark) `id` ${HOME} \\n",
  '"quoted" it\'s',
  "EOF\necho out\nEOF",
  "{p} {{p}} %s",
  " a\tb ",
];

/** Runs the script with the value in each shell that is here, and returns what it prints. */
function printed(shell: "sh" | "bash" | "zsh", script: string, p: string): string {
  const { value: command } = commandOf(script, shell, parameters);
  if (!command) throw new Error(`refused: ${problemsOf(script, shell, parameters).join("; ")}`);
  const surroundings = { environment: [], inheritsEnvironment: false };
  const { argv } = commandWrap.bind({ command, parameters, surroundings }, { p, list: [] });
  const [program = "", ...words] = argv as string[];
  const { stdout, error } = spawnSync(program, words, { encoding: "utf8", env: { PATH: process.env["PATH"] ?? "" } });
  return error ? `${program} does not start` : stdout;
}

for (const shell of ["sh", "bash", "zsh"] as const)
  if (spawnSync(shell, ["-c", ":"]).status === 0)
    test(`a value arrives unchanged through a here-document of ${shell}`, () => {
      for (const p of values) {
        assert.is(
          printed(shell, "cat <<EOF\nit's \"{p}\" $(printf '%s' {p})\nEOF\n", p),
          `it's "${p}" ${p.replace(/\n+$/, "")}\n`,
        );
        assert.is(printed(shell, "cat <<-END\n\t{p}\n\tEND\n", p), `${p}\n`);
      }
    });

test("a value is refused where a program runs the text, where nothing is expanded, and as a list", () => {
  const refused = [
    "sh <<EOF\necho {p}\nEOF",
    "bash -s <<EOF\necho {p}\nEOF",
    "cat <<EOF | sh\necho {p}\nEOF",
    "python3 - <<EOF\nprint('{p}')\nEOF",
    "ssh host <<EOF\nls {p}\nEOF",
    "psql <<EOF\nselect '{p}'\nEOF",
    "cat >s.sh <<EOF\necho {p}\nEOF\nsh s.sh",
    'eval "$(cat <<EOF\necho {p}\nEOF\n)"',
    "cat <<'EOF'\n{p}\nEOF",
    "cat <<EOF\n`echo {p}`\nEOF",
    "cat <<EOF\n{list}\nEOF",
    "xargs rm <<EOF\n{p}\nEOF",
    "cat <<EOF\n${p:-{p}}\nEOF",
  ];
  assert.equal(
    refused.filter((script) => problemsOf(script, "sh", parameters).length === 0),
    [],
  );
});

test.run();
