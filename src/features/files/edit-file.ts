// `edit_file`: replaces texts in a file, each found exactly once, all of them or none.
import { resolve } from "node:path";
import { validateArguments } from "../../core/schema/validate.ts";
import { array, boolean, object, path, string } from "../../core/schema/declare.ts";
import type { JsonObject } from "../../core/schema/json.ts";
import type { Outcome } from "../../core/tool/call.ts";
import { baseTool, failed, okText } from "../../core/tool/base-tool.ts";
import { codeOf } from "../../core/tool/error-code.ts";
import type { WriteLock } from "../../core/tool/host.ts";
import type { ToolContext } from "../../core/tool/tool.ts";
import { fileFailure } from "../../core/base/file-failure.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { shownName } from "../../core/base/shown-name.ts";
import { formatOf } from "./text-blocks.ts";
import { distance } from "fastest-levenshtein";
import { asSpelledOut, forModels, spelledOut } from "../../core/text/hidden-characters.ts";

const FILE_BYTES_MAX = 8 * 1024 * 1024;
const EDITS_MAX = 1_000;
/** The limit of edits times the size of the file: searching takes about a second. */
const SEARCHED_CHARACTERS_MAX = 1_000_000_000;
const DIFF_MS_MAX = 1_000;

export const editFile = baseTool({
  name: "edit_file",
  title: "Edit file",
  description:
    "Replace texts in a UTF-8 file. Each `search` must match exactly once, unless `replace_all` is set, including its indentation: copy it from `read_file`, with enough lines around it to be unique. " +
    "Edits apply in order, each to the result of the ones before it; if one fails, nothing is written. " +
    "`\\n` matches the line ends of the file, which are kept. Returns a unified diff.",
  parameters: {
    file_path: path("The file, absolute or relative to the working directory", {
      required: true,
      example: "src/main.ts",
    }),
    edits: array(
      object(
        {
          search: string("The current text", { required: true, minimumLength: 1, mayHoldNul: true }),
          replace: string("The new text; empty to remove the old one", { required: true, mayHoldNul: true }),
          replace_all: boolean("Replace every match"),
        },
        "One replacement",
      ),
      "The replacements, in order",
      {
        required: true,
        minimumItems: 1,
        maximumItems: EDITS_MAX,
        example: [{ search: "const limit = 10;", replace: "const limit = 20;" }],
      },
    ),
    dry_run: boolean("Show the diff and write nothing", { default: false }),
  },
  quotesFiles: true,
  effects: ["read", "write"],
  check: ({ edits }) =>
    edits.flatMap((edit, index) =>
      edit.search === edit.replace
        ? [{ path: `edits[${index}].replace`, message: "expected a text that differs from `search`" }]
        : [],
    ),
  execute: async (args, context) => {
    try {
      return await oneAtATime(args.file_path, context, (lock) => edit(args, context, lock));
    } catch (error) {
      return fileFailure(error, { path: args.file_path, action: "read" }, context);
    }
  },
});

interface EditArguments {
  readonly file_path: string;
  readonly edits: readonly Edit[];
  readonly dry_run: boolean;
}

type EditContext = Pick<ToolContext, "host" | "cwd">;

/** Returns what a call would change, as a diff, or why it would not; undefined if its arguments are refused. */
export async function editPreview(args: JsonObject, context: EditContext): Promise<string | undefined> {
  const checked = { owner: "edit_file", environment: () => undefined, skipsSlowPatterns: true } as const;
  if (!validateArguments(editFile.parameters, args, checked).arguments) return undefined;
  const given = args as unknown as EditArguments;
  const outcome = await edit({ ...given, dry_run: true }, context, undefined).catch((error: unknown) =>
    fileFailure(error, { path: given.file_path, action: "read" }, context),
  );
  if (outcome.status === "ok") return outcome.content.map((part) => (part.type === "text" ? part.text : "")).join("");
  return outcome.failure.kind === "rejected" ? outcome.failure.reason : `\`${given.file_path}\` cannot be edited`;
}

