// Errors of the file system as outcomes: named as the caller wrote the path, with what to do next.
import { basename, dirname, resolve } from "node:path";
import { nearestNames } from "../text/suggest.ts";
import type { Outcome } from "../tool/call.ts";
import { failed } from "../tool/base-tool.ts";
import { codeOf } from "../tool/error-code.ts";
import type { Failure } from "../tool/failure.ts";
import type { ToolContext } from "../tool/tool.ts";
import { shownName } from "./shown-name.ts";

type FileAction = (Failure & { readonly kind: "file" })["action"];

export interface FileTrouble {
  /** As the caller wrote it. */
  readonly path: string;
  readonly action: FileAction;
}

/** Throws on what no file system says: that is a bug of ours. */
export function fileFailure(error: unknown, { path, action }: FileTrouble, context: ToolContext): Outcome {
  const code = codeOf(error);
  if (code === undefined) throw error;
  return failed({ kind: "file", path, action, code, help: helpFor(code, { path, action }, context) });
}

function helpFor(code: string, { path, action }: FileTrouble, context: ToolContext): readonly string[] {
  if (code === "EISDIR") return ["`list_dir` shows what is in a folder"];
  if (code === "ENOTDIR" && action !== "write") return ["`read_file` shows what is in a file"];
  if (code !== "ENOENT") return [];
  return [nearby(path, context), ...(action === "write" ? ["`create_dirs` makes the folders that are missing"] : [])].filter((line) => line !== "");
}

const NAMES_SHOWN_MAX = 10;

/** What there is where `path` was looked for: names like it, or the first ones. */
function nearby(path: string, context: ToolContext): string {
  let missing = resolve(context.cwd, path);
  let folder = dirname(missing);
  while (context.host.instant.stat(folder)?.kind !== "folder") {
    if (dirname(folder) === folder) return "";
    missing = folder;
    folder = dirname(folder);
  }
  const names = namesIn(folder, context);
  const near = nearestNames(basename(missing), names);
  if (near.length > 0) return `\`${folder}\` has ${near.map((name) => `\`${name}\``).join(", ")}`;
  if (names.length === 0) return `\`${folder}\` has nothing that can be seen`;
  const more = names.length > NAMES_SHOWN_MAX ? ` and ${names.length - NAMES_SHOWN_MAX} more` : "";
  return `\`${folder}\` has no \`${basename(missing)}\`; it has ${names.slice(0, NAMES_SHOWN_MAX).map((name) => `\`${name}\``).join(", ")}${more}`;
}

function namesIn(folder: string, context: ToolContext): readonly string[] {
  try {
    return context.host.instant.list(folder).map((entry) => shownName(entry.name));
  } catch {
    return [];
  }
}
