// An entry of `arguments`: a variable for the steps, with its flag on the command line.
import type { Span } from "../../../core/text/source.ts";
import { EXTENSION } from "../described-keys.ts";
import type { Fields } from "../fields.ts";
import { isText, mapOf, textNode, type YamlEntry } from "../node.ts";

/** Returns the same as parameters of a custom-tools YAML; undefined for one with a problem, which is reported. */
export function argumentEntries(tool: Fields): readonly (YamlEntry | undefined)[] {
  const taken = new Map<string, Span>();
  return tool.maps("arguments").map((fields) => argumentEntry(fields, taken));
}

/** `taken` are the names and flags of those before it. */
function argumentEntry(fields: Fields, taken: Map<string, Span>): YamlEntry | undefined {
  const variable = fields.text("variable");
  const flag = fields.text("flag");
  const option = flag && /^--([A-Za-z_][A-Za-z0-9_-]{0,63})$/.exec(flag.text)?.[1];
  if (!variable && !flag) {
    if (!fields.has("variable") && !fields.has("flag"))
      fields.findings.error("missing-name", "this argument has no name", {
        at: fields.start,
        help: ["add `variable:`, so that the steps can read it"],
      });
    return undefined;
  }
  if (flag && option === undefined)
    return void fields.findings.error("wrong-value", "`flag` must be `--` and a name", {
      at: flag.span,
      label: "expected a flag such as `--language`",
    });
  const key = variable?.text ?? option?.replaceAll("-", "_") ?? "";
  const keySpan = variable?.span ?? flag?.span ?? fields.map.span;
  const first = taken.get(key) ?? taken.get(option ?? key);
  if (first)
    return void fields.findings.error("duplicate-parameter", `duplicate argument \`${key}\``, {
      at: keySpan,
      related: [{ span: first, text: "first given here" }],
    });
  for (const one of [key, option ?? key]) taken.set(one, keySpan);
  const choices = fields.entry("choices");
  const fallback = fields.entry("default")?.value;
  const added = (name: string, value: string | boolean, at = keySpan): YamlEntry => ({
    key: name,
    keySpan: at,
    value: textNode(value, at),
  });
  const more = [
    ...(option === undefined || [key, key.replaceAll("_", "-")].includes(option)
      ? []
      : [added("option", option, flag?.span)]),
    ...(key === "input" ? [added("stdin", true)] : []),
    // An empty text is a value here.
    ...(fallback && isText(fallback, "") && fallback.kind === "scalar" && fallback.value === ""
      ? [added("type", "string")]
      : []),
  ];
  const within = (name: string, entries: readonly YamlEntry[]): readonly YamlEntry[] =>
    entries.length === 0 ? [] : [{ key: name, keySpan, value: mapOf(entries, keySpan) }];
  return {
    key,
    keySpan,
    value: mapOf(
      [
        ...["type", "required", "default", "description"].flatMap((name) => fields.entry(name) ?? []),
        ...within("validation", choices ? [{ ...choices, key: "enum" }] : []),
        ...within(EXTENSION, more),
      ],
      fields.map.span,
    ),
  };
}
