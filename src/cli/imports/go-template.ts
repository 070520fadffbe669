// Reads the templates of Go in a script of a shell: `{{ .x }}` is a value, `{{ if .x }}--flag {{ .x }}{{ end }}` words
// that a value becomes, and tags that stand alone on their lines an `if` of the shell.
import type { Parameter } from "../../schema/parameter.ts";
import type { Shell } from "../../tool/command.ts";
import { withWholeChoices, withWholeLines } from "./go-choices.ts";
import { merged, type Part } from "./imported-tool.ts";

interface GoScript {
  readonly parts: readonly Part[];
  /** What a parameter becomes where it is given, by its name: `--profile {value}`. */
  readonly flags: ReadonlyMap<string, string>;
  /** What stands for a parameter that is not given, by its name. */
  readonly defaults: ReadonlyMap<string, string>;
  /** Parameters that are commands. */
  readonly programs: ReadonlySet<string>;
  /** Differences from the original, as sentences without a full stop. */
  readonly notes: readonly string[];
}

interface Reading {
  readonly parameters: ReadonlyMap<string, Parameter>;
  readonly shell: Shell;
}

/** Returns the part of the template that has no counterpart, as `unread`. */
export function readGoTemplate(text: string, { parameters, shell }: Reading): GoScript | { readonly unread: string } {
  const { text: marked, flags, defaults } = withFlags(withWholeChoices(text), parameters);
  const foreign = new Set<string>();
  const programs = new Set<string>();
  const parts: Part[] = [];
  for (const line of withWholeLines(marked).split("\n")) {
    const read = commandParts(line, { parameters, shell }) ?? lineParts(line, parameters, foreign);
    if ("unread" in read) return read;
    parts.push(...(parts.length === 0 ? [] : ["\n"]), ...read.parts);
    for (const name of read.programs ?? []) programs.add(name);
  }
  const [example] = foreign;
  const notes = [
    ...[...programs].map(programNote),
    ...(example === undefined ? [] : [`\`${example}\` names no parameter, so its program gets it as it is`]),
  ];
  return { parts: merged(parts), flags, defaults, programs, notes };
}

export function programNote(name: string): string {
  return `\`${name}\` is a program, as in MCPShell; a model's call is asked about`;
}

interface Flagged extends Pick<GoScript, "flags" | "defaults"> {
  readonly text: string;
}

/** A parameter has a flag if it stands nowhere else. */
function withFlags(text: string, parameters: ReadonlyMap<string, Parameter>): Flagged {
  const flags = new Map<string, string>();
  const defaults = new Map<string, string>();
  const uses = (name: string, within: string): number =>
    (within.match(new RegExp(`\\{\\{(?:(?!\\}\\}).)*\\.${name}\\b(?:(?!\\}\\}).)*\\}\\}`, "g")) ?? []).length;
  /** Whether a parameter stands nowhere but in this choice, by the choice. */
  const known = new Map<string, boolean>();
  const isOnlyIn = (whole: string, name: string): boolean => {
    const isOnly = known.get(whole) ?? uses(name, text) === uses(name, whole) * (text.split(whole).length - 1);
    known.set(whole, isOnly);
    return isOnly;
  };
  const replaced = text.replaceAll(CHOICE, (whole, ...groups: readonly (string | undefined)[]) => {
    const [name = "", given = "", absent] = groups;
    const parameter = parameters.get(name);
    const words = given.replaceAll(new RegExp(`\\{\\{-?\\s*\\.${name}\\s*-?\\}\\}`, "g"), "{value}").trim();
    const isFlag =
      parameter?.schema.type === "boolean" ? !words.includes("{value}") : words.split("{value}").length === 2;
    const isPlain = isFlag && !/\{\{|[$`\\;|&<>()]/.test(words) && (flags.get(name) ?? words) === words;
    const fallback = absent === undefined ? "" : constantIn(absent.trim(), words);
    if (!parameter || !isPlain || fallback === undefined || !isOnlyIn(whole, name)) return whole;
    if (words !== "{value}") flags.set(name, words);
    if (fallback !== "") defaults.set(name, fallback);
    return `{{ .${name} }}`;
  });
  return { text: replaced, flags, defaults };
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

interface Parts {
  readonly parts: readonly Part[];
  readonly programs?: readonly string[];
}
type LineParts = Parts | { readonly unread: string };

/** A line of nothing but values is a command that the shell reads. */
function commandParts(line: string, { parameters, shell }: Reading): Parts | undefined {
  const [, indent = "", tags] = /^(\s*)((?:\{\{-?\s*\.\w+\s*-?\}\}\s*)+)$/.exec(line) ?? [];
  const names = [...(tags ?? "").matchAll(/\.(\w+)/g)].map(([, name = ""]) => name);
  if (names.length === 0 || names.some((name) => parameters.get(name)?.schema.type !== "string")) return undefined;
  const quote = names.length === 1 ? "" : '"';
  const words = names.flatMap((name, index): readonly Part[] => [...(index === 0 ? [] : [" "]), { parameter: name }]);
  return { parts: [`${indent}${shell} -c ${quote}`, ...words, quote], programs: names };
}

/** A tag of a program's own templates, such as `docker ps --format {{.Names}}`: fields of Go begin with a capital. */
const FOREIGN = /\.[A-Z]|\$|^(?:range|json|println|printf|len|end)\b/;

function lineParts(line: string, parameters: ReadonlyMap<string, Parameter>, foreign: Set<string>): LineParts {
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
    else if (FOREIGN.test(inside)) {
      parts.push(piece);
      foreign.add(piece);
    }
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
  const [, joint, operands = ""] = /^(or|and)\s+((?:\.\w+\s*){2,})$/.exec(condition) ?? [];
  if (joint !== undefined) {
    const tests = operands
      .trim()
      .split(/\s+/)
      .map((operand) => testParts(operand, parameters));
    const joined = tests.flatMap((one, index) => [
      ...(index === 0 ? [] : [joint === "or" ? " || " : " && "]),
      ...(one ?? []),
    ]);
    return tests.includes(undefined) ? undefined : joined;
  }
  const [, variable] = /^env\s+\\?"([A-Za-z_]\w*)\\?"$/.exec(condition) ?? [];
  if (variable !== undefined) return [`[ -n "\${${variable}}" ]`];
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
