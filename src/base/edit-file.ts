// `edit_file`: replaces texts in a file, each found exactly once, all of them or none.
import { resolve } from "node:path";
import { array, boolean, object, path, string } from "../schema/declare.ts";
import type { Outcome } from "../tool/call.ts";
import { baseTool, failed, okText } from "../tool/base-tool.ts";
import { codeOf } from "../tool/error-code.ts";
import type { WriteLock } from "../tool/host.ts";
import type { ToolContext } from "../tool/tool.ts";
import { applyEdits, type Edit } from "./apply-edits.ts";
import { fileFailure } from "./file-failure.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { shownName } from "./shown-name.ts";
import { formatOf } from "./text-blocks.ts";

const FILE_BYTES_MAX = 8 * 1024 * 1024;
const EDITS_MAX = 1_000;
/** The limit of edits times the size of the file: searching takes about a second. */
const SEARCHED_CHARACTERS_MAX = 1_000_000_000;
const DIFF_MS_MAX = 1_000;

export const editFile = baseTool({
  name: "edit_file",
  title: "Edit file",
  description:
    "Replace texts in a UTF-8 file. Each `search` must match exactly once, including its indentation: copy it from `read_file`, with enough lines around it to be unique. " +
    "Edits apply in order, each to the result of the ones before it; if one fails, nothing is written, and the answer shows the nearest text or the lines of all matches. " +
    "`\\n` in `search` matches the line ends of the file, and those are kept. Returns a unified diff.",
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

async function edit(
  { file_path: shown, edits, dry_run: isRehearsal }: EditArguments,
  context: ToolContext,
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

async function unifiedDiff(shown: string, before: string, after: string): Promise<string> {
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import("diff");
  const name = shownName(shown);
  const patch = createTwoFilesPatch(name, name, before, after, undefined, undefined, {
    context: 3,
    timeout: DIFF_MS_MAX,
    headerOptions: FILE_HEADERS_ONLY,
  });
  return patch ?? "(the diff takes too long to make)";
}
