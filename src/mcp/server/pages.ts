// Long lists in pages. A cursor is the place in the list, so any copy of the server can go on where another one stopped.
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";

/** What clients read in one go without trouble; a thousand tools are half a megabyte. */
const PAGE_ITEMS = 250;

export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string;
}

export function pageOf<T>(all: readonly T[], cursor: string | undefined): Page<T> {
  const start = cursor === undefined ? 0 : placeOf(cursor, all.length);
  const end = start + PAGE_ITEMS;
  return { items: all.slice(start, end), ...(end < all.length ? { nextCursor: `after-${end}` } : {}) };
}

function placeOf(cursor: string, length: number): number {
  const place = /^after-(\d{1,6})$/.exec(cursor)?.[1];
  if (place === undefined || Number(place) % PAGE_ITEMS !== 0) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `\`${cursor.slice(0, 100)}\` is no cursor of this list; leave it out to begin anew`);
  // The list may have become shorter since.
  return Math.min(Number(place), length);
}
