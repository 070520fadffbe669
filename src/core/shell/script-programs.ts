// Programs other than shells whose scripts a definition may hold: how each takes its text, and reads a variable.
import { scriptRows } from "../../generated/script-programs.ts";

/** A program and its options. */
export type ScriptProgram = readonly string[];

/** See `scripts` in grammar/programs.yaml. */
export interface ProgramRow {
  readonly names: string;
  readonly option: string;
  readonly reads: string;
  readonly asks?: string;
  readonly needs?: string;
  readonly numbers?: readonly [integer: string, number: string];
}

/** The programs that may be named in the place of a shell. */
export const scriptPrograms: readonly string[] = scriptRows.flatMap(({ names }) => names.split(" "));

export function programRow(program: string): ProgramRow | undefined {
  const name = (program.split("/").at(-1) ?? "").replace(/^(python)[\d.]+$/, "$1");
  return scriptRows.find(({ names }) => names.split(" ").includes(name));
}

/** Matches a first line that names the program of a script. */
export const FIRST_LINE = /^#![ \t]*(?:\/usr\/bin\/env[ \t]+(?:-S[ \t]+)?)?([^\n\r]*)/;

/** Returns the program that the first line of a script names, and its options, if it is one of these. */
export function programOfFirstLine(text: string): ScriptProgram | undefined {
  const words = (FIRST_LINE.exec(text)?.[1] ?? "").split(/[ \t]+/).filter((word) => word !== "");
  return words[0] !== undefined && programRow(words[0]) ? words : undefined;
}

/** Returns the program that reads a text, unless a shell does: the one that is named, or that of its first line. */
export function programFor(text: string, reader: string | ScriptProgram): ScriptProgram | undefined {
  if (typeof reader === "object") return reader;
  return reader === "none" ? programOfFirstLine(text) : undefined;
}
