// The models that the user has configured: `providers` and `secrets` of `config.yaml`, fully checked. A mistake in a
// provider disables that one alone.
import { didYouMean } from "../../core/text/suggest.ts";
import type { Host } from "../../core/tool/host.ts";
import { placedProgram, splitProgram } from "../../core/base/program-words.ts";
import { parseSecretSource, SECRET_FORMS, type SecretSource } from "../../core/base/secret-source.ts";
import { readUserConfig } from "../../core/base/user-config.ts";
import { openYaml, type YamlFields, type YamlProblem } from "../../core/base/yaml-fields.ts";

export interface ModelSettings {
  /** The absolute path of `config.yaml`. */
  readonly path: string;
  /** The providers, in the order written. */
  readonly providers: ReadonlyMap<string, ConfiguredProvider>;
  /** The provider to ask if none is named: `default`, or the only one. */
  readonly default?: string;
  /** Problems of the file as a whole, or of `default`. Each begins with the path of the file. */
  readonly problems: readonly string[];
}

export type ConfiguredProvider =
  | { readonly kind: "sound"; readonly provider: Provider }
  | { readonly kind: "broken"; readonly problems: readonly string[] };

export type Provider = CommandProvider | ApiProvider | MockProvider;

export interface CommandProvider {
  readonly kind: "command";
  /** The words of the command. `{model}` in a word is replaced by the model. */
  readonly argv: readonly string[];
  readonly model?: string;
  readonly environment: ReadonlyMap<string, SecretSource>;
}

export interface ApiProvider {
  readonly kind: "openai" | "anthropic";
  /** The address, without a slash at its end. */
  readonly url: string;
  readonly model?: string;
  readonly key?: SecretSource;
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly streams: boolean;
  /** The API version, for `anthropic` only. */
  readonly version?: string;
  /** Set if an agent's model learns of tools in the prompt, because its API has no tools. */
  readonly toolsAsText?: true;
  readonly price?: ModelPrice;
}

