// The lines of a recipe, and of those that it depends on, as one script.
import type { Shell } from "../../core/tool/command.ts";
import { merged, type Part } from "./imported-tool.ts";
import { type Names, type Value, valueOf } from "./just-expression.ts";
import { type Recipe, splitOutside } from "./just-file.ts";
import { type ScriptLine, scriptOf } from "./script-lines.ts";

interface JustScript {
  readonly shell: Shell;
  readonly parts: readonly Part[];
  readonly environment: readonly { readonly name: string; readonly value: readonly Part[] }[];
  readonly programs: readonly string[];
}

/** Attributes and settings that change nothing of what a script does. */
const HARMLESS_ATTRIBUTES =
  /^(?:linux|macos|windows|unix|openbsd|group|doc|confirm|no-exit-message|exit-message|no-quiet|default|private|no-cd|metadata)$/;
const HARMLESS_SETTINGS =
  /^(?:shell|quiet|fallback|ignore-comments|windows-shell|windows-powershell|unstable|allow-duplicate-recipes|allow-duplicate-variables|export|no-exit-message|lazy|guards)$/;
const DEPTH_MAX = 20;

/** Returns undefined if the recipe uses more than a script can. */
export function justScript(recipe: Recipe, names: Names): JustScript | undefined {
  const { settings, variables } = names.file;
  if ([...settings.keys()].some((setting) => !HARMLESS_SETTINGS.test(setting))) return undefined;
  const started = shellOf(settings.get("shell"));
  const exportsAll = settings.get("export") === "true";
  const environment = [...variables].flatMap(([name, { expression, isExported }]) =>
    isExported || exportsAll ? [{ name, value: valueOf(expression, { ...names, bound: new Map() }) }] : [],
  );
  for (const { name, isExported } of recipe.parameters)
    if (isExported || exportsAll) environment.push({ name, value: [{ parameter: name }] });
  const isVariadic = recipe.parameters.some(
    ({ variadic, isExported }) => variadic !== "" && (isExported || exportsAll),
  );
  if (!started || isVariadic || environment.some(({ value }) => !value)) return undefined;
  const exported = environment.map(({ name, value = [] }) => ({ name, value }));
  if (recipe.body[0]?.startsWith("#!")) return shebangScript(recipe, names, exported);
  const lines = linesOf(recipe, names, { done: new Set(), depth: 0 });
  if (!lines || lines.length === 0) return undefined;
  return { shell: started.shell, parts: scriptOf(lines, started.options), environment: exported, programs: [] };
}

