// `read_file`: text by lines, images as images, and other files as type, size and checksum.
import { resolve } from "node:path";
import { array, boolean, integer, path, string } from "../../core/schema/declare.ts";
import { countText } from "../../core/schema/describe.ts";
import type { Content, Outcome } from "../../core/tool/call.ts";
import type { ArgumentIssue } from "../../core/tool/failure.ts";
import { baseTool, cancelled, failed, okText } from "../../core/tool/base-tool.ts";
import type { ToolContext } from "../../core/tool/tool.ts";
import { fileFailure } from "../../core/base/file-failure.ts";
import {
  BLOCK_BYTES,
  type TextBlock,
  type TextSource,
  WIDE_BYTES_MAX,
  countLineEnds,
  formatOf,
  textBlocks,
} from "./text-blocks.ts";

const LINES_MAX = 2_000;
const CHARACTERS_MAX = 256 * 1024;
/** The limit of files whose lines are counted to the end. */
const COUNTED_BYTES_MAX = 16 * 1024 * 1024;
/** The limit of one image in the APIs of models. */
const IMAGE_BYTES_MAX = 5 * 1024 * 1024;
const HASHED_BYTES_MAX = 16 * 1024 * 1024;
const IMAGES = new Set(["image/png", "image/jpeg", "image/gif"]);

export const readFile = baseTool({
  name: "read_file",
  title: "Read file",
  description:
    "Read a text file, or some of its lines. Without a range it returns the whole file, up to 2,000 lines or 256 KiB, and then the `start_line` to continue with. " +
    "`find_words` returns only the lines that contain one of the words, with their numbers. An image comes back as an image; other binary files as type, size and checksum.",
  parameters: {
    file_path: path("The file, absolute or relative to the working directory", {
      required: true,
      example: "src/main.ts",
    }),
    start_line: integer("First line to return, counted from 1", { minimum: 1 }),
    end_line: integer("Last line to return, itself included", { minimum: 1 }),
    find_words: array(
      string("A text to find, case-sensitive", { minimumLength: 1 }),
      "Return only lines that contain one of these texts, with their numbers",
      { maximumItems: 100 },
    ),
    show_lines: boolean("Begin each line with its number and a tab", { default: false }),
  },
  quotesFiles: true,
  effects: ["read"],
  examples: [{ file_path: "src/main.ts", start_line: 10, end_line: 40 }],
  check: ({ start_line: first, end_line: last }): readonly ArgumentIssue[] =>
    first !== undefined && last !== undefined && last < first
      ? [{ path: "end_line", message: `expected a line from \`start_line\` (${first}) on, got ${last}` }]
      : [],
  execute: async (args, context) => {
    try {
      return await read(args.file_path, toChoice(args), context);
    } catch (error) {
      return fileFailure(error, { path: args.file_path, action: "read" }, context);
    }
  },
});

interface ReadArguments {
  readonly start_line: number | undefined;
  readonly end_line: number | undefined;
  readonly find_words: readonly string[] | undefined;
  readonly show_lines: boolean;
}

function toChoice(args: ReadArguments): LineChoice {
  const words = args.find_words ?? [];
  return {
    first: args.start_line ?? 1,
    last: args.end_line ?? Number.POSITIVE_INFINITY,
    words,
    isNumbered: args.show_lines || words.length > 0,
    // A requested range is returned whole, within the limit of characters.
    linesMax: args.end_line === undefined ? LINES_MAX : Number.POSITIVE_INFINITY,
    charactersMax: CHARACTERS_MAX,
  };
}

async function read(path: string, choice: LineChoice, context: ToolContext): Promise<Outcome> {
  const { files } = context.host;
  const absolute = resolve(context.cwd, path);
  const start = await files.readBytes(absolute, { offset: 0, lengthMax: BLOCK_BYTES });
  const format = formatOf(start);
  if ("binary" in format) return { status: "ok", content: [await binaryContent(absolute, format.binary, context)] };
  const source = { files, path: absolute, format: format.text, start };
  const isWhole = start.length < BLOCK_BYTES;
  const sizeBytes = isWhole ? start.length : ((await files.stat(absolute))?.sizeBytes ?? start.length);
  if (format.text !== "utf-8" && sizeBytes > WIDE_BYTES_MAX) {
    return failed({
      kind: "limit",
      limit: WIDE_BYTES_MAX,
      unit: "bytes of UTF-16",
      help: [`convert \`${path}\` to UTF-8, then any part of it can be read`],
    });
  }
  const excerpt = await collectLines(textBlocks(source, { fromLine: choice.first, signal: context.signal }), choice);
  if (context.signal.aborted) return cancelled;
  const lines =
    excerpt.end === "file" && excerpt.lastLine !== undefined
      ? excerpt.lastLine
      : await countLines(source, sizeBytes, context);
  if (context.signal.aborted) return cancelled;
  return answer(excerpt, choice, { path, lines });
}

/** Returns undefined if counting would take longer than the number is worth. */
async function countLines(source: TextSource, sizeBytes: number, context: ToolContext): Promise<number | undefined> {
  if (sizeBytes > COUNTED_BYTES_MAX || source.format !== "utf-8") return undefined;
  let lines = 0;
  let last = LINE_END;
  for (let offset = 0, chunk = source.start; chunk.length > 0 && !context.signal.aborted; ) {
    lines += countLineEnds(chunk);
    last = chunk.at(-1) ?? LINE_END;
    offset += chunk.length;
    chunk =
      chunk.length < BLOCK_BYTES
        ? NOTHING
        : await source.files.readBytes(source.path, { offset, lengthMax: BLOCK_BYTES });
  }
  return last === LINE_END ? lines : lines + 1;
}

