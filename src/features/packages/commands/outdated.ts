// `dottool outdated`: which packages have newer versions.
import { exitCodes } from "../../../core/run/exit-code.ts";
import { printable } from "../../../core/text/display.ts";
import { type WordsCommand, writeJson } from "../../../cli/command.ts";
import { readPackages, userOption } from "../packages-session.ts";
import { fetchCommit } from "../git.ts";
import { type Lock, readLock } from "../lock.ts";
import { needOf } from "../manifest.ts";
import type { PlanOptions } from "../plan.ts";
import { askPackage, pickVersion } from "../registry.ts";
import { originOf } from "../source.ts";

export const outdatedCommand: WordsCommand = {
  kind: "words",
  usage: ["outdated [--user] [--json]"],
  about:
    "Lists the packages of which there is a newer version, with the one that `update` would install, and those whose version its author has deprecated. Exits with 1 if there are any.",
  options: [userOption, { name: "json", does: "print as JSON" }],
  words: [0, 0],
  examples: [["dottool outdated", "the packages of this project"]],
  run: (input, context) =>
    readPackages({ input, context }, async (session) => {
      const found = await outdatedPackages(session);
      const { output, errors } = context.terminal;
      if (input.has("json")) writeJson(context.terminal, { packages: found });
      else if (found.length === 0) errors.write("no package has a newer version\n");
      else output.write(found.map(lineOf).join(""));
      return found.length === 0 ? exitCodes.done : exitCodes.failed;
    }),
};

function lineOf({ name, current, wanted, latest, deprecated }: OutdatedPackage): string {
  const parts = [
    `${name} ${current}`,
    ...(wanted === current ? [] : [`\`dottool update\` installs ${wanted}`]),
    ...(latest === wanted ? [] : [`the latest is ${latest}`]),
    ...(deprecated === undefined ? [] : [`deprecated: ${deprecated}`]),
  ];
  return `${printable(parts.join("; "))}\n`;
}

// Which locked packages have newer versions, without changing anything.

export interface OutdatedPackage {
  readonly name: string;
  /** Versions; the first seven digits of commits for git. */
  readonly current: string;
  /** What `update` would install. */
  readonly wanted: string;
  readonly latest: string;
  /** Why the current version should not be used, in its author's words. */
  readonly deprecated?: string;
}

const SHORT_CHARACTERS = 7;

/** Returns the packages for which a newer version is there, or whose version is deprecated. */
export async function outdatedPackages(options: PlanOptions): Promise<readonly OutdatedPackage[]> {
  const lock = readLock(options.folder, options.host);
  const found: OutdatedPackage[] = [];
  for (const name of lock.keys()) {
    const one = await outdatedOf(name, lock, options);
    if (one && (one.current !== one.wanted || one.current !== one.latest || one.deprecated !== undefined))
      found.push(one);
  }
  return found;
}

async function outdatedOf(name: string, lock: Lock, options: PlanOptions): Promise<OutdatedPackage | undefined> {
  const locked = lock.get(name);
  const origin = locked && originOf(locked.source, options.folder);
  if (origin?.kind === "git") {
    const { commit } = await fetchCommit(origin.url, locked?.follows, options);
    const wanted = commit.slice(0, SHORT_CHARACTERS);
    return { name, current: origin.commit.slice(0, SHORT_CHARACTERS), wanted, latest: wanted };
  }
  if (!locked || origin?.kind !== "registry") return undefined;
  const published = await askPackage(name, options.host);
  const ranges = locked.added
    ? [locked.follows ?? ""]
    : [...lock.values()].flatMap(({ needs }) => needOf(needs, name) ?? []);
  const { version: wanted } = await pickVersion(published, ranges);
  const { deprecated } = published.versions.find(({ version }) => version === locked.version) ?? {};
  const { version: current } = locked;
  const latest = published.tags.get("latest") ?? wanted;
  return { name, current, wanted, latest, ...(deprecated === undefined ? {} : { deprecated }) };
}
