// What a model gets besides its task: the person's file of `--system`, and the `AGENTS.md` of a trusted project as a
// person has read it, because whoever wrote it directs the model.
import { dirname, join, relative } from "node:path";
import type { OpenedSession } from "../../core/session/assemble.ts";
import { projectRootOf } from "../../core/catalog/trust.ts";
import { codeOf } from "../../core/tool/error-code.ts";
import type { Failure } from "../../core/tool/failure.ts";
import type { Host } from "../../core/tool/host.ts";
import type { Terminal } from "../../core/tool/terminal.ts";
import { type FileFormat, readCheckedFile, withChecksum } from "../../core/store/checked-file.ts";
import { canAsk } from "../../cli/session/trust-prompt.ts";
import { broken, showByPages } from "../../cli/view/asked-call.ts";
import { printableLines } from "../../cli/view/layout.ts";

export type Instructions = { readonly instructions?: string } | { readonly failure: Failure };

const SYSTEM_BYTES_MAX = 1024 * 1024;

export function readInstructions(path: string, host: Host): Instructions {
  try {
    return { instructions: new TextDecoder().decode(host.instant.readBytes(path, SYSTEM_BYTES_MAX)) };
  } catch (error) {
    return { failure: { kind: "file", path, action: "read", code: codeOf(error) ?? "error" } };
  }
}

const NAME = "AGENTS.md";
/** About 8,000 tokens, which every request carries. */
const BYTES_MAX = 32 * 1024;

/** Returns the text of `AGENTS.md`, and tells the person what became of it. `given`: the file of `--system`. */
export async function projectPart(
  { catalogue, host, cwd }: OpenedSession,
  terminal: Terminal,
  given: string | undefined,
): Promise<{ readonly project?: string }> {
  const tools = catalogue().folders.find(({ scope }) => scope === "project");
  const path = join(tools ? dirname(projectRootOf(tools.path)) : cwd, NAME);
  const isLink = host.instant.isLink(path);
  if (isLink === undefined || path === given) return {};
  const shown = relative(cwd, path);
  const leaveOut = (code: string, reason: string, ...help: readonly string[]): Record<string, never> => {
    const lines = [...help, `to pass it all the same: --system ${shown}`].map((line) => `  = ${line}\n`);
    const warning = `warning[${code}]: \`${shown}\` is not passed to the model: ${reason}\n${lines.join("")}`;
    terminal.errors.write(printableLines(warning));
    return {};
  };
  if (!tools) return leaveOut("untrusted", "a project is trusted with its `.tools`, and there are none");
  if (!catalogue().trustOf(tools).isTrusted)
    return leaveOut("untrusted", "the project is not trusted", "dottool trust");
  // A link could pass a file of the person to the model.
  if (isLink) return leaveOut("agents", "it is a link");
  let project: string;
  try {
    project = new TextDecoder().decode(host.instant.readBytes(path, BYTES_MAX));
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    return leaveOut("agents", code === "EFBIG" ? `it has over ${BYTES_MAX / 1024} KiB` : `it cannot be read (${code})`);
  }
  const unread = await whyUnread(path, project, { host, terminal });
  if (unread !== undefined) return leaveOut("untrusted", unread);
  terminal.errors.write(printableLines(`\`${shown}\` of the project is a part of the prompt\n`));
  return { project };
}

const READ_FORMAT: FileFormat = { name: "agents", version: 1 };

type Asking = Pick<OpenedSession, "host"> & { readonly terminal: Terminal };

/** Asks a person who has not read this text. Returns why it may not be passed; undefined if a person has read it. */
async function whyUnread(path: string, text: string, { host, terminal }: Asking): Promise<string | undefined> {
  const record = join(host.folders.state, "agents-md", `${host.sha256(host.instant.realPath(path)).slice(0, 32)}.txt`);
  const read = readCheckedFile(record, { host, format: READ_FORMAT, bytesMax: 4 * BYTES_MAX });
  const before = read.kind === "content" ? new TextDecoder().decode(read.bytes) : undefined;
  if (before === text) return undefined;
  const reason = before === undefined ? "you have not read it here yet" : "it has changed since you read it";
  if (!canAsk(terminal, host)) return `${reason}; \`dottool agent\` asks at a terminal`;
  const { unifiedDiff } = await import("../files/edit-file.ts");
  const shown = before === undefined ? text : await unifiedDiff(NAME, before, text);
  const lines = `\`${NAME}\` would tell the model this:\n\n${shown}`.split("\n");
  const rows = lines.flatMap((line) => broken(printableLines(line), terminal.errors.columns));
  if (!(await showByPages(rows, terminal))) return "you have not read it to its end";
  const answer = (await terminal.input.ask("pass it to the model? [y/N] "))?.trim() ?? "";
  if (!/^y(?:es)?$/i.test(answer)) return "you said no";
  host.instant.replace(record, withChecksum(READ_FORMAT, text), { isSynced: true });
  return undefined;
}
