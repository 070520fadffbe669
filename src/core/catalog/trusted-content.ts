// The content that a person is asked about: a project's whole tool folder, read once. The bytes that are shown, hashed
// and trusted are the same, so a file that is swapped during the review is not approved.
import type { Host } from "../tool/host.ts";
import type { InstalledPackage } from "./package-folder.ts";
import { readTree, type ToolTree, type TreeProblem } from "./tool-tree.ts";
import { trustKeyOf } from "./trust.ts";
import { changedPaths, contentsOf } from "./partly-trusted.ts";
import { readRecord, readTrustedTexts, writeRecord } from "./trust-store.ts";

export interface FolderContent {
  /** Absolute: the tool folder. */
  readonly folder: string;
  readonly tree: ToolTree;
  /** Texts by path within the folder: UTF-8, and not too large to read. */
  readonly texts: ReadonlyMap<string, string>;
  /** Set for the content of a package. */
  readonly package?: InstalledPackage;
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

/**
 * Trusts the content, or of it only the files of `paths`, besides what is trusted already. Throws where the state
 * folder cannot be written.
 */
export function trustContent({ folder, tree, texts }: FolderContent, host: Host, paths?: readonly string[]): void {
  const key = trustKeyOf(folder, host);
  const sums = contentsOf(tree);
  const record = paths && readRecord(key, host);
  const before = record && readTrustedTexts(record, host);
  if (!paths) {
    writeRecord(key, { sha256: tree.sha256, sums, texts: Object.fromEntries(texts) }, host);
    return;
  }
  // A part can only be added to what was trusted before.
  if (!before) return;
  const part = {
    sums: replaced(before.sums, sums, paths),
    texts: replaced(before.texts, Object.fromEntries(texts), paths),
  };
  if (changedPaths({ tree, accepted: part.sums }).length === 0) {
    trustContent({ folder, tree, texts }, host);
    return;
  }
  // Not the hash of a folder: what is trusted never was one folder.
  writeRecord(key, { sha256: host.sha256(`part ${JSON.stringify(part.sums)}`), ...part }, host);
}

type ByPath = Readonly<Record<string, string>>;

/** Returns `before` with what `now` has at `paths`. */
function replaced(before: ByPath, now: ByPath, paths: readonly string[]): ByPath {
  const changed = new Set(paths);
  return Object.fromEntries([
    ...Object.entries(before).filter(([path]) => !changed.has(path)),
    ...Object.entries(now).filter(([path]) => changed.has(path)),
  ]);
}
