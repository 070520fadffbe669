// `@param n integer required How many`: types and options that lost their braces and brackets, and would be read as the
// description.
import { type Analysis, replacing } from "../analysis.ts";
import { optionNames, plainOptionNames } from "../fields/options.ts";
import { plainTypeNames } from "../fields/types.ts";
import type { MappedText } from "../syntax/ast.ts";
import { sliced } from "../syntax/mapped-text.ts";

/** The limit of such words. A longer row is ordinary text. */
const WORDS_MAX = 8;
const WORDS_CHARACTERS_MAX = 500;

interface Bare {
  readonly type?: string;
  readonly options: readonly string[];
  readonly end: number;
  /** Whether the type is in parentheses, `(integer)`, with which no sentence begins. */
  readonly isBracketed: boolean;
  /** Whether nothing, a new sentence or options follow. */
  readonly isApart: boolean;
}

/**
 * Reports an error if the mistake is certain, else a warning. `number of lines` and `required by law` may be meant as
 * they are.
 */
export function checkBareWords(
  prose: MappedText,
  declared: { readonly hasType: boolean; readonly hasOptions: boolean },
  analysis: Analysis,
): void {
  const bare = bareWords(prose.text, declared);
  if (!bare) return;
  const { type, options } = bare;
  const at = sliced(prose, 0, bare.end).span;
  const written = [
    ...(type === undefined ? [] : [`{${type}}`]),
    ...(options.length === 0 ? [] : [`[${options.join(", ")}]`]),
  ].join(" ");
  const message =
    type === undefined
      ? "an option must be in brackets"
      : options.length === 0
        ? "a type must be in braces"
        : "a type must be in braces, and options in brackets";
  const details = { at, label: "this is read as the description" };
  if (bare.isBracketed || bare.isApart || (type !== undefined && options.length > 0))
    analysis.error("malformed-annotation", message, { ...details, fix: replacing(at, written) });
  else if (type !== undefined || options[0] === "required")
    analysis.warn("malformed-annotation", message, {
      ...details,
      help: [`write \`${written}\` if that is meant; otherwise begin the description with another word`],
    });
}

/** Returns undefined if the text begins with neither. */
function bareWords(
  text: string,
  declared: { readonly hasType: boolean; readonly hasOptions: boolean },
): Bare | undefined {
  let type: string | undefined;
  const options: string[] = [];
  let end = 0;
  let isBracketed = false;
  let next = "";
  for (const [index, found] of [...text.slice(0, WORDS_CHARACTERS_MAX).matchAll(/[^ \t]+/g)].entries()) {
    const [, open = "", word = ""] = /^([(<]*)(.*?)[)>,:;]*$/.exec(found[0]) ?? [];
    const whole = word.includes("<") ? `${word}>` : word;
    const isType = index === 0 && !declared.hasType && (plainTypeNames.includes(word) || /^array<\w+>$/.test(whole));
    if (!isType && (declared.hasOptions || index >= WORDS_MAX || !isOption(word))) {
      next = found[0];
      break;
    }
    if (isType) type = whole;
    else options.push(word);
    isBracketed ||= open !== "";
    end = found.index + found[0].length;
  }
  return end === 0
    ? undefined
    : { ...(type === undefined ? {} : { type }), options, end, isBracketed, isApart: /^(?:$|[[A-Z])/.test(next) };
}

function isOption(word: string): boolean {
  const equals = word.indexOf("=");
  return equals === -1
    ? plainOptionNames.includes(word)
    : optionNames.includes(word.slice(0, equals)) && !/["[\]]/.test(word);
}
