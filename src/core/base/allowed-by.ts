// How a person lets a command reach what its sandbox kept from it: annotations, keys of YAML, or options.
import { relative } from "node:path";
import type { Blocked, Confinement } from "../tool/confinement.ts";
import { hasHidden, quoteWord } from "./quote.ts";

/** Returns what allows all of it that can be allowed, one text for each annotation or option; a key for YAML. */
export function allowedBy(blocked: readonly Blocked[], confinement: Confinement): readonly string[] {
  const { widenedBy, isImplied, folder } = confinement;
  if (widenedBy === undefined) return [];
  // What is guarded outside of the project is not recommended: the command itself has written the message.
  const offered = blocked.filter(
    ({ name, guard }) => !hasHidden(name) && (guard === undefined || shownPath(name, folder) !== name),
  );
  const named = (kind: Blocked["kind"]): readonly string[] =>
    offered.flatMap((one) =>
      one.kind !== kind ? [] : [kind === "host" ? one.name || "HOST" : shownPath(one.name, folder)],
    );
  const reads = named("read");
  if (widenedBy === "options")
    return [
      ...named("host").map((host) => `--network ${quoteWord(host)}`),
      ...named("write").map((path) => `--write ${quoteWord(path)}`),
      ...reads.map((path) => `--read ${quoteWord(path)}`),
    ];
  const isWider = named("host").length + named("write").length > 0;
  const has = isImplied && isWider ? confinement : { hosts: [], writes: [] };
  const list = (words: readonly string[]): readonly string[] =>
    [...new Set(words)].filter((word) => PLAIN_WORD.test(word));
  const rows = [
    ["network", list([...has.hosts, ...named("host")])],
    ["writes", list([...has.writes.map((path) => shownPath(path, folder)), ...named("write")])],
    ["permissions", list(reads.map((path) => `filesystem:read:${path}`))],
  ] as const;
  return rows.flatMap(([name, words]) => {
    if (words.length === 0) return [];
    if (widenedBy === "annotations") return [`@${name} ${words.join(" ")}`];
    return name === "permissions"
      ? [`security: { required-permissions: ${JSON.stringify(words)} }`]
      : [`x-dottool: { sandbox: { ${name}: ${JSON.stringify(words)} } }`];
  });
}

/** What an annotation reads as one word without quotes. */
const PLAIN_WORD = /^[\w*@%+:,./-]+$/;

/** Relative to the working folder for what is in it. */
export function shownPath(path: string, folder: string): string {
  const inner = relative(folder, path);
  return inner === "" ? "." : inner.startsWith("..") ? path : `${inner}${path.endsWith("/") ? "/" : ""}`;
}
