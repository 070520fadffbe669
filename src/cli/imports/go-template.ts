// Reads the templates of Go in a script of a shell: `{{ .x }}` is a value, `{{ if .x }}--flag {{ .x }}{{ end }}` words
// that a value becomes, and tags that stand alone on their lines an `if` of the shell.
import type { Parameter } from "../../schema/parameter.ts";
import { merged, type Part } from "./imported-tool.ts";

interface GoScript {
  readonly parts: readonly Part[];
  /** What a parameter becomes where it is given, by its name: `--profile {value}`. */
  readonly flags: ReadonlyMap<string, string>;
  /** What stands for a parameter that is not given, by its name. */
  readonly defaults: ReadonlyMap<string, string>;
}

/** Returns the part of the template that has no counterpart, as `unread`. */
export function readGoTemplate(
  text: string,
  parameters: ReadonlyMap<string, Parameter>,
): GoScript | { readonly unread: string } {
  const flags = new Map<string, string>();
  const defaults = new Map<string, string>();
  const marked = inlined(text).replaceAll(CHOICE, (whole, ...groups: readonly (string | undefined)[]) => {
    const [name = "", given = "", absent] = groups;
    const parameter = parameters.get(name);
    const words = given.replaceAll(new RegExp(`\\{\\{-?\\s*\\.${name}\\s*-?\\}\\}`, "g"), "{value}").trim();
    const isFlag =
      parameter?.schema.type === "boolean" ? !words.includes("{value}") : words.split("{value}").length === 2;
    const isPlain = isFlag && !/\{\{|[$`\\;|&<>()]/.test(words) && (flags.get(name) ?? words) === words;
    const fallback = absent === undefined ? "" : constantIn(absent.trim(), words);
    if (!parameter || !isPlain || fallback === undefined) return whole;
    if (words !== "{value}") flags.set(name, words);
    if (fallback !== "") defaults.set(name, fallback);
    return `{{ .${name} }}`;
  });
  const parts: Part[] = [];
  for (const line of marked.split("\n")) {
    const read = lineParts(line, parameters);
    if ("unread" in read) return read;
    parts.push(...(parts.length === 0 ? [] : ["\n"]), ...read.parts);
  }
  return { parts: merged(parts), flags, defaults };
}

/** `{{ if .x }}--flag {{ .x }}{{ else }}--flag json{{ end }}` within a line. */
const CHOICE =
  /\{\{-?\s*if\s+\.(\w+)\s*-?\}\}((?:[^{}\n"']|\{\{-?\s*\.\w+\s*-?\}\})*?)(?:\{\{-?\s*else\s*-?\}\}([^{}\n"']*?))?\{\{-?\s*end\s*-?\}\}/g;

/** Returns what stands for the value in a text of the same shape; undefined if the shape is another. */
function constantIn(text: string, words: string): string | undefined {
  const [before = "", behind = ""] = words.split("{value}");
  if (!text.startsWith(before) || !text.endsWith(behind)) return undefined;
  const constant = text.slice(before.length, text.length - behind.length);
  return /^[\w.:/-]+$/.test(constant) ? constant : undefined;
}

/** `X="{{ if .ns }}-n {{ .ns }}{{ end }}"` and a bare `$X` below are the same as the text in its place. */
function inlined(text: string): string {
  const assignment = /^[ \t]*([A-Z_][A-Z0-9_]*)="(\{\{-?\s*if [^"\n]*\{\{-?\s*end\s*-?\}\})"[ \t]*\n/gm;
  const values = new Map([...text.matchAll(assignment)].map(([, name = "", value = ""]) => [name, value]));
  const isOnce = (name: string): boolean => (text.match(new RegExp(`\\b${name}=`, "g")) ?? []).length === 1;
  return [...values]
    .filter(([name]) => isOnce(name))
    .reduce((done, [name, value]) => {
      const without = done.replace(new RegExp(`^[ \\t]*${name}=.*\\n`, "m"), "");
      const replaced = without.replaceAll(
        new RegExp(`(?<!["\\w])\\$(?:${name}\\b|\\{${name}\\})(?!["\\w])`, "g"),
        () => value,
      );
      return new RegExp(`\\$\\{?${name}\\b`).test(replaced) ? done : replaced;
    }, text);
}

type LineParts = { readonly parts: readonly Part[] } | { readonly unread: string };

function lineParts(line: string, parameters: ReadonlyMap<string, Parameter>): LineParts {
  const [, indent = "", tag] = /^(\s*)\{\{-?\s*([^{}]*?)\s*-?\}\}\s*$/.exec(line) ?? [];
  const control = tag === undefined ? undefined : controlParts(tag, parameters);
  if (control) return { parts: [indent, ...control] };
  const parts: Part[] = [];
  for (const piece of line.split(/(\{\{[^{}]*\}\})/)) {
    if (!piece.startsWith("{{")) {
      parts.push(piece);
      continue;
    }
    const inside = piece.slice(2, -2).replaceAll(/^-|-$/g, "").trim();
    const [, name] = /^\.(\w+)$/.exec(inside) ?? [];
    const [, variable] = /^env\s+\\?"([A-Za-z_]\w*)\\?"$/.exec(inside) ?? [];
    if (name !== undefined && parameters.has(name)) parts.push({ parameter: name });
    // The name of no parameter is the empty text.
    else if (name !== undefined) continue;
    else if (variable !== undefined) parts.push(`\${${variable}}`);
    else return { unread: piece };
  }
  return { parts };
}

function controlParts(tag: string, parameters: ReadonlyMap<string, Parameter>): readonly Part[] | undefined {
  if (tag === "end") return ["fi"];
  if (tag === "else") return ["else"];
  const [, word, condition = ""] = /^((?:else\s+)?if)\s+(.*)$/.exec(tag) ?? [];
  const test = word === undefined ? undefined : testParts(condition, parameters);
  return test && [word === "if" ? "if " : "elif ", ...test, "; then"];
}

function testParts(condition: string, parameters: ReadonlyMap<string, Parameter>): readonly Part[] | undefined {
  const [, negated, name = ""] = /^(not\s+)?\.(\w+)$/.exec(condition) ?? [];
  const [, operator, left = "", right] = /^(eq|ne)\s+\.(\w+)\s+"([\w .:/-]*)"$/.exec(condition) ?? [];
  if (operator !== undefined && parameters.has(left))
    return ["[ ", { parameter: left }, ` ${operator === "eq" ? "=" : "!="} "${right}" ]`];
  const parameter = parameters.get(name);
  if (!parameter) return undefined;
  const value = { parameter: name };
  const not = negated === undefined ? "" : "! ";
  switch (parameter.schema.type) {
    case "boolean":
      return [`${not}[ "`, value, '" = true ]'];
    case "string":
      return [`${not}[ -n "`, value, '" ]'];
    default:
      return [`${not}[ "`, value, '" != 0 ]'];
  }
}
