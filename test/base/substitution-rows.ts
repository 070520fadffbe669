// The substitution table: the `.tool` file of each row, and the meaning of its codes.
import { readFileSync } from "node:fs";
import type { Json, JsonObject } from "../../src/core/schema/json.ts";

export interface SubstitutionRow {
  readonly id: string;
  readonly why: string;
  readonly shell: "none" | "sh" | "windows-direct" | "cmd" | "pwsh";
  readonly template: string;
  readonly arguments: JsonObject;
  readonly parameters: readonly {
    readonly name: string;
    readonly type: string;
    readonly isRequired: boolean;
    readonly takesFlags: boolean;
  }[];
  readonly expected: {
    readonly argv?: readonly string[];
    readonly error?: string;
    readonly cmdline?: string;
    readonly script?: string;
    readonly program?: string;
  };
  /** Variables in the environment of dottool itself. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * A line of the table. In `shell=sh` values travel as positional parameters. `argv` are the words that the program
 * `show` gets, without its own name. An `error` is a refusal: `DEF_*` of the definition, `VAL_*` of the call.
 */
interface RawRow {
  readonly id: string;
  readonly why: string;
  readonly shell: SubstitutionRow["shell"];
  readonly template: string;
  readonly param_specs: Readonly<
    Record<string, { readonly type: string; readonly required?: boolean; readonly dash?: boolean }>
  >;
  readonly params: JsonObject;
  readonly expected: Omit<SubstitutionRow["expected"], "argv"> & { readonly argv?: Json };
  readonly env?: Readonly<Record<string, string>>;
}

export function substitutionRows(): readonly SubstitutionRow[] {
  const text = readFileSync(new URL("../cases-data/substitution.jsonl", import.meta.url), "utf8");
  const rows = text
    .trimEnd()
    .split("\n")
    .map((line): RawRow => JSON.parse(line));
  return rows.map(({ param_specs, params, expected: { argv, ...expected }, env, ...row }) => ({
    ...row,
    arguments: expanded(params) as JsonObject,
    parameters: Object.entries(param_specs).map(([name, spec]) => ({
      name,
      type: spec.type,
      isRequired: spec.required ?? false,
      takesFlags: spec.dash ?? false,
    })),
    expected: { ...expected, ...(argv === undefined ? {} : { argv: expanded(argv) as readonly string[] }) },
    environment: env ?? {},
  }));
}

/** Expands values: `{"$repeat": ["x", 3]}` is `xxx`. */
function expanded(value: Json): Json {
  if (Array.isArray(value)) return value.map(expanded);
  if (typeof value !== "object" || value === null) return value;
  const repeat = (value as JsonObject)["$repeat"];
  if (Array.isArray(repeat)) return String(repeat[0]).repeat(Number(repeat[1]));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, expanded(inner)]));
}

export function toolText(row: SubstitutionRow, name: string, shell: string): string {
  const parameters = row.parameters.map((parameter) => {
    const options = [parameter.isRequired ? "required" : "optional", ...(parameter.takesFlags ? ["flags"] : [])].join(
      ", ",
    );
    return `@param ${parameter.name} {${parameter.type === "array" ? "array<string>" : parameter.type}} [${options}] A value\n`;
  });
  const shellLine = shell === "none" ? "" : `@shell ${shell}\n`;
  return `A row of the substitution table.\n\n@name ${name}\n@title ${row.id}\n@wrapped run_command\n${shellLine}@command ${row.template}\n${parameters.join("")}`;
}

export function toolName(row: SubstitutionRow): string {
  return `row-${row.id.toLowerCase()}`;
}

/** The table's names for mistakes in a definition, and the diagnostic of each. */
export const diagnosticOf: Readonly<Record<string, string>> = {
  DEF_ARRAY_IN_WORD: "array-in-word",
  DEF_NEEDS_SHELL: "needs-shell",
  DEF_PARAM_AS_PROGRAM: "parameter-as-program",
  DEF_UNKNOWN_PARAM: "unknown-placeholder",
  DEF_EMPTY: "empty-command",
  DEF_TRAILING_BACKSLASH: "unclosed-quote",
  DEF_UNCLOSED_QUOTE: "unclosed-quote",
  DEF_PARAM_IN_ARITH: "unsafe-placeholder",
  DEF_EVAL: "unsafe-placeholder",
};

/** The table's names for mistakes in a call, and a part of each message. */
export const refusalOf: Readonly<Record<string, string>> = {
  VAL_TYPE: "expected ",
  VAL_LEADING_DASH: "starts with `-`, so `show` would read it as an option",
  VAL_NUL: "contains a NUL character, which cannot be passed to a program",
  VAL_SURROGATE: "contains a lone surrogate; send well-formed Unicode",
  VAL_UNKNOWN: "has no such parameter",
  WIN_BATCH_REFUSED: "is a batch file, whose arguments cannot be passed safely",
  WIN_CMD_VALUE_REFUSED:
    "has a character that cmd.exe could read as a command; letters, digits, spaces and `_ . , : \\ / @ = + -` are accepted",
  VAL_TOO_LONG:
    "makes an argument of 131,072 bytes, and a program accepts at most 131,071; pass long text through standard input",
};
