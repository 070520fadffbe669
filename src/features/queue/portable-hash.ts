// The hash of a tool's content that is the same on every machine that has it: that of an approval, with the names of
// scripts in place of their paths.
import { basename } from "node:path";
import { contentOf } from "../../core/policy/content.ts";
import type { Host } from "../../core/tool/host.ts";
import type { Tool } from "../../core/tool/tool.ts";

const SCRIPT = "the script ";

/** To read scripts and make the hash takes as long as a short call, so that a worker does it once in a while. */
const KNOWN_MS = 1_000;

interface KnownHash {
  readonly hash: string;
  readonly atMs: number;
}

const knownHashes = new WeakMap<Tool, KnownHash>();

interface Place {
  readonly host: Host;
  /** Absolute. */
  readonly cwd: string;
}

/** A changed script counts after a second. */
export function portableHash(tool: Tool, place: Place): string {
  const known = knownHashes.get(tool);
  const now = place.host.nowMs();
  if (known && now - known.atMs < KNOWN_MS) return known.hash;
  const hash = hashNow(tool, place);
  knownHashes.set(tool, { hash, atMs: now });
  return hash;
}

function hashNow(tool: Tool, { host, cwd }: Place): string {
  const name = tool.definition.name.value;
  const { parts } = contentOf({ call: { id: "", tool: name, arguments: {} }, tool, arguments: {} }, { host, cwd });
  const portable = Object.entries(parts).map(([label, sum]) => [
    label.startsWith(SCRIPT) ? SCRIPT + basename(label) : label,
    sum,
  ]);
  return host.sha256(JSON.stringify(portable.map((one) => one.join("\n")).toSorted()));
}
