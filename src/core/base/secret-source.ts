// Sources of the secrets in the user's configuration: the environment, a file of the user's own, or the command of a
// key store. The configuration names the source and never holds the secret, so that it can be shown, copied and kept
// under version control.
import { Buffer } from "node:buffer";
import { isAbsolute, join } from "node:path";
import { codeOf } from "../tool/error-code.ts";
import type { Host } from "../tool/host.ts";
import type { ToolContext } from "../tool/tool.ts";
import { processEnvironment } from "./process-environment.ts";
import { placedProgram, splitProgram } from "./program-words.ts";

export type SecretSource =
  | { readonly kind: "environment"; readonly name: string }
  /** Absolute. */
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "command"; readonly argv: readonly string[] };

/** A problem with the source of a secret. The source is not shown, because by mistake it may be the secret. */
interface SourceProblem {
  readonly problem: string;
}

export type Secret =
  | { readonly kind: "secret"; readonly value: string }
  | { readonly kind: "missing"; readonly reason: string; readonly help: string }
  | { readonly kind: "cancelled" };

type SecretContext = Pick<ToolContext, "host" | "signal">;

export const SECRET_FORMS =
  "`env:NAME` (an environment variable), `file:PATH` (a file that only you can read) or `command:…` (a key store's command, such as `command:pass show api`)";

const SECRET_BYTES_MAX = 64 * 1024;
const OTHERS_MAY_DO_ANYTHING = 0o077;

export function parseSecretSource(text: string, host: Host): SecretSource | SourceProblem {
  const [, form, rest = ""] = /^(env|file|command):(.*)$/s.exec(text.trim()) ?? [];
  const place = rest.trim();
  switch (form) {
    case "env":
      return /^[A-Za-z_][A-Za-z0-9_]*$/.test(place)
        ? { kind: "environment", name: place }
        : { problem: "has `env:` without a variable name; write it like `env:OPENAI_KEY`" };
    case "file": {
      if (place.startsWith("~/")) return { kind: "file", path: join(host.folders.home, place.slice(2)) };
      return isAbsolute(place)
        ? { kind: "file", path: place }
        : { problem: "has `file:` without an absolute path; write it like `file:~/.keys/openai`" };
    }
    case "command": {
      const split = splitProgram(place);
      const placed = "words" in split ? placedProgram(split.words, host) : split;
      return "words" in placed
        ? { kind: "command", argv: placed.words }
        : { problem: `has a \`command:\` that ${placed.problem}` };
    }
    default:
      return { problem: `must name the place of the secret, not its value: ${SECRET_FORMS}` };
  }
}

/** Describes a source for people: "the variable OPENAI_KEY". */
export function sourceText(source: SecretSource): string {
  switch (source.kind) {
    case "environment":
      return `the variable ${source.name}`;
    case "file":
      return `the file \`${source.path}\``;
    case "command":
      return `the command \`${source.argv.join(" ")}\``;
  }
}

/**
 * Reads a secret: one line without blanks around it. Only the first line counts, because key stores keep notes below.
 */
export async function readSecret(source: SecretSource, context: SecretContext): Promise<Secret> {
  switch (source.kind) {
    case "environment":
      return (
        firstLine(context.host.environment(source.name) ?? "", source) ?? {
          kind: "missing",
          reason: `the variable ${source.name} is not set`,
          help: `set ${source.name} in the environment of dottool`,
        }
      );
    case "file":
      return readFileSecret(source, context.host);
    case "command":
      return askKeyStore(source, context);
  }
}

/** Returns why the file cannot be used, or undefined if it can. */
export function fileTrouble(path: string, host: Host): { readonly reason: string; readonly help: string } | undefined {
  const stat = host.instant.stat(path);
  const shown = `\`${path}\``;
  if (!stat)
    return {
      reason: `there is no file ${shown}`,
      help: `write the key, and nothing else, to ${shown}, then: chmod 600 '${path}'`,
    };
  if (stat.kind !== "file")
    return { reason: `${shown} is not a file`, help: "name a file that holds the key and nothing else" };
  if (!stat.isOwn) return { reason: `${shown} belongs to another user`, help: "use a file that you own" };
  if (host.platform !== "windows" && (stat.mode & OTHERS_MAY_DO_ANYTHING) !== 0)
    return { reason: `other users can read or change ${shown}`, help: `chmod 600 '${path}'` };
  return undefined;
}

function readFileSecret(source: SecretSource & { readonly kind: "file" }, host: Host): Secret {
  const trouble = fileTrouble(source.path, host);
  if (trouble) return { kind: "missing", ...trouble };
  try {
    const text = Buffer.from(host.instant.readBytes(source.path, SECRET_BYTES_MAX)).toString("utf8");
    return (
      firstLine(text, source) ?? {
        kind: "missing",
        reason: `\`${source.path}\` is empty`,
        help: "write the key to it, and nothing else",
      }
    );
  } catch (error) {
    return {
      kind: "missing",
      reason: `\`${source.path}\` cannot be read (${codeOf(error) ?? "error"})`,
      help: "name a file that holds the key and nothing else",
    };
  }
}

/**
 * Runs the user's own command with the user's whole environment, in which key stores find their agents. It runs at
 * home, where no project has any influence.
 */
async function askKeyStore(
  source: SecretSource & { readonly kind: "command" },
  { host, signal }: SecretContext,
): Promise<Secret> {
  const pieces: Uint8Array[] = [];
  const result = await host.processes.run({
    argv: source.argv,
    cwd: host.folders.home,
    confinement: { unconfined: "settings" },
    environment: processEnvironment(host, { declared: {}, inherits: true, takesSecrets: true }),
    signal,
    outputBytesMax: SECRET_BYTES_MAX,
    onOutput: (stream, bytes) => void (stream === "stdout" && pieces.push(bytes)),
  });
  const command = sourceText(source);
  // The output is not shown, because it may contain the key.
  const help = "run it yourself to see why";
  if (result.kind === "busy")
    return {
      kind: "missing",
      reason: `${command} cannot run: ${result.waiting} processes are already waiting`,
      help: "call again when some have finished",
    };
  if (result.kind === "not-started")
    return {
      kind: "missing",
      reason:
        result.reason === "program-missing" || result.reason === "file-missing"
          ? `there is no program \`${source.argv[0]}\``
          : `${command} cannot be started`,
      help: "install it, or give its path",
    };
  if (result.stopped === "aborted") return { kind: "cancelled" };
  if (result.stopped === "output-limit")
    return { kind: "missing", reason: `${command} printed more than ${SECRET_BYTES_MAX} bytes`, help };
  if (result.exitCode !== 0)
    return {
      kind: "missing",
      reason: `${command} ended with ${result.exitCode === undefined ? (result.signalName ?? "a signal") : `exit code ${result.exitCode}`}`,
      help,
    };
  return (
    firstLine(Buffer.concat(pieces).toString("utf8"), source) ?? {
      kind: "missing",
      reason: `${command} printed nothing`,
      help,
    }
  );
}

/** Returns the first line as the secret, or undefined if it is empty. */
function firstLine(text: string, source: SecretSource): Secret | undefined {
  const line = text.trim().split(/\r?\n/, 1)[0]?.trim() ?? "";
  if (line === "") return undefined;
  if (/^[\x21-\x7e]{1,4096}$/.test(line)) return { kind: "secret", value: line };
  return {
    kind: "missing",
    reason: `${sourceText(source)} has characters that cannot be in a key`,
    help: "it must print the key and nothing else",
  };
}
