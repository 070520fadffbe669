// The part of a long result that a model gets: the head and the tail, and between them one line that says what is left
// out and how to read it.
import { KEPT_BYTES_MAX, lineStarts, wholeCharacterEnd } from "../base/kept-output.ts";
import { type JsonObject, mappedTexts } from "../schema/json.ts";
import type { Content, TextEnds } from "../tool/call.ts";
import type { Host } from "../tool/host.ts";
import { type KeptText, KeptWriter } from "./kept-writer.ts";
import { forModels, spelledOut } from "../text/hidden-characters.ts";
import { asLastShown } from "../text/overwritten.ts";
import { CHARACTERS_PER_TOKEN_MAX, estimateTokens } from "../text/tokens.ts";

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
  const shares = {
    tokens: shareOf(
      sizes.map((size) => size.tokens),
      budget.tokensMax,
    ),
    lines: shareOf(
      sizes.map((size) => size.lines),
      budget.linesMax,
    ),
  };
  const fitted: Content[] = [];
  for (const [index, item] of plain.entries()) {
    const size = sizes[index] ?? { tokens: 0, lines: 0 };
    const share = { tokensMax: shares.tokens, linesMax: shares.lines };
    if (size.tokens <= share.tokensMax && size.lines <= share.linesMax)
      fitted.push(item.type === "file" && item.ends ? { type: "text", text: item.ends.head } : item);
    else if (item.type === "file" && item.ends) fitted.push(...cut({ ...item, ends: item.ends }, share));
    else fitted.push(...cut(await storeSpill(host, readableText(item)), share));
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

function textIn(item: Content): string {
  switch (item.type) {
    case "text":
    case "resource":
      return item.text;
    case "json":
      return JSON.stringify(item.value);
    case "image":
    case "audio":
    case "file":
      return "";
  }
}

/** Returns JSON with line breaks, so that a cut falls between lines. */
function readableText(item: Content): string {
  return item.type === "json" ? JSON.stringify(item.value, undefined, 2) : textIn(item);
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
  return { tokens: bytesOf(head) < sizeBytes ? Infinity : tokensOf(head), lines };
}

/** A text that is over the budget by its length alone is not counted. */
function tokensOf(text: string): number {
  return text.length > modelBudget.tokensMax * CHARACTERS_PER_TOKEN_MAX ? Infinity : estimateTokens(text);
}

function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
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
  const head = headOf(ends.head, lineStarts(ends.head), half);
  const tailStarts = lineStarts(ends.tail);
  const tail = tailOf(ends.tail, tailStarts, half);
  const [shownHead, shownTail] = [ends.head.slice(0, head.end), ends.tail.slice(tail.start)];
  const left = {
    lines: Math.max(1, ends.lines - (tailStarts.length - tail.line) - head.line),
    bytes: sizeBytes - bytesOf(shownHead) - bytesOf(shownTail),
  };
  const shown = `${withLineEnd(shownHead)}${middleText(left, head.line, { ends, handle })}\n${shownTail}`;
  const file: Content[] = handle === undefined ? [] : [{ type: "file", mediaType: "text/plain", sizeBytes, handle }];
  return [{ type: "text", text: shown }, ...file];
}

/** `line` is the number of whole lines before. */
function headOf(
  text: string,
  starts: readonly number[],
  budget: Budget,
): { readonly end: number; readonly line: number } {
  let line = 0;
  let leftTokens = budget.tokensMax;
  while (line < budget.linesMax && line < starts.length) {
    const tokens = tokensOfLine(text, starts, line);
    if (tokens > leftTokens) break;
    leftTokens -= tokens;
    line++;
  }
  if (line > 0 || starts.length === 0 || budget.linesMax === 0) return { end: starts[line] ?? text.length, line };
  return { end: wholeCharacterEnd(text, charactersWithin(text.slice(0, starts[1]), budget.tokensMax)), line };
}

function tailOf(
  text: string,
  starts: readonly number[],
  budget: Budget,
): { readonly start: number; readonly line: number } {
  let line = starts.length;
  let leftTokens = budget.tokensMax;
  while (starts.length - line < budget.linesMax && line > 0) {
    const tokens = tokensOfLine(text, starts, line - 1);
    if (tokens > leftTokens) break;
    leftTokens -= tokens;
    line--;
  }
  return { start: starts[line] ?? text.length, line };
}

function tokensOfLine(text: string, starts: readonly number[], line: number): number {
  return estimateTokens(text.slice(starts[line], starts[line + 1] ?? text.length));
}

function charactersWithin(line: string, tokensMax: number): number {
  let end = line.length;
  while (end > 0 && estimateTokens(line.slice(0, end)) > tokensMax) end = Math.floor(end * 0.9);
  return end;
}

function withLineEnd(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
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

/** The length that is written at once. */
const PART_CHARACTERS = 128 * 1024;

/** A full disk or a folder that cannot be written to loses the rest of an output, never the result. */
export async function storeSpill(host: Host, text: string): Promise<KeptText> {
  const writer = new KeptWriter(host);
  for (let start = 0; start < text.length; start += PART_CHARACTERS)
    await writer.add(text.slice(start, start + PART_CHARACTERS));
  return writer.end();
}
