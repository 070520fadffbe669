// A shell line of another agent that runs in the sandbox: `dottool --cwd FOLDER sandbox --write . -- bash -c LINE`.
import { relative, resolve } from "node:path";
import { singleQuoted } from "../../core/base/quote.ts";
import { processEnvironment } from "../../core/base/process-environment.ts";
import { realPath } from "../../core/policy/real-path.ts";
import { failureText } from "../../core/run/failure-text.ts";
import type { Host } from "../../core/tool/host.ts";

export interface SandboxPlace {
  readonly host: Host;
  /** Absolute: the working folder of the agent. */
  readonly cwd: string;
  /** The words that start this program. */
  readonly program: readonly string[];
  /** Where the command runs, if the call says so. */
  readonly folder: string | undefined;
}

/** Agents write for bash. These are absolute because a project may have put a program of this name in PATH. */
const SHELLS = ["/bin/bash", "/usr/bin/bash", "/bin/sh"];
const PLAIN = /^[\w./-]+$/;
const QUOTED = String.raw`'[^']*'(?:\\''[^']*')*`;

/** Returns the line in the sandbox, or why it cannot run there: the end of a sentence that begins with the sandbox. */
export async function sandboxedLine(
  line: string,
  place: SandboxPlace,
): Promise<{ readonly line: string } | { readonly trouble: string }> {
  const { host, cwd } = place;
  const folder = folderOf(place);
  const inner = relative(realPath(cwd, host), realPath(folder, host));
  if (inner.startsWith("..")) return { trouble: `is for the working folder, and the command runs in \`${folder}\`` };
  if (line.includes("\0")) return { trouble: "cannot run a command with a zero byte" };
  const shell = SHELLS.find((path) => host.instant.stat(path)?.kind === "file");
  if (shell === undefined) return { trouble: `needs one of ${SHELLS.join(", ")}` };
  const result = await host.processes.run({
    argv: [shell, "-c", ":"],
    cwd: folder,
    environment: processEnvironment(host, { declared: {}, inherits: true }),
    signal: new AbortController().signal,
    outputBytesMax: 0,
    onOutput: () => undefined,
    confinement: { level: "strict", folder, writes: [folder], reads: [], hosts: [] },
  });
  if (result.kind === "exited" && result.exitCode === 0) return { line: written(line, shell, place) };
  const [said = ""] =
    result.kind === "not-started"
      ? failureText({ ...result, program: shell }, { audience: "person", tool: shell }).split("\n")
      : [];
  return {
    trouble: `does not work here${said === "" ? "" : `: ${said}`}; to test it, run \`dottool sandbox -- true\``,
  };
}

/** Returns the line within one that `sandboxedLine` has made for this place. */
export function lineInSandbox(line: string, place: SandboxPlace): string | undefined {
  const quoted = new RegExp(`${QUOTED}$`).exec(line)?.[0];
  const inner = quoted?.slice(1, -1).replaceAll(String.raw`'\''`, "'");
  return inner !== undefined && SHELLS.some((shell) => written(inner, shell, place) === line) ? inner : undefined;
}

function written(line: string, shell: string, place: SandboxPlace): string {
  const words = [...place.program, "--cwd", folderOf(place), "sandbox", "--write", ".", "--", shell, "-c"];
  return `${words.map((word) => (PLAIN.test(word) ? word : singleQuoted(word))).join(" ")} ${singleQuoted(line)}`;
}

function folderOf({ cwd, folder }: SandboxPlace): string {
  return folder === undefined ? cwd : resolve(cwd, folder);
}
