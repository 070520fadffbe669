// What a bundle says of a newer version: to a person who looks around at a terminal, at most once a day; and in `doctor`.
import { join } from "node:path";
import { assemble } from "../../core/session/assemble.ts";
import { isInsideRun } from "../../core/catalog/trust.ts";
import type { Host } from "../../core/tool/host.ts";
import type { Terminal } from "../../core/tool/terminal.ts";
import type { Finding } from "../../cli/finding.ts";
import { Refusal } from "../packages/refusal.ts";
import { newestRelease } from "./newest-release.ts";
import { placeOf } from "./release.ts";

const TOLD_MS = 24 * 60 * 60 * 1000;
const ASK_MS_MAX = 1_000;
const PLAIN_VERSION = /^[\d.]{5,20}$/;

/** For what a person at a terminal sees. Returns whether it has asked. What goes wrong is not said: `self-update` says it. */
export async function tellNewer(terminal: Terminal): Promise<boolean> {
  const { host } = await assemble({ cwd: terminal.workingFolder(), withoutPlugins: true });
  const place = placeOf(host);
  const isForPerson = !isInsideRun(host) && (host.environment("CI") ?? "") === "";
  if (!place || !host.bundle || !isForPerson) return false;
  const { name, version } = host.bundle;
  const stamp = join(host.folders.cache, "updates", name);
  const now = host.timestamp();
  if (Date.parse(now) - (host.instant.stat(stamp)?.mtimeMs ?? 0) < TOLD_MS) return false;
  try {
    host.instant.replace(stamp, now);
    const newest = await newestRelease(place, { host, signal: terminal.signal, askMsMax: ASK_MS_MAX });
    // Nobody has signed yet what a registry says.
    if (newest.isNewer && PLAIN_VERSION.test(newest.version))
      terminal.errors.write(`${name} ${newest.version} is there, and this is ${version}: \`${name} self-update\`\n`);
  } catch {
    // A place that cannot be reached, or a cache that cannot be written: then each day would be each time.
  }
  return true;
}

export async function newestBundle(host: Host): Promise<Finding> {
  const finding = { group: "Program", name: "newest version" };
  const place = placeOf(host);
  if (!place) return { ...finding, works: "unasked", fact: "no place of updates was built in" };
  try {
    const { isNewer, version } = await newestRelease(place, { host, signal: new AbortController().signal });
    return isNewer
      ? { ...finding, works: false, fact: `${version} is at ${place.from}`, help: "dottool self-update" }
      : { ...finding, works: true, fact: `this is the newest that ${place.from} has` };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { ...finding, works: false, fact: error.message };
  }
}
