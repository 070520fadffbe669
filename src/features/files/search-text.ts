// `search_text`: text inside files, in process, as `grep -rn` and `rg` find it.
import { join, posix, resolve } from "node:path";
import { array, boolean, choice, integer, path, string } from "../../core/schema/declare.ts";
import { countText } from "../../core/schema/describe.ts";
import type { Content, Outcome } from "../../core/tool/call.ts";
import { baseTool, cancelled, failed } from "../../core/tool/base-tool.ts";
import { codeOf } from "../../core/tool/error-code.ts";
import type { ArgumentIssue } from "../../core/tool/failure.ts";
import type { Host } from "../../core/tool/host.ts";
import type { ToolContext } from "../../core/tool/tool.ts";
import { fileFailure } from "../../core/base/file-failure.ts";
import { DEPTH_MAX, tooSlow } from "./find-files.ts";
import { checkGlobs, GLOB_LENGTH_MAX, globFilter } from "./glob-filter.ts";
import { compilePattern, type LineSearch, type SearchedText, searchIn } from "./line-search.ts";
import { type FileToSearch, searchedTexts, type SearchTally } from "./searched-texts.ts";
import { type Walk, walkBelow } from "./walk.ts";
import { shownName } from "../../core/base/shown-name.ts";

const CONTEXT_LINES_MAX = 20;
/** Texts that are searched under one time limit. */
const BATCH_CHARACTERS = 4 * 1024 * 1024;
const BATCH_TEXTS_MAX = 256;
/** The limit of a batch in processor time. A sound pattern needs a few milliseconds. */
const BATCH_MS_MAX = 1_000;

export const searchText = baseTool({
  name: "search_text",
  title: "Search text",
  description:
    "Find lines that match a regular expression, in a file or in all files below a folder; not in binary, hidden and ignored ones. " +
    "Returns `path:line:text`, sorted by path, and `path-line-text` for context.",
  parameters: {
    pattern: string("A JavaScript regular expression, within one line", {
      required: true,
      minimumLength: 1,
      maximumLength: 10_000,
      example: "export function parse\\w+",
    }),
    path: path("The file, or the folder to look in", { default: "." }),
    globs: array(
      string("`*.ts` matches a name in any folder, `src/**` a path below `path`; `!*.d.ts` leaves out", {
        minimumLength: 1,
        maximumLength: GLOB_LENGTH_MAX,
      }),
      "Only files that match one of these globs",
      { maximumItems: 100, default: [] },
    ),
    literal: boolean("`pattern` is plain text", { default: false }),
    ignore_case: boolean("Ignore case", { default: false }),
    context_lines: integer("Lines around each match", {
      minimum: 0,
      maximum: CONTEXT_LINES_MAX,
      default: 0,
    }),
    output_mode: choice(
      ["content", "files_with_matches", "count"],
      "The lines, the files that have any, or how many each file has",
      { default: "content" },
    ),
    max_matches: integer("At most so many lines or files", {
      minimum: 1,
      maximum: 10_000,
      default: 200,
    }),
    hidden: boolean("Also what begins with a dot", { default: false }),
    ignored: boolean("Also what `.gitignore` and `.ignore` name", { default: false }),
  },
  quotesFiles: true,
  effects: ["read"],
  examples: [{ pattern: "TODO|FIXME", globs: ["*.ts"], context_lines: 2 }],
  check: (args): readonly ArgumentIssue[] => [...checkPattern(args), ...checkGlobs("globs", args.globs)],
  execute: async (args, context) => {
    try {
      return await search(args, context);
    } catch (error) {
      return fileFailure(error, { path: args.path, action: "read" }, context);
    }
  },
});

interface SearchArguments {
  readonly pattern: string;
  readonly path: string;
  readonly globs: readonly string[];
  readonly literal: boolean;
  readonly ignore_case: boolean;
  readonly context_lines: number;
  readonly output_mode: "content" | "files_with_matches" | "count";
  readonly max_matches: number;
  readonly hidden: boolean;
  readonly ignored: boolean;
}

function checkPattern(args: SearchArguments): readonly ArgumentIssue[] {
  try {
    compilePattern(args.pattern, { isLiteral: args.literal, ignoresCase: args.ignore_case });
    return [];
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^.*\/[a-z]*: /s, "").toLowerCase() : String(error);
    return [
      {
        path: "pattern",
        message: `expected a regular expression, got "${args.pattern}" (${reason}); \`literal\` searches for it as plain text`,
      },
    ];
  }
}

async function search(args: SearchArguments, context: ToolContext): Promise<Outcome> {
  const state: LineSearch = {
    pattern: compilePattern(args.pattern, { isLiteral: args.literal, ignoresCase: args.ignore_case }),
    contextLines: args.context_lines,
    matchesMax: args.max_matches,
    output: [],
    ...(args.output_mode === "content" ? {} : { counts: new Map<string, number>() }),
    matches: 0,
    current: args.path,
  };
  const tally: SearchTally = { searched: 0, unreadable: 0, binary: 0 };
  const walked = { ...args, depthMax: DEPTH_MAX, reads: "contents" } as const;
  const walk = await walkBelow(resolve(context.cwd, args.path), walked, context);
  const texts: SearchedText[] = [];
  let characters = 0;
  for await (const file of filesToSearch(args, walk, context)) {
    if ("tooSlow" in file) return tooSlow(file.tooSlow);
    for await (const text of searchedTexts(file, context, tally)) {
      texts.push(text);
      characters += text.text.length;
      if (characters < BATCH_CHARACTERS && texts.length < BATCH_TEXTS_MAX) continue;
      if (!searchBatch(state, texts, context.host)) return stuck(args, state);
      texts.length = 0;
      characters = 0;
      if (state.matches > args.max_matches) break;
    }
    if (state.matches > args.max_matches) break;
  }
  if (!searchBatch(state, texts, context.host)) return stuck(args, state);
  return context.signal.aborted ? cancelled : answer({ args, state, tally, walk }, context);
}

