// Asks the place of updates of a bundle what its newest release is, and fetches that. Whoever can change the place, or
// what comes from it, gives this program nothing that its key has not signed, and nothing older than it is.
import { join } from "node:path";
import { codeOf } from "../../core/tool/error-code.ts";
import type { Host } from "../../core/tool/host.ts";
import { unpack } from "../packages/host/archives.ts";
import { Refusal } from "../packages/refusal.ts";
import { askPackage, downloadArchive, pickVersion } from "../packages/registry.ts";
import { verifySignatures } from "../packages/signatures.ts";
import { EXECUTABLE_BYTES_MAX } from "./base-executable.ts";
import { platformOf } from "./executable-form.ts";
import { executableName, FACTS_BYTES_MAX, factsName, NPM, readFacts, type Release, type UpdatePlace } from "./release.ts";

const FACTS_MS_MAX = 10_000;
/** Enough to know the platform of an executable. */
const HEAD_BYTES = 4096;

export interface NewestRelease {
  readonly version: string;
  /** Whether it is newer than this program. */
  readonly isNewer: boolean;
  /** Returns the executable, verified. Throws a `Refusal`. */
  fetch(): Promise<Uint8Array>;
}

interface AskOptions {
  readonly host: Host;
  readonly signal: AbortSignal;
}

/** Throws a `Refusal` if there is none that this program may become. */
export async function newestRelease(place: UpdatePlace, { host, signal }: AskOptions): Promise<NewestRelease> {
  const { bundle, executable } = host;
  if (!bundle || executable === undefined) throw new Error("only a bundle has releases");
  const head = await host.files.readBytes(executable, { offset: 0, lengthMax: HEAD_BYTES });
  const own = { name: bundle.name, platform: platformOf(Buffer.from(head)) ?? "" };
  const facts = AbortSignal.any([signal, AbortSignal.timeout(FACTS_MS_MAX)]);
  const reading = place.from.startsWith(NPM)
    ? await packageReading(`${place.from.slice(NPM.length)}-${own.platform}`, { host, signal }, facts)
    : readingOf(place.from, { host, signal });
  const read = async (): Promise<Release> => {
    const found = readFacts(await reading.read(factsName(own), FACTS_BYTES_MAX, facts), place.key);
    if (found?.name === own.name && found.platform === own.platform) return found;
    throw new Refusal("denied", `\`${factsName(own)}\` in \`${place.from}\` is not signed with the key of ${own.name}`, [
      found ? `it is of \`${found.name}\` for ${found.platform}` : "somebody else may have put it there, or changed it",
    ]);
  };
  const release = reading.version === undefined ? await read() : undefined;
  const version = release?.version ?? reading.version ?? "";
  const { default: semver } = await import("semver");
  const current = bundle.version ?? "0.0.0";
  if (semver.valid(version) === null || semver.lt(version, current))
    throw new Refusal("denied", `\`${place.from}\` has ${own.name} ${version}, which is older than this, ${current}`);
  return {
    version,
    isNewer: semver.gt(version, current),
    fetch: async () => {
      const wanted = release ?? (await read());
      if (wanted.version !== version)
        throw new Refusal("denied", `\`${place.from}\` has ${version}, and inside ${wanted.version} is signed`);
      const name = executableName(wanted);
      const bytes = await reading.read(name, wanted.sizeBytes, signal);
      if (host.sha256(bytes) === wanted.sha256) return bytes;
      throw new Refusal("denied", `\`${name}\` from \`${place.from}\` is not the file that was signed`, [
        bytes.length < wanted.sizeBytes
          ? "it is cut off; try again"
          : "it may be damaged, or somebody may have changed it",
      ]);
    },
  };
}

interface Reading {
  /** Known without reading a file. */
  readonly version?: string;
  read(file: string, bytesMax: number, signal: AbortSignal): Promise<Uint8Array>;
}

function readingOf(from: string, { host }: AskOptions): Reading {
  if (/^https?:/.test(from))
    return {
      read: (file, bytesMax, signal) => {
        const url = `${from.replace(/\/+$/, "")}/${encodeURIComponent(file)}`;
        return downloadArchive({ name: url, url, bytesMax, signal }, host);
      },
    };
  return {
    read: async (file, bytesMax) => {
      try {
        return await host.files.readBytes(join(from, file), { offset: 0, lengthMax: bytesMax });
      } catch (error) {
        const code = codeOf(error);
        if (code === undefined) throw error;
        throw new Refusal("missing", `\`${join(from, file)}\` cannot be read (${code})`);
      }
    },
  };
}

/** The files are in an archive, which is fetched once. */
async function packageReading(name: string, { host, signal }: AskOptions, asking: AbortSignal): Promise<Reading> {
  const published = await askPackage(name, host, asking);
  const picked = await pickVersion(published, [""]);
  let files: ReadonlyMap<string, Uint8Array> | undefined;
  const fetchFiles = async (): Promise<ReadonlyMap<string, Uint8Array>> => {
    await verifySignatures({ ...picked, name, registry: published.registry }, host);
    const { url, integrity } = picked;
    const archive = await downloadArchive({ name, url, integrity, bytesMax: EXECUTABLE_BYTES_MAX, signal }, host);
    const read = await unpack(archive, { stripsTop: true, bytesMax: EXECUTABLE_BYTES_MAX });
    if ("problem" in read) throw new Refusal("denied", `\`${name}\` ${read.problem}`);
    return new Map(read.files.map(({ path, bytes }) => [path, bytes]));
  };
  return {
    version: picked.version,
    read: async (file) => {
      files ??= await fetchFiles();
      const bytes = files.get(file);
      if (bytes) return bytes;
      throw new Refusal("missing", `\`${name}\` has no \`${file}\``);
    },
  };
}