const LINE_END = 10;
const NOTHING = new Uint8Array(0);

interface Whole {
  readonly path: string;
  /** Absent if they are too many to count. */
  readonly lines: number | undefined;
}

function answer(excerpt: Excerpt, choice: LineChoice, whole: Whole): Outcome {
  const { lastLine } = excerpt;
  if (lastLine === undefined) {
    if (choice.first === 1) return okText(`[\`${whole.path}\` is empty]`);
    const lines = whole.lines === undefined ? "fewer lines" : countText(whole.lines, "line");
    return failed({
      kind: "rejected",
      reason: `\`${whole.path}\` has ${lines}, so there is no line ${choice.first}`,
      help: [],
    });
  }
  const isWhole = choice.first === 1 && excerpt.end === "file" && choice.words.length === 0;
  const notes = isWhole ? [] : [range(excerpt, choice, { ...whole, lastLine })];
  if (excerpt.cutLine !== undefined)
    notes.push(
      `line ${excerpt.cutLine} is longer than ${CHARACTERS_MAX} characters; this is its beginning, and \`search_text\` shows other parts`,
    );
  if (excerpt.end === "lines" || excerpt.end === "characters")
    notes.push(`continue with \`start_line\` ${lastLine + 1}`);
  const content: Content[] = excerpt.text === "" ? [] : [{ type: "text", text: excerpt.text }];
  if (notes.length > 0) content.push({ type: "text", text: `[${notes.join("; ")}]` });
  return { status: "ok", content };
}

function range(
  excerpt: Excerpt,
  choice: LineChoice,
  { lines, lastLine }: Whole & { readonly lastLine: number },
): string {
  const span = choice.first === lastLine ? `line ${lastLine}` : `lines ${choice.first} to ${lastLine}`;
  const of = lines === undefined ? "" : ` of ${lines}`;
  if (choice.words.length === 0) return span + of;
  return `${countText(excerpt.linesShown, "line")} with ${choice.words.map((word) => `\`${word}\``).join(" or ")} in ${span}${of}`;
}

async function binaryContent(path: string, mediaType: string, context: ToolContext): Promise<Content> {
  const { files } = context.host;
  const sizeBytes = (await files.stat(path))?.sizeBytes ?? 0;
  if (sizeBytes > HASHED_BYTES_MAX) return { type: "file", mediaType, sizeBytes };
  const bytes = await files.readBytes(path, { offset: 0, lengthMax: HASHED_BYTES_MAX });
  if (IMAGES.has(mediaType) && bytes.length <= IMAGE_BYTES_MAX)
    return { type: "image", mediaType, base64: Buffer.from(bytes).toString("base64") };
  return { type: "file", mediaType, sizeBytes: bytes.length, sha256: context.host.sha256(bytes) };
}

interface LineChoice {
  /** Counted from 1; both are included. */
  readonly first: number;
  readonly last: number;
  /** If there are any, only lines that contain one of these are returned. */
  readonly words: readonly string[];
  readonly isNumbered: boolean;
  readonly linesMax: number;
  readonly charactersMax: number;
}

interface Excerpt {
  readonly text: string;
  readonly linesShown: number;
  /** The last examined line, shown or not. Absent if there was none. */
  readonly lastLine?: number;
  /** Why no more lines follow. */
  readonly end: "file" | "range" | "lines" | "characters";
  /** A line of which only the beginning is shown. */
  readonly cutLine?: number;
}

async function collectLines(blocks: AsyncIterable<TextBlock>, choice: LineChoice): Promise<Excerpt> {
  const shown: string[] = [];
  let room = choice.charactersMax;
  let lastLine: number | undefined;
  let cutLine: number | undefined;
  const excerpt = (end: Excerpt["end"]): Excerpt => ({
    text: shown.join(""),
    linesShown: shown.length,
    end,
    ...(lastLine === undefined ? {} : { lastLine }),
    ...(cutLine === undefined ? {} : { cutLine }),
  });
  for await (const block of blocks) {
    let number = block.firstLine;
    for (const line of linesOf(block.text)) {
      if (number > choice.last) return excerpt("range");
      if (isChosen(line, choice)) {
        if (shown.length === choice.linesMax) return excerpt("lines");
        const look = choice.isNumbered ? `${number}\t${line.replace(/\r?\n?$/, "\n")}` : line;
        if (look.length > room && shown.length > 0) return excerpt("characters");
        if (look.length > room) cutLine = number;
        shown.push(look.slice(0, room));
        room -= look.length;
      }
      lastLine = number++;
    }
  }
  return excerpt("file");
}

/** Returns the lines with their line ends, without an empty line after the last. */
function* linesOf(text: string): Generator<string, void, undefined> {
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf("\n", at);
    const next = end === -1 ? text.length : end + 1;
    yield text.slice(at, next);
    at = next;
  }
}

function isChosen(line: string, choice: LineChoice): boolean {
  return choice.words.length === 0 || choice.words.some((word) => line.includes(word));
}
