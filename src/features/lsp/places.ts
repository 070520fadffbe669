// Where a word is declared and used, in its file and in those that use its tool, and the edits that give a parameter another
// name.
import { dirname, resolve } from "node:path";
import { DEFINITION_BYTES_MAX } from "../../core/catalog/load.ts";
import type { CatalogueEntry } from "../../core/catalog/entry.ts";
import { parseToolFile } from "../../core/language/syntax/parse.ts";
import { isYamlPath } from "../../core/text/source-language.ts";
import type { Span } from "../../core/text/source.ts";
import type { CheckedDocuments, Looked } from "./checked-documents.ts";
import { markAt } from "./explained.ts";
import { isReadByProgram, type Mark, marksOf } from "./marks.ts";

/** A place in a file, whose `span.source` has its text. */
export interface FilePlace {
  readonly path: string;
  readonly span: Span;
}

/** The limit of files in which uses are looked for. */
const USERS_MAX = 500;

export function markIn({ source }: Looked, offset: number): Mark | undefined {
  return isYamlPath(source.path) ? undefined : markAt(marksOf(parseToolFile(source)), offset);
}

export function declarationOf(looked: Looked, offset: number): FilePlace | undefined {
  const mark = markIn(looked, offset);
  switch (mark?.kind) {
    case "tool":
      return placeOfTool(mark.text, looked);
    case "toolParameter": {
      const tool = placeOfTool(mark.owner ?? "", looked);
      const own =
        tool && !isYamlPath(tool.path)
          ? marksOf(parseToolFile(tool.span.source)).find((one) => isDeclared(one) && one.text === mark.text)
          : undefined;
      return own && tool ? { path: tool.path, span: own.span } : tool;
    }
    case "reference":
    case "type": {
      const own = ownMarks(looked).find(
        ({ kind, text }) => text === mark.text && (kind === "parameter" || kind === "step" || kind === "namedType"),
      );
      return own && { path: looked.path, span: own.span };
    }
    case undefined:
      return scriptAt(looked, offset);
    default:
      return mark && { path: looked.path, span: mark.span };
  }
}

const isDeclared = ({ kind, annotation }: Mark): boolean => kind === "parameter" && annotation.keyword === "param";

function ownMarks({ source }: Looked): readonly Mark[] {
  return isYamlPath(source.path) ? [] : marksOf(parseToolFile(source));
}

function placeOfTool(name: string, looked: Looked): FilePlace | undefined {
  const entry = looked.opened.catalogue().entry(name);
  const file = entry && fileOf(entry, looked);
  return file && entry && { path: file.path, span: { ...file.span, start: entry.nameStart, end: entry.nameEnd } };
}

/** The file of a definition, from its first to its last character; undefined for one inside the executable. */
function fileOf(entry: CatalogueEntry, { opened, path: own, source }: Looked): FilePlace | undefined {
  const path = opened.catalogue().absolutePathOf(entry);
  if (path === undefined) return undefined;
  if (path === own) return { path, span: { source, start: 0, end: source.text.length } };
  try {
    const bytes = opened.host.instant.readBytes(path, DEFINITION_BYTES_MAX);
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    return { path, span: { source: { path: entry.path, text }, start: 0, end: text.length } };
  } catch {
    return undefined;
  }
}

const PATH_WORD = /[\w./-]+/g;

/** The file that a word of a command names: beside the definition, or in the folder that calls are made in. */
function scriptAt({ source, path, opened }: Looked, offset: number): FilePlace | undefined {
  const start = source.text.lastIndexOf("\n", offset - 1) + 1;
  const line = source.text.slice(start, start + 2_000).split("\n", 1)[0] ?? "";
  const word = [...line.matchAll(PATH_WORD)].find(
    ({ index, 0: text }) => start + index <= offset && offset <= start + index + text.length,
  )?.[0];
  if (word === undefined || !/[/.]/.test(word)) return undefined;
  const found = [dirname(path), opened.cwd]
    .map((folder) => resolve(folder, word))
    .find((one) => opened.host.instant.stat(one)?.kind === "file");
  return found === undefined
    ? undefined
    : { path: found, span: { source: { path: found, text: "" }, start: 0, end: 0 } };
}

