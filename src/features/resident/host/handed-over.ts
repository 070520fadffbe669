// What a launcher hands to the executable that goes on with a session: scripts/launcher/session.c.
import { Buffer } from "node:buffer";
import { closeSync, readFileSync } from "node:fs";
import type { HandedOver } from "../../../core/tool/terminal.ts";

const HEAD_BYTES = 4;

export function readHandedOver(file: number): HandedOver {
  const bytes = Buffer.from(readFileSync(file));
  closeSync(file);
  const end = HEAD_BYTES + bytes.readUInt32LE(0);
  return { answered: bytes.toString("utf8", HEAD_BYTES, end), waiting: bytes.toString("utf8", end) };
}
