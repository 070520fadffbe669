// The tools inside this executable. Every call comes through here, so what only the first start needs is loaded then.
import fs from "node:fs";
import { join } from "node:path";
import process from "node:process";
import type { HostFolders } from "../../tool/host.ts";
import { type Bundle, BUNDLE_SYMBOL, type HostBundle } from "../../tool/host-bundle.ts";

/** A use is noted once a day. */
const NOTED_MS = 24 * 60 * 60 * 1000;

/** Returns what the first script found in this executable. */
export function ownBundle(): Bundle | undefined {
  return (globalThis as { readonly [key: symbol]: Bundle | undefined })[Symbol.for(BUNDLE_SYMBOL)];
}

/** Throws `{code: "EBUNDLE"}` if the executable is shorter than what was put into it. */
export function openBundle(bundle: Bundle, folders: HostFolders): HostBundle {
  // What was unpacked or cached before would hide that the rest of the file is missing.
  if (!(fs.statSync(process.execPath).size >= bundle.offsetBytes + bundle.payloadBytes))
    throw Object.assign(new Error("is cut off: its tools are missing"), { code: "EBUNDLE" });
  // Named after the content, so that two versions of a program do not replace each other's files.
  let folder = join(folders.cache, "bundles", bundle.treeSha256);
  return {
    ...bundle,
    get folder(): string {
      return folder;
    },
    noteUse: () => {
      const noted = fs.statSync(`${folder}.used`, { throwIfNoEntry: false })?.mtimeMs ?? 0;
      if (Date.now() - noted > NOTED_MS)
        import("./bundle-files.ts").then(
          (files) => files.noteUse(folder),
          () => undefined,
        );
    },
    readPayload: async () => (await import("./bundle-files.ts")).readPayload(bundle),
    unpack: async (files, { replaces }) => {
      const { unpack } = await import("./bundle-files.ts");
      folder = unpack(files, { folder, temporary: folders.temporary, name: bundle.name, replaces });
    },
  };
}
