// Programs other than shells whose scripts a definition may hold: how each takes its text, and reads a variable.

/** A program and its options. */
export type ScriptProgram = readonly string[];

export interface ProgramRow {
  readonly names: readonly string[];
  /** The option whose value is the program's text. */
  readonly option: string;
  /** How a text of the program reads the variable `NAME`. */
  readonly reads: string;
  /** The same for a variable that need not be set, if it differs. */
  readonly asks?: string;
  /** The line that `reads` needs. */
  readonly needs?: string;
  /** How `TEXT` becomes an integer and a number, unless the program does that itself. */
  readonly numbers?: readonly [integer: string, number: string];
}

const rows: readonly ProgramRow[] = [
  {
    names: ["python3", "python"],
    option: "-c",
    reads: 'os.environ["NAME"]',
    asks: 'os.environ.get("NAME")',
    needs: "import os",
    numbers: ["int(TEXT)", "float(TEXT)"],
  },
  { names: ["node", "bun"], option: "-e", reads: "process.env.NAME", numbers: ["Number(TEXT)", "Number(TEXT)"] },
  { names: ["perl"], option: "-e", reads: "$ENV{NAME}" },
  { names: ["ruby"], option: "-e", reads: 'ENV["NAME"]', numbers: ["TEXT.to_i", "TEXT.to_f"] },
  { names: ["php"], option: "-r", reads: 'getenv("NAME")' },
  { names: ["Rscript"], option: "-e", reads: 'Sys.getenv("NAME")', numbers: ["as.integer(TEXT)", "as.numeric(TEXT)"] },
];

/** The programs that may be named in the place of a shell. */
export const scriptPrograms: readonly string[] = rows.flatMap(({ names }) => names);

export function programRow(program: string): ProgramRow | undefined {
  const name = (program.split("/").at(-1) ?? "").replace(/^(python)[\d.]+$/, "$1");
  return rows.find(({ names }) => names.includes(name));
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
