// A bundle: an executable of dottool with a tool folder inside, under the team's name. The same executable, folder and
// name give the same bytes.
import { Buffer } from "node:buffer";
import { treeSha256 } from "../../core/catalog/tool-tree.ts";
import { BUNDLE_VERSION } from "../../core/tool/bundle-marker.ts";
import type { Host } from "../../core/tool/host.ts";
import type { Bundle, UnpackedFile } from "../../core/tool/host-bundle.ts";
import { type Executable, withTools } from "./executable-form.ts";
import { packPayload } from "../../core/session/payload.ts";

export interface MadeBundle extends Pick<Bundle, "version" | "sha256"> {
  readonly bytes: Uint8Array;
}

interface MakeOptions {
  readonly base: Executable;
  readonly name: string;
  readonly files: readonly UnpackedFile[];
  readonly host: Host;
}

export function makeBundle({ base, name, files, host }: MakeOptions): MadeBundle {
  const sha256 = (bytes: Uint8Array): string => host.sha256(bytes);
  const payload = packPayload(files);
  const sums = files.map(({ path, bytes }) => ({ path, sha256: sha256(bytes) }));
  const sorted = sums.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const version = versionIn(files);
  const contents = {
    name,
    ...(version === undefined ? {} : { version }),
    sha256: sha256(payload),
    treeSha256: treeSha256({ files: sorted, others: [] }, host),
  };
  return { ...contents, bytes: withTools(base, { payload, contents, sha256 }) };
}

/** Returns the version in the folder's `package.json`. */
function versionIn(files: readonly UnpackedFile[]): string | undefined {
  const found = files.find(({ path }) => path === "package.json");
  if (!found) return undefined;
  try {
    const { version } = JSON.parse(Buffer.from(found.bytes).toString("utf8")) as { readonly version?: unknown };
    return typeof version === "string" && BUNDLE_VERSION.test(version) ? version : undefined;
  } catch {
    return undefined;
  }
}
