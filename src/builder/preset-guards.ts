// Checks the values in `@with`: none may go up in an address or a path, or be an option of a tool with options.
import type { Json, JsonObject } from "../schema/json.ts";
import type { Parameter, ParameterSchema } from "../schema/parameter.ts";
import type { ArgumentIssue } from "../tool/failure.ts";
import type { ValueTemplate } from "../tool/template.ts";
import { pathIssues } from "./path-guard.ts";
import { isAddress, isPath, type ParsedPreset, placedTexts, placeholdersOf } from "./placed-texts.ts";

/** `own` are the parameters of the definition, and `base` is the tool that it wraps, for messages. */
export function presetGuard(
  presets: readonly ParsedPreset[],
  own: readonly Parameter[],
  base: string,
): (args: JsonObject) => readonly ArgumentIssue[] {
  // A value that is the whole text is the caller's own address or path.
  const partly = placedTexts(presets).filter(({ text }) => text.parts.length > 1);
  const inAddresses = new Set(
    partly.filter(({ schema }) => isAddress(schema)).flatMap(({ text }) => placeholdersOf(text)),
  );
  const paths = partly.filter(({ schema }) => isPath(schema));
  const leadOut = (args: JsonObject): readonly ArgumentIssue[] => [
    ...new Map(paths.flatMap(({ text }) => pathIssues(text, args, own)).map((issue) => [issue.path, issue])).values(),
  ];
  const free = new Set(
    own.filter((parameter) => parameter.flags || !mayBeOption(parameter.schema)).map((parameter) => parameter.name),
  );
  const asWords = new Set(
    presets
      .filter(({ parameter }) => parameter.flags)
      .flatMap(({ template }) => wordStarts(template))
      .filter((name) => !free.has(name)),
  );
  return (args) => [
    // An encoded `..` is still `..`.
    ...[...inAddresses]
      .filter((name) => args[name] === "." || args[name] === "..")
      .map((name) => ({
        path: name,
        message: `expected a name, got ${JSON.stringify(args[name])}, which would lead elsewhere in the address`,
      })),
    ...leadOut(args),
    ...[...asWords]
      .filter((name) => startsWithDash(args[name]))
      .map((name) => ({ path: name, message: `may not start with \`-\`: \`${base}\` would read it as an option` })),
  ];
}

/** Returns placeholders that begin a word, unless a literal `--` comes before them. */
function wordStarts(template: ValueTemplate): readonly string[] {
  const items = template.kind === "array" ? template.items : [template];
  const end = items.findIndex(isDashes);
  return (end === -1 ? items : items.slice(0, end)).flatMap((item) => {
    const first = item.kind === "text" ? item.text.parts[0] : undefined;
    return first === undefined || typeof first === "string" ? [] : [first.placeholder];
  });
}

function isDashes(item: ValueTemplate): boolean {
  if (item.kind === "literal") return item.value === "--";
  return item.kind === "text" && item.text.parts.length === 1 && item.text.parts[0] === "--";
}

/** Returns whether a value may be an option: numbers are not, and choices are the author's own words. */
function mayBeOption(schema: ParameterSchema): boolean {
  if (schema.type === "array") return mayBeOption(schema.items);
  return schema.type === "string" && schema.choices === undefined;
}

function startsWithDash(value: Json | undefined): boolean {
  return typeof value === "string"
    ? value.startsWith("-")
    : Array.isArray(value) && value.some((item: Json) => startsWithDash(item));
}
