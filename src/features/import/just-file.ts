// Reads the items of a justfile, as https://just.systems/man/en/ and just's GRAMMAR.md describe them.
import { commentText, Unreadable } from "./imported-tool.ts";

export interface Justfile {
  readonly settings: ReadonlyMap<string, string>;
  /** Variables, with their expressions as written. */
  readonly variables: ReadonlyMap<string, { readonly expression: string; readonly isExported: boolean }>;
  readonly recipes: readonly Recipe[];
  /** Items that are read by just alone, such as `import`. */
  readonly others: readonly string[];
}

export interface Recipe {
  readonly name: string;
  readonly doc: string;
  /** Names of attributes, with the text of their first argument. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly isQuiet: boolean;
  readonly parameters: readonly RecipeParameter[];
  /** Dependencies as written: `build` or `(build "x")`. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Lines without their common indent. */
  readonly body: readonly string[];
}

export interface RecipeParameter {
  readonly name: string;
  readonly isExported: boolean;
  /** `+` takes one or more words, `*` any number. */
  readonly variadic: "" | "+" | "*";
  /** An expression. */
  readonly default?: string;
}

const NAME = "[A-Za-z_][A-Za-z0-9_-]*";
const SETTING = new RegExp(`^set\\s+(${NAME})\\s*(?::=\\s*(.*))?$`);
const VARIABLE = new RegExp(`^(export\\s+|eager\\s+|private\\s+)*(${NAME})\\s*:=\\s*(.*)$`, "s");
const RECIPE = new RegExp(`^(@?)(${NAME})\\b`);
/** Texts and commands; a backslash escapes only in double quotes. */
const QUOTED = /'''[^]*?'''|"""[^]*?"""|```[^]*?```|'[^']*'|"(?:\\.|[^"\\])*"|`[^`]*`/g;
const OTHER = /^(?:import|mod|alias|unexport)\b|^[A-Za-z_][\w-]*\([^()]*\)\s*:=/;

export function readJust(text: string): Justfile {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  const settings = new Map<string, string>();
  const variables = new Map<string, { readonly expression: string; readonly isExported: boolean }>();
  const recipes: Recipe[] = [];
  const others: string[] = [];
  let comment: string[] = [];
  let attributes = new Map<string, string>();
  for (let index = 0; index < lines.length; ) {
    const line = lines[index] ?? "";
    const { item, next } = wholeItem(lines, index);
    index = next;
    if (/^\s*$/.test(line)) comment = [];
    else if (line.startsWith("#")) comment.push(line);
    else if (line.startsWith("[")) for (const [name, argument] of attributesIn(item)) attributes.set(name, argument);
    else {
      const setting = SETTING.exec(item);
      const variable = VARIABLE.exec(item);
      if (setting) settings.set(setting[1] ?? "", setting[2]?.trim() ?? "true");
      else if (variable && !isRecipeHead(item))
        variables.set(variable[2] ?? "", { expression: variable[3] ?? "", isExported: item.startsWith("export") });
      else if (OTHER.test(item)) others.push(item);
      else {
        const body = bodyAt(lines, index);
        index = body.next;
        const recipe = recipeOf(item, { doc: commentText(comment), attributes, body: body.lines });
        if (!recipe) throw new Unreadable(`line ${index} is not an item of a justfile: ${item.slice(0, 60)}`);
        recipes.push(recipe);
      }
      comment = [];
      attributes = new Map();
    }
  }
  return { settings, variables, recipes, others };
}

/** The limit of lines of one item, such as a text or a list. */
const ITEM_LINES_MAX = 500;

/** Joins lines of one item: after a backslash, inside brackets and inside texts of three quotes. */
function wholeItem(lines: readonly string[], start: number): { readonly item: string; readonly next: number } {
  let item = lines[start] ?? "";
  let next = start + 1;
  for (; next < lines.length && isOpen(item); next++) {
    if (next - start > ITEM_LINES_MAX) throw new Unreadable(`the item that begins in line ${start + 1} has no end`);
    item = item.endsWith("\\") ? `${item.slice(0, -1)} ${(lines[next] ?? "").trim()}` : `${item}\n${lines[next] ?? ""}`;
  }
  return { item: withoutComment(item), next };
}

