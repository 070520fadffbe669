// Values of keys of a tool that say more or less than one field, or depend on other keys: each with its reader and its
// writer.
import { platformNames } from "../../../core/tool/command.ts";
import type { DefinitionHead, SchemaPart } from "../../../core/tool/definition.ts";
import { checkTag } from "../../../core/language/fields/names.ts";
import { unknownPlatform } from "../../../core/language/fields/platforms.ts";
import { readSecretUse, secretUseText } from "../../../core/language/fields/secret-use.ts";
import type { Surroundings, WrappedDefinition } from "../../../core/tool/definition.ts";
import { describedKeys, type PlainKey, says, saysSeveral } from "../described-keys.ts";
import { flag, maps, named, oneLine, readDuration, readElsewhere, row, texts, timeoutData } from "../key-values.ts";
import { isName } from "../names.ts";
import { toJson } from "../node.ts";
import { bareText, byName, jsonOrText, listed, type YamlRecord } from "../yaml-data.ts";
import { version } from "./text-keys.ts";

export const tags = saysSeveral<Pick<DefinitionHead, "declaredEffects" | "tags">>(
  row(
    { is: "texts" },
    ["`read`, `write`, `run` and `network` say what it may do; other words are for searching", ["read", "files"]],
    {
      read: (fields, key) => {
        const words = [...fields.words(key), ...(fields.fields("metadata")?.words(key) ?? [])];
        for (const { text: value, span } of words) checkTag({ value, span }, fields.findings, "wrong-value");
        return { declaredEffects: [], tags: [...new Set(words.map(({ text }) => text))] };
      },
      write: ({ declaredEffects, tags: words }) => listed([...declaredEffects, ...words]),
    },
  ),
);

const CATEGORIES = /^([^/]*[^/\s][^/]*)\/([^]*\S[^]*)$/;

export const category = row<string>({ is: "text" }, ["its category", "development"], {
  read: (fields, key) => {
    const [text, below] = [fields.text(key)?.text, fields.text("subcategory")?.text];
    if (!fields.has(key)) fields.refuse("subcategory", "`subcategory` needs a `category`");
    return [text ?? [], below ?? []].flat().join("/") || undefined;
  },
  write: (text) => CATEGORIES.exec(text)?.[1] ?? text,
});
export const subcategory = readElsewhere(
  row<string>({ is: "text" }, ["its subcategory", "version-control"], {
    read: () => undefined,
    write: (text) => CATEGORIES.exec(text)?.[2],
  }),
);

export const keywords = row<readonly string[]>({ is: "texts" }, ["more words to find it by", ["checkout"]], {
  read: (fields, key) => [...new Set(fields.words(key).map(({ text }) => text))],
  write: listed,
});

const changelogKeys = describedKeys<{ readonly version: string; readonly changes: readonly string[] }>(
  "an entry of `changelog`",
  {
    version: says("version", version("the version with the change", "1.1.0")),
    changes: says("changes", texts("what changed", "Reads folders too")),
  },
  { required: ["changes"] },
);

/** The changes, one line each: the version, then what changed. */
export const changelog: PlainKey<readonly string[]> = {
  ...maps(changelogKeys, "what changed, and when"),
  read: (tool, key) =>
    tool.maps(key).map((fields) => {
      const { version: number_ = "", changes = [] } = changelogKeys.read(fields);
      if (!fields.has("changes"))
        fields.findings.error("wrong-value", "this entry has no `changes`", {
          at: fields.start,
          help: ["add `changes:`"],
        });
      return [number_, changes.map(oneLine).join("; ")].filter((part) => part !== "").join(" ");
    }),
  write: (changes) =>
    listed(
      changes.map((change): YamlRecord => {
        const [, at, text] = /^(\d+\.\d+\.\d+(?:-[\w.-]+)?) (\S.*)$/.exec(change) ?? [];
        return at === undefined ? { changes: change } : { version: at, changes: text };
      }),
    ),
};

