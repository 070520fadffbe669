// `list_dir`: what is in a folder, in process, as `ls` and `tree` show it.
import { join, resolve } from "node:path";
import { boolean, integer, path } from "../../core/schema/declare.ts";
import type { Outcome } from "../../core/tool/call.ts";
import { baseTool, cancelled } from "../../core/tool/base-tool.ts";
import type { WalkEntry } from "../../core/tool/host.ts";
import type { ToolContext } from "../../core/tool/tool.ts";
import { fileFailure } from "../../core/base/file-failure.ts";
import { shownName } from "../../core/base/shown-name.ts";
import { walkBelow } from "./walk.ts";

export const listDir = baseTool({
  name: "list_dir",
  title: "List folder",
  description:
    "List the entries of a folder, and with `depth` of the folders below it. Leaves out hidden and ignored ones. " +
    "Returns one entry a line, sorted: the size in bytes (`-` for folders, `@` for links, `?` for devices and the like), then the path below the folder; a folder ends with `/`. To find files by name use `find_files`.",
  parameters: {
    path: path("The folder", { default: ".", example: "src" }),
    depth: integer("How many levels to list; 1 is the folder itself", { minimum: 1, maximum: 100, default: 1 }),
    hidden: boolean("Also what begins with a dot", { default: false }),
    ignored: boolean("Also what `.gitignore` and `.ignore` name", { default: false }),
    max_entries: integer("At most so many entries", { minimum: 1, maximum: 100_000, default: 1_000 }),
  },
  quotesFiles: true,
  effects: ["read"],
  examples: [{ path: "src", depth: 2 }],
  execute: async (args, context) => {
    try {
      return await list(args, context);
    } catch (error) {
      return fileFailure(error, { path: args.path, action: "list" }, context);
    }
  },
});

interface ListArguments {
  readonly path: string;
  readonly depth: number;
  readonly hidden: boolean;
  readonly ignored: boolean;
  readonly max_entries: number;
}

async function list(args: ListArguments, context: ToolContext): Promise<Outcome> {
  const top = resolve(context.cwd, args.path);
  const reads = args.depth > 1 ? "names" : undefined;
  const walk = await walkBelow(top, { ...args, depthMax: args.depth, reads }, context);
  const rows: { readonly size: string; readonly path: string }[] = [];
  let isCut = false;
  for await (const entry of context.host.files.walk(top, walk.options)) {
    isCut = rows.length === args.max_entries;
    if (isCut) break;
    rows.push({
      size: sizeOf(entry, top, context),
      path: shownName(entry.kind === "folder" ? `${entry.path}/` : entry.path),
    });
  }
  if (context.signal.aborted) return cancelled;
  if (rows.length === 0)
    return {
      status: "ok",
      content: [
        {
          type: "text",
          text: `[\`${args.path}\` has no visible entries${args.hidden && args.ignored ? "" : "; there may be hidden or ignored entries"}]`,
        },
      ],
    };
  const width = Math.max(...rows.map((row) => row.size.length));
  const text = rows.map((row) => `${row.size.padStart(width)}  ${row.path}\n`).join("");
  const notes = [
    ...(isCut ? [`only the first ${args.max_entries} are shown: list a folder below, or raise \`max_entries\``] : []),
    ...(rows.some(({ size }) => size === "?") ? ["a size shown as `?` could not be read"] : []),
    ...walk.notes(),
  ];
  return {
    status: "ok",
    content: [{ type: "text", text }, ...notes.map((note) => ({ type: "text" as const, text: `[${note}]` }))],
  };
}

function sizeOf(entry: WalkEntry, top: string, context: ToolContext): string {
  if (entry.kind === "folder") return "-";
  if (entry.kind === "link") return "@";
  // An entry may have disappeared since its folder was read.
  return entry.kind === "file" ? String(context.host.instant.stat(join(top, entry.path))?.sizeBytes ?? "?") : "?";
}
