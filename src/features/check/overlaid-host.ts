// A host on which some files have another text than on the disk, for a definition that is not saved: what an editor shows,
// or what comes from standard input. Nothing is stored that was made of such a text.
import { basename, dirname } from "node:path";
import type { FileStat, Host, InstantFiles } from "../../core/tool/host.ts";

/** `texts` are the bytes of files by absolute path. */
export function overlaidHost(host: Host, texts: ReadonlyMap<string, Uint8Array>): Host {
  const { instant } = host;
  const within = (path: string, bytesMax: number): Uint8Array | undefined => {
    const bytes = texts.get(path);
    if (bytes && bytes.length > bytesMax) throw Object.assign(new Error("too large"), { code: "EFBIG" });
    return bytes;
  };
  const namesIn = (folder: string): readonly string[] =>
    [...texts.keys()].filter((path) => dirname(path) === folder).map((path) => basename(path));
  const overlaid: Partial<InstantFiles> = {
    stat: (path) => {
      const [bytes, saved] = [texts.get(path), instant.stat(path)];
      return bytes ? statOf(bytes.length, saved) : saved;
    },
    isFileWith: (path, facts) => !texts.has(path) && instant.isFileWith(path, facts),
    names: (folder) => {
      if (texts.has(folder)) throw Object.assign(new Error("not a directory"), { code: "ENOTDIR" });
      const known = instant.names(folder);
      return [...known, ...namesIn(folder).filter((name) => !known.includes(name))];
    },
    list: (folder) => {
      const known = instant.list(folder);
      const added = namesIn(folder).filter((name) => known.every((entry) => entry.name !== name));
      return [...known, ...added.map((name) => ({ name, kind: "file" as const }))];
    },
    readBytes: (path, bytesMax) => within(path, bytesMax) ?? instant.readBytes(path, bytesMax),
    readStart: (path, bytesMax) => texts.get(path)?.subarray(0, bytesMax) ?? instant.readStart(path, bytesMax),
    realPath: (path) => (texts.has(path) && !instant.stat(path) ? path : instant.realPath(path)),
    replace: () => undefined,
    remove: () => undefined,
  };
  return { ...host, instant: { ...instant, ...overlaid } };
}

/** Its times are those of no file, so that nothing takes the text for that of the file on the disk. */
function statOf(sizeBytes: number, saved: FileStat | undefined): FileStat {
  const own = saved ?? { mode: 0o644, isOwn: true, isOfRoot: false, inode: 0 };
  return { ...own, kind: "file", sizeBytes, mtimeMs: 0, ctimeMs: 0 };
}

/** A host that starts nothing, loads no module and reaches no network. */
export function stillHost(host: Host): Host {
  const refuse = (): never => {
    throw new Error("an editor's server starts nothing");
  };
  return {
    ...host,
    processes: { ...host.processes, run: refuse },
    modules: { load: refuse },
    web: { fetch: refuse },
    server: { listen: refuse },
  };
}
