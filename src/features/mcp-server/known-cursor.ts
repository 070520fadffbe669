// Returns a page. Throws the protocol's error for an unknown cursor.
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import { type Page, pageOf } from "./pages.ts";

export function knownPage<T>(all: readonly T[], cursor: string | undefined): Page<T> {
  return pageOf(all, cursor) ?? unknownCursor(cursor);
}

export function unknownCursor(cursor: string | undefined): never {
  throw new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    `\`${(cursor ?? "").slice(0, 100)}\` is not a cursor of this list; leave it out to start over`,
  );
}
