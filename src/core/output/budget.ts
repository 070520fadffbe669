// The part of a long result that a model gets: the head and the tail, and between them one line that says what is left
// out and how to read it.
import { type JsonObject, mappedTexts } from "../schema/json.ts";
import type { Content, TextEnds } from "../tool/call.ts";
import type { Host } from "../tool/host.ts";
import { forModels, spelledOut } from "../text/hidden-characters.ts";
import { asLastShown } from "../text/overwritten.ts";
import { CHARACTERS_PER_TOKEN_MAX, estimateTokens } from "../text/tokens.ts";
import { KEPT_BYTES_MAX, type KeptText, lineStarts, storeSpill, wholeCharacterEnd } from "./kept-file.ts";

interface Budget {
  /** The limit for all texts of a result together. */
  readonly tokensMax: number;
  readonly linesMax: number;
}

export const modelBudget: Budget = { tokensMax: 10_000, linesMax: 2_000 };

/** Room for the line that replaces the middle. */
const MIDDLE_TOKENS = 80;

interface FitOptions {
  readonly budget: Budget;
  readonly host: Host;
  /** Set if the text quotes files, so that an edit has to find it as it is. */
  readonly quotesFiles?: boolean | undefined;
}

/**
 * Fits a result into the budget. Hidden characters are removed or spelled out; a text that is too long is cut, and all
 * of it is kept under the handle of the `file` after it.
 */
export async function fitToBudget(
  content: readonly Content[],
  { budget, host, quotesFiles = false }: FitOptions,
): Promise<readonly Content[]> {
  const plain = content.map((item) => readable(item, quotesFiles));
  const sizes = plain.map((item) =>
    item.type === "file" && item.ends ? sizeOfKept(item.sizeBytes, item.ends) : sizeOf(textIn(item)),
  );
  const tokensMax = shareOf(
    sizes.map(({ tokens }) => tokens),
    budget.tokensMax,
  );
  const linesMax = shareOf(
    sizes.map(({ lines }) => lines),
    budget.linesMax,
  );
  const fitted: Content[] = [];
  for (const [index, item] of plain.entries()) {
    const { tokens = 0, lines = 0 } = sizes[index] ?? {};
    const fits = tokens <= tokensMax && lines <= linesMax;
    const kept = item.type === "file" && item.ends ? { ...item, ends: item.ends } : undefined;
    if (fits) fitted.push(kept ? { type: "text", text: kept.ends.head } : item);
    // JSON gets line breaks, so that a cut falls between lines.
    else fitted.push(...cut(kept ?? (await storeSpill(host, textIn(item, 2))), { tokensMax, linesMax }));
  }
  return fitted;
}

function readable(item: Content, quotesFiles: boolean): Content {
  const shown = quotesFiles ? spelledOut : forModels;
  switch (item.type) {
    case "text":
      return {
        ...item,
        text: shown(quotesFiles ? item.text : asLastShown(item.text)),
        ...(item.link ? { link: mappedTexts(item.link, shown) as JsonObject } : {}),
      };
    case "resource":
      return { ...item, uri: shown(item.uri), mediaType: shown(item.mediaType), text: shown(item.text) };
    case "json":
      return {
        ...item,
        value: mappedTexts(item.value, shown),
        ...(item.sent === undefined ? {} : { sent: shown(item.sent) }),
      };
    case "image":
    case "audio":
    case "file":
      return { ...item, mediaType: shown(item.mediaType) };
  }
}

function textIn(item: Content, indent?: number): string {
  if (item.type === "text" || item.type === "resource") return item.text;
  return item.type === "json" ? JSON.stringify(item.value, undefined, indent) : "";
}

interface Size {
  readonly tokens: number;
  readonly lines: number;
}

function sizeOf(text: string): Size {
  return { tokens: tokensOf(text), lines: lineStarts(text).length };
}

