// Values within the strings of a JSON text, as in `curl -d '{"name": "{name}"}'`. Without a shell, such a value is written
// as JSON: a quote in it would end the string, and the rest of it would become keys and values of the text. What the
// programs of a script make of a text is not known, so there is a warning.
import type { Diagnostic } from "../../text/diagnostic.ts";
import type { Shell, WordPlaceholder } from "../../tool/command.ts";
import type { PlaceholderPart } from "../../tool/template.ts";
import { type CommandSource, commandProblem, declarationOf, declaredHere } from "../kinds/command-problems.ts";
import type { CommandPiece, PlaceholderPiece } from "../../shell/pieces.ts";
import { isShellSafe } from "../../shell/shell-safe.ts";
import { scanScript } from "../../shell/scan.ts";

/** Marks the values of a word or of a text that are written as JSON. */
export function withJsonPlaces<P extends PlaceholderPart | WordPlaceholder>(
  parts: readonly (string | P)[],
): readonly (string | P)[] {
  const found = insideStrings(parts.map((part) => (typeof part === "string" ? { kind: "text", text: part } : part)));
  return parts.map((part) => (typeof part !== "string" && found.has(part) ? { ...part, inJson: true as const } : part));
}

/** Returns a warning for the first such value of each word of a script. */
export function textInJson(source: CommandSource, shell: Shell | "none"): readonly Diagnostic[] {
  const { text } = source.text;
  if (shell === "none" || shell === "pwsh" || shell === "cmd" || !text.includes('"') || !/[[{]/.test(text)) return [];
  return textsOf(text, shell).flatMap((pieces) => {
    const found = insideStrings(pieces);
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

/** Returns what stands in strings of a JSON text besides text; nothing if it is none. */
function insideStrings<Other extends object>(
  pieces: readonly ({ readonly kind: "text"; readonly text: string } | Other)[],
): ReadonlySet<Other> {
  const found = new Set<Other>();
  let json = "";
  let isInside = false;
  for (const piece of pieces) {
    if ("kind" in piece && piece.kind === "text") {
      for (const [mark] of piece.text.matchAll(/\\.|"/gs)) if (mark === '"') isInside = !isInside;
      json += piece.text;
    } else {
      if (isInside) found.add(piece as Other);
      json += "1";
    }
  }
  // `-d{…}`, `--data={…}`, `field={…}`, and the last line of a here-document.
  const bare = json.replace(/^[\w@.-]*=?(?=[[{])/, "").replace(/\n[\t ]*\w+\n?$/, "");
  // `["{x}"]` alone is more often a pattern.
  if (!/^\s*(?:\{|\[.*[{,])/s.test(bare)) return new Set();
  try {
    JSON.parse(bare);
  } catch {
    return new Set();
  }
  return found;
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
