// The files of a package before they are written: their paths are a stranger's words, so each is checked as if it were
// an attack.
import { treeSha256 } from "../../core/catalog/tool-tree.ts";
import type { Host } from "../../core/tool/host.ts";
import type { PackedFile } from "./host/packed-file.ts";
import { Refusal } from "./refusal.ts";

const PATH_CHARACTERS_MAX = 400;
const PART_CHARACTERS_MAX = 200;
/** Names that Windows gives to devices, with any ending. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])(?:\.|$)/i;
// Controls, characters that no file of Windows has, and those that change how a line of text reads.
const ODD = /[\0-\x1f\x7f-\x9f<>:"|?*\\\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufffd]/;

/** Throws a `Refusal` unless each path is one within the package, on every system, and none is another's. */
export function checkPaths(files: readonly PackedFile[], shown: string): void {
  const seen = new Map<string, string>();
  const written = new Set(files.flatMap(({ path }) => foldersOf(path)));
  const folders = new Map([...written].map((folder) => [folded(folder), folder]));
  const spelt = [...written].find((folder) => folders.get(folded(folder)) !== folder);
  if (spelt !== undefined) refuseTwins(`${spelt}/`, `${folders.get(folded(spelt))}/`, shown);
  for (const { path } of files) {
    const fault = faultOf(path);
    if (fault !== undefined) throw new Refusal("denied", `\`${shown}\` has the path \`${path}\`, which ${fault}`);
    const twin = seen.get(folded(path));
    if (twin !== undefined || folders.has(folded(path))) refuseTwins(twin ?? `${path}/`, path, shown);
    seen.set(folded(path), path);
  }
}

function refuseTwins(one: string, other: string, shown: string): never {
  throw new Refusal(
    "denied",
    `\`${shown}\` has both \`${one}\` and \`${other}\`, which some systems do not tell apart`,
  );
}

function faultOf(path: string): string | undefined {
  const parts = path.split("/");
  if (path.startsWith("/") || parts.includes("..")) return "leads out of the package";
  if (parts.some((part) => part === "" || part === ".")) return "is not a plain path";
  if (ODD.test(path)) return "has characters that file names cannot have everywhere";
  if (path.length > PATH_CHARACTERS_MAX || parts.some((part) => part.length > PART_CHARACTERS_MAX))
    return "is too long";
  if (parts.some((part) => DEVICE.test(part) || /[. ]$/.test(part))) return "is not a file name on Windows";
  return parts.some((part) => part.toLowerCase() === ".git") ? "is a part of a git repository" : undefined;
}

function foldersOf(path: string): readonly string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_part, index) => parts.slice(0, index + 1).join("/"));
}

function folded(path: string): string {
  return path.normalize("NFC").toLowerCase();
}

/** Returns the hash that `readTree` gives once the files are in a folder. */
export function contentOf(files: readonly PackedFile[], host: Host): string {
  const hashed = files
    .map(({ path, bytes }) => ({ path, sha256: host.sha256(bytes) }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  return treeSha256({ files: hashed, others: [] }, host);
}
