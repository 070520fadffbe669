// The MCP servers whose tools definitions may wrap: `mcp_servers` of the user's `config.yaml`, fully checked. A mistake
// in a server's entry disables that server alone. A project's configuration cannot name servers, because naming one
// means naming a program that runs.
import { isAbsolute, join } from "node:path";
import { placedProgram } from "../../core/base/program-words.ts";
import { soundsSecret } from "../../core/text/secret-names.ts";
import { parseSecretSource, SECRET_FORMS, type SecretSource } from "../../core/base/secret-source.ts";
import { readUserConfig } from "../../core/base/user-config.ts";
import { openYaml, type YamlFields, type YamlProblem } from "../../core/base/yaml-fields.ts";
import type { Host } from "../../core/tool/host.ts";
import { readSandbox, SANDBOX_KEYS, type ServerSandbox, serverSandbox } from "./server-sandbox.ts";

export interface ServerSettings {
  /** The absolute path of `config.yaml`. */
  readonly path: string;
  /** The servers, in the order written. */
  readonly servers: ReadonlyMap<string, ConfiguredServer>;
  /** Problems of the file as a whole. Each begins with the path of the file. */
  readonly problems: readonly string[];
}

export type ConfiguredServer =
  | { readonly kind: "sound"; readonly server: McpServer }
  | { readonly kind: "broken"; readonly problems: readonly string[] };

export type McpServer = ProcessServer | WebServer;

export interface ProcessServer {
  readonly kind: "process";
  readonly name: string;
  readonly argv: readonly string[];
  /** An absolute path. */
  readonly cwd: string;
  readonly environment: ReadonlyMap<string, ConfiguredText>;
  /** Absent: none. */
  readonly sandbox?: ServerSandbox;
  /** The command that pins its tools, if no settings have it. */
  readonly pinLine?: string;
  /** The time in which the server has to start. */
  readonly startMs: number;
}

/** Returns the command by which a person accepts a tool, or all tools, of a server. */
export function pinLineOf(server: McpServer, tool?: string): string {
  const own = server.kind === "process" ? server.pinLine : undefined;
  return own ?? `dottool pin ${server.name}${tool === undefined ? "" : `/${tool}`}`;
}

export interface WebServer {
  readonly kind: "web";
  readonly name: string;
  readonly url: string;
  readonly headers: ReadonlyMap<string, ConfiguredText>;
  /** The client registration, for a server that a person logs in to. */
  readonly login: {
    readonly id?: string;
    readonly secret?: ConfiguredText;
    readonly metadataUrl?: string;
    readonly scope?: string;
  };
  /** The time in which the server has to answer first. */
  readonly startMs: number;
}

/** A value of a variable or a header: plain text, or a secret with the text before it, such as `Bearer `. */
export type ConfiguredText =
  | { readonly kind: "plain"; readonly text: string }
  | { readonly kind: "secret"; readonly before: string; readonly source: SecretSource };

const SECTION = "mcp_servers";
const SERVER_NAME = /^[A-Za-z0-9_-]{1,64}$/;
const START_SECONDS = 30;
const START_SECONDS_MAX = 600;

/** Reads the file, but no secrets or files that it names. */
export function readServerSettings(host: Host): ServerSettings {
  const { path, text, trouble } = readUserConfig(host);
  if (trouble !== undefined) return { path, servers: new Map(), problems: [`\`${path}\` ${trouble}`] };
  const { root, problems } = openYaml(text);
  const inFile = (list: readonly YamlProblem[]): readonly string[] =>
    list.toSorted((one, other) => one.at - other.at).map((problem) => `${path}:${problem.text}`);
  const fields = root?.map(SECTION);
  const secrets = readSecrets(root, host);
  const servers = new Map<string, ConfiguredServer>();
  for (const name of fields?.names ?? []) {
    const own: YamlProblem[] = [];
    const server = readServer(name, fields?.map(name, own), { host, secrets });
    servers.set(
      name,
      own.length === 0 && server ? { kind: "sound", server } : { kind: "broken", problems: inFile(own) },
    );
  }
  return { path, servers, problems: inFile(problems) };
}

type Secrets = ReadonlyMap<string, ReturnType<typeof parseSecretSource>>;

function readSecrets(root: YamlFields | undefined, host: Host): Secrets {
  const fields = root?.names.includes("secrets") ? root.map("secrets") : undefined;
  return new Map(
    (fields?.names ?? []).map((name) => [name, parseSecretSource(fields?.text(name) ?? "", host)] as const),
  );
}

interface ReadOptions {
  readonly host: Host;
  readonly secrets: Secrets;
}

const COMMON = ["timeout"] as const;
const PROCESS_KEYS = ["command", "args", "env", "cwd", "shareable", ...SANDBOX_KEYS, ...COMMON];
const WEB_KEYS = ["url", "headers", "oauth", ...COMMON];
const LOGIN_KEYS = ["client_id", "client_secret", "client_metadata_url", "scope"];

