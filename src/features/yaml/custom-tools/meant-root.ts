// Short forms of values at the top of a definition become those of the format: `environment` as a list or as a map of
// values, `commands` as a list of lines, and `command` with a `shell`.
import { soundsSecret } from "../../../core/text/secret-names.ts";
import { sliced } from "../../../core/language/syntax/mapped-text.ts";
import { entryOf, isText, type YamlEntry, type YamlMap, type YamlNode, type YamlScalar } from "../node.ts";

/** Returns the map with such values in their form. What is in neither form stays, for its reader to report. */
export function meantRoot(root: YamlMap): YamlMap {
  const entries = root.entries.flatMap((entry) => {
    if (entry.key === "environment" || entry.key === "env") return environmentEntries(entry);
    const { value } = entry;
    // `shell: bash` says nothing beside `bash:`, and `command` is what another shell runs.
    if (entry.key === "shell" && isText(value, "bash") && entryOf(root, "bash")) return [];
    if (entry.key === "command" && entryOf(root, "shell") && !entryOf(root, "script"))
      return [{ ...entry, key: "script" }];
    const isLines = entry.key === "commands" && value.kind === "list" && !entryOf(root, "steps");
    return isLines ? [{ ...entry, key: "steps" }] : [entry];
  });
  return { ...root, entries };
}

interface Variable {
  readonly name: string;
  /** Undefined if the variable of the caller is passed on. */
  readonly value: YamlNode | undefined;
  readonly keySpan: YamlEntry["keySpan"];
}

function environmentEntries(entry: YamlEntry): readonly YamlEntry[] {
  const { key, keySpan, value } = entry;
  const all = value.kind === "scalar" ? undefined : value.kind === "list" ? listed(value.items) : mapped(value);
  if (!all) return [entry];
  const map = (entries: readonly YamlEntry[]): YamlMap => ({ kind: "map", entries, span: value.span });
  const set = all.flatMap((one) => (one.value ? [{ key: one.name, keySpan: one.keySpan, value: one.value }] : []));
  const passed = all.filter((one) => !one.value);
  const [secret, plain] = [true, false].map((is) => passed.filter(({ name }) => soundsSecret(name) === is));
  const named = (one: Variable): YamlScalar => ({
    kind: "scalar",
    value: one.name,
    text: textOf(one),
    span: one.keySpan,
  });
  return [
    { key, keySpan, value: map([{ key: "variables", keySpan, value: map(set) }]) },
    ...(plain?.length
      ? [
          {
            key: "pass-environment",
            keySpan,
            value: { kind: "list" as const, items: plain.map(named), span: value.span },
          },
        ]
      : []),
    ...(secret?.length
      ? [
          {
            key: "secrets",
            keySpan,
            value: map(secret.map((one) => ({ key: one.name, keySpan: one.keySpan, value: named(one) }))),
          },
        ]
      : []),
  ];
}

function textOf({ name, keySpan }: Variable): YamlScalar["text"] {
  return { text: name, span: keySpan, offsetAt: (index) => keySpan.start + index };
}

/** Reads `NAME` and `NAME=value`. Undefined if an item is neither. */
function listed(items: readonly YamlNode[]): readonly Variable[] | undefined {
  const all = items.map((item) => {
    const match = item.kind === "scalar" ? /^([A-Za-z_]\w*)(=)?/.exec(item.text.text) : undefined;
    const [all = "", name = "", isSet] = match ?? [];
    if (item.kind !== "scalar" || !match || (isSet === undefined && all !== item.text.text)) return undefined;
    const text = sliced(item.text, all.length, item.text.text.length);
    const value = isSet === undefined ? undefined : { ...item, value: text.text, text };
    return { name, value, keySpan: item.span };
  });
  return all.every((one) => one !== undefined) ? all : undefined;
}

/** Reads a map of values, of which an empty one and `$NAME` pass on the variable. Undefined for the format's own map. */
function mapped({ entries }: YamlMap): readonly Variable[] | undefined {
  if (entries.length === 0 || entries.some(({ key }) => key === "variables" || key === "inherit")) return undefined;
  return entries.map(({ key, keySpan, value }) => {
    const isPassed =
      value.kind === "scalar" && (value.value === null || [`$${key}`, `\${${key}}`].includes(value.text.text));
    return { name: key, value: isPassed ? undefined : value, keySpan };
  });
}
