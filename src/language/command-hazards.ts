// Places where a program would read a value as program text although nothing is wrong with the quotes: `sh -c "… {p}"`.
import type { Diagnostic } from "../text/diagnostic.ts";
import type { SimpleCommand } from "./command-pieces.ts";
import type { Region } from "./command-regions.ts";
import { type CommandSource, parameterAsProgram } from "./command-problems.ts";

export function commandHazards(source: CommandSource, script: { readonly commands: readonly SimpleCommand[]; readonly regions: readonly Region[] }): readonly Diagnostic[] {
  return script.commands.flatMap((command) => {
    const program = command.words[0]?.pieces.find((piece) => piece.kind === "placeholder");
    return program?.kind === "placeholder" ? [parameterAsProgram(source, program)] : [];
  });
}
