// A command in the user's configuration: a list of words, or a text that is split into words like a shell's, without
// one.
import { isAbsolute, join } from "node:path";
import { directWords } from "../shell/direct-words.ts";
import type { Host } from "../tool/host.ts";

export type WordsOrProblem = { readonly words: readonly string[] } | { readonly problem: string };

export function splitProgram(text: string): WordsOrProblem {
  const words: string[] = [];
  for (const { tokens } of directWords(text)) {
    const odd = tokens.find(
      (token) => token.kind === "operator" || token.kind === "open-quote" || token.kind === "open-escape",
    );
    if (odd?.kind === "operator")
      return {
        problem: `has \`${odd.text}\`, which only a shell understands, and no shell runs here; quote the word to use the character itself`,
      };
    if (odd) return { problem: "has an unclosed quote, or ends with a backslash" };
    words.push(
      tokens
        .map((token) => (token.kind === "text" ? token.text : token.kind === "placeholder" ? `{${token.name}}` : ""))
        .join(""),
    );
  }
  return { words };
}

/**
 * Returns the words with the program as a name to look up on PATH, or as an absolute path. A relative path is a
 * problem, because any project could contain it.
 */
export function placedProgram(words: readonly string[], { folders }: Host): WordsOrProblem {
  const [program = "", ...rest] = words;
  if (program === "") return { problem: "names no program" };
  if (words.some((word) => word.includes("\0"))) return { problem: "has a NUL character" };
  if (program.startsWith("~/")) return { words: [join(folders.home, program.slice(2)), ...rest] };
  if (/[/\\]/.test(program) && !isAbsolute(program))
    return {
      problem:
        "starts with a relative path, which depends on the working directory; write a name that is on PATH, or an absolute path",
    };
  return { words };
}
