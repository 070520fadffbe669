// The content that a person is asked about: a project's whole tool folder, read once. The bytes that are shown, hashed
// and trusted are the same, so a file that is swapped during the review is not approved.
import type { Host } from "../tool/host.ts";
import { readTree, type ToolTree, type TreeProblem } from "./tool-tree.ts";
import { trustKeyOf } from "./trust.ts";
import { writeRecord } from "./trust-store.ts";

export interface FolderContent {
  /** Absolute: the tool folder. */
  readonly folder: string;
  readonly tree: ToolTree;
  /** Texts by path within the folder: UTF-8, and not too large to read. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Larger files are hashed like all others, and neither shown nor compared line by line. */
const TEXT_BYTES_MAX = 1024 * 1024;
const TEXTS_BYTES_MAX = 16 * 1024 * 1024;

export function readContent(folder: string, host: Host): FolderContent | TreeProblem {
  const texts = new Map<string, string>();
  let keptBytes = 0;
  const onFile = (path: string, bytes: Uint8Array): void => {
    if (bytes.length > TEXT_BYTES_MAX || keptBytes + bytes.length > TEXTS_BYTES_MAX) return;
    const text = textOf(bytes);
    if (text === undefined) return;
    keptBytes += bytes.length;
    texts.set(path, text);
  };
  const tree = readTree(folder, { host, onFile });
  return "problem" in tree ? tree : { folder, tree, texts };
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Throws where the state folder cannot be written. */
export function trustContent({ folder, tree, texts }: FolderContent, host: Host): void {
  const sums = Object.fromEntries(tree.files.map(({ path, sha256 }) => [path, sha256]));
  writeRecord(trustKeyOf(folder, host), { sha256: tree.sha256, sums, texts: Object.fromEntries(texts) }, host);
}
