// Hosts that a person lets the commands of `dottool sandbox --work` in one project reach for some days.
import { readState, type StateFile, withState, writeState } from "../../core/store/state-file.ts";
import type { Host } from "../../core/tool/host.ts";

export interface AllowedHost {
  readonly host: string;
  /** ISO 8601, UTC. */
  readonly until: string;
}

interface Stored {
  readonly project: string;
  readonly hosts: readonly AllowedHost[];
}

const DAY_MS = 24 * 60 * 60 * 1_000;
export const DAYS_MAX = 365;

function fileOf(project: string, host: Host): StateFile {
  return { name: `sandbox-hosts/${host.sha256(project).slice(0, 32)}.json`, format: { name: "hosts", version: 1 } };
}

/** Returns those that are allowed now; none if they cannot be read. `project` is absolute, without links. */
export function allowedHosts(project: string, host: Host): readonly AllowedHost[] {
  const read = readState(host, fileOf(project, host));
  if (read.kind !== "text") return [];
  try {
    const { project: own, hosts } = JSON.parse(read.text) as Stored;
    return own === project ? hosts.filter(({ until }) => until > host.timestamp()) : [];
  } catch {
    return [];
  }
}

/** `days` of 0 ends it. Throws if it cannot be stored. */
export async function allowHost(
  name: string,
  { project, days, host }: { readonly project: string; readonly days: number; readonly host: Host },
): Promise<void> {
  const file = fileOf(project, host);
  await withState(host, file, async (lock) => {
    const others = allowedHosts(project, host).filter((one) => one.host !== name);
    const until = new Date(Date.parse(host.timestamp()) + days * DAY_MS).toISOString();
    const hosts = days === 0 ? others : [...others, { host: name, until }];
    const stored: Stored = { project, hosts };
    await writeState(host, file, { text: `${JSON.stringify(stored)}\n`, lock });
  });
}
