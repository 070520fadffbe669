// The texts of a file for `search_text`: one for most files, blocks of a large one, none of a binary one.
import { codeOf } from "../../core/tool/error-code.ts";
import type { ToolContext } from "../../core/tool/tool.ts";
import type { SearchedText } from "./line-search.ts";
import { BLOCK_BYTES, formatOf, textBlocks } from "./text-blocks.ts";

/** Files up to this size are read at once, synchronously: ten times faster for the many small files of a project. */
const SMALL_BYTES_MAX = 1024 * 1024;

export interface FileToSearch {
  /** Absolute. */
  readonly path: string;
  readonly name: string;
  /** Whether the caller named this file, so that it is a failure if it cannot be read. */
  readonly isNamed: boolean;
}

export interface SearchTally {
  searched: number;
  unreadable: number;
  binary: number;
}

export async function* searchedTexts(
  file: FileToSearch,
  context: ToolContext,
  tally: SearchTally,
): AsyncGenerator<SearchedText, void, undefined> {
  try {
    yield* textsOf(file, context, tally);
  } catch (error) {
    // In a folder, a file that cannot be read or no longer exists does not stop the search.
    if (file.isNamed || codeOf(error) === undefined) throw error;
    tally.unreadable++;
  }
}

async function* textsOf(
  { path, name }: FileToSearch,
  context: ToolContext,
  tally: SearchTally,
): AsyncGenerator<SearchedText, void, undefined> {
  const { files } = context.host;
  const whole = readSmall(path, context);
  const start = whole ?? (await files.readBytes(path, { offset: 0, lengthMax: BLOCK_BYTES }));
  const format = formatOf(start);
  if ("binary" in format) {
    tally.binary++;
    return;
  }
  tally.searched++;
  if (whole && format.text === "utf-8") return yield { name, firstLine: 1, text: decoder.decode(whole) };
  const source = { files, path, format: format.text, start: start.subarray(0, BLOCK_BYTES) };
  for await (const block of textBlocks(source, { fromLine: 1, signal: context.signal }))
    yield { name, firstLine: block.firstLine, text: block.text };
}

const decoder = new TextDecoder();

/** Returns undefined if the file is larger. */
function readSmall(path: string, context: ToolContext): Uint8Array | undefined {
  try {
    return context.host.instant.readBytes(path, SMALL_BYTES_MAX);
  } catch (error) {
    if (codeOf(error) === "EFBIG") return undefined;
    throw error;
  }
}