/** No text of a result is longer than its head where it is not all of it: then it is over any budget. */
function sizeOfKept(sizeBytes: number, { head, lines }: TextEnds): Size {
  return { tokens: Buffer.byteLength(head) < sizeBytes ? Infinity : tokensOf(head), lines };
}

/** A text that is over the budget by its length alone is not counted. */
function tokensOf(text: string): number {
  return text.length > modelBudget.tokensMax * CHARACTERS_PER_TOKEN_MAX ? Infinity : estimateTokens(text);
}

/** Returns the most that each may take. What small ones leave is shared by the large ones. */
function shareOf(needs: readonly number[], total: number): number {
  let left = total;
  const ascending = [...needs].sort((a, b) => a - b);
  for (const [index, need] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index));
    if (need > share) return share;
    left -= need;
  }
  return total;
}

function cut({ sizeBytes, ends, handle }: KeptText, budget: Budget): readonly Content[] {
  const half: Budget = {
    tokensMax: Math.max(0, Math.floor((budget.tokensMax - MIDDLE_TOKENS) / 2)),
    linesMax: Math.max(0, Math.floor((budget.linesMax - 1) / 2)),
  };
  const starts = lineStarts(ends.head);
  const headLines = linesWithin(half, linesOf(ends.head, starts));
  const isPartOfLine = headLines === 0 && half.linesMax > 0;
  const head = isPartOfLine
    ? startWithin(ends.head.slice(0, starts[1]), half.tokensMax)
    : ends.head.slice(0, starts[headLines]);
  const tailStarts = lineStarts(ends.tail);
  const tailLines = linesWithin(half, linesOf(ends.tail, tailStarts).reverse());
  const tail = ends.tail.slice(tailStarts[tailStarts.length - tailLines] ?? ends.tail.length);
  const left = {
    lines: Math.max(1, ends.lines - tailLines - headLines),
    bytes: sizeBytes - Buffer.byteLength(head) - Buffer.byteLength(tail),
  };
  const lineEnd = head === "" || head.endsWith("\n") ? "" : "\n";
  const file: Content[] = handle === undefined ? [] : [{ type: "file", mediaType: "text/plain", sizeBytes, handle }];
  return [
    { type: "text", text: `${head}${lineEnd}${middleText(left, headLines, { ends, handle })}\n${tail}` },
    ...file,
  ];
}

function linesOf(text: string, starts: readonly number[]): string[] {
  return starts.map((start, index) => text.slice(start, starts[index + 1]));
}

/** Returns how many of the lines fit, counted from the first. */
function linesWithin({ tokensMax, linesMax }: Budget, lines: readonly string[]): number {
  let leftTokens = tokensMax;
  const end = lines.slice(0, linesMax).findIndex((line) => (leftTokens -= estimateTokens(line)) < 0);
  return end === -1 ? Math.min(lines.length, linesMax) : end;
}

function startWithin(line: string, tokensMax: number): string {
  let end = line.length;
  while (end > 0 && estimateTokens(line.slice(0, end)) > tokensMax) end = Math.floor(end * 0.9);
  return line.slice(0, wholeCharacterEnd(line, end));
}

function middleText(
  left: { readonly bytes: number; readonly lines: number },
  headLines: number,
  { ends, handle }: { readonly ends: TextEnds; readonly handle: string | undefined },
): string {
  const what = `${left.lines} ${left.lines === 1 ? "line" : "lines"} (${left.bytes} bytes) left out here`;
  if (handle === undefined) return `[${what}, and not stored, because ${lossText(ends.lost ?? "EIO")}]`;
  const shown = `read_output ${JSON.stringify({ handle, offset: headLines + 1 })} shows them`;
  return ends.keptLines === undefined
    ? `[${what}; ${shown}]`
    : `[${what}; ${shown} up to line ${ends.keptLines}: ${KEPT_BYTES_MAX / 1024 / 1024} MiB of an output are stored]`;
}

function lossText(code: string): string {
  return code === "ENOENT"
    ? "its file was removed, to make room for other output or by hand"
    : `the cache cannot be written to: ${code}`;
}
