// Long lists in pages. A cursor is a position in the list, so any copy of the server can continue where another one
// stopped.
import type { Json } from "../../core/schema/json.ts";
import { invalidParams } from "./protocol.ts";

/**
 * The size of a page. Most people have fewer tools and see them all at once; building a thousand would take three times
 * as long as the start.
 */
const PAGE_ITEMS = 100;

export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string;
}

/** Returns a page. Throws the protocol's error for an unknown cursor. */
export function knownPage<T>(all: readonly T[], cursor: Json | undefined): Page<T> {
  return pageOf(all, typeof cursor === "string" ? cursor : undefined) ?? unknownCursor(cursor);
}

export function unknownCursor(cursor: Json | undefined): never {
  const shown = String(cursor).slice(0, 100);
  throw invalidParams(`\`${shown}\` is not a cursor of this list; leave it out to start over`);
}

/** Returns a page, or undefined for an invalid cursor. */
export function pageOf<T>(all: readonly T[], cursor: string | undefined): Page<T> | undefined {
  const start = cursor === undefined ? 0 : placeOf(cursor);
  if (start === undefined) return undefined;
  const end = start + PAGE_ITEMS;
  // The list may have become shorter since.
  return { items: all.slice(start, end), ...(end < all.length ? { nextCursor: `after-${end}` } : {}) };
}

function placeOf(cursor: string): number | undefined {
  const place = Number(/^after-(\d{1,6})$/.exec(cursor)?.[1] ?? Number.NaN);
  return place % PAGE_ITEMS === 0 ? place : undefined;
}
