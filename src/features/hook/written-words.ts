// Which words of a command name what it writes, makes or removes: by the rows of grammar/hook-policy.yaml.
import { basename } from "node:path";
import { optionsOf } from "../../core/shell/arguments.ts";
import { textWord } from "../../core/shell/pieces.ts";
import { rulesOf } from "../../core/shell/programs.ts";
import { writeRows, type WriteRole } from "../../generated/hook-policy.ts";
import type { RanWord } from "./ran-words.ts";

/** A word, or the value in it. */
interface WrittenWord extends RanWord {
  readonly role: WriteRole;
}

interface WrittenWords {
  readonly words: readonly WrittenWord[];
  /**
   * The names of files that it may write as well: within a folder that it copies to, at the end of an address, or any
   * word beside its program text.
   */
  readonly implied: readonly string[];
  /** What happens to the files that its input names. Undefined: it has options for that, or is not known. */
  readonly rest: WriteRole | undefined;
}

interface Written {
  readonly name: string;
  readonly args: readonly RanWord[];
}

let rows: ReturnType<typeof writeRows> | undefined;

/** Matches another stream, and devices without content. */
export const STREAM = /^(?:&?\d*-?|\/dev\/(?:null|std\w+|tty|fd\/\d+))$/;

/** Matches `host:path` and `rsync://…`. */
const REMOTE = /^[^/]+:/;

export function writtenWords({ name, args }: Written): WrittenWords {
  const text = args.map((word) => word.text).join(" ");
  rows ??= writeRows();
  const row = rows.find(({ programs, when }) => programs.test(name) && (when?.test(text) ?? true));
  const { skip = 0, all, last, options, does = "write", address } = row ?? {};
  // Whether an unknown program writes at all is not known.
  const isOpen = row === rows.at(-1);
  const values = valuesOf(args, options)
    .filter(({ isKnown }) => isKnown || !isOpen)
    .map((word) => ({ ...word, role: does }));
  const whole = operandsOf(name, args, last !== undefined);
  // An option may hold the program text, and then the only word is a file.
  const operands = whole.slice(all === "write" ? Math.min(skip, whole.length - 1) : skip);
  const to = last && values.length === 0 && operands.length > 1 ? operands.at(-1) : undefined;
  const others = operands.filter((word) => word !== to);
  return {
    words: [
      ...values,
      ...(all ? others.map((word) => ({ ...word, role: all })) : []),
      ...(last && to && !REMOTE.test(to.text) ? [{ ...to, role: last }] : []),
    ],
    implied: [
      ...(all === "write" ? whole.slice(0, whole.length - operands.length).map((word) => word.text) : []),
      ...(last && to ? others.map((word) => `${to.text}/${basename(word.text)}`) : []),
      ...(address?.test(text) ? operands.flatMap((word) => /\/([^/?#]+)(?:[?#].*)?$/.exec(word.text)?.[1] ?? []) : []),
    ],
    rest: all ?? last,
  };
}

/** Without the values of options that the tables of programs know, where the last word is what counts. */
function operandsOf(name: string, args: readonly RanWord[], isLast: boolean): readonly RanWord[] {
  const words = isLast ? args.map(({ text }) => textWord(text)) : [];
  const values = new Set(isLast ? rulesOf(name).flatMap((rule) => [...optionsOf(rule, words).values]) : []);
  return args.filter(({ text }, index) => text !== "" && !text.startsWith("-") && !values.has(index));
}

/** Returns the values of options, behind them or in one word with them; of a mount, only its source. */
function valuesOf(args: readonly RanWord[], options: RegExp | undefined): readonly RanWord[] {
  if (!options) return [];
  return args.flatMap((word, index): readonly RanWord[] => {
    const { text, isKnown } = word;
    const before = args[index - 1]?.text ?? "";
    const [, name = "", value = ""] = /^((?:--)?[\w-]+)=(.*)$/s.exec(text) ?? /^(-[A-Za-z])(.+)$/s.exec(text) ?? [];
    const given = options.test(before) ? text : options.test(name) && !options.test(text) ? value : undefined;
    if (given === undefined) return [];
    if (!/^(?:-v|--volume|--mount)$/.test(options.test(before) ? before : name)) return [{ text: given, isKnown }];
    return [{ text: /(?:^|,)(?:src|source)=([^,]*)/.exec(given)?.[1] ?? given.split(":")[0] ?? "", isKnown }];
  });
}
