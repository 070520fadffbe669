// Reads the templates of Go in a script of a shell: `{{ .x }}` is a value, `{{ if .x }}--flag {{ .x }}{{ end }}` words
// that a value becomes, and tags that stand alone on their lines an `if` of the shell.
import type { Parameter } from "../../core/schema/parameter.ts";
import type { Shell } from "../../core/tool/command.ts";
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

// Rewrites a script with templates of Go so that each `{{ if }}` stands for whole words of a command or for whole lines:
// what a shell variable collects goes to its place, and a line with a choice inside becomes an `if` with two lines.

/** `{{ if .x }}…{{ else }}…{{ end }}` within a line, without another one inside. */
const INLINE =
  /\{\{-?\s*if\s+((?:(?!\}\}).)+?)\s*-?\}\}((?:(?!\{\{-?\s*(?:if|else|end)\b).)*?)(?:\{\{-?\s*else\s*-?\}\}((?:(?!\{\{-?\s*(?:if|end)\b).)*?))?\{\{-?\s*end\s*-?\}\}/;
/** Each doubles the lines. */
const CHOICES_OF_A_LINE_MAX = 3;

function withWholeChoices(text: string): string {
  return inlined(chained(folded(joined(text))));
}

/** Lines that `\` continues, and that have a choice, as one line. */
function joined(text: string): string {
  return text.replaceAll(/^(?:.*\\\n)+.*$/gm, (lines) =>
    INLINE.test(lines) ? lines.replaceAll(/[ \t]*\\\n[ \t]*/g, " ") : lines,
  );
}

/** A value of a shell variable between `"`, with tags, whose own texts may have quotes. */
const VALUE = String.raw`"((?:\{\{(?:(?!\}\}).)*\}\}|[^"\n{}$\`\\])*)"[ \t]*(?:#.*)?`;
const NAME = "([A-Za-z_][A-Za-z0-9_]*)";

/** An `if` around the assignment of one variable as one assignment. */
function folded(text: string): string {
  const block = new RegExp(
    String.raw`(?:^[ \t]*${NAME}=""[ \t]*\n)?^([ \t]*)\{\{-?\s*if\s+((?:(?!\}\}).)+?)\s*-?\}\}[ \t]*\n?[ \t]*${NAME}=${VALUE}\n?(?:[ \t]*\{\{-?\s*else\s*-?\}\}[ \t]*\n?[ \t]*${NAME}=${VALUE}\n?)?[ \t]*\{\{-?\s*end\s*-?\}\}[ \t]*$`,
    "gm",
  );
  return text.replaceAll(block, (whole, ...groups: readonly (string | undefined)[]) => {
    const [empty, indent = "", condition = "", name = "", given = "", otherName, other] = groups;
    const isOne = (empty ?? name) === name && (otherName ?? name) === name;
    // Without an empty value before, another one might stay.
    if (!isOne || (empty === undefined && otherName === undefined)) return whole;
    return `${indent}${name}="{{ if ${condition} }}${given}${other === undefined ? "" : `{{ else }}${other}`}{{ end }}"`;
  });
}

/** `ARGS=""` and lines `ARGS="$ARGS …"` right below as one assignment. */
function chained(text: string): string {
  const chain = new RegExp(
    String.raw`^([ \t]*)${NAME}=${VALUE}\n((?:[ \t]*\2="\$\2 (?:\{\{(?:(?!\}\}).)*\}\}|[^"\n{}$\`\\])*"[ \t]*\n)+)`,
    "gm",
  );
  return text.replaceAll(chain, (...groups: readonly string[]) => {
    const [, indent = "", name = "", first = "", more = ""] = groups;
    const rest = [...more.matchAll(/="\$\w+ (.*)"[ \t]*$/gm)].map(([, value = ""]) => value);
    return `${indent}${name}="${[first, ...rest].filter((one) => one !== "").join(" ")}"\n`;
  });
}

/** A variable that is set once, with tags, and then stands alone as a word is its value in that place. */
function inlined(text: string): string {
  // An indented one may be in a branch that is not taken.
  const assignment = new RegExp(String.raw`^${NAME}=${VALUE}$\n?`, "gm");
  const values = [...text.matchAll(assignment)].filter(([, , value = ""]) => value.includes("{{"));
  return values.reduce((done, [whole, name = "", value = ""]) => {
    const isOnce = (text.match(new RegExp(`\\b${name}=`, "g")) ?? []).length === 1;
    if (!isOnce) return done;
    const replaced = done
      .replace(whole, "")
      .replaceAll(new RegExp(`(?<![^\\s(])\\$(?:${name}\\b|\\{${name}\\})(?![^\\s)])`, "g"), () => value);
    return new RegExp(`\\b${name}\\b`).test(replaced) ? done : replaced;
  }, text);
}

/** Each line with a choice inside as an `if` of the template, whose tags stand alone on their lines. */
function withWholeLines(text: string): string {
  return text
    .split("\n")
    .map((line) => (/^\s*\{\{[^{}]*\}\}\s*$/.test(line) ? line : splitLine(line, CHOICES_OF_A_LINE_MAX)))
    .join("\n");
}

function splitLine(line: string, choicesMax: number): string {
  const found = INLINE.exec(line);
  if (!found || choicesMax === 0 || /<<|\\$/.test(line)) return line;
  const [tags, condition = "", given = "", other = ""] = found;
  // A template of another program.
  if (/\.[A-Z]/.test(condition)) return line;
  const before = line.slice(0, found.index);
  const behind = line.slice(found.index + tags.length);
  // The same choice again has the same answer.
  const decided = (text: string, isGiven: boolean): string =>
    text.replaceAll(new RegExp(INLINE, "g"), (...groups: readonly (string | undefined)[]) => {
      const [same = "", again, yes = "", no = ""] = groups;
      return again === condition ? (isGiven ? yes : no) : same;
    });
  const whole = (text: string, isGiven: boolean): string => {
    const made = before + text + decided(behind, isGiven);
    return made.trim() === "" ? `${made}:` : splitLine(made.trimEnd(), choicesMax - 1);
  };
  const indent = /^\s*/.exec(line)?.[0] ?? "";
  const inside = (lines: string): string => lines.replaceAll(/^/gm, "  ");
  return [`{{ if ${condition} }}`, inside(whole(given, true)), "{{ else }}", inside(whole(other, false)), "{{ end }}"]
    .map((one, index) => (index % 2 === 0 ? indent + one : one))
    .join("\n");
}
