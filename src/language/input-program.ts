// Programs that run what they read from standard input: a value in `@stdin` would be program text there.
import type { CommandTemplate, Word } from "../tool/command.ts";
import { interpreters, programName } from "./command-programs.ts";

/** They take the database as their one operand, and statements from standard input. */
const databasePrograms: readonly string[] = ["sqlite3", "psql", "mysql", "mariadb", "duckdb"];

/** The program as written; undefined where standard input is only data. Scripts of a shell are looked through by the command's own checks. */
export function programReadingInput(command: CommandTemplate): string | undefined {
  if (command.kind !== "direct") return undefined;
  const [program, ...words] = command.words.map(literalText);
  if (program === undefined) return undefined;
  const name = programName(program);
  const operands = words.filter((word) => word === undefined || word === "-" || !word.startsWith("-"));
  if (databasePrograms.includes(name)) return operands.length <= 1 ? program : undefined;
  const interpreter = interpreters.find(({ names }) => names.includes(name));
  if (!interpreter?.readsInput) return undefined;
  return operands.length === 0 || operands[0] === "-" || words.includes("-s") ? program : undefined;
}

function literalText(word: Word): string | undefined {
  return word.parts.every((part) => typeof part === "string") ? word.parts.join("") : undefined;
}