/** US dollars for a million tokens. */
export interface ModelPrice {
  /** The price of input that the API has not cached from an earlier request. */
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** Anthropic's price of text that it stores for the next request, relative to other input. */
const CACHE_WRITE_FACTOR = 1.25;

interface MockProvider {
  readonly kind: "mock";
}

export const MODEL_NAME = /^[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,199}$/;
const MAX_TOKENS_MAX = 10_000_000;
const TEMPERATURE_MAX = 2;
const PROVIDER_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
const DEFAULT = "default";

type Kind = Provider["kind"];
const API_KEYS = ["kind", "url", "model", "key", "max_tokens", "temperature", "stream", "tools", "price"] as const;
const PRICE_MAX = 1_000_000;
const KEYS: Readonly<Record<Kind, readonly string[]>> = {
  command: ["kind", "command", "model", "env"],
  openai: API_KEYS,
  anthropic: [...API_KEYS, "version"],
  mock: ["kind"],
};

/** Reads the file, but no secrets or files that it names. */
export function readModelSettings(host: Host): ModelSettings {
  const { path, text, trouble } = readUserConfig(host);
  if (trouble !== undefined) return { path, providers: new Map(), problems: [`\`${path}\` ${trouble}`] };
  const { root, problems } = openYaml(text);
  const fields = root?.map("providers");
  if (root && !root.names.includes("providers"))
    for (const name of root.names)
      if (didYouMean(name, ["providers"]) !== "")
        root.complain(name, `unknown setting \`${name}\`; did you mean \`providers\`?`);
  const secrets = readSecrets(root, host);
  const providers = new Map<string, ConfiguredProvider>();
  const inFile = (list: readonly YamlProblem[]): readonly string[] =>
    list.toSorted((one, other) => one.at - other.at).map((problem) => `${path}:${problem.text}`);
  for (const name of fields?.names ?? []) {
    if (name === DEFAULT) continue;
    const own: YamlProblem[] = [];
    const provider = readProvider(name, fields?.map(name, own), { host, secrets });
    providers.set(
      name,
      own.length === 0 && provider ? { kind: "sound", provider } : { kind: "broken", problems: inFile(own) },
    );
  }
  const names = [...providers.keys()];
  const chosen = fields?.text(DEFAULT);
  if (chosen !== undefined && !providers.has(chosen))
    fields?.complain(DEFAULT, `there is no provider \`${chosen}\`${didYouMean(chosen, names)}`);
  const only = names.length === 1 && !fields?.names.includes(DEFAULT) ? names[0] : undefined;
  const preferred = chosen !== undefined && providers.has(chosen) ? chosen : only;
  return { path, providers, ...(preferred === undefined ? {} : { default: preferred }), problems: inFile(problems) };
}

/** The secrets that a key `secret:NAME` refers to. */
type Secrets = ReadonlyMap<string, SecretSource | { readonly problem: string }>;

function readSecrets(root: YamlFields | undefined, host: Host): Secrets {
  const fields = root?.map("secrets");
  const sources = (fields?.names ?? []).map(
    (name) => [name, parseSecretSource(fields?.text(name) ?? "", host)] as const,
  );
  return new Map(sources);
}

interface ReadOptions {
  readonly host: Host;
  readonly secrets: Secrets;
}

function readProvider(name: string, fields: YamlFields | undefined, options: ReadOptions): Provider | undefined {
  if (!fields) return undefined;
  if (!PROVIDER_NAME.test(name))
    fields.complain("kind", `the name \`${name}\` of a provider must be letters, digits, \`-\` and \`_\``);
  const kinds = Object.keys(KEYS);
  if (!fields.names.includes("kind"))
    fields.complain(
      "kind",
      `\`${name}\` has no \`kind\`; write one of ${kinds.map((kind) => `\`${kind}\``).join(", ")}`,
    );
  const kind = fields.text("kind");
  if (kind === undefined) return undefined;
  if (!isKind(kind)) {
    const nearest = didYouMean(kind, kinds);
    fields.complain(
      "kind",
      `unknown provider kind \`${kind}\`${nearest === "" ? `; the kinds are ${kinds.map((one) => `\`${one}\``).join(", ")}` : nearest}`,
    );
    return undefined;
  }
  fields.allow(KEYS[kind], `a provider of kind \`${kind}\``);
  switch (kind) {
    case "command":
      return readCommand(fields, options);
    case "openai":
    case "anthropic":
      return readApi(kind, fields, options);
    case "mock":
      return { kind };
  }
}

function isKind(text: string): text is Kind {
  return Object.hasOwn(KEYS, text);
}

function readCommand(fields: YamlFields, options: ReadOptions): CommandProvider | undefined {
  const command = fields.words("command");
  if (command === undefined) {
    if (!fields.names.includes("command"))
      fields.complain("command", 'has no `command`; write it like `command: ["claude", "-p"]`');
    return undefined;
  }
  const split = typeof command === "string" ? splitProgram(command) : { words: command };
  const placed = "words" in split ? placedProgram(split.words, options.host) : split;
  if ("problem" in placed) {
    fields.complain("command", `\`command\` ${placed.problem}`);
    return undefined;
  }
  const [program = "", ...words] = placed.words;
  if (program.includes("{model}")) fields.complain("command", "`{model}` cannot be in the program name");
  const model = readModel(fields);
  if (model !== undefined && !words.some((word) => word.includes("{model}")))
    fields.complain(
      "model",
      "`model` has no effect, because `command` has no `{model}`; write `{model}` where the model goes",
    );
  const variables = fields.map("env");
  const environment = new Map<string, SecretSource>();
  for (const name of variables?.names ?? []) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name))
      variables?.complain(name, "a variable name must be letters, digits and `_`");
    const source = readKey(name, variables, options);
    if (source) environment.set(name, source);
  }
  return { kind: "command", argv: placed.words, environment, ...(model === undefined ? {} : { model }) };
}

