// An option that belongs to the value behind it: `--env {env}`, `-n {count}` of a number, and `--since={start}`. Where the
// value may be left out, the option is left out with it. Alone, it would take the next word as its value.
import type { Parameter } from "../../schema/parameter.ts";
import type { ShellPlaceholder, Word, WordPlaceholder } from "../../tool/command.ts";
import { type CommandSource, declarationOf } from "./command-problems.ts";

const OPTION = /^--?[A-Za-z][\w-]*$/;
const TIED_OPTION = /^--?[A-Za-z][\w-]*=$/;
/** Matches an option with the blanks behind it. Text that follows a value may go on with its word: `{name}-n {count}`. */
const LAST_OPTION = /(?<=[ \t])(--?[A-Za-z][\w-]*)[ \t]+$/;
const LAST_TIED_OPTION = /(?<=[ \t])(--?[A-Za-z][\w-]*=)$/;
/** Options of many programs that take no value, so that a number behind one is an operand: `gh pr view --web {number}`. */
const SWITCH = /^--(?:all|comments|dry-run|force|no-[\w-]+|oneline|quiet|recursive|silent|web|yes)$/;

export function withOwnOptions(words: readonly Word[], source: CommandSource): readonly Word[] {
  const made: Word[] = [];
  for (const word of words) {
    const [first, second, ...others] = word.parts;
    const [option, ...rest] = made.at(-1)?.parts ?? [];
    if (first === undefined || others.length > 0) made.push(word);
    else if (typeof first === "string" && typeof second === "object" && TIED_OPTION.test(first))
      made.push(
        mayBeAbsent(second, source)
          ? flagged(word, second, [[first, second.startsInner ? { ...VALUE, startsInner: true } : VALUE]])
          : word,
      );
    else if (
      typeof first === "object" &&
      second === undefined &&
      typeof option === "string" &&
      rest.length === 0 &&
      OPTION.test(option) &&
      mayBeAbsent(first, source) &&
      isOptionOf(option, first.placeholder, source)
    )
      made.splice(-1, 1, flagged(word, first, [[option], [VALUE]]));
    else made.push(word);
  }
  return made;
}

type ScriptPart = string | ShellPlaceholder;

export function withOwnOptionsOfScript(parts: readonly ScriptPart[], source: CommandSource): readonly ScriptPart[] {
  const made: ScriptPart[] = [];
  for (const [index, part] of parts.entries()) {
    const before = made.at(-1);
    const cut =
      typeof part === "object" && typeof before === "string" && part.quoting === "bare" && mayBeAbsent(part, source)
        ? optionBefore(before, part, { after: parts[index + 1], source })
        : undefined;
    if (cut) made.splice(-1, 1, ...cut);
    else made.push(part);
  }
  return made;
}

/** Returns the text without the option at its end, and the place with it; undefined if there is none. */
function optionBefore(
  before: string,
  place: ShellPlaceholder,
  { after, source }: { readonly after: ScriptPart | undefined; readonly source: CommandSource },
): readonly [string, ShellPlaceholder] | undefined {
  const [whole, option = ""] = (place.isWholeWord ? LAST_OPTION : LAST_TIED_OPTION).exec(before) ?? [];
  if (whole === undefined) return undefined;
  const text = before.slice(0, -whole.length);
  if (place.isWholeWord)
    return isOptionOf(option, place.placeholder, source)
      ? [text, { ...place, hasOwnOption: true, flag: [{ parts: [option] }, { parts: [VALUE] }] }]
      : undefined;
  const isLast = after === undefined || (typeof after === "string" && /^(?:[ \t\n;&|)]|$)/.test(after));
  return isLast
    ? [text, { ...place, isWholeWord: true, hasOwnOption: true, flag: [{ parts: [option, VALUE] }] }]
    : undefined;
}

const VALUE: WordPlaceholder = { placeholder: "value" };

function flagged(word: Word, placeholder: WordPlaceholder, flag: readonly Word["parts"][]): Word {
  return { ...word, parts: [{ ...placeholder, hasOwnOption: true, flag: flag.map((parts) => ({ parts })) }] };
}

function mayBeAbsent(placeholder: WordPlaceholder, source: CommandSource): boolean {
  const parameter = declarationOf(source, placeholder.placeholder)?.parameter;
  return parameter !== undefined && placeholder.flag === undefined && isOptional(parameter);
}

function isOptional({ required, default: fallback, schema }: Parameter): boolean {
  return !required && fallback === undefined && schema.type !== "array";
}

/**
 * Whether an option has the name of the parameter, as `--dry-run` of `dry_run`, or stands before its number. A test of
 * `find … -delete` stays: without it, everything would be deleted.
 */
export function isOptionOf(option: string, name: string, source: CommandSource): boolean {
  if (/^-[a-z]{2,}$/.test(option) && /[ \t]-delete\b/.test(source.text.text)) return false;
  const type = declarationOf(source, name)?.parameter.schema.type;
  return plain(option) === plain(name) || ((type === "integer" || type === "number") && !SWITCH.test(option));
}

function plain(name: string): string {
  return name.replaceAll(/[-_]/g, "").toLowerCase();
}
