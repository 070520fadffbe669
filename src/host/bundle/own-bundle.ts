// The tools inside this executable. Every call comes through here, so what only the first start needs is loaded then.
import { join } from "node:path";
import type { HostFolders } from "../../tool/host.ts";
import { type Bundle, BUNDLE_SYMBOL, type HostBundle } from "../../tool/host-bundle.ts";

/** Returns what the first script found in this executable. */
export function ownBundle(): Bundle | undefined {
  return (globalThis as { readonly [key: symbol]: Bundle | undefined })[Symbol.for(BUNDLE_SYMBOL)];
}

export function openBundle(bundle: Bundle, folders: HostFolders): HostBundle {
  // Named after the content, so that two versions of a program do not replace each other's files.
  let folder = join(folders.cache, "bundles", bundle.treeSha256);
  return {
    ...bundle,
    get folder(): string {
      return folder;
    },
    readPayload: async () => (await import("./bundle-files.ts")).readPayload(bundle),
    unpack: async (files, { replaces }) => {
      const { unpack } = await import("./bundle-files.ts");
      folder = unpack(files, { folder, temporary: folders.temporary, name: bundle.name, replaces });
    },
  };
}