function readServer(name: string, fields: YamlFields | undefined, options: ReadOptions): McpServer | undefined {
  if (!fields) return undefined;
  if (!SERVER_NAME.test(name)) fields.complain("", `the name of a server must be letters, digits, \`-\` and \`_\``);
  const isWeb = fields.names.includes("url");
  fields.allow(
    isWeb ? WEB_KEYS : fields.names.includes("command") ? PROCESS_KEYS : [...PROCESS_KEYS, ...WEB_KEYS],
    isWeb ? "a server with a `url`" : "a server with a `command`",
  );
  if (isWeb && fields.names.includes("command")) return undefined;
  if (!isWeb && !fields.names.includes("command")) {
    fields.complain("url", "has no `command` and no `url`; write `command: npx` with `args:`, or `url: https://…`");
    return undefined;
  }
  const startMs =
    (fields.number("timeout", { lowest: 1, highest: START_SECONDS_MAX, isWhole: false }) ?? START_SECONDS) * 1_000;
  return isWeb ? readWeb(name, fields, { ...options, startMs }) : readProcess(name, fields, { ...options, startMs });
}

type ServerOptions = ReadOptions & { readonly startMs: number };

function readProcess(name: string, fields: YamlFields, options: ServerOptions): ProcessServer | undefined {
  const { host, startMs } = options;
  const program = fields.text("command");
  const words = fields.names.includes("args") ? fields.words("args") : [];
  if (program === undefined || words === undefined) return undefined;
  const placed = placedProgram([program, ...(typeof words === "string" ? [words] : words)], host);
  if ("problem" in placed) {
    fields.complain("command", `\`command\` ${placed.problem}`);
    return undefined;
  }
  if (fields.names.includes("shareable"))
    fields.complain("shareable", "`shareable` is gone: each session starts its own server; remove the line");
  const cwd = fields.text("cwd");
  // In a project's folder, `npx` and similar programs would run what the project put there.
  const folder =
    cwd === undefined
      ? host.folders.home
      : cwd.startsWith("~/")
        ? join(host.folders.home, cwd.slice(2))
        : isAbsolute(cwd)
          ? cwd
          : undefined;
  if (folder === undefined) fields.complain("cwd", "`cwd` must be an absolute path, or begin with `~/`");
  const environment = readTexts("env", fields, {
    ...options,
    isName: (text) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(text),
    named: "a variable name must be letters, digits and `_`",
  });
  const places = readSandbox(fields, host.folders.home);
  const sandbox = places && serverSandbox(name, { ...places, cwd: cwd === undefined ? undefined : folder }, host);
  return {
    kind: "process",
    name,
    argv: placed.words,
    cwd: sandbox?.confinement.folder ?? folder ?? host.folders.home,
    environment,
    ...(sandbox ? { sandbox } : {}),
    startMs,
  };
}

function readWeb(name: string, fields: YamlFields, options: ServerOptions): WebServer | undefined {
  const text = fields.text("url");
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // Neither is shown, because both may hold a password.
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:"))
    fields.complain("url", '`url` is not a web address; write it like `url: "https://mcp.example.com/mcp"`');
  else if (url.username !== "" || url.password !== "" || url.hash !== "")
    fields.complain(
      "url",
      "`url` has more than an address: remove what is before `@` or after `#`, and put a key under `headers`",
    );
  const headers = readTexts("headers", fields, {
    ...options,
    isName: (header) => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(header),
    named: "a header name must be letters, digits and `-`",
  });
  return (
    url && { kind: "web", name, url: url.href, headers, login: readLogin(fields, options), startMs: options.startMs }
  );
}

function readLogin(fields: YamlFields, options: ServerOptions): WebServer["login"] {
  const map = fields.map("oauth");
  map?.allow(LOGIN_KEYS, "`oauth`");
  const [id, metadataUrl, scope] = ["client_id", "client_metadata_url", "scope"].map((key) => map?.text(key));
  const secret = map && readText("client_secret", map, options);
  if (secret && id === undefined)
    map.complain("client_secret", "`client_secret` needs the `client_id` that it belongs to");
  return {
    ...(id === undefined ? {} : { id }),
    ...(secret ? { secret } : {}),
    ...(metadataUrl === undefined ? {} : { metadataUrl }),
    ...(scope === undefined ? {} : { scope }),
  };
}

interface TextsOptions extends ReadOptions {
  isName(text: string): boolean;
  readonly named: string;
}

function readTexts(key: string, fields: YamlFields, options: TextsOptions): ReadonlyMap<string, ConfiguredText> {
  const map = fields.map(key);
  const texts = new Map<string, ConfiguredText>();
  for (const name of map?.names ?? []) {
    if (!options.isName(name)) map?.complain(name, `the name of ${options.named}`);
    const text = map && readText(name, map, options);
    if (text) texts.set(name, text);
  }
  return texts;
}

function readText(name: string, fields: YamlFields, { secrets, host }: ReadOptions): ConfiguredText | undefined {
  const text = fields.text(name);
  if (text === undefined) return undefined;
  const [, before = "", place = ""] = /^((?:[A-Za-z]+ )?)(.*)$/s.exec(text.trim()) ?? [];
  const isPlace = /^(?:(?:secret|env|file|command):|(?:op|bw):\/\/)/.test(place);
  // A secret does not belong into the file. `vault:8200` is a place for one only where there must be one.
  if (!isPlace && !soundsSecret(name)) return { kind: "plain", text };
  const source = place.startsWith("secret:")
    ? (secrets.get(place.slice("secret:".length).trim()) ?? {
        problem: `names an unknown secret; add it below \`secrets:\`, as ${SECRET_FORMS}`,
      })
    : parseSecretSource(place, host);
  if (!("problem" in source)) return { kind: "secret", before, source };
  fields.complain(
    name,
    isPlace
      ? `\`${name}\` ${source.problem}`
      : `\`${name}\` must name the place of the secret, not its value: \`secret:NAME\` (of \`secrets:\`), ${SECRET_FORMS}`,
  );
  return undefined;
}