async function edit(
  { file_path: shown, edits, dry_run: isRehearsal }: EditArguments,
  context: EditContext,
  lock: WriteLock | undefined,
): Promise<Outcome> {
  const { files } = context.host;
  const target = resolve(context.cwd, shown);
  const stat = await files.stat(target);
  if (stat && stat.sizeBytes > FILE_BYTES_MAX)
    return failed({
      kind: "limit",
      limit: FILE_BYTES_MAX,
      unit: "bytes in a file to edit",
      help: ["a command such as `sed` edits files of any size"],
    });
  const bytes = await files.readBytes(target, { offset: 0, lengthMax: FILE_BYTES_MAX });
  const text = decode(bytes);
  if (text === undefined)
    return failed({
      kind: "rejected",
      reason: `\`${shown}\` is not UTF-8 text, and an edit would damage it`,
      help: ["`write_file` replaces it as a whole"],
    });
  if (text.length * edits.length > SEARCHED_CHARACTERS_MAX)
    return failed({
      kind: "limit",
      limit: SEARCHED_CHARACTERS_MAX,
      unit: "characters to search, edits times size",
      help: ["send fewer edits at a time"],
    });
  const applied = applyEdits(text, edits);
  if ("problem" in applied)
    return failed({ kind: "rejected", reason: `\`${shown}\` is unchanged: ${applied.problem}`, help: applied.help });
  const diff = await unifiedDiff(shown, text, applied.text);
  if (isRehearsal) return okText(`this would change \`${shown}\`:\n${diff}`);
  try {
    await files.write(target, applied.text, { replaces: bytes, lock });
  } catch (error) {
    if (codeOf(error) === "ESTALE")
      return failed({
        kind: "rejected",
        reason: `\`${shown}\` is unchanged: another program wrote to it in the meantime`,
        help: ["read it again, then repeat the edit"],
      });
    return fileFailure(error, { path: shown, action: "write" }, context);
  }
  return okText(`changed \`${shown}\`:\n${diff}`);
}

/** Decodes a file with its byte order mark, which is to stay. Returns undefined if the bytes are not UTF-8. */
function decode(bytes: Uint8Array): string | undefined {
  const format = formatOf(bytes);
  if (!("text" in format) || format.text !== "utf-8") return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

export async function unifiedDiff(shown: string, before: string, after: string): Promise<string> {
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import("diff");
  const name = shownName(shown);
  const patch = createTwoFilesPatch(name, name, before, after, undefined, undefined, {
    context: 3,
    timeout: DIFF_MS_MAX,
    headerOptions: FILE_HEADERS_ONLY,
  });
  return patch ?? "(the diff takes too long to make)";
}

// Replacements in a text: each text is found exactly once unless all of its places are meant, in order, and all are
// replaced or none. If one is not found, the failure shows what is there instead.
interface Edit {
  readonly search: string;
  readonly replace: string;
  readonly replace_all?: boolean | undefined;
}

type AppliedEdits = { readonly text: string } | { readonly problem: string; readonly help: readonly string[] };

const LINES_NAMED_MAX = 10;

function applyEdits(original: string, edits: readonly Edit[]): AppliedEdits {
  const endsLinesWithCrLf = /\r\n/.test(original) && !/(?<!\r)\n/.test(original);
  let text = original;
  for (const [index, given] of edits.entries()) {
    const edit = asThere(
      text,
      endsLinesWithCrLf ? { ...given, search: withCrLf(given.search), replace: withCrLf(given.replace) } : given,
    );
    const places = findAll(text, edit.search);
    const [place] = places;
    const name = edits.length === 1 ? "`search`" : `\`edits[${index}].search\``;
    if (place === undefined)
      return {
        problem: `${name} was not found${index > 0 ? ", after the edits before it" : ""}`,
        help: whatIsThere(text, edit.search),
      };
    if (edit.replace_all === true) {
      const parts = text.split(edit.search);
      if (text.length + (parts.length - 1) * (edit.replace.length - edit.search.length) > FILE_BYTES_MAX)
        return { problem: `it would be larger than ${FILE_BYTES_MAX} bytes`, help: [] };
      text = parts.join(edit.replace);
      continue;
    }
    if (places.length > 1) {
      const lines = places.slice(0, LINES_NAMED_MAX).map((at) => lineOf(text, at));
      const more = places.length > LINES_NAMED_MAX ? " and more" : "";
      const count =
        places.length === PLACES_MAX ? `more than ${(PLACES_MAX - 1).toLocaleString("en")}` : String(places.length);
      return {
        problem: `${name} was found ${count} times, in lines ${lines.join(", ")}${more}`,
        help: ["add lines around the text until it is unique, or set `replace_all` to replace each"],
      };
    }
    text = text.slice(0, place) + edit.replace + text.slice(place + edit.search.length);
  }
  return { text };
}

/**
 * Returns the text with invisible characters as in the file: `read_file` spells them out as `\u{202e}`. A text that is
 * spelled so in the file itself is found, too.
 */
function asThere(text: string, edit: Edit): Edit {
  const search = asSpelledOut(edit.search);
  return search === edit.search || text.includes(edit.search)
    ? edit
    : { ...edit, search, replace: asSpelledOut(edit.replace) };
}

function withCrLf(text: string): string {
  return text.replaceAll(/(?<!\r)\n/g, "\r\n");
}

const PLACES_MAX = 1_001;

/** Finds all places, also overlapping ones, since either may be meant. */
function findAll(text: string, search: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(search); at !== -1 && places.length < PLACES_MAX; at = text.indexOf(search, at + 1))
    places.push(at);
  return places;
}