function readApi(kind: ApiProvider["kind"], fields: YamlFields, options: ReadOptions): ApiProvider | undefined {
  const url = readUrl(fields);
  const model = readModel(fields);
  const key = readKey("key", fields, options);
  const maxTokens = fields.number("max_tokens", { lowest: 1, highest: MAX_TOKENS_MAX, isWhole: true });
  const temperature = fields.number("temperature", { lowest: 0, highest: TEMPERATURE_MAX, isWhole: false });
  const version = fields.text("version");
  if (version !== undefined && !/^\d{4}-\d\d-\d\d$/.test(version))
    fields.complain("version", "`version` must be a date like `2023-06-01`");
  const toolsAsText = readTools(fields);
  const price = readPrice(fields);
  if (url === undefined) return undefined;
  return {
    ...(toolsAsText ? { toolsAsText } : {}),
    ...(price === undefined ? {} : { price }),
    kind,
    url,
    streams: fields.flag("stream") ?? true,
    ...(model === undefined ? {} : { model }),
    ...(key === undefined ? {} : { key }),
    ...(version === undefined ? {} : { version }),
    ...(maxTokens === undefined ? {} : { maxTokens }),
    ...(temperature === undefined ? {} : { temperature }),
  };
}

function readUrl(fields: YamlFields): string | undefined {
  const example = '`url: "https://api.example.com/v1"`';
  if (!fields.names.includes("url")) fields.complain("url", `has no \`url\`; write it like ${example}`);
  const text = fields.text("url");
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // Neither is shown, because both may hold a password.
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:"))
    fields.complain("url", `\`url\` is not a web address; write it like ${example}`);
  else if (url.username !== "" || url.password !== "" || url.search !== "" || url.hash !== "")
    fields.complain(
      "url",
      "`url` has more than an address: remove what is before `@` or after `?` and `#`, and put the key under `key`",
    );
  else return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
  return undefined;
}

function readTools(fields: YamlFields): true | undefined {
  const form = fields.text("tools");
  if (form !== undefined && form !== "text" && form !== "native")
    fields.complain("tools", "`tools` must be `native` (the API accepts tools) or `text` (the prompt describes them)");
  return form === "text" ? true : undefined;
}

function readPrice(fields: YamlFields): ModelPrice | undefined {
  const price = fields.map("price");
  if (!price) return undefined;
  price.allow(["input", "output", "cache_read", "cache_write"], "a price");
  const of = (name: string): number | undefined =>
    price.number(name, { lowest: 0, highest: PRICE_MAX, isWhole: false });
  const [input, output, cacheRead, cacheWrite] = [of("input"), of("output"), of("cache_read"), of("cache_write")];
  // Without a price for the cache, text from it costs as much as other input.
  if (input !== undefined && output !== undefined)
    return { input, output, cacheRead: cacheRead ?? input, cacheWrite: cacheWrite ?? input * CACHE_WRITE_FACTOR };
  for (const name of ["input", "output"])
    if (!price.names.includes(name))
      fields.complain(
        "price",
        `\`price\` has no \`${name}\`; write it like \`price: { input: 3, output: 15 }\`, in dollars per million tokens`,
      );
  return undefined;
}

function readModel(fields: YamlFields): string | undefined {
  const model = fields.text("model");
  if (model === undefined || MODEL_NAME.test(model)) return model;
  fields.complain("model", "`model` must be letters, digits and `. _ : / @ + -`, and begin with a letter or digit");
  return undefined;
}

function readKey(
  name: string,
  fields: YamlFields | undefined,
  { host, secrets }: ReadOptions,
): SecretSource | undefined {
  const text = fields?.text(name)?.trim();
  if (text === undefined) return undefined;
  const wanted = /^secret:\s*(\S*)$/.exec(text)?.[1];
  const source =
    wanted === undefined
      ? parseSecretSource(text, host)
      : (secrets.get(wanted) ?? {
          problem: `names an unknown secret; add it below \`secrets:\`, as ${SECRET_FORMS}`,
        });
  if (!("problem" in source)) return source;
  fields?.complain(
    name,
    wanted !== undefined && secrets.has(wanted)
      ? `the secret \`${wanted}\` ${source.problem}`
      : `\`${name}\` ${source.problem}`,
  );
  return undefined;
}
