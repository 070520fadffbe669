// Reads what is plain in a template of Go as a script of a shell: `{{ .x }}` is a value, `{{ if .x }}--flag {{ .x }}{{ end }}`
// the words that a value becomes, and `{{ if .x }}`, `{{ else }}` and `{{ end }}` alone on their lines are an `if`.
import type { Parameter } from "../../core/schema/parameter.ts";
import type { Shell } from "../../core/tool/command.ts";
import { merged, type Part } from "./imported-tool.ts";

interface GoScript {
  readonly parts: readonly Part[];
  /** What a parameter becomes where it is given, by its name: `--profile {value}`. */
  readonly flags: ReadonlyMap<string, string>;
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
  const { text: plain, flags } = withFlags(text, parameters);
  const programs = new Set<string>();
  const foreign = new Set<string>();
  const parts: Part[] = [];
  for (const [, indent = "", line = ""] of plain.matchAll(/^([ \t]*)(.*)$/gm)) {
    const [, program = ""] = /^\{\{-?\s*\.(\w+)\s*-?\}\}\s*$/.exec(line) ?? [];
    const [, control] = /^\{\{-?\s*((?:if|else|end)\b[^{}]*?)\s*-?\}\}\s*$/.exec(line) ?? [];
    parts.push(parts.length === 0 ? "" : "\n", indent);
    // A line of nothing but a value is a command that the shell reads.
    if (parameters.get(program)?.schema.type === "string") {
      programs.add(program);
      parts.push(`${shell} -c `, { parameter: program });
      continue;
    }
    const branch = control === undefined ? undefined : branchParts(control, parameters);
    if (branch) {
      parts.push(...branch);
      continue;
    }
    for (const piece of line.split(/(\{\{[^{}]*\}\})/)) {
      const part = piece.startsWith("{{") ? tagPart(piece, parameters) : piece;
      if (part === undefined) return { unread: piece };
      if (part === piece && piece.startsWith("{{")) foreign.add(piece);
      parts.push(part);
    }
  }
  const [example] = foreign;
  const notes = [
    ...[...programs].map(programNote),
    ...(example === undefined ? [] : [`\`${example}\` names no parameter, so its program gets it as it is`]),
  ];
  return { parts: merged(parts), flags, programs, notes };
}

export function programNote(name: string): string {
  return `\`${name}\` is a program, as in MCPShell; a model's call is asked about`;
}

const CHOICE =
  /\{\{-?\s*if\s+\.(\w+)\s*-?\}\}((?:[^{}\n"'$`\\;|&<>()]|\{\{-?\s*\.\w+\s*-?\}\})*?)\{\{-?\s*end\s*-?\}\}/g;

/** A parameter has a flag if it stands nowhere else. */
function withFlags(text: string, parameters: ReadonlyMap<string, Parameter>): Pick<GoScript, "flags"> & SourceOnly {
  const flags = new Map<string, string>();
  const replaced = text.replaceAll(CHOICE, (whole, name: string, given: string) => {
    const parameter = parameters.get(name);
    const words = given.replaceAll(new RegExp(`\\{\\{-?\\s*\\.${name}\\s*-?\\}\\}`, "g"), "{value}").trim();
    const uses = (within: string): number => within.match(new RegExp(`\\.${name}\\b`, "g"))?.length ?? 0;
    const values = parameter?.schema.type === "boolean" ? 0 : 1;
    if (!parameter || words.split("{value}").length !== values + 1 || words.includes("{{") || uses(text) > uses(whole))
      return whole;
    if (words !== "{value}") flags.set(name, words);
    return `{{ .${name} }}`;
  });
  return { text: replaced, flags };
}

interface SourceOnly {
  readonly text: string;
}

/** A tag of a program's own templates, such as `docker ps --format {{.Names}}`: fields of Go begin with a capital. */
const FOREIGN = /\.[A-Z]|\$|^(?:range|json|println|printf|len|end)\b/;

function tagPart(tag: string, parameters: ReadonlyMap<string, Parameter>): Part | undefined {
  const inside = tag.slice(2, -2).replaceAll(/^-|-$/g, "").trim();
  const [, name] = /^\.(\w+)$/.exec(inside) ?? [];
  const [, variable] = /^env\s+\\?"([A-Za-z_]\w*)\\?"$/.exec(inside) ?? [];
  if (name !== undefined && parameters.has(name)) return { parameter: name };
  if (FOREIGN.test(inside)) return tag;
  // The name of no parameter is the empty text.
  if (name !== undefined) return "";
  return variable === undefined ? undefined : `\${${variable}}`;
}

function branchParts(tag: string, parameters: ReadonlyMap<string, Parameter>): readonly Part[] | undefined {
  if (tag === "end") return ["fi"];
  if (tag === "else") return ["else"];
  const [, word, name = ""] = /^(if|else\s+if)\s+\.(\w+)$/.exec(tag) ?? [];
  const type = parameters.get(name)?.schema.type;
  if (word === undefined || type === undefined) return undefined;
  const test = { string: ['-n "', '"'], boolean: ['"', '" = true'] }[type as string] ?? ['"', '" != 0'];
  return [`${word === "if" ? "if" : "elif"} [ ${test[0]}`, { parameter: name }, `${test[1]} ]; then`];
}
