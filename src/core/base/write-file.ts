// `write_file`: a whole file, at once or not at all.
import { dirname, join, resolve } from "node:path";
import { boolean, path, string } from "../schema/declare.ts";
import type { Outcome } from "../tool/call.ts";
import { baseTool, failed, okText } from "../tool/base-tool.ts";
import { codeOf } from "../tool/error-code.ts";
import type { WriteLock } from "../tool/host.ts";
import type { ToolContext } from "../tool/tool.ts";
import { fileFailure } from "./file-failure.ts";
import { oneAtATime } from "./one-at-a-time.ts";

export const writeFile = baseTool({
  name: "write_file",
  title: "Write file",
  description:
    "Create or replace a UTF-8 file; `edit_file` changes parts. It is replaced in one step and keeps its owner and permissions; the target of a link is written.",
  parameters: {
    file_path: path("The file", {
      required: true,
      example: "notes/today.md",
    }),
    content: string("The whole content; no line end is added", {
      required: true,
      mayHoldNul: true,
    }),
    create_dirs: boolean("Create missing folders", { default: false }),
  },
  effects: ["write"],
  examples: [{ file_path: "notes/today.md", content: "# Today\n", create_dirs: true }],
  execute: async (args, context) => {
    try {
      return await oneAtATime(args.file_path, context, (lock) => write(args, context, lock));
    } catch (error) {
      if (codeOf(error) === "ESTALE")
        return failed({
          kind: "rejected",
          reason: `\`${args.file_path}\` was not written: this call lost its lock on the file to another call`,
          help: ["read the file, then repeat the call"],
        });
      return fileFailure(error, { path: args.file_path, action: "write" }, context);
    }
  },
});

interface WriteArguments {
  readonly file_path: string;
  readonly content: string;
  readonly create_dirs: boolean;
}

async function write(args: WriteArguments, context: ToolContext, lock: WriteLock | undefined): Promise<Outcome> {
  const { files } = context.host;
  const target = resolve(context.cwd, args.file_path);
  const bytes = new TextEncoder().encode(args.content);
  // The system would be asked for a file with the name before the slash.
  if (args.file_path.endsWith("/") || (context.host.platform === "windows" && args.file_path.endsWith("\\"))) {
    return failed({
      kind: "rejected",
      reason: `\`${args.file_path}\` names a folder: it ends in \`${args.file_path.slice(-1)}\``,
      help: [`name the file, such as \`${join(args.file_path, "notes.txt")}\``],
    });
  }
  const before = await files.stat(target);
  if (args.create_dirs && !before) await files.makeFolder(dirname(target));
  await files.write(target, bytes, { lock });
  const done = before
    ? `replaced \`${args.file_path}\` (it had ${before.sizeBytes} bytes)`
    : `created \`${args.file_path}\``;
  return okText(`${done}: ${bytes.length} ${bytes.length === 1 ? "byte" : "bytes"}`);
}
