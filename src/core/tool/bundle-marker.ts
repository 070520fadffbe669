// The place in the executable that says whether a team's tools are inside, and which. It is a text of a fixed length in
// the first script that runs, so a start without such tools reads nothing, and a truncated file cannot look like one
// without them.
//
// Form: the mark, which stands nowhere else in the executable, and the fields of a `Bundle` with blanks between them, up
// to the length with blanks behind them; blanks alone where no tools are inside.

import type { Bundle } from "./host-bundle.ts";

/** In two parts, so that the executable contains it once. Its number is that of the forms of marker and payload. */
export const BUNDLE_MARK = ["dottool", "bundle", "marker", "1:"].join("-");
export const MARKER_LENGTH = 512;
export const emptyMarker = BUNDLE_MARK.padEnd(MARKER_LENGTH);

const NO_VERSION = "-";
/** Names that every system and every shell takes as they are. */
export const BUNDLE_NAME = /^[a-z][a-z0-9_-]{0,31}$/;
/** As semver has it. */
export const BUNDLE_VERSION = /^[0-9][0-9A-Za-z.+-]{0,63}$/;

export function readMarker(marker: string): Bundle | undefined {
  const fields = marker.slice(BUNDLE_MARK.length).trim().split(" ");
  const [name = "", version = "", offset, length, sha256 = "", treeSha256 = ""] = fields;
  if (name === "") return undefined;
  return {
    name,
    ...(version === NO_VERSION ? {} : { version }),
    offsetBytes: Number(offset),
    payloadBytes: Number(length),
    sha256,
    treeSha256,
  };
}

export function writeMarker({ name, version = NO_VERSION, ...bundle }: Bundle): string {
  const { offsetBytes, payloadBytes, sha256, treeSha256 } = bundle;
  const fields = [name, version, offsetBytes, payloadBytes, sha256, treeSha256].join(" ");
  return `${BUNDLE_MARK}${fields}`.padEnd(MARKER_LENGTH);
}

/** Returns what `--version` prints. */
export function versionText(dottoolVersion: string, bundle: Pick<Bundle, "name" | "version"> | undefined): string {
  if (!bundle) return `dottool ${dottoolVersion}`;
  return `${[bundle.name, ...(bundle.version === undefined ? [] : [bundle.version])].join(" ")} (dottool ${dottoolVersion})`;
}
