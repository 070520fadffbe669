// Asks the place of updates of a bundle what its newest release is, and fetches that. Whoever can change the place, or
// what comes from it, gives this program nothing that its key has not signed, and nothing older than it is.
import { join } from "node:path";
import { codeOf } from "../../core/tool/error-code.ts";
import type { Host } from "../../core/tool/host.ts";
import { newestPackage } from "../packages/fetch.ts";
import { Refusal } from "../packages/refusal.ts";
import { downloadArchive } from "../packages/registry.ts";
import { EXECUTABLE_BYTES_MAX } from "./base-executable.ts";
import { platformOf } from "./executable-form.ts";
import {
  executableName,
  FACTS_BYTES_MAX,
  factsName,
  NPM,
  readFacts,
  type Release,
  type UpdatePlace,
} from "./release.ts";

const ASK_MS_MAX = 10_000;
/** Enough to know the platform of an executable. */
const HEAD_BYTES = 4096;

interface NewestRelease {
  readonly version: string;
  /** Whether it is newer than this program. */
  readonly isNewer: boolean;
  /** Returns the executable, verified. Throws a `Refusal`. */
  fetch(): Promise<Uint8Array>;
}

interface AskOptions {
  readonly host: Host;
  readonly signal: AbortSignal;
  /** The limit of the question, without the executable. */
  readonly askMsMax?: number;
}

/** Throws a `Refusal` if there is none that this program may become. */
export async function newestRelease(place: UpdatePlace, options: AskOptions): Promise<NewestRelease> {
  const { host, signal, askMsMax = ASK_MS_MAX } = options;
  const late = new AbortController();
  const asked = ask(place, { host, signal, asking: AbortSignal.any([signal, late.signal]) });
  try {
    // A folder of a network cannot be told to stop.
    const found = await Promise.race([asked, host.sleep(askMsMax, AbortSignal.any([signal, late.signal]))]);
    if (found) return found;
    throw new Refusal("failed", `\`${place.from}\` did not answer within ${askMsMax / 1000} s`, [
      "look whether this machine reaches it, and try again later; nothing has changed",
    ]);
  } finally {
    asked.catch(() => undefined);
    late.abort();
  }
}

interface Asking extends AskOptions {
  readonly asking: AbortSignal;
}

async function ask({ from, key }: UpdatePlace, { host, signal, asking }: Asking): Promise<NewestRelease> {
  const { bundle, executable } = host;
  if (!bundle || executable === undefined) throw new Error("only a bundle has releases");
  const head = await host.files.readBytes(executable, { offset: 0, lengthMax: HEAD_BYTES });
  const own = { name: bundle.name, platform: platformOf(Buffer.from(head)) ?? "" };
  const { announced, read } = await openPlace(from, own.platform, { host, signal: asking });
  const factsOf = async (during: AbortSignal): Promise<Release> => {
    const facts = readFacts(await read(factsName(own), FACTS_BYTES_MAX, during), key);
    if (facts?.name === own.name && facts.platform === own.platform) return facts;
    throw new Refusal("denied", `\`${factsName(own)}\` in \`${from}\` is not signed with the key of ${own.name}`, [
      facts ? `it is of \`${facts.name}\` for ${facts.platform}` : "somebody else may have put it there, or changed it",
    ]);
  };
  const signed = announced === undefined ? await factsOf(asking) : undefined;
  const version = announced ?? signed?.version ?? "";
  const { default: semver } = await import("semver");
  const current = bundle.version ?? "0.0.0";
  if (semver.valid(version) === null || semver.lt(version, current))
    throw new Refusal("denied", `\`${from}\` has ${own.name} ${version}, which is older than this, ${current}`, [
      `tell who looks after ${own.name}: somebody has put an old release back; nothing has changed`,
    ]);
  const fetch = async (): Promise<Uint8Array> => {
    const release = signed ?? (await factsOf(signal));
    const name = executableName(release);
    const bytes = await read(name, release.sizeBytes, signal);
    if (release.version === version && host.sha256(bytes) === release.sha256) return bytes;
    throw new Refusal("denied", `\`${name}\` from \`${from}\` is not the file that was signed`, [
      "it is damaged, or somebody has changed it; try again later",
    ]);
  };
  return { version, isNewer: semver.gt(version, current), fetch };
}

interface Opened {
  /** The version that a registry says, not signed. */
  readonly announced?: string;
  read(file: string, bytesMax: number, signal: AbortSignal): Promise<Uint8Array>;
}

async function openPlace(from: string, platform: string, { host, signal }: AskOptions): Promise<Opened> {
  if (from.startsWith(NPM)) {
    const name = `${from.slice(NPM.length)}-${platform}`;
    const newest = await newestPackage(name, { host, signal, bytesMax: EXECUTABLE_BYTES_MAX });
    let files: ReturnType<typeof newest.files> | undefined;
    const read: Opened["read"] = async (file, _bytesMax, during) => {
      const found = (await (files ??= newest.files(during))).find(({ path }) => path === file);
      if (found) return found.bytes;
      throw new Refusal("missing", `\`${name}\` has no \`${file}\``);
    };
    return { announced: newest.version, read };
  }
  if (!/^https?:/i.test(from)) return { read: (file, bytesMax) => readAt(join(from, file), bytesMax, host) };
  const read: Opened["read"] = (file, bytesMax, during) => {
    const url = `${from.replace(/\/+$/, "")}/${encodeURIComponent(file)}`;
    return downloadArchive({ name: url, url, bytesMax, signal: during }, host);
  };
  return { read };
}

async function readAt(path: string, bytesMax: number, host: Host): Promise<Uint8Array> {
  try {
    return await host.files.readBytes(path, { offset: 0, lengthMax: bytesMax });
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    throw new Refusal("missing", `\`${path}\` cannot be read (${code})`);
  }
}
