// A script of another program than a shell: Python, Node, Perl. It is one word of the command, as it is written, so
// braces are the program's own; a value within it would be code, so values come in the environment.
import type { Checked, Diagnostic, Edit } from "../../text/diagnostic.ts";
import type { CommandTemplate, DirectCommand } from "../../tool/command.ts";
import { isSpecialVariable } from "../../shell/environment.ts";
import {
  FIRST_LINE,
  type ProgramRow,
  programRow,
  type ScriptProgram,
  scriptPrograms,
} from "../../shell/script-programs.ts";
import { isAlwaysSet } from "../../shell/variables.ts";
import { type Declaration, spanWithin } from "../syntax/ast.ts";
import { environmentOf } from "./command-environment.ts";
import { type CommandSource, commandProblem, declaredHere, emptyCommand } from "./command-problems.ts";

export function parseProgramScript(source: CommandSource, program: ScriptProgram): Checked<DirectCommand> {
  const [name = ""] = program;
  const row = programRow(name);
  const { text } = source.text;
  if (!row || text.trim() === "") return { diagnostics: [emptyCommand(source)] };
  const tag = name.endsWith("php") ? text.search(/<\?php/) : -1;
  if (tag !== -1) {
    const said = { message: "`php -r` reads code without `<?php`", start: tag, end: tag + "<?php".length };
    return { diagnostics: [commandProblem(source, "unsafe-placeholder", { ...said, help: ["leave it out"] })] };
  }
  const inside = source.declarations.flatMap((one) => valueInside(source, one, row) ?? []);
  if (inside.length > 0) return { diagnostics: inside };
  const command = { words: [{ pieces: [{ kind: "text" as const, text: name }] }], redirections: [] };
  const { needs } = environmentOf(source, { commands: [command], feedsInput: false, regions: [] });
  const words = [...program, row.option, text].map((word) => ({ parts: [word] }));
  return { value: { kind: "direct", words, ...(needs ? { needs } : {}) }, diagnostics: [] };
}

/** Returns the program and the text of a command that reads better as a script. */
export function asScript(command: CommandTemplate): { readonly program: string; readonly text: string } | undefined {
  if (command.kind !== "direct" || command.words.length !== 3) return undefined;
  const [program, option, text] = command.words.map(({ parts: [part = "", ...more] }) => (more.length > 0 ? "" : part));
  if (typeof program !== "string" || typeof text !== "string" || !text.includes("\n")) return undefined;
  return scriptPrograms.includes(program) && programRow(program)?.option === option ? { program, text } : undefined;
}

interface Place {
  readonly row: ProgramRow;
  /** The name of the parameter. */
  readonly name: string;
  /** How the program reads its value. */
  readonly reads: string;
}

/** Reports `{name}` of a parameter that reaches the script in no other way; else the text may be the program's own. */
function valueInside(source: CommandSource, declaration: Declaration, row: ProgramRow): Diagnostic | undefined {
  const { name, schema, required, default: usual } = declaration.parameter;
  const { environment } = source;
  const mark = `{${name}}`;
  const start = source.text.text.search(new RegExp(`(?<![$#{\\w>])\\{${name}\\}(?!\\})`));
  if (start === -1 || environment?.values.includes(mark)) return undefined;
  const variable = variableFor(name);
  const isSet = required || usual !== undefined;
  const text = (isSet ? row.reads : (row.asks ?? row.reads)).replace("NAME", variable);
  const isNumber = schema.type === "integer" || schema.type === "number";
  const reads = isNumber ? (row.numbers?.[schema.type === "integer" ? 0 : 1] ?? "TEXT").replace("TEXT", text) : text;
  const giving = environment?.giving(variable, mark, spanWithin(source.text, start, start).start);
  const words = giving?.words ?? `the variable \`${variable}\``;
  const isPlain = schema.type === "string" || (isNumber && isSet);
  const within = isPlain ? editsWithin(source, { row, name, reads }) : [];
  const fix =
    giving?.edit && within.length > 0
      ? { title: `pass it with ${words}, and read \`${reads}\``, edits: [giving.edit, ...within] }
      : undefined;
  return commandProblem(source, "unsafe-placeholder", {
    message: `the value of \`${mark}\` would be program text here, so it comes in the environment`,
    start,
    end: start + mark.length,
    related: declaredHere(source, name),
    ...(fix
      ? { fix }
      : {
          help: [
            `pass it with ${words}, and read it with \`${reads}\`${isPlain ? "" : `, ${schema.type === "array" || schema.type === "object" ? "as JSON" : "as text"}`}`,
          ],
        }),
  });
}

/** The variable that a value comes in: none from which a program takes code or options. */
export function variableFor(name: string): string {
  const plain = name.toUpperCase().replaceAll("-", "_");
  return isSpecialVariable(plain) || isAlwaysSet(plain) ? `${plain}_VALUE` : plain;
}

/** Texts over several lines, in which a place is not known to be code. */
const LONG_TEXT = /"""|'''|`|<</;

/**
 * Returns the edits that read the variable in every place of the value, or none where that is not sure: within a text
 * it stays text, except in an f-string of Python, which reads a name that is set above.
 */
function editsWithin(source: CommandSource, { row, reads, name }: Place): readonly Edit[] {
  const { text } = source.text;
  const places = [
    ...text.matchAll(new RegExp(`(?<![$#{\\w])(["']?)\\{${name}\\}\\1(?!\\})|(?<![$#{\\w>])\\{${name}\\}(?!\\})`, "g")),
  ];
  const lineBefore = (at: number): string => text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
  const isCode = places.every(({ index }) => (lineBefore(index).match(/["']/g) ?? []).length % 2 === 0);
  const isFormat = places.every(({ index }) => /\b[fF](["'])(?:(?!\1).)*$/.test(lineBefore(index)));
  const isImported = row.needs === undefined || new RegExp(`^${row.needs}\\b`, "m").test(text);
  if (LONG_TEXT.test(text) || (!isCode && !(isFormat && row.needs !== undefined))) return [];
  const needed = isImported ? [] : [row.needs ?? ""];
  if (!isCode) return [insertedAbove(source, [...needed, `${name} = ${reads}`])];
  return [
    ...(isImported ? [] : [insertedAbove(source, needed)]),
    ...places.map(({ index, 0: { length } }) => ({
      span: spanWithin(source.text, index, index + length),
      text: reads,
    })),
  ];
}

/** Below a first line that names the program. */
function insertedAbove({ text }: CommandSource, lines: readonly string[]): Edit {
  const first = FIRST_LINE.test(text.text) ? text.text.indexOf("\n") + 1 : 0;
  const { source, start } = spanWithin(text, first, first + 1);
  const indent = /[ \t]*$/.exec(source.text.slice(0, start))?.[0] ?? "";
  return { span: { source, start, end: start }, text: lines.map((line) => `${line}\n${indent}`).join("") };
}

/** A step has no environment of its own, so the output of another one comes as its input. */
export function outputsInside(source: CommandSource, steps: readonly string[]): readonly Diagnostic[] {
  return steps.flatMap((name) => {
    const [found] = source.text.text.matchAll(new RegExp(`(?<![$#{])\\{${name}(?:\\.[\\w.-]+)?\\}(?!\\})`, "g"));
    if (!found) return [];
    const message = `the output \`${found[0]}\` would be program text here`;
    const help = [`give it to the step with \`[stdin=${found[0]}]\`, and read the standard input`];
    return commandProblem(source, "unsafe-placeholder", {
      message,
      start: found.index,
      end: found.index + found[0].length,
      help,
    });
  });
}
