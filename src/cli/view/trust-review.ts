// The review of a project's tool folder before it is trusted: what every definition could run, the plugins, every other
// file, and, if earlier content was trusted, the differences. It is made of the hashed bytes; nothing in it can move
// the cursor or change the reading direction.
import { dirname, join } from "node:path";
import { baseToolNames } from "../../core/tool/base-tool-names.ts";
import type { Catalogue } from "../../core/catalog/catalogue.ts";
import { CONFIGURATION_NAME, DEFINITION_ENDING } from "../../core/catalog/discover.ts";
import { loadDefinitionReader } from "../../core/catalog/definition-reader.ts";
import { readMended } from "../../core/catalog/read-mended.ts";
import type { TrustedTexts } from "../../core/catalog/trust-store.ts";
import { contentsOf } from "../../core/catalog/partly-trusted.ts";
import type { FolderContent } from "../../core/catalog/trusted-content.ts";
import { hasErrors } from "../../core/text/diagnostic.ts";
import { printable } from "../../core/text/display.ts";
import { whatRuns } from "./what-runs.ts";

interface ReviewedFile {
  /** The path within the tool folder. */
  readonly path: string;
  readonly kind: "definition" | "plugin" | "settings" | "file";
  /** The name of the tool, for a definition. */
  readonly name?: string;
  /** The tool whose name it takes, as a noun. */
  readonly takes?: string;
  /** What the file could run or contains. Empty if the path says everything. */
  readonly runs: readonly string[];
}

const TOO_DIFFERENT = "too different to compare; this is the whole file now";
/** The time to compare two texts: very different texts take too long. */
const DIFF_MS_MAX = 2_000;

/** The tools that exist without the project, by name, as nouns. */
export type Rivals = ReadonlyMap<string, string>;

export async function reviewOf(content: FolderContent, rivals: Rivals): Promise<readonly ReviewedFile[]> {
  const reviewed: ReviewedFile[] = [];
  for (const { path } of content.tree.files) {
    const file = await reviewFile(path, content);
    const takes = file.name === undefined ? undefined : rivals.get(file.name);
    reviewed.push(takes === undefined ? file : { ...file, takes });
  }
  return reviewed;
}

const rivalWords = {
  builtin: "the built-in tool",
  user: "your own tool",
  global: "this machine's tool",
  package: "the package's tool",
  bundle: "this program's tool",
} as const;

/** `catalogue` is opened in the project. */
export function rivalsOf(catalogue: Pick<Catalogue, "entries">): Rivals {
  const rivals = new Map<string, string>();
  for (const { name, scope, path } of catalogue.entries) {
    if (scope === "project" || scope === "given" || rivals.has(name)) continue;
    const place = scope === "builtin" ? "" : ` (${path})`;
    rivals.set(name, `${rivalWords[scope]} \`${name}\`${place}`);
  }
  for (const name of baseToolNames()) rivals.set(name, `the base tool \`${name}\``);
  return rivals;
}

async function reviewFile(path: string, content: FolderContent): Promise<ReviewedFile> {
  const { folder, texts, package: installed } = content;
  const text = texts.get(path);
  // Of the settings of a package, its rules apply.
  if (path === join(installed?.tools ?? "", CONFIGURATION_NAME))
    return { path, kind: "settings", runs: text === undefined ? ["it is not text"] : linesOf(text) };
  if (path.split("/").includes("node_modules")) return { path, kind: "file", runs: [] };
  if (installed ? installed.plugins.includes(path) : /^plugins\/[^/]*\.ts$/.test(path))
    return {
      path,
      kind: "plugin",
      runs: [
        `a program of ${text === undefined ? "an unknown number of" : linesOf(text).length} lines with all your rights; it runs whenever tools are listed or called`,
      ],
    };
  if (!DEFINITION_ENDING.test(path) || (installed && !path.startsWith(installed.tools)))
    return { path, kind: "file", runs: [] };
  if (text === undefined) return { path, kind: "definition", runs: ["it is not text, or too long to show"] };
  const parts = path.split("/");
  const owner =
    installed?.owner ??
    (/^tool\.ya?ml$/.test(parts.at(-1) ?? "") && parts.length < 3
      ? undefined
      : parts.length > 1
        ? parts[0]
        : undefined);
  const reader = await loadDefinitionReader(path);
  const place = { scope: "project", owner, folder: dirname(join(folder, path)) } as const;
  const source = { path, text };
  const read = reader.read(source, place);
  const isSound = read.value && !hasErrors(read.diagnostics);
  const definition = isSound ? read.value : readMended(source, read, { reader, place })?.value;
  if (!definition)
    return {
      path,
      kind: "definition",
      runs: [
        "it has errors, so it is not a tool; another tool could still run the file:",
        ...linesOf(text).map((line) => `  ${line}`),
      ],
    };
  return { path, kind: "definition", name: definition.name.value, runs: whatRuns(definition) };
}

