// Words of the commands that a line runs: what they are, and words made of others.
import { type CommandPiece, type CommandWord, literalText, type PipeEnd } from "../shell/pieces.ts";
import type { Host } from "../tool/host.ts";
import { programName } from "../shell/programs.ts";
import { type KnownWords, textOf } from "./known-words.ts";

/** Returns the end of a program's path whose folder is not known: `"$venv/bin/python"`. */
export function tailOf({ pieces }: CommandWord): string | undefined {
  const last = pieces.at(-1);
  return last?.kind === "text" && /\/[^/]+$/.test(last.text)
    ? last.text.slice(last.text.lastIndexOf("/") + 1)
    : undefined;
}

export function joinedWords(words: readonly CommandWord[]): CommandWord {
  return {
    pieces: words.flatMap(({ pieces }, index): readonly CommandPiece[] =>
      index === 0 ? pieces : [{ kind: "text", text: " " }, ...pieces],
    ),
  };
}

/** Whether it is the name of a variable that programs know. */
export function isUpperName(text: string | undefined): boolean {
  return text !== undefined && /^[A-Z][A-Z0-9_]*$/.test(text);
}

export function isExpanded({ pieces }: CommandWord): boolean {
  return pieces.some((piece) => piece.kind === "expansion" && !piece.isQuoted);
}

/** A value in one word with its option has the option in front. */
export function withoutOption({ pieces }: CommandWord, option = ""): CommandWord {
  const [head, ...others] = pieces;
  return head?.kind === "text" && head.text.startsWith(`${option}=`)
    ? { pieces: [{ kind: "text", text: head.text.slice(option.length + 1) }, ...others] }
    : { pieces };
}

const WORDS_MAX = 256;

/** Returns the words that a word without quotes becomes. */
export function bracedWords(word: CommandWord): readonly CommandWord[] {
  const text = literalText(word);
  return text === undefined ? [word] : expandedBraces(text).map((one) => ({ pieces: [{ kind: "text", text: one }] }));
}

/** Returns the text itself if it has no such braces. */
function expandedBraces(text: string): readonly string[] {
  const words = [text];
  for (let index = 0; index < words.length && words.length < WORDS_MAX; ) {
    const word = words[index] ?? "";
    const [, start, inside, end] = /^(.*?)\{([^{}]*,[^{}]*)\}(.*)$/s.exec(word) ?? [];
    if (inside === undefined) index++;
    else words.splice(index, 1, ...inside.split(",").map((part) => `${start ?? ""}${part}${end ?? ""}`));
  }
  return words;
}

const VALUE_CHARACTERS_MAX = 65_536;

/** The variables of a script; those that it does not set have their values of the environment. */
export class EnvironmentVariables extends Map<string, string | undefined> {
  readonly #host: Host;

  constructor(host: Host, entries: Iterable<readonly [string, string | undefined]> = []) {
    super(entries);
    this.#host = host;
  }

  override get(name: string): string | undefined {
    return this.has(name) ? super.get(name) : this.#host.environment(name);
  }

  /** A text that doubles with each assignment is not known. */
  override set(name: string, value: string | undefined): this {
    return super.set(name, value !== undefined && value.length > VALUE_CHARACTERS_MAX ? undefined : value);
  }

  copy(): EnvironmentVariables {
    return new EnvironmentVariables(this.#host, this);
  }
}

export function copiedVariables(variables: Map<string, string | undefined>): Map<string, string | undefined> {
  return variables instanceof EnvironmentVariables ? variables.copy() : new Map(variables);
}

const FEEDERS_MAX = 1_000;

/** Returns what a command prints, if that is certain. */
export function printedBy(end: PipeEnd | undefined, scene: KnownWords): string | undefined {
  if (!end || "kind" in end || end.from) return undefined;
  const [program, ...words] = end.words.map((word) => textOf(word, scene));
  const named = words.filter((word) => word !== undefined && !word.startsWith("-"));
  if (program === "cat" && words.length === 0) {
    const [input] = end.redirections.filter(({ operator }) => operator === "<<" || operator === "<<<");
    return input && end.redirections.length === 1 ? textOf(input.word, scene) : undefined;
  }
  if (words.some((word) => word === undefined) || end.redirections.length > 0) return undefined;
  if (program === "which" || (program === "command" && words[0] === "-v") || (program === "type" && words[0] === "-p"))
    return named[0];
  if (program === "echo" && !words.some((word) => word?.includes("\\")))
    return words.filter((word) => word !== "-n" && word !== "-e").join(" ");
  return program === "printf" && words.length === 1 && !/[\\%]/.test(words[0] ?? "") ? words[0] : undefined;
}

/** Returns the names of the programs that write to a pipe, the last one first. */
export function feedersOf(from: PipeEnd | undefined, scene: KnownWords): readonly string[] {
  const names: string[] = [];
  for (let end = from; end; end = end.from) {
    if (names.length > FEEDERS_MAX) break;
    names.push("kind" in end ? "" : programName(textOf(end.words[0] ?? { pieces: [] }, scene) ?? ""));
  }
  return names;
}
