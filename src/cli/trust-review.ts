// What a person is shown of a project's tool folder before he trusts it: what every definition could run, the plugins, every other file, and, where
// an earlier content was trusted, what is different now. Made of the bytes that were hashed; nothing in it can move the cursor or turn the reading direction.
import { dirname, join } from "node:path";
import { CONFIGURATION_NAME, DEFINITION_ENDING } from "../catalog/discover.ts";
import { loadFrontEnd } from "../catalog/front-end.ts";
import type { TrustedTexts } from "../catalog/trust-store.ts";
import type { FolderContent } from "../catalog/trusted-content.ts";
import { hasErrors } from "../text/diagnostic.ts";
import { printable } from "./layout.ts";
import { whatRuns } from "./what-runs.ts";

export interface ReviewedFile {
  /** Within the tool folder. */
  readonly path: string;
  readonly kind: "definition" | "plugin" | "settings" | "file";
  /** Of a definition: as it is called. */
  readonly name?: string;
  /** What it could run, or holds; empty where the path says all there is to say. */
  readonly runs: readonly string[];
}

/** Nobody reads more of one file on a screen; what is left out is counted. */
const LINES_MAX = 200;
/** Files that are nothing by themselves, named one by one. */
const NAMED_FILES_MAX = 50;
const DIFF_LINES_MAX = 400;
/** Texts that are too different take too long to compare. */
const DIFF_MS_MAX = 2_000;

export async function reviewOf(content: FolderContent): Promise<readonly ReviewedFile[]> {
  const reviewed: ReviewedFile[] = [];
  for (const { path } of content.tree.files) reviewed.push(await reviewFile(path, content));
  return reviewed;
}

async function reviewFile(path: string, { folder, texts }: FolderContent): Promise<ReviewedFile> {
  const text = texts.get(path);
  if (path === CONFIGURATION_NAME) return { path, kind: "settings", runs: text === undefined ? ["it is no text"] : linesOf(text) };
  if (path.split("/").includes("node_modules")) return { path, kind: "file", runs: [] };
  if (/^plugins\/[^/]*\.ts$/.test(path)) return { path, kind: "plugin", runs: [`a program of ${text === undefined ? "an unknown number of" : linesOf(text).length} lines with all your rights, at work whenever tools are listed or called`] };
  if (!DEFINITION_ENDING.test(path)) return { path, kind: "file", runs: [] };
  if (text === undefined) return { path, kind: "definition", runs: ["it is no text, or too long to be shown"] };
  const parts = path.split("/");
  const owner = /^tool\.ya?ml$/.test(parts.at(-1) ?? "") && parts.length < 3 ? undefined : parts.length > 1 ? parts[0] : undefined;
  const read = (await loadFrontEnd(path)).read({ path, text }, { scope: "project", owner, folder: dirname(join(folder, path)) });
  if (!read.value || hasErrors(read.diagnostics)) return { path, kind: "definition", runs: ["it has errors, so nothing of it runs, as long as this dottool finds them:", ...linesOf(text).map((line) => `  ${line}`)] };
  return { path, kind: "definition", name: read.value.name.value, runs: whatRuns(read.value) };
}

export function reviewText(files: readonly ReviewedFile[]): string {
  const shown = files.filter(({ kind }) => kind !== "file");
  const others = files.filter(({ kind }) => kind === "file").map(({ path }) => path);
  const named = others.slice(0, NAMED_FILES_MAX);
  const blocks = shown.map(({ path, name, runs }) => [`  ${name === undefined ? path : `${name} (${path})`}`, ...cut(runs).map((line) => `    ${line}`)]);
  const rest = others.length === 0 ? [] : [["  other files, which the above may run or import", ...named.map((path) => `    ${path}`), ...(others.length > named.length ? [`    and ${others.length - named.length} more`] : [])]];
  return [...blocks, ...rest].map((block) => block.map((line) => `${visible(line)}\n`).join("")).join("\n");
}

/** Escapes what cannot be seen as well as what redraws. */
function visible(line: string): string {
  return printable(line).replaceAll(/[\u00ad\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f\u{e0000}-\u{e01ef}]/gu, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

function cut(lines: readonly string[]): readonly string[] {
  return lines.length <= LINES_MAX ? lines : [...lines.slice(0, LINES_MAX), `… and ${lines.length - LINES_MAX} lines more, which the file has`];
}

function linesOf(text: string): readonly string[] {
  return text.replace(/\n$/, "").split("\n");
}

/** What is different from what was trusted; undefined where that is not known any more. */
export async function changesText({ tree, texts }: FolderContent, before: TrustedTexts): Promise<string> {
  const { structuredPatch } = await import("diff");
  const sums = new Map(tree.files.map(({ path, sha256 }) => [path, sha256]));
  const paths = [...new Set([...Object.keys(before.sums), ...sums.keys()])].filter((path) => before.sums[path] !== sums.get(path)).sort();
  const blocks = paths.map((path) => {
    const was = own(before.sums, path) === undefined ? "" : own(before.texts, path);
    const is = sums.has(path) ? texts.get(path) : "";
    const word = !sums.has(path) ? "removed" : own(before.sums, path) === undefined ? "new" : "changed";
    const patch = was === undefined || is === undefined ? undefined : structuredPatch(path, path, was, is, "", "", { context: 2, timeout: DIFF_MS_MAX });
    const lines = patch?.hunks.flatMap(({ oldStart, newStart, lines: changed }) => [`@@ line ${newStart === 0 ? oldStart : newStart}`, ...changed]) ?? ["no text, or too different to be compared"];
    const kept = lines.length <= DIFF_LINES_MAX ? lines : [...lines.slice(0, DIFF_LINES_MAX), `… and ${lines.length - DIFF_LINES_MAX} lines more`];
    return [`  ${word}: ${path}`, ...kept.map((line) => `    ${line}`)];
  });
  if (blocks.length === 0) blocks.push(["  links or special files in it lead elsewhere, or are new"]);
  return blocks.map((block) => block.map((line) => `${visible(line)}\n`).join("")).join("\n");
}

function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
