// What the programs of a line write to a pipe or a file, as far as that is certain.
import type { PipeEnd } from "../shell/pieces.ts";
import { programName } from "../shell/programs.ts";
import { type KnownWords, textOf } from "./known-words.ts";

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