export function reviewText(files: readonly ReviewedFile[]): string {
  const shown = files.filter(({ kind }) => kind !== "file");
  const others = othersIn(files);
  const blocks = shown.map(({ path, name, takes, runs }) => [
    `  ${name === undefined ? path : `${name} (${path})`}`,
    ...takenLine(takes),
    ...runs.map((line) => `    ${line}`),
  ]);
  const title = "  other files, which the above may run or import";
  const rest = others.length === 0 ? [] : [[title, ...others.map((one) => `    ${one}`)]];
  return [...blocks, ...rest].map((block) => block.map((line) => `${visible(line)}\n`).join("")).join("\n");
}

function takenLine(takes: string | undefined): readonly string[] {
  return takes === undefined ? [] : [`    takes the name of ${takes}, and runs in its place`];
}

/** Returns the other files by name, except packages, which are counted. */
function othersIn(files: readonly ReviewedFile[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const { path, kind } of files) {
    if (kind !== "file") continue;
    const end = `/${path}`.indexOf("/node_modules/");
    const shown = end === -1 ? path : `${path.slice(0, end)}node_modules`;
    counts.set(shown, (counts.get(shown) ?? 0) + 1);
  }
  return [...counts].map(([path, count]) => (count === 1 ? path : `${path}: ${count.toLocaleString("en")} files`));
}

/** Escapes invisible and control characters. */
function visible(line: string): string {
  return printable(line).replaceAll(
    // biome-ignore lint/suspicious/noMisleadingCharacterClass: each selector and joiner is meant for itself
    /[\u00ad\u200b-\u200f\u2060-\u2064\ufe00-\ufe0f\u{e0000}-\u{e01ef}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

function linesOf(text: string): readonly string[] {
  return text.replace(/\n$/, "").split("\n");
}

/** Returns the differences from the trusted content. */
export async function changesText(content: FolderContent, before: TrustedTexts, rivals: Rivals): Promise<string> {
  const { tree, texts } = content;
  const reviewed = new Map((await reviewOf(content, rivals)).map((file) => [file.path, file]));
  const { structuredPatch } = await import("diff");
  const sums = new Map(Object.entries(contentsOf(tree)));
  const paths = [...new Set([...Object.keys(before.sums), ...sums.keys()])]
    .filter((path) => before.sums[path] !== sums.get(path))
    .sort();
  const blocks = paths.map((path) => {
    const was = own(before.sums, path) === undefined ? "" : own(before.texts, path);
    const is = sums.has(path) ? texts.get(path) : "";
    const word = !sums.has(path) ? "removed" : own(before.sums, path) === undefined ? "new" : "changed";
    const patch =
      was === undefined || is === undefined
        ? undefined
        : structuredPatch(path, path, was, is, "", "", { context: 2, timeout: DIFF_MS_MAX });
    const hunks = patch?.hunks.flatMap(({ oldStart, newStart, lines: changed }) => {
      return [`@@ line ${newStart === 0 ? oldStart : newStart}`, ...changed];
    });
    const isText = was !== undefined && is !== undefined;
    const whole = isText
      ? [TOO_DIFFERENT, ...linesOf(is).map((line) => `+${line}`)]
      : ["not text, or too different to compare"];
    const { takes, name, runs = [] } = reviewed.get(path) ?? {};
    const could = name === undefined ? [] : runs;
    // Of a new definition, what it runs is all; of a changed one, what has changed as well.
    const text =
      could.length === 0 ? (hunks ?? whole) : word === "new" ? [] : ["what has changed:", ...(hunks ?? whole)];
    return [`  ${word}: ${path}`, ...takenLine(takes), ...[...could, ...text].map((line) => `    ${line}`)];
  });
  if (blocks.length === 0) blocks.push(["  links or special files in it are new, or lead elsewhere"]);
  return blocks.map((block) => block.map((line) => `${visible(line)}\n`).join("")).join("\n");
}

function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