/** Returns every place of the word, in its file and in those that use its tool. */
export function placesOf(looked: Looked, offset: number): readonly FilePlace[] {
  const mark = markIn(looked, offset);
  const own = looked.entries[0]?.name ?? "";
  const here = (isSame: (one: Mark) => boolean): readonly FilePlace[] =>
    ownMarks(looked)
      .filter(isSame)
      .map(({ span }) => ({ path: looked.path, span }));
  const named = (...kinds: readonly Mark["kind"][]): readonly FilePlace[] =>
    here(({ kind, text }) => text === mark?.text && kinds.includes(kind));
  switch (mark?.kind) {
    case "name":
      return [...named("name"), ...usesOf(own, looked, (one) => one.kind === "tool" && one.text === own)];
    case "tool":
      return usesOf(mark.text, looked, (one) => one.kind === "tool" && one.text === mark.text);
    case "parameter":
    case "reference":
    case "step": {
      const isStep = ownMarks(looked).some(({ kind, text }) => kind === "step" && text === mark.text);
      if (isStep) return named("step", "reference");
      const isOfUser = (one: Mark): boolean =>
        one.kind === "toolParameter" && one.owner === own && one.text === mark.text;
      return [...named("parameter", "reference"), ...usesOf(own, looked, isOfUser)];
    }
    case "type":
    case "namedType":
      return named("type", "namedType");
    case "toolParameter":
      return here((one) => one.kind === "toolParameter" && one.text === mark.text && one.owner === mark.owner);
    default:
      return mark ? [{ path: looked.path, span: mark.span }] : [];
  }
}

function usersOf(tool: string, { opened }: Looked): readonly CatalogueEntry[] {
  const { entries } = opened.catalogue();
  return entries
    .filter(({ standsOn = [], dependsOn = [] }) => standsOn.includes(tool) || dependsOn.includes(tool))
    .slice(0, USERS_MAX);
}

function usesOf(tool: string, looked: Looked, isUse: (mark: Mark) => boolean): readonly FilePlace[] {
  return usersOf(tool, looked).flatMap((entry) => {
    const file = fileOf(entry, looked);
    if (!file || isYamlPath(file.path)) return [];
    return marksOf(parseToolFile(file.span.source))
      .filter(isUse)
      .map(({ span }) => ({ path: file.path, span }));
  });
}

export type Renamed = { readonly places: readonly FilePlace[] } | { readonly problem: string };

/** Tries the new name: it is refused if `check` would find more than before, here or in a tool that uses this one. */
export async function renamed(
  looked: Looked,
  offset: number,
  { name, documents }: { readonly name: string; readonly documents: CheckedDocuments },
): Promise<Renamed> {
  const mark = markIn(looked, offset);
  const declared = ownMarks(looked).filter(isDeclared);
  if (!mark || !["parameter", "reference"].includes(mark.kind) || declared.every(({ text }) => text !== mark.text))
    return { problem: "only a parameter of this tool can be renamed" };
  if (!/^[A-Za-z_][\w-]{0,63}$/.test(name))
    return { problem: `\`${name.slice(0, 64)}\` is not a name: letters, digits, \`_\` and \`-\`, at most 64` };
  const taken = ownMarks(looked).find(({ kind, text }) => (kind === "parameter" || kind === "step") && text === name);
  if (taken) return { problem: `\`${name}\` is already a ${taken.kind} of this tool` };
  if (isReadByProgram(parseToolFile(looked.source), mark.text))
    return {
      problem: `code of this tool has the word \`${mark.text}\`, which may be the parameter: rename it by hand`,
    };
  const places = placesOf(looked, offset);
  const own = looked.entries[0]?.name ?? "";
  const users = usersOf(own, looked);
  const texts = new Map<string, string>();
  for (const { path, span } of places.toSorted((one, other) => other.span.start - one.span.start)) {
    const text = texts.get(path) ?? span.source.text;
    texts.set(path, text.slice(0, span.start) + name + text.slice(span.end));
  }
  const tried = await documents.look(looked.path, texts);
  const before = await problemsOf([own, ...users.map((user) => user.name)], looked);
  const after = tried ? await problemsOf([own, ...users.map((user) => user.name)], tried) : before;
  const added = after.find((problem) => !before.includes(problem)) ?? after[0];
  return after.length > before.length && added !== undefined ? { problem: `with \`${name}\`, ${added}` } : { places };
}

async function problemsOf(names: readonly string[], { opened }: Looked): Promise<readonly string[]> {
  const catalogue = opened.catalogue();
  const found = await Promise.all(
    names.map(async (name) => {
      const entry = catalogue.entry(name);
      return entry ? [...(await catalogue.diagnosticsOf(entry)), ...(await opened.buildDiagnostics(name, entry))] : [];
    }),
  );
  return found.flat().map(({ message }) => message);
}
