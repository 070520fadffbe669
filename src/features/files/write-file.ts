// `write_file`: a whole file, at once or not at all.
import { dirname, join, resolve } from "node:path";
import { boolean, path, string } from "../../core/schema/declare.ts";
import type { Outcome } from "../../core/tool/call.ts";
import { baseTool, failed, okText } from "../../core/tool/base-tool.ts";
import { codeOf } from "../../core/tool/error-code.ts";
import type { WriteLock } from "../../core/tool/host.ts";
import type { ToolContext } from "../../core/tool/tool.ts";
import { fileFailure } from "../../core/base/file-failure.ts";
import { oneAtATime } from "./one-at-a-time.ts";

export const writeFile = baseTool({
  name: "write_file",
  title: "Write file",
  description:
    "Create or replace a text file, as UTF-8; `edit_file` changes parts. The file is replaced in one step, so no reader sees half of it, and an error leaves the old one. " +
    "An existing file keeps its owner and permissions, except setuid and setgid; a link stays, and its target is written. A file with hard links, or with an owner that cannot be kept otherwise, is written in place. Returns the size in bytes, and whether the file was created or replaced.",
  parameters: {
    file_path: path("The file, absolute or relative to the working directory", {
      required: true,
      example: "notes/today.md",
    }),
    content: string("The whole content; nothing is added, not even a final line end", {
      required: true,
      mayHoldNul: true,
      example: "# Today\n",
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