function lineOf(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line++;
  return line;
}

const COMPARED_LINES_MAX = 50_000;
const COMPARED_CHARACTERS_MAX = 200;
const WANTED_LINES_MAX = 1_000;

/** Returns the place where the search gets furthest, or else the line most similar to its first. */
function whatIsThere(text: string, search: string): readonly string[] {
  const lines = text.split("\n", COMPARED_LINES_MAX).map(folded);
  const all = search.split("\n");
  const skipped = all.findIndex((line) => line.trim() !== "");
  if (skipped === -1) return [];
  const wanted = all.slice(skipped, skipped + WANTED_LINES_MAX).map(folded);
  let best: { readonly from: number; readonly matching: number } | undefined;
  for (const [from, line] of lines.entries()) {
    if (line !== wanted[0]) continue;
    let matching = 1;
    while (matching < wanted.length && lines[from + matching] === wanted[matching]) matching++;
    if (!best || matching > best.matching) best = { from, matching };
  }
  const exact = text.split("\n", COMPARED_LINES_MAX);
  if (!best) return nearestLine(lines, exact, wanted[0] ?? "");
  if (best.matching === wanted.length) {
    const end = best.from + wanted.length;
    const there = exact.slice(best.from, end).join("\n");
    const differs = forModels(there) === there ? "white space differs" : "white space or invisible characters differ";
    return [`only ${differs}; the file has, from line ${best.from + 1}: ${shown(there)}`];
  }
  const at = best.from + best.matching;
  const isPastEnd = exact[at] === undefined || (at === exact.length - 1 && exact[at] === "");
  const there = isPastEnd ? "the file ends" : `the file has ${shown(exact[at] ?? "")}`;
  return [
    `it matches from line ${best.from + 1} on, but in line ${at + 1}, where \`search\` has ${shown(all[skipped + best.matching] ?? "")}, ${there}`,
  ];
}

function nearestLine(lines: readonly string[], exact: readonly string[], wanted: string): readonly string[] {
  let nearest: { readonly at: number; readonly edits: number } | undefined;
  const short = wanted.slice(0, COMPARED_CHARACTERS_MAX);
  for (const [at, line] of lines.entries()) {
    const lengthDifference = Math.abs(Math.min(line.length, COMPARED_CHARACTERS_MAX) - short.length);
    if (line === "" || lengthDifference >= (nearest?.edits ?? short.length)) continue;
    const edits = distance(line.slice(0, COMPARED_CHARACTERS_MAX), short);
    if (edits < (nearest?.edits ?? short.length)) nearest = { at, edits };
  }
  return nearest === undefined
    ? []
    : [`the nearest match is line ${nearest.at + 1}: ${shown(exact[nearest.at] ?? "")}`];
}

/** Folds white space and invisible characters. Lines that differ only in these are told apart last. */
function folded(line: string): string {
  return forModels(line).trim().replaceAll(/\s+/g, " ");
}

/** Shows a text as a JSON string, so that tabs and blanks at its ends can be seen and copied. */
function shown(text: string): string {
  return spelledOut(JSON.stringify(text.length > 1_000 ? `${text.slice(0, 1_000)}…` : text));
}
