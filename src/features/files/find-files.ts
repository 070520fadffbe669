// `find_files`: paths by name, in process, as `fd` and `rg --files` find them.
import { join, posix, resolve } from "node:path";
import { array, boolean, choice, integer, path, string } from "../../core/schema/declare.ts";
import type { Outcome } from "../../core/tool/call.ts";
import { baseTool, cancelled, failed } from "../../core/tool/base-tool.ts";
import type { WalkEntry } from "../../core/tool/host.ts";
import type { ToolContext } from "../../core/tool/tool.ts";
import { fileFailure } from "../../core/base/file-failure.ts";
import { checkGlobs, GLOB_LENGTH_MAX, type GlobFilter, globFilter } from "./glob-filter.ts";
import { shownName } from "../../core/base/shown-name.ts";
import { walkBelow } from "./walk.ts";

export const DEPTH_MAX = 256;
const BATCH_ENTRIES = 1_000;

export const findFiles = baseTool({
  name: "find_files",
  title: "Find files",
  description:
    "Find files by glob pattern, anywhere below a folder. Leaves out hidden and ignored ones; does not follow links. " +
    "Returns one path per line, sorted. To find text inside files use `search_text`.",
  parameters: {
    patterns: array(
      string("`*.ts` matches a name in any folder, `src/**/*.test.ts` a path below `path`; `!*.d.ts` leaves out", {
        minimumLength: 1,
        maximumLength: GLOB_LENGTH_MAX,
      }),
      "Glob patterns with `*`, `**`, `?`, `[a-z]`, `{a,b}`; a path has to match one of them",
      { required: true, minimumItems: 1, maximumItems: 100, example: ["*.tool"] },
    ),
    path: path("The folder to look in", { default: "." }),
    type: choice(["file", "folder", "any"], "What to find", { default: "file" }),
    hidden: boolean("Also what begins with a dot", { default: false }),
    ignored: boolean("Also what `.gitignore` and `.ignore` name", { default: false }),
    max_paths: integer("At most so many paths", { minimum: 1, maximum: 100_000, default: 1_000 }),
  },
  quotesFiles: true,
  effects: ["read"],
  examples: [{ patterns: ["src/**/*.ts", "!*.test.ts"] }],
  check: ({ patterns }) => checkGlobs("patterns", patterns),
  execute: async (args, context) => {
    try {
      return await find(args, context);
    } catch (error) {
      return fileFailure(error, { path: args.path, action: "list" }, context);
    }
  },
});

interface FindArguments {
  readonly patterns: readonly string[];
  readonly path: string;
  readonly type: "file" | "folder" | "any";
  readonly hidden: boolean;
  readonly ignored: boolean;
  readonly max_paths: number;
}

async function find(args: FindArguments, context: ToolContext): Promise<Outcome> {
  const top = resolve(context.cwd, args.path);
  const filter = await globFilter(args.patterns, context.host);
  const walk = await walkBelow(top, { ...args, depthMax: DEPTH_MAX, reads: "names" }, context);
  const found: string[] = [];
  let batch: WalkEntry[] = [];
  for await (const entry of context.host.files.walk(top, walk.options)) {
    if (!isOfType(entry, args.type, () => context.host.instant.stat(join(top, entry.path))?.kind === "file")) continue;
    if (batch.push(entry) < BATCH_ENTRIES) continue;
    const slow = addMatches(found, batch, filter);
    if (slow !== undefined) return tooSlow(slow);
    batch = [];
    if (found.length > args.max_paths) break;
  }
  const slow = addMatches(found, batch, filter);
  if (slow !== undefined) return tooSlow(slow);
  return context.signal.aborted ? cancelled : withNotes(answer(found, args), walk.notes());
}

/** Whether an entry has the type. A link has that of its target. */
function isOfType(entry: WalkEntry, type: FindArguments["type"], pointsToFile: () => boolean): boolean {
  if (type === "any") return true;
  return entry.kind === type || (type === "file" && entry.kind === "link" && pointsToFile());
}

function addMatches(found: string[], batch: readonly WalkEntry[], filter: GlobFilter): string | undefined {
  const matches = filter(batch.map((entry) => entry.path));
  if ("tooSlow" in matches) return matches.tooSlow;
  for (const [index, entry] of batch.entries())
    if (matches[index]) found.push(entry.kind === "folder" ? `${entry.path}/` : entry.path);
  return undefined;
}

export function tooSlow(patterns: string): Outcome {
  return failed({
    kind: "rejected",
    reason: `\`${patterns}\` takes too long to match`,
    help: ["use fewer `*` in one name, and no nested groups"],
  });
}

function withNotes(outcome: Outcome, notes: readonly string[]): Outcome {
  const content = notes.map((note) => ({ type: "text", text: `[${note}]` }) as const);
  return { ...outcome, content: [...outcome.content, ...content] };
}

function answer(found: readonly string[], args: FindArguments): Outcome {
  if (found.length === 0)
    return {
      status: "ok",
      content: [
        {
          type: "text",
          text: `[nothing in \`${args.path}\` matches ${args.patterns.map((pattern) => `\`${pattern}\``).join(", ")}]`,
        },
      ],
    };
  const lines = found.slice(0, args.max_paths).map((path) => shownName(posix.join(args.path, path)));
  const list = { type: "text", text: `${lines.join("\n")}\n` } as const;
  if (found.length <= args.max_paths) return { status: "ok", content: [list] };
  return {
    status: "ok",
    content: [
      list,
      {
        type: "text",
        text: `[only the first ${args.max_paths} are shown: narrow the patterns, or raise \`max_paths\`]`,
      },
    ],
  };
}
