// Sources of the secrets in the user's configuration: the environment, a file of the user's own, or the command of a
// key store. The configuration names the source and never holds the secret, so that it can be shown, copied and kept
// under version control.
import { Buffer } from "node:buffer";
import { isAbsolute, join } from "node:path";
import { rowOf } from "../text/row-of.ts";
import { codeOf } from "../tool/error-code.ts";
import type { Host } from "../tool/host.ts";
import type { ToolContext } from "../tool/tool.ts";
import { processEnvironment } from "./process-environment.ts";
import { placedProgram, splitProgram } from "./program-words.ts";

export type SecretSource =
  | { readonly kind: "environment"; readonly name: string }
  /** Absolute. */
  | { readonly kind: "file"; readonly path: string }
  /** `isStore`: it is that of a key store, which may ask its user, and is asked once. */
  | { readonly kind: "command"; readonly argv: readonly string[]; readonly isStore?: true };

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
  "`env:NAME` (an environment variable), `file:PATH` (a file that only you can read), `op://VAULT/ITEM/FIELD`, `bw://ITEM`, `vault:PATH#FIELD`, `pass:NAME`, `keychain:SERVICE`, `gh`, or `command:…` (any command that prints it)";

interface KeyStore {
  /** What is written in the configuration. */
  readonly form: string;
  readonly pattern: RegExp;
  /** Returns the command that prints the secret, for the groups of the pattern. */
  argv(place: readonly string[], platform: Host["platform"]): readonly string[];
}

/** A place never begins with `-`, so it is no option of the command. */
const keyStores: Readonly<Record<string, KeyStore>> = {
  // https://developer.1password.com/docs/cli/reference/commands/read
  op: {
    form: "op://VAULT/ITEM/FIELD",
    pattern: /^(\/\/[^/]+\/[^/]+\/.+)$/,
    argv: ([reference = ""]) => ["op", "read", `op:${reference}`],
  },
  // https://bitwarden.com/help/cli/#get: the password of the one item that the text finds.
  bw: {
    form: "bw://ITEM",
    pattern: /^\/\/([^-].*)$/,
    argv: ([item = ""]) => ["bw", "get", "password", item, "--nointeraction"],
  },
  // https://developer.hashicorp.com/vault/docs/commands/kv/get
  vault: {
    form: "vault:secret/PATH#FIELD",
    pattern: /^([^-#][^#]*)#([^#]+)$/,
    argv: ([path = "", field = ""]) => ["vault", "kv", "get", `-field=${field}`, path],
  },
  // pass(1)
  pass: { form: "pass:NAME", pattern: /^([^-].*)$/, argv: ([name = ""]) => ["pass", "show", name] },
  // security(1) of macOS; secret-tool(1) of libsecret, which finds what has these attributes.
  keychain: {
    form: "keychain:SERVICE/ACCOUNT",
    pattern: /^([^-/][^/]*)(?:\/(.+))?$/,
    argv: ([service = "", account], platform) =>
      platform === "macos"
        ? ["security", "find-generic-password", "-s", service, ...(account ? ["-a", account] : []), "-w"]
        : ["secret-tool", "lookup", "service", service, ...(account ? ["account", account] : [])],
  },
  // https://cli.github.com/manual/gh_auth_token
  gh: {
    form: "gh:HOST",
    pattern: /^([^-].*)?$/,
    argv: ([host]) => ["gh", "auth", "token", ...(host ? ["--hostname", host] : [])],
  },
};

const SECRET_BYTES_MAX = 64 * 1024;
const OTHERS_MAY_DO_ANYTHING = 0o077;

export function parseSecretSource(text: string, host: Host): SecretSource | SourceProblem {
  const [, form = "", rest = ""] = /^([a-z]+)(?::(.*))?$/s.exec(text.trim()) ?? [];
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
      return ofKeyStore(form, place, host);
  }
}

function ofKeyStore(form: string, place: string, { platform }: Host): SecretSource | SourceProblem {
  const store = rowOf(keyStores, form);
  if (!store) return { problem: `must name the place of the secret, not its value: ${SECRET_FORMS}` };
  if (form === "keychain" && platform === "windows") return { problem: "names a keychain, and Windows has none" };
  const [, ...groups] = (/[\0-\x1f]/.test(place) ? undefined : store.pattern.exec(place)) ?? [""];
  return groups.length === 0
    ? { problem: `has \`${form}:\` without a place; write it like \`${store.form}\`` }
    : { kind: "command", argv: store.argv(groups, platform), isStore: true };
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
      return source.isStore ? askOnce(source, context) : askKeyStore(source, context);
  }
}

/** By the processes of a host, which live as long as this program. */
const answers = new WeakMap<object, Map<string, Promise<Secret>>>();

/** A store may ask its user, so its answer stays in memory. A failure does not, and nothing is written anywhere. */
async function askOnce(source: SecretSource & { readonly kind: "command" }, context: SecretContext): Promise<Secret> {
  const known = answers.get(context.host.processes) ?? new Map<string, Promise<Secret>>();
  answers.set(context.host.processes, known);
  const key = source.argv.join("\0");
  const asked = known.get(key) ?? askKeyStore(source, context);
  known.set(key, asked);
  const secret = await asked;
  if (secret.kind !== "secret" && known.get(key) === asked) known.delete(key);
  // Another call asked, and was cancelled.
  return secret.kind === "cancelled" && !context.signal.aborted ? askOnce(source, context) : secret;
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
      help: source.isStore ? "install it" : "install it, or give its path",
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
