// Options of real programs whose values are left out, in words and in scripts, compared with the words that their
// authors meant: see options-of-programs.txt.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commandWrap } from "../../src/core/base/bind-command.ts";
import type { Json, JsonObject } from "../../src/core/schema/json.ts";
import type { Parameter, ParameterSchema } from "../../src/core/schema/parameter.ts";
import { assert, suite } from "../harness.ts";
import { commandOf, parameter } from "./command-fixture.ts";

const test = suite("options of programs");

const rows = readFileSync(new URL("options-of-programs.txt", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line.includes(" | "))
  .map((line) => line.split(" | ").map((cell) => cell.trim()));

const types: Readonly<Record<string, ParameterSchema>> = {
  string: { type: "string" },
  integer: { type: "integer" },
  path: { type: "string", format: "path" },
  list: { type: "array", items: { type: "string" } },
};

function givenIn(cell: string): { readonly parameters: readonly Parameter[]; readonly args: JsonObject } {
  const all = cell.split(" ").map((text) => {
    const [, name = "", type = "string", value = ""] = /^(\w+)(?::(\w+))?=(.*)$/.exec(text) ?? [];
    const schema = types[type] ?? { type: "string" };
    const given: Json = type === "integer" ? Number(value) : type === "list" ? value.split(",") : value;
    return { given, parameter: parameter(name, schema, type === "list" ? { flags: true } : {}) };
  });
  return {
    parameters: all.map((one) => one.parameter),
    args: Object.fromEntries(all.map((one) => [one.parameter.name, one.given])),
  };
}

function argvOf(
  template: string,
  shell: "none" | "sh",
  { parameters, args }: ReturnType<typeof givenIn>,
): readonly string[] {
  const { value: command, diagnostics } = commandOf(template, shell, parameters);
  if (!command) return diagnostics.map(({ message }) => message);
  const { argv } = commandWrap.bind(
    { command, parameters, surroundings: { environment: [], inheritsEnvironment: false } },
    args,
  );
  return Array.isArray(argv) ? argv.map(String) : [];
}

test("each command gets the words that its author meant", () => {
  const actual = rows.map(([template = "", values = ""]) => {
    const given = givenIn(values);
    const words = [given, { ...given, args: {} }].map((one) => argvOf(template, "none", one).join(" "));
    return [template, values, ...words].join(" | ");
  });
  assert.equal(
    actual,
    rows.map((cells) => cells.join(" | ")),
  );
  assert.ok(rows.length >= 90);
});

/** Runs the script with a program in the place of the one that it calls, which prints its words. */
function printed(argv: readonly string[], template: string, folder: string): string {
  const [program = ""] = template.split(" ");
  const place = join(folder, program);
  mkdirSync(folder, { recursive: true });
  writeFileSync(place, `#!/bin/sh\nprintf '%s' "${program}"\nprintf ' %s' "$@"\n`);
  chmodSync(place, 0o755);
  const [, ...words] = argv;
  return spawnSync("/bin/sh", words, { cwd: folder, encoding: "utf8", env: { PATH: folder } }).stdout.trimEnd();
}

test("each script passes the words that its author meant", () => {
  const folder = mkdtempSync(join(tmpdir(), "options-"));
  try {
    const actual = rows.map(([template = "", values = ""]) => {
      const given = givenIn(values);
      const words = [given, { ...given, args: {} }].map((one) =>
        printed(argvOf(template, "sh", one), template, folder),
      );
      return [template, values, ...words].join(" | ");
    });
    assert.equal(
      actual,
      rows.map((cells) => cells.join(" | ")),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.run();