export const platforms = row<NonNullable<DefinitionHead["platforms"]>>(
  { is: "texts", words: ["windows", "linux", "macos", "unix"] },
  ["the platforms that it works on; default: all", ["linux", "macos"]],
  {
    read: (fields, key) => {
      if (!fields.has(key)) return undefined;
      fields.refuseEmpty(key);
      const words = fields.words(key);
      for (const { text, span } of words)
        if (text !== "unix" && !platformNames.some((platform) => platform === text))
          unknownPlatform({ value: text, span }, platformNames, fields.findings);
      const has = (name: string): boolean => words.some(({ text }) => text === name);
      return platformNames.filter((platform) => has(platform) || (platform !== "windows" && has("unix")));
    },
    write: (names) => names,
  },
);

/** `resources.timeout` says the same. */
export const timeout = row<number>(
  { is: "duration" },
  ["how long a call may take: milliseconds, or with a unit", 60000],
  {
    read: (fields, key) => {
      const resources = fields.fields("resources");
      const [own, other] = [readDuration(fields, key), resources && readDuration(resources, key)];
      if (own !== undefined && other !== undefined && own !== other)
        resources?.refuse(key, "`timeout` and `resources.timeout` mean the same, but here they differ", {
          beside: fields.place(key),
        });
      return own ?? other;
    },
    write: timeoutData,
  },
);

/** A part that is left out of the schema for models where the flag is `false`. */
export function omitted(part: SchemaPart, does: string): PlainKey<readonly SchemaPart[]> {
  return {
    ...flag(does),
    read: (fields, key) => (fields.flag(key) === false ? [part] : undefined),
    write: (parts) => (parts.includes(part) ? false : undefined),
  };
}

export const secrets = row<NonNullable<Surroundings["secrets"]>>(
  { is: "named", of: { is: "text" } },
  ["environment variables and the names of the user's secrets that they get", { API_TOKEN: "API_KEY" }],
  {
    read: (fields, key) => {
      const { findings } = fields;
      const all = fields.entries(key).flatMap(({ key: variable, keySpan, value }) => {
        const text = fields.textOf(value, variable);
        isName("name for an environment variable", { text: variable, span: keySpan }, findings);
        const use = { variable, at: text?.span ?? keySpan, findings };
        return (text && readSecretUse(text.text, use)) ?? [];
      });
      return all.length === 0 ? undefined : all;
    },
    write: (all) => byName(all.map((one) => [one.variable, secretUseText(one)])),
  },
);

/** Values for parameters of the base tool: texts as in a `.tool` file, and values as JSON. */
export const presets = row<WrappedDefinition["presets"]>(
  { is: "named" },
  ["values for parameters of that tool; `{NAME}` is a value", { timeout: 5 }],
  {
    read: (fields, key) =>
      fields.entries(key).flatMap(({ key: name, keySpan, value }): WrappedDefinition["presets"] => {
        const text = value.kind === "scalar" ? fields.textOf(value, name) : undefined;
        if (value.kind === "scalar" && !text) return [];
        const written = { value: text?.text ?? JSON.stringify(toJson(value)), span: text?.span ?? value.span };
        return [{ parameter: { value: name, span: keySpan }, text: written }];
      }),
    write: (all) => byName(all.map(({ parameter, text }) => [parameter.value, jsonOrText(text.value)])),
  },
);

/** Other defaults for the parameters of the base tool, which alone knows their types. */
export function defaults(does: string, example?: YamlRecord): PlainKey<WrappedDefinition["defaults"]> {
  const { kind } = named(undefined, does);
  return row<WrappedDefinition["defaults"]>(kind, [does, example as PlainKey["example"]], {
    read: (fields, key) =>
      fields.entries(key).flatMap(({ key: name, keySpan, value }): WrappedDefinition["defaults"] => {
        if (value.kind === "scalar" && value.value === null) return [];
        const json = value.kind === "scalar" ? value.text.text : toJson(value);
        return [{ parameter: { value: name, span: keySpan }, value: { value: json, span: value.span } }];
      }),
    write: (all) =>
      byName(
        all.map(({ parameter, value: { value } }) => [
          parameter.value,
          typeof value === "string" ? bareText(value) : value,
        ]),
      ),
  });
}
