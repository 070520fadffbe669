// The output of commands, as far as it contains values from their words or their input. What a program finds elsewhere,
// as `git`, `find` or `docker` do, does not count as a value.
import { utilityTakesValue } from "./dashes.ts";
import { languages } from "../../generated/program-data.ts";
import { printsNumber } from "./numbers.ts";
import { type CommandWord, literalStart, literalText, type SimpleCommand } from "./pieces.ts";
import { programName, rulesOf } from "./programs.ts";
import { withoutPrefixes } from "./settings.ts";
import { cutText, joinedTexts, noText, type Text, textFrom, type TextContext, wordText } from "./text.ts";

export interface PrintContext extends TextContext {
  readonly shell: "sh" | "bash" | "zsh";
  /** Whether the shell splits variables into words. All shells but zsh do, and zsh has an option for it. */
  readonly splitsVariables: boolean;
  /** What the script's functions print, by name. */
  readonly functions: ReadonlySet<string>;
  readonly functionOutput: string;
  inputOf(command: SimpleCommand): Text;
}

/** Programs that print their input or a part of it. */
const CUTS_INPUT = new Set([
  ..."tr cut sort tail grep egrep fgrep rev tac fold fmt paste join column nl".split(" "),
  ..."expand unexpand strings xargs jq yq iconv".split(" "),
]);
/** Programs that print the beginning of their input. */
const PASSES_INPUT = new Set("cat tee head uniq".split(" "));
/** Programs that read no input if a file is named. */
const READS_FILES = new Set("cat head uniq tail sort tac rev nl".split(" "));
/** Programs that print a part of their words. */
const CUTS_WORDS = new Set("basename expr".split(" "));

export function printedText(command: SimpleCommand, context: PrintContext): Text {
  const words = withoutPrefixes(command.words);
  const [program, ...args] = words;
  const name = programName(literalText(program) ?? "");
  const texts = (some: readonly CommandWord[]): readonly Text[] => some.map((word) => wordText(word, context));
  if (name === "" || printsNumber({ ...command, words })) return noText;
  if (context.functions.has(name))
    return joinedTexts([textFrom(context.functionOutput), { ...cutText(...texts(args)), starts: [] }]);
  if (name === "echo") return echoed(args, context);
  if (name === "printf" || name === "print") return formatted(name, args, context);
  if (name === "dirname") return joinedTexts(texts(args.filter((word) => !literalStart(word).startsWith("-"))));
  if (CUTS_WORDS.has(name)) return cutText(...texts(args));
  if (name === "realpath" || name === "readlink")
    return args.some((word) => literalStart(word).includes("relative")) ? cutText(...texts(args)) : noText;
  if (READS_FILES.has(name) && args.some((word, index) => isFile(word, { name, before: args[index - 1] })))
    return noText;
  if (PASSES_INPUT.has(name)) return context.inputOf(command);
  if (CUTS_INPUT.has(name)) return cutText(context.inputOf(command), ...texts(jqArguments(name, args)));
  const rules = rulesOf(name).filter((rule) => languages.has(rule));
  if (rules.length === 0) return noText;
  // For `awk -v x={p}` and `sed s/a/{p}/`, the other arguments are files. A program text may print the arguments after
  // it.
  const hasText =
    rules.some((rule) => rule.shellSafe === undefined) &&
    args.some((word) => /^-[A-Za-z]*[ce]$|^--(?:eval|print)$/.test(literalText(word) ?? ""));
  return cutText(context.inputOf(command), ...texts(hasText ? args : args.filter((word) => literalStart(word) !== "")));
}

/** Returns the output of `echo`. dash and zsh turn `\055` into `-`. */
function echoed(args: readonly CommandWord[], context: PrintContext): Text {
  const first = args.findIndex((word) => !/^-[neE]+$/.test(literalText(word) ?? ""));
  const texts = first === -1 ? [] : args.slice(first).map((word) => wordText(word, context));
  const escapes = context.shell !== "bash" || args.some((word) => /^-[nE]*e/.test(literalText(word) ?? ""));
  return escapes ? cutText(...texts) : joinedTexts(texts);
}

/**
 * Matches formats with escapes in the values, with a part of a value, or with a value after a NUL, where an item of
 * xargs begins.
 */
const CUTS = /%[-+ #0-9.*]*b|%[-+ #0-9*]*\.|\\(?:0|x00)[^]*%/;

/** Returns the output of a format. It is used again for the remaining words, so each of them may begin a line. */
function formatted(name: string, args: readonly CommandWord[], context: PrintContext): Text {
  const at =
    name === "printf"
      ? literalText(args[0]) === "-v"
        ? 2
        : literalText(args[0]) === "--"
          ? 1
          : 0
      : args.findIndex((word) => !literalStart(word).startsWith("-"));
  const hasFormat =
    name === "printf" || args.slice(0, at).some((word) => /^-[A-Za-z]*f$/.test(literalText(word) ?? ""));
  const format = hasFormat ? literalText(args[at]) : undefined;
  const text = joinedTexts(args.slice(at + (hasFormat ? 1 : 0)).map((word) => wordText(word, context)));
  if (format === undefined || CUTS.test(format)) return cutText(text);
  return format.startsWith("%") ? text : { starts: [], holds: text.holds };
}

/** Whether the word is a file: not an option, not the value of one, and not the input. */
function isFile(
  word: CommandWord,
  { name, before }: { readonly name: string; readonly before: CommandWord | undefined },
): boolean {
  const text = literalText(word);
  return (
    !literalStart(word).startsWith("-") &&
    text !== "/dev/stdin" &&
    utilityTakesValue(name, literalText(before) ?? "") !== true
  );
}

function jqArguments(name: string, args: readonly CommandWord[]): readonly CommandWord[] {
  if (name !== "jq" && name !== "yq") return [];
  return args.filter((_word, index) => /^--(?:raw)?arg/.test(literalText(args[index - 2]) ?? ""));
}
