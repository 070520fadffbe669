// Whether an option takes the word behind it as its value, as far as a row of grammar/programs.yaml tells.
import { optionRows } from "../../generated/program-data.ts";
import { optionsOf } from "./arguments.ts";
import { dataRowsOf } from "./data-positions.ts";
import { type CommandWord, literalStart, literalText } from "./pieces.ts";
import { rulesOf } from "./programs.ts";
import type { ProgramRule } from "./rule.ts";
import type { DataRow } from "./data-words.ts";

/** `last`: the last of several letters takes the value, as in `-tzf`. */
export type OptionTakes = "value" | "nothing" | "last";

/** `gh pr list`, `docker buildx build` */
const SUBCOMMANDS_MAX = 2;

export interface TakenWord {
  readonly takes: OptionTakes;
  /** Set if the word may begin with a dash. */
  readonly takesDash?: true;
}

/** `at` is the index of the word behind the option; `name` is that of the program, as in the tables. */
export function optionTakes(name: string, args: readonly CommandWord[], at: number): TakenWord | undefined {
  const words = args.slice(0, at).flatMap((word) => literalText(word) ?? []);
  const inner = words.filter((word) => /^[a-z][\w:-]*$/i.test(word));
  const own = name.split(" ");
  const all = [...own, ...inner.slice(0, SUBCOMMANDS_MAX)];
  for (let length = all.length; length > 0; length--) {
    const whole = all.slice(0, length).join(" ");
    for (const rule of length < own.length ? optionRows.named(whole) : rowsOf(whole)) {
      const known = optionsOf(rule, args);
      const takes = isGroup(literalText(args[at - 1]) ?? "", rule) ? "last" : "value";
      // An option that no row has may take the option as its value.
      const isSure = args
        .slice(0, at - 1)
        .every((word, index) => known.values.has(index) || known.alone.has(index) || !/^-/.test(literalStart(word)));
      if (known.values.has(at)) return { takes, ...(rule.takesDash && isSure ? { takesDash: true } : {}) };
      if (known.alone.has(at - 1)) return { takes: "nothing" };
    }
  }
  return undefined;
}

/** What the option takes in most programs that have it. */
export function optionUsuallyTakes(option: string): OptionTakes | undefined {
  if (/^--no-/.test(option)) return "nothing";
  const [{ plain = "", value = "" } = {}] = optionRows.named("*");
  if (plain.split(" ").includes(option)) return "nothing";
  return value.split(" ").some((name) => option === name || (name.startsWith("--") && option.endsWith(name.slice(1))))
    ? "value"
    : undefined;
}

function rowsOf(name: string): readonly ProgramRule[] {
  return [...optionRows.named(name), ...rulesOf(name), ...dataRowsOf(name).map(ruleOf)];
}

const lazyRules = new WeakMap<DataRow, ProgramRule>();

function ruleOf(row: DataRow): ProgramRule {
  const known = lazyRules.get(row);
  if (known) return known;
  const [plain, value] = [row.plain ?? "", `${row.data ?? ""} ${row.fixed ?? ""}`].map((names) => names.split(/\s+/));
  const made: ProgramRule = {
    names: row.names,
    plain: plain?.join(" ") ?? "",
    // One that is in both takes its value only after `=`.
    value: value?.filter((option) => !plain?.includes(option)).join(" ") ?? "",
    ...(row.style ? { style: row.style } : {}),
    help: "",
  };
  lazyRules.set(row, made);
  return made;
}

function isGroup(option: string, { style, value = "" }: ProgramRule): boolean {
  return style === undefined && /^-[A-Za-z0-9]{2,}$/.test(option) && !value.split(" ").includes(option);
}