/** Texts and commands in quotes may have line ends. */
function isOpen(item: string): boolean {
  if (item.startsWith("#")) return false;
  if (item.endsWith("\\")) return true;
  const bare = item.replaceAll(QUOTED, "x").replaceAll(/#.*/g, "");
  if (/["'`]/.test(bare)) return true;
  return count(bare, /[([{]/g) > count(bare, /[)\]}]/g);
}

function count(text: string, pattern: RegExp): number {
  return (text.match(pattern) ?? []).length;
}

function withoutComment(item: string): string {
  return item
    .replaceAll(/'''[^]*?'''|"""[^]*?"""|```[^]*?```|'[^']*'|"(?:\\.|[^"\\])*"|`[^`]*`|(#.*)/g, (text, comment) =>
      comment === undefined ? text : "",
    )
    .trimEnd();
}

function isRecipeHead(item: string): boolean {
  return /^@?[A-Za-z_][\w-]*(?:\s+[^:=]*)?:(?!=)/.test(item);
}

function attributesIn(item: string): readonly (readonly [string, string])[] {
  const inside = item.replace(/^\[/, "").replace(/\]\s*$/, "");
  return splitOutside(inside, ",").map((attribute) => {
    const [, name = "", argument = ""] = /^\s*([\w-]+)\s*(?::\s*|\()?\s*([^]*?)\)?\s*$/.exec(attribute) ?? [];
    return [name, textOf(argument)];
  });
}

/** `'Delete ' + name + '?'` is a text with the name in it: which value it has, only a call knows. */
function textOf(argument: string): string {
  const pieces = splitOutside(argument, "+");
  return pieces
    .map((piece) => (/^(["']).*\1$/s.test(piece) ? piece.slice(1, -1) : pieces.length === 1 ? piece : `\`${piece}\``))
    .join("");
}

/** Splits at a character outside of quotes and brackets. */
export function splitOutside(text: string, separator: string): readonly string[] {
  const pieces: string[] = [];
  let piece = "";
  let depth = 0;
  for (const [token] of text.matchAll(/'''[^]*?'''|"""[^]*?"""|'[^']*'|"(?:\\.|[^"\\])*"|`[^`]*`|[^]/g)) {
    if (token === "(" || token === "[" || token === "{") depth++;
    if (token === ")" || token === "]" || token === "}") depth--;
    if (depth === 0 && (separator === " " ? /^\s$/.test(token) : token === separator)) {
      pieces.push(piece);
      piece = "";
    } else piece += token;
  }
  return [...pieces, piece].map((one) => one.trim()).filter((one) => one !== "");
}

function bodyAt(lines: readonly string[], start: number): { readonly lines: readonly string[]; readonly next: number } {
  let next = start;
  while (next < lines.length && /^(?:[ \t]|\s*$)/.test(lines[next] ?? "")) next++;
  const body = lines.slice(start, next);
  while (body.length > 0 && body.at(-1)?.trim() === "") body.pop();
  const indent = /^[ \t]*/.exec(body.find((line) => line.trim() !== "") ?? "")?.[0] ?? "";
  return { lines: body.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line.trimStart())), next };
}

interface Around {
  readonly doc: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly body: readonly string[];
}

function recipeOf(head: string, { doc, attributes, body }: Around): Recipe | undefined {
  const [start, quiet, name] = RECIPE.exec(head) ?? [];
  if (start === undefined || name === undefined) return undefined;
  const split = atColon(head.slice(start.length));
  if (!split) return undefined;
  const [parameters, dependencies] = split;
  const [before = "", after = ""] = dependencies.split("&&");
  const read = splitOutside(parameters.replaceAll(/\s*=\s*/g, "="), " ").map(parameterOf);
  if (read.includes(undefined)) return undefined;
  return {
    name,
    doc: attributes.get("doc") ?? doc,
    attributes,
    isQuiet: quiet === "@",
    parameters: read.flatMap((parameter) => parameter ?? []),
    before: splitOutside(before, " "),
    after: splitOutside(after, " "),
    body,
  };
}

/** Returns the texts before and behind the colon that ends the parameters. */
function atColon(text: string): readonly [parameters: string, dependencies: string] | undefined {
  const bare = text.replaceAll(QUOTED, (quoted) => "x".repeat(quoted.length));
  const at = bare.indexOf(":");
  return at === -1 ? undefined : [text.slice(0, at), text.slice(at + 1)];
}

function parameterOf(text: string): RecipeParameter | undefined {
  const [, variadic = "", exported = "", name, value] =
    new RegExp(`^([+*]?)(\\$?)(${NAME})(?:=([^]*))?$`).exec(text) ?? [];
  if (name === undefined) return undefined;
  return {
    name,
    isExported: exported === "$",
    variadic: variadic === "+" || variadic === "*" ? variadic : "",
    ...(value === undefined ? {} : { default: value }),
  };
}
