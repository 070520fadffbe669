// Values within the strings of a JSON text in a script: `curl -d '{"name": "{name}"}'`. Elsewhere they are written as JSON;
// what the programs of a script make of a text is not known, so there is a warning.
import type { Diagnostic } from "../../text/diagnostic.ts";
import type { Shell } from "../../tool/command.ts";
import { jsonPlaces } from "../../tool/json-places.ts";
import { type CommandSource, commandProblem, declarationOf, declaredHere } from "../kinds/command-problems.ts";
import type { CommandPiece, PlaceholderPiece } from "../../shell/pieces.ts";
import { isShellSafe } from "../../shell/shell-safe.ts";
import { scanScript } from "../../shell/scan.ts";

/** Returns a warning for the first such value of each word of a script. */
export function textInJson(source: CommandSource, shell: Shell | "none"): readonly Diagnostic[] {
  const { text } = source.text;
  if (shell === "none" || shell === "pwsh" || shell === "cmd" || !text.includes('"') || !/[[{]/.test(text)) return [];
  return textsOf(text, shell).flatMap((pieces) => {
    const found = jsonPlaces(pieces.map((piece) => (piece.kind === "text" ? piece.text : piece)));
    const risky = pieces.flatMap((one) =>
      one.kind === "placeholder" && found.has(one) && mayHoldQuote(source, one.name) ? [one] : [],
    );
    return risky.slice(0, 1).map((piece) => toDiagnostic(source, piece));
  });
}

/** Returns the words and the here-documents of a script. */
function textsOf(text: string, shell: "sh" | "bash" | "zsh"): readonly (readonly CommandPiece[])[] {
  const { commands } = scanScript(text, { knowsTests: shell !== "sh", knowsSubscripts: shell === "zsh" });
  const words = commands.flatMap((command) => [...command.words, ...command.redirections.map(({ word }) => word)]);
  return words.map(({ pieces }) => pieces);
}

function mayHoldQuote(source: CommandSource, name: string): boolean {
  const schema = declarationOf(source, name)?.parameter.schema;
  return schema?.type === "string" && !schema.choices && !isShellSafe(schema);
}

function toDiagnostic(source: CommandSource, { name, start, end }: PlaceholderPiece): Diagnostic {
  const found = commandProblem(source, "text-in-json", {
    message: `a quote in \`{${name}}\` would end the JSON string, and the rest would be read as JSON`,
    start,
    end,
    related: declaredHere(source, name),
    help: [
      `let a program write the JSON: \`jq -n --arg ${name} {${name}} '{${name}: $${name}}'\`; grammar/cookbook.md, 5, shows all of it`,
      `or allow only plain text: \`[pattern=/[\\w.-]+/]\` behind the type of \`${name}\``,
    ],
  });
  return { ...found, severity: "warning" };
}
