// A value of a call that a program may run, because nothing says that the program reads it as data.

export interface OpenValue {
  /** The value as written in the braces, or what a shell puts in: `$name`. */
  readonly value: string;
  readonly program: string;
  /** How the value gets there. With `file`, another part of the tool may have written it to a file before. */
  readonly by: "word" | "subcommand" | "input" | "variable" | "folder" | "file";
  /** The name of a variable. */
  readonly name?: string;
}

export function openValuesOf({
  mayRun = [],
}: {
  readonly mayRun?: readonly OpenValue[] | undefined;
}): readonly OpenValue[] {
  return mayRun;
}

/** Returns one sentence without a full stop. */
export function openValueText({ value, program, by, name = "" }: OpenValue): string {
  switch (by) {
    case "word":
      return `${shown(value)} is an argument of \`${program}\`, which may run it`;
    case "subcommand":
      return `${shown(value)} decides what \`${program}\` does`;
    case "input":
      return `${shown(value)} is what \`${program}\` reads, which may run it`;
    case "variable":
      return `${shown(value)} is in the variable \`${name}\` of \`${program}\`, which may run it`;
    case "folder":
      return `${shown(value)} is the folder of \`${program}\`, which may run files in it`;
    case "file":
      return `${shown(value)} may be in a file when \`${program}\` starts, which may run it`;
  }
}

/** Returns a sentence without a full stop for each program, and for each other way that a value takes. */
export function openValueTexts(values: readonly OpenValue[]): readonly string[] {
  const words = values.filter(({ by }) => by === "word");
  const programs = [...new Set(words.map(({ program }) => program))];
  const texts = programs.map((program) => {
    const names = [...new Set(words.filter((one) => one.program === program).map(({ value }) => shown(value)))];
    const last = names.at(-1) ?? "";
    return names.length === 1
      ? `\`${program}\` gets ${last}, and may run it`
      : `\`${program}\` gets ${names.slice(0, -1).join(", ")} and ${last}, and may run them`;
  });
  return [...texts, ...values.filter(({ by }) => by !== "word").map(openValueText)];
}

function shown(value: string): string {
  return /^[A-Za-z_]/.test(value) ? `\`{${value}}\`` : `\`${value}\``;
}
