// What a model gets besides its task: the person's file of `--system`, and the `AGENTS.md` of the project once that is
// trusted, because whoever wrote it directs the model.
import { dirname, join, relative } from "node:path";
import type { OpenedSession } from "../../core/session/assemble.ts";
import { projectRootOf } from "../../core/catalog/trust.ts";
import { codeOf } from "../../core/tool/error-code.ts";
import type { Failure } from "../../core/tool/failure.ts";
import type { Host } from "../../core/tool/host.ts";
import type { Terminal } from "../../core/tool/terminal.ts";
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
export function projectPart(
  opened: OpenedSession,
  { errors }: Terminal,
  given: string | undefined,
): { readonly project?: string } {
  const { catalogue, host, cwd } = opened;
  const tools = catalogue().folders.find(({ scope }) => scope === "project");
  const path = join(tools ? dirname(projectRootOf(tools.path)) : cwd, NAME);
  const isLink = host.instant.isLink(path);
  if (isLink === undefined || path === given) return {};
  const shown = relative(cwd, path);
  const leaveOut = (code: string, reason: string, ...help: readonly string[]): Record<string, never> => {
    const lines = [...help, `to pass it all the same: --system ${shown}`].map((line) => `  = ${line}\n`);
    errors.write(
      printableLines(`warning[${code}]: \`${shown}\` is not passed to the model: ${reason}\n${lines.join("")}`),
    );
    return {};
  };
  if (!tools) return leaveOut("untrusted", "a project is trusted with its `.tools`, and there are none");
  if (!catalogue().trustOf(tools).isTrusted)
    return leaveOut("untrusted", "the project is not trusted", "dottool trust");
  // A link could pass a file of the person to the model.
  if (isLink) return leaveOut("agents", "it is a link");
  try {
    const project = new TextDecoder().decode(host.instant.readBytes(path, BYTES_MAX));
    errors.write(printableLines(`\`${shown}\` of the project is a part of the prompt\n`));
    return { project };
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    return leaveOut(
      "agents",
      code === "EFBIG" ? `it has more than ${BYTES_MAX / 1024} KiB` : `it cannot be read (${code})`,
    );
  }
}
