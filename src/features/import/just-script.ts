// The lines of a recipe as one script.
import type { Shell } from "../../core/tool/command.ts";
import { merged, type Part } from "./imported-tool.ts";
import { type Names, valueOf } from "./just-expression.ts";
import { type Recipe, splitOutside } from "./just-file.ts";
import { type ScriptLine, scriptOf } from "./script-lines.ts";

interface JustScript {
  readonly shell: Shell;
  readonly parts: readonly Part[];
  readonly environment: readonly { readonly name: string; readonly value: readonly Part[] }[];
}

/** Attributes and settings that change nothing of what a script does. */
const HARMLESS_ATTRIBUTES =
  /^(?:linux|macos|windows|unix|openbsd|group|doc|confirm|no-exit-message|exit-message|no-quiet|default|private|no-cd|metadata)$/;
const HARMLESS_SETTINGS =
  /^(?:shell|quiet|fallback|ignore-comments|windows-shell|windows-powershell|unstable|allow-duplicate-recipes|allow-duplicate-variables|export|no-exit-message|lazy|guards)$/;

/** Returns undefined if the recipe uses more than a script can. */
export function justScript(recipe: Recipe, names: Names): JustScript | undefined {
  const { settings, variables } = names.file;
  if ([...settings.keys()].some((setting) => !HARMLESS_SETTINGS.test(setting))) return undefined;
  if ([...recipe.attributes.keys()].some((attribute) => !HARMLESS_ATTRIBUTES.test(attribute))) return undefined;
  if (recipe.before.length > 0 || recipe.after.length > 0) return undefined;
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
  const lines = bodyLines(recipe, names);
  if (!lines || lines.length === 0) return undefined;
  return { shell: started.shell, parts: scriptOf(lines, started.options), environment: exported };
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
  const parts = interpolated(body.join("\n"), names);
  return parts && { shell, parts: merged([options === "" ? "" : `set ${options}\n`, ...parts]), environment };
}
