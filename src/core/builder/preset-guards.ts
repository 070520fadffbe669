// Checks the values in `@with`: none may go up in an address or a path, or be an option of a tool with options.
import type { Json, JsonObject } from "../schema/json.ts";
import type { Parameter, ParameterSchema } from "../schema/parameter.ts";
import type { ArgumentIssue } from "../tool/failure.ts";
import type { Template, ValueTemplate } from "../tool/template.ts";
import { type ParsedPreset, isAddress, isPath, placedTexts, placeholdersOf } from "./placed-texts.ts";
import { valueText } from "../schema/describe.ts";

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

const SEPARATOR = /[\\/]/;

/**
 * `own` are the parameters of the definition. A parameter of type `path` may contain folders, and if it comes first, it
 * is the start of the path.
 */
function pathIssues(template: Template, args: JsonObject, own: readonly Parameter[]): readonly ArgumentIssue[] {
  const wide = new Set(own.filter(({ schema }) => isPath(schema)).map(({ name }) => name));
  const names = [...new Set(placeholdersOf(template))];
  const textOf = (name: string): string => String(args[name] ?? "");
  const issue = (name: string): ArgumentIssue => {
    const wanted = wide.has(name) ? "a path below the folder before it" : "a name";
    return {
      path: name,
      message: `expected ${wanted}, got ${valueText(args[name])}, which would lead out of the path around it`,
    };
  };
  const leading = names.filter((name) => !wide.has(name) && SEPARATOR.test(textOf(name)));
  if (leading.length > 0) return leading.map(issue);
  const written = template.parts.map((part) => (typeof part === "string" ? part : "x")).join("");
  const filled = template.parts
    .map((part, index) =>
      typeof part === "string" ? part : index === 0 && wide.has(part.placeholder) ? "x" : textOf(part.placeholder),
    )
    .join("");
  if (stepsUp(filled) <= stepsUp(written)) return [];
  const dotted = names.filter((name) => textOf(name).includes("."));
  return (dotted.length > 0 ? dotted : names).map(issue);
}

function stepsUp(path: string): number {
  return path.split(SEPARATOR).filter((segment) => segment === "..").length;
}