/** Just's own default is `sh -cu`. */
function shellOf(setting: string | undefined): { readonly shell: Shell; readonly options: string } | undefined {
  if (setting === undefined) return { shell: "sh", options: "-u" };
  const words = splitOutside(setting.replace(/^\[|\]$/g, ""), ",").map((word) => word.replace(/^(["'])(.*)\1$/, "$2"));
  const [program = "", ...rest] = words;
  const shell = /(?:^|\/)(sh|bash|zsh)$/.exec(program)?.[1];
  const options = rest
    .join(" ")
    .replace(/(?<=-\w*)c/, "")
    .replace(/(?:^|\s)-(?=\s|$)/, "")
    .trim();
  if (shell !== "sh" && shell !== "bash" && shell !== "zsh") return undefined;
  return /^(?:-[eux]+(?:o pipefail)?|-o pipefail)?$/.test(options) ? { shell, options } : undefined;
}

interface Gathering {
  /** Recipes that have run, with their arguments: each runs once. */
  readonly done: Set<string>;
  readonly depth: number;
}

function linesOf(recipe: Recipe, names: Names, gathering: Gathering): readonly ScriptLine[] | undefined {
  if (gathering.depth > DEPTH_MAX) return undefined;
  if ([...recipe.attributes.keys()].some((attribute) => !HARMLESS_ATTRIBUTES.test(attribute))) return undefined;
  if (gathering.depth > 0 && (recipe.attributes.has("confirm") || recipe.body[0]?.startsWith("#!"))) return undefined;
  const dependencies = (written: readonly string[]): readonly ScriptLine[] | undefined =>
    gathered(written.map((one) => dependencyLines(one, names, gathering)));
  return gathered([dependencies(recipe.before), bodyLines(recipe, names), dependencies(recipe.after)]);
}

function gathered(groups: readonly (readonly ScriptLine[] | undefined)[]): readonly ScriptLine[] | undefined {
  return groups.includes(undefined) ? undefined : groups.flatMap((lines) => lines ?? []);
}

function dependencyLines(written: string, names: Names, { done, depth }: Gathering): readonly ScriptLine[] | undefined {
  names.expansions.take(written);
  const [name = "", ...given] = splitOutside(written.replace(/^\(([^]*)\)$/, "$1"), " ");
  const found = names.file.recipes.filter((recipe) => recipe.name === name);
  const [recipe] = found;
  if (!recipe || found.length > 1) return undefined;
  const bound = new Map<string, Value>();
  for (const [index, parameter] of recipe.parameters.entries()) {
    if (parameter.variadic !== "") return undefined;
    const expression = given[index];
    const value =
      expression !== undefined
        ? valueOf(expression, names)
        : parameter.default === undefined
          ? undefined
          : valueOf(parameter.default, { ...names, bound: new Map() });
    if (!value || parameter.isExported) return undefined;
    bound.set(parameter.name, value);
  }
  const key = JSON.stringify([name, [...bound.values()]]);
  if (done.has(key)) return [];
  done.add(key);
  return linesOf(recipe, { ...names, bound }, { done, depth: depth + 1 });
}

function bodyLines(recipe: Recipe, names: Names): readonly ScriptLine[] | undefined {
  const lines = logicalLines(recipe.body).filter((line) => line.trim() !== "" && !/^\s*#/.test(line));
  const read = lines.map((line): ScriptLine | undefined => {
    const [prefix = ""] = /^[@-]{0,2}/.exec(line) ?? [];
    const parts = interpolated(line.slice(prefix.length), names);
    return parts && { parts, ignoresFailure: prefix.includes("-") };
  });
  return read.includes(undefined) ? undefined : read.flatMap((line) => line ?? []);
}

/** A backslash at the end joins lines, and the shell reads it. */
function logicalLines(body: readonly string[]): readonly string[] {
  const lines: string[] = [];
  for (const line of body) {
    const last = lines.at(-1);
    if (last?.endsWith("\\")) lines[lines.length - 1] = `${last}\n${line}`;
    else lines.push(line);
  }
  return lines;
}

/** `{{{{` is the text `{{`. */
function interpolated(text: string, names: Names): readonly Part[] | undefined {
  const parts: Part[] = [];
  for (const piece of text.split(/(\{\{\{\{|\{\{[^]*?\}\}(?!\}))/)) {
    const [, expression] = /^\{\{(?!\{)([^]*)\}\}$/.exec(piece) ?? [];
    if (expression === undefined) parts.push(piece === "{{{{" ? "{{" : piece);
    else {
      const value = valueOf(expression, names);
      if (!value) return undefined;
      for (const part of value) parts.push(part);
    }
  }
  return merged(parts);
}

function shebangScript(recipe: Recipe, names: Names, environment: JustScript["environment"]): JustScript | undefined {
  const [first = "", ...body] = recipe.body;
  const [, shell, options = ""] =
    /^#!\s*(?:\/usr\/bin\/env\s+(?:-S\s+)?|(?:\/usr(?:\/local)?)?\/bin\/)(sh|bash|zsh)(?:\s+(-[euox]+(?: pipefail)?))?\s*$/.exec(
      first,
    ) ?? [];
  if (shell !== "sh" && shell !== "bash" && shell !== "zsh") return undefined;
  if (recipe.before.length > 0 || recipe.after.length > 0) return undefined;
  if ([...recipe.attributes.keys()].some((attribute) => !HARMLESS_ATTRIBUTES.test(attribute))) return undefined;
  const parts = interpolated(body.join("\n"), names);
  return (
    parts && { shell, parts: merged([options === "" ? "" : `set ${options}\n`, ...parts]), environment, programs: [] }
  );
}
