// A shell line of another agent that runs in the sandbox: `dottool --cwd FOLDER sandbox --write . -- bash -c LINE`.
import { relative, resolve } from "node:path";
import { singleQuoted } from "../../core/base/quote.ts";
import { processEnvironment } from "../../core/base/process-environment.ts";
import { projectOf } from "../../core/policy/project.ts";
import { isWithin, realPath } from "../../core/policy/real-path.ts";
import { failureText } from "../../core/run/failure-text.ts";
import type { Host } from "../../core/tool/host.ts";
import { containmentOf } from "./contained.ts";

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

/**
 * Matches a change of the folder before all else, which stays outside: clients note the folder in which a line ends.
 */
const FOLDER_FIRST = /^[ \t]*cd[ \t]+([\w./@:+-]+|'[^']*'|"[^"$`\\!]*")[ \t]*&&[ \t]*(?=\S)/;

/** Returns the line with the options of `sandbox` that it needs; it fails where the sandbox does not work. */
export function containedLine(
  line: string,
  place: SandboxPlace,
): { readonly line: string } | { readonly trouble: string } {
  const { host, cwd } = place;
  const [start = "", word = "."] = FOLDER_FIRST.exec(line) ?? [];
  const folder = resolve(folderOf(place), word.replace(/^(['"])(.*)\1$/s, "$2"));
  if (!isWithin(realPath(folder, host), projectOf(cwd, host)))
    return { trouble: `is for the project, and the command runs in \`${folder}\`` };
  const shell = shellFor(line, place);
  if (typeof shell !== "string") return shell;
  const rest = line.slice(start.length);
  const found = containmentOf(rest, { host, cwd: folder });
  const words = found.kind === "contained" ? found.words : ["--work"];
  return { line: `${start}${written(rest, { ...place, folder }, [...words, "--", shell, "-c"])}` };
}

/** Returns the line in the sandbox, or why it cannot run there: the end of a sentence that begins with the sandbox. */
export async function sandboxedLine(
  line: string,
  place: SandboxPlace,
): Promise<{ readonly line: string } | { readonly trouble: string }> {
  const { host, cwd } = place;
  const folder = folderOf(place);
  const inner = relative(realPath(cwd, host), realPath(folder, host));
  if (inner.startsWith("..")) return { trouble: `is for the working folder, and the command runs in \`${folder}\`` };
  const shell = shellFor(line, place);
  if (typeof shell !== "string") return shell;
  const result = await host.processes.run({
    argv: [shell, "-c", ":"],
    cwd: folder,
    environment: processEnvironment(host, { declared: {}, inherits: true }),
    signal: new AbortController().signal,
    outputBytesMax: 0,
    onOutput: () => undefined,
    confinement: { level: "strict", folder, writes: [folder], reads: [], hosts: [] },
  });
  if (result.kind === "exited" && result.exitCode === 0)
    return { line: written(line, place, ["--write", ".", "--", shell, "-c"]) };
  const [said = ""] =
    result.kind === "not-started"
      ? failureText({ ...result, program: shell }, { audience: "person", tool: shell }).split("\n")
      : [];
  return {
    trouble: `does not work here${said === "" ? "" : `: ${said}`}; to test it, run \`dottool sandbox -- true\``,
  };
}

/** Returns the line within one that `sandboxedLine` or `containedLine` has made for this place. */
export function lineInSandbox(line: string, place: SandboxPlace): string | undefined {
  const quoted = new RegExp(`${QUOTED}$`).exec(line)?.[0];
  const inner = quoted?.slice(1, -1).replaceAll(String.raw`'\''`, "'");
  if (inner === undefined) return undefined;
  if (SHELLS.some((shell) => written(inner, place, ["--write", ".", "--", shell, "-c"]) === line)) return inner;
  const whole = `${FOLDER_FIRST.exec(line)?.[0] ?? ""}${inner}`;
  const made = containedLine(whole, place);
  return "line" in made && made.line === line ? whole : undefined;
}

function shellFor(line: string, { host }: SandboxPlace): string | { readonly trouble: string } {
  if (line.includes("\0")) return { trouble: "cannot run a command with a zero byte" };
  const shell = SHELLS.find((path) => host.instant.stat(path)?.kind === "file");
  return shell ?? { trouble: `needs one of ${SHELLS.join(", ")}` };
}

/** `options` are those of `sandbox`, and the shell. */
function written(line: string, place: SandboxPlace, options: readonly string[]): string {
  const words = [...place.program, "--cwd", folderOf(place), "sandbox", ...options];
  return `${words.map((word) => (PLAIN.test(word) ? word : singleQuoted(word))).join(" ")} ${singleQuoted(line)}`;
}

function folderOf({ cwd, folder }: SandboxPlace): string {
  return folder === undefined ? cwd : resolve(cwd, folder);
}
