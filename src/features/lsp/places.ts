// Where a word is declared and used, in its file and in those that use its tool, and the edits that give a parameter another
// name.
import { dirname, resolve } from "node:path";
import type { CatalogueEntry } from "../../core/catalog/entry.ts";
import { parseToolFile } from "../../core/language/syntax/parse.ts";
import { isForProgram } from "../../core/language/syntax/value-places.ts";
import type { Span } from "../../core/text/source.ts";
import type { Looked } from "./checked-documents.ts";
import { type Mark, markAt, type MarkKind, marksIn } from "./marks.ts";

/** A place in a file, whose `span.source` has its text. */
export interface FilePlace {
  readonly path: string;
  readonly span: Span;
}

/** The limit of files in which uses are looked for. */
const USERS_MAX = 500;

export function declarationOf(looked: Looked, offset: number): FilePlace | undefined {
  const mark = markAt(looked.source, offset);
  switch (mark?.kind) {
    case "tool":
      return placeOfTool(mark.text, looked);
    case "toolParameter": {
      const tool = placeOfTool(mark.owner ?? "", looked);
      const own = tool && marksIn(tool.span.source).find((one) => isDeclared(one) && one.text === mark.text);
      return own && tool ? { path: tool.path, span: own.span } : tool;
    }
    case "reference":
    case "type": {
      const own = marksIn(looked.source).find(
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

function placeOfTool(name: string, looked: Looked): FilePlace | undefined {
  const entry = looked.opened.catalogue().entry(name);
  const file = entry && fileOf(entry, looked);
  return file && entry && { path: file.path, span: { ...file.span, start: entry.nameStart, end: entry.nameEnd } };
}

/** The file of a definition, from its first to its last character; undefined for one inside the executable. */
function fileOf(entry: CatalogueEntry, { opened, path: own, source: present }: Looked): FilePlace | undefined {
  const path = opened.catalogue().absolutePathOf(entry);
  const source = path === own ? present : opened.catalogue().sourceOf(entry);
  return path === undefined || !source ? undefined : { path, span: { source, start: 0, end: source.text.length } };
}

/** The file that a word of a command names: beside the definition, or in the folder that calls are made in. */
function scriptAt({ source: { text }, path, opened }: Looked, offset: number): FilePlace | undefined {
  const [before = ""] = /[\w./-]*$/.exec(text.slice(Math.max(0, offset - 1_000), offset)) ?? [];
  const [after = ""] = /^[\w./-]*/.exec(text.slice(offset, offset + 1_000)) ?? [];
  if (!/[/.]/.test(before + after)) return undefined;
  const paths = [dirname(path), opened.cwd].map((folder) => resolve(folder, before + after));
  const found = paths.find((one) => opened.host.instant.stat(one)?.kind === "file");
  return found === undefined
    ? undefined
    : { path: found, span: { source: { path: found, text: "" }, start: 0, end: 0 } };
}

/** Returns every place of the word, in its file and in those that use its tool. */
export function placesOf(looked: Looked, offset: number): readonly FilePlace[] {
  const mark = markAt(looked.source, offset);
  if (!mark) return [];
  const { text, owner } = mark;
  const own = looked.entries[0]?.name ?? "";
  const marks = marksIn(looked.source);
  const named = (...kinds: readonly MarkKind[]): readonly FilePlace[] =>
    marks
      .filter((one) => one.text === text && one.owner === owner && kinds.includes(one.kind))
      .map(({ span }) => ({ path: looked.path, span }));
  switch (mark.kind) {
    case "name":
      return [...named("name"), ...usesOf(own, looked, { kind: "tool", text: own })];
    case "tool":
      return usesOf(text, looked, { kind: "tool", text });
    case "parameter":
    case "reference":
    case "step": {
      if (marks.some((one) => one.kind === "step" && one.text === text)) return named("step", "reference");
      return [...named("parameter", "reference"), ...usesOf(own, looked, { kind: "toolParameter", text, owner: own })];
    }
    case "type":
    case "namedType":
      return named("type", "namedType");
    default:
      return named(mark.kind);
  }
}

function usersOf(tool: string, { opened }: Looked): readonly CatalogueEntry[] {
  const { entries } = opened.catalogue();
  return entries
    .filter(({ standsOn = [], dependsOn = [] }) => standsOn.includes(tool) || dependsOn.includes(tool))
    .slice(0, USERS_MAX);
}

type Use = Pick<Mark, "kind" | "text"> & Partial<Pick<Mark, "owner">>;

function usesOf(tool: string, looked: Looked, use: Use): readonly FilePlace[] {
  const files = usersOf(tool, looked).flatMap((entry) => fileOf(entry, looked) ?? []);
  const isUse = ({ kind, text, owner }: Mark): boolean => kind === use.kind && text === use.text && owner === use.owner;
  return files.flatMap(({ path, span: { source } }) =>
    marksIn(source).flatMap((mark) => (isUse(mark) ? [{ path, span: mark.span }] : [])),
  );
}

type Renamed = { readonly places: readonly FilePlace[] } | { readonly problem: string };

/** Tries the new name: it is refused if `check` would find more than before, here or in a tool that uses this one. */
export async function renamed(looked: Looked, offset: number, name: string): Promise<Renamed> {
  const mark = markAt(looked.source, offset);
  const marks = marksIn(looked.source);
  if (!mark || !marks.some((one) => isDeclared(one) && one.text === mark.text && one.owner === mark.owner))
    return { problem: "only a parameter of this tool can be renamed" };
  if (!/^[A-Za-z_][\w-]{0,63}$/.test(name))
    return { problem: `\`${name.slice(0, 64)}\` is not a name: letters, digits, \`_\` and \`-\`, at most 64` };
  const taken = marks.find(({ kind, text }) => (kind === "parameter" || kind === "step") && text === name);
  if (taken) return { problem: `\`${name}\` is already a ${taken.kind} of this tool` };
  const file = parseToolFile(looked.source);
  const code = file.annotations.flatMap((one) =>
    isForProgram(one, file) ? (one.body?.text.split(/[^\w-]+/) ?? []) : [],
  );
  if (code.includes(mark.text))
    return { problem: `code of this tool has the word \`${mark.text}\`, so rename it by hand` };
  const places = placesOf(looked, offset);
  const texts = new Map<string, string>();
  for (const { path, span } of places.toSorted((one, other) => other.span.start - one.span.start)) {
    const text = texts.get(path) ?? span.source.text;
    texts.set(path, text.slice(0, span.start) + name + text.slice(span.end));
  }
  const own = looked.entries[0]?.name ?? "";
  const names = [own, ...usersOf(own, looked).map((user) => user.name)];
  const tried = await looked.with(texts);
  const [before, after] = [await problemsOf(names, looked), tried ? await problemsOf(names, tried) : []];
  const added = after.find((problem) => !before.includes(problem)) ?? after[0];
  return after.length > before.length ? { problem: `with \`${name}\`, ${added}` } : { places };
}

async function problemsOf(names: readonly string[], { opened }: Looked): Promise<readonly string[]> {
  const catalogue = opened.catalogue();
  const entries = names.flatMap((name) => catalogue.entry(name) ?? []);
  const found = entries.map(async (entry) => [
    ...(await catalogue.diagnosticsOf(entry)),
    ...(await opened.buildDiagnostics(entry.name, entry)),
  ]);
  return (await Promise.all(found)).flat().map(({ message }) => message);
}
