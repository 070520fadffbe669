// The wall of a call in five lines: what holds it, what it reads, writes and reaches, and what is not held.
import { printable } from "../../core/text/display.ts";
import type { Confinement } from "../../core/tool/confinement.ts";

type Reach = Pick<Confinement, "folder" | "reads" | "writes" | "hosts">;

/** `head` is the first line; `missing` is what the level promises and was not held. */
export function wallLines(head: string, reach: Reach, missing: readonly string[] = []): readonly string[] {
  const { folder, reads, writes, hosts } = reach;
  const list = (words: readonly string[]): string => words.map(printable).join(", ");
  const open = [
    "what is in these folders, but for keys",
    ...(hosts.length === 0 ? [] : ["what it sends to these hosts"]),
    "faults of the kernel",
  ];
  return [
    head,
    `reads: the system's programs, ${list([folder, ...reads])}`,
    `writes: ${list(writes) || "nothing"}`,
    `network: ${list(hosts.map((host) => (host === "*" ? "every public host" : host))) || "none"}`,
    `not held: ${[...missing.map(printable), ...open].join("; ")}`,
  ];
}