/** Yields the named file, or the files below the named folder. */
async function* filesToSearch(
  args: SearchArguments,
  { options, isPassed }: Walk,
  context: ToolContext,
): AsyncGenerator<FileToSearch | { readonly tooSlow: string }, void, undefined> {
  const top = resolve(context.cwd, args.path);
  if (context.host.instant.stat(top)?.kind !== "folder")
    return yield { path: top, name: shownName(args.path), isNamed: true };
  const filter = await globFilter(args.globs, context.host);
  let batch: string[] = [];
  const wanted = (): readonly string[] | { readonly tooSlow: string } => {
    const matches = filter(batch);
    return "tooSlow" in matches ? matches : batch.filter((_path, index) => matches[index]);
  };
  const toFile = (path: string): FileToSearch => ({
    path: join(top, path),
    name: shownName(posix.join(args.path, path)),
    isNamed: false,
  });
  for await (const entry of context.host.files.walk(top, options)) {
    if (entry.kind !== "file" || isPassed(entry.path) || batch.push(entry.path) < BATCH_TEXTS_MAX) continue;
    const paths = wanted();
    if ("tooSlow" in paths) return yield paths;
    yield* paths.map(toFile);
    batch = [];
  }
  const paths = wanted();
  if ("tooSlow" in paths) return yield paths;
  yield* paths.map(toFile);
}

/** Returns false if the pattern takes too long. `state.current` says where. */
function searchBatch(state: LineSearch, texts: readonly SearchedText[], host: Host): boolean {
  const begin = { lines: state.output.length, matches: state.matches, counts: [...(state.counts ?? [])] };
  // It may be done again.
  const work = (): void => {
    state.output.length = begin.lines;
    state.matches = begin.matches;
    state.counts?.clear();
    for (const [name, count] of begin.counts) state.counts?.set(name, count);
    for (const text of texts) searchIn(state, text);
  };
  try {
    if (state.pattern.isQuick) work();
    else if (texts.length > 0) host.runBounded(work, BATCH_MS_MAX);
    return true;
  } catch (error) {
    if (codeOf(error) === "ETIMEDOUT") return false;
    throw error;
  }
}

function stuck(args: SearchArguments, { current }: LineSearch): Outcome {
  const reason = `\`${args.pattern}\` takes too long in \`${current}\``;
  return failed({
    kind: "rejected",
    reason,
    help: ["avoid nested repetition, such as `(a+)+`, or leave the file out with `globs`"],
  });
}

interface Searched {
  readonly args: SearchArguments;
  readonly state: LineSearch;
  readonly tally: SearchTally;
  readonly walk: Walk;
}

function answer({ args, state, tally, walk }: Searched, context: ToolContext): Outcome {
  const notes: string[] = [];
  if (state.matches === 0) notes.push(`no line matches \`${args.pattern}\` in ${countText(tally.searched, "file")}`);
  if (tally.searched + tally.binary + tally.unreadable === 0 && args.globs.length > 0)
    notes.push(whyNoFile(args, context));
  if (state.matches === 0 && tally.binary > 0) notes.push(`${countText(tally.binary, "binary file")} skipped`);
  if (state.matches > args.max_matches)
    notes.push(
      `only the first ${countText(args.max_matches, state.counts ? "file" : "matching line")} are shown: narrow with \`path\` or \`globs\`, or raise \`max_matches\``,
    );
  if (tally.unreadable > 0) notes.push(`${countText(tally.unreadable, "file")} could not be read`);
  notes.push(...walk.notes());
  const counted = [...(state.counts ?? [])];
  const output = state.counts
    ? counted.map(([name, found]) => (args.output_mode === "count" ? `${name}:${found}` : name))
    : state.output;
  const content: Content[] = output.length === 0 ? [] : [{ type: "text", text: `${output.join("\n")}\n` }];
  if (notes.length > 0) content.push({ type: "text", text: `[${notes.join("; ")}]` });
  return { status: "ok", content };
}

/** Explains a failure: a bare word on the command line goes to `globs`, where the folder was meant. */
function whyNoFile({ path, globs }: SearchArguments, { cwd, host }: ToolContext): string {
  const folder = globs.find((glob) => host.instant.stat(resolve(cwd, path, glob))?.kind === "folder");
  if (folder !== undefined) return `\`${folder}\` in \`globs\` is a folder, and globs match files: pass it as \`path\``;
  return `no file below \`${path}\` matches ${globs.map((glob) => `\`${glob}\``).join(", ")} in \`globs\``;
}
