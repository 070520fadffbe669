// The limits of a command line.
import { Buffer } from "node:buffer";
import type { ArgumentIssue } from "../schema/argument-issue.ts";
import type { BoundWord } from "./bind-words.ts";

/** The limit of a word on Linux: MAX_ARG_STRLEN is 32 pages of 4 KiB, with the NUL at the end. */
export const WORD_BYTES_MAX = 131_071;
/** The limit of words and environment together on Linux: a quarter of the stack limit, which is 8 MiB by default. */
export const WORDS_BYTES_MAX = 1_572_864;
/** Each word also costs a NUL and a pointer. */
const WORD_COST_BYTES = 9;

const ADVICE = "pass long text through `@stdin` of the tool, or `[stdin=…]` of the step";

export function sizeIssues(words: readonly BoundWord[]): readonly ArgumentIssue[] {
  const issues: ArgumentIssue[] = [];
  let totalBytes = 0;
  let largest: { readonly bytes: number; readonly path: string } = { bytes: 0, path: "" };
  for (const word of words) {
    const bytes = byteLength(word.text);
    const path = word.paths[0] ?? "";
    totalBytes += bytes + WORD_COST_BYTES;
    if (path !== "" && bytes > largest.bytes) largest = { bytes, path };
    if (bytes > WORD_BYTES_MAX)
      issues.push({
        path,
        message: `makes an argument of ${count(bytes)} bytes, and a program accepts at most ${count(WORD_BYTES_MAX)}; ${ADVICE}`,
      });
  }
  if (issues.length === 0 && totalBytes > WORDS_BYTES_MAX) {
    const message = `makes the command ${count(totalBytes)} bytes long, and the limit is ${count(WORDS_BYTES_MAX)}; ${ADVICE}`;
    issues.push({ path: largest.path.replace(/\[.*/, ""), message });
  }
  return issues;
}

function byteLength(text: string): number {
  return Buffer.byteLength(text);
}

function count(bytes: number): string {
  return bytes.toLocaleString("en");
}
