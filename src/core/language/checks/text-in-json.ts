// Values within the strings of a JSON text, as in `curl -d '{"name": "{name}"}'`. A quote in such a value ends the
// string, so that the rest of the value becomes keys and values of the text.
import type { Diagnostic } from "../../text/diagnostic.ts";
import type { Shell } from "../../tool/command.ts";
import { directWords } from "../../shell/direct-words.ts";
import { type CommandSource, commandProblem, declarationOf, declaredHere } from "../kinds/command-problems.ts";
import { isShellSafe } from "../../shell/shell-safe.ts";
import { scanScript } from "../../shell/scan.ts";

type Piece =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "placeholder"; readonly name: string; readonly start: number; readonly end: number }
  | { readonly kind: "other" };

/** Returns a warning for the first such value of each word. */
export function textInJson(source: CommandSource, shell: Shell | "none"): readonly Diagnostic[] {
  const { text } = source.text;
  if (shell === "pwsh" || shell === "cmd" || !text.includes('"') || !/[[{]/.test(text)) return [];
  const texts: readonly (readonly Piece[])[] =
    shell === "none" ? directWords(text).map(({ tokens }) => tokens.flatMap(pieceOf)) : textsOf(text, shell);
  return texts.flatMap((pieces) => problem(source, pieces));
}

/** Checks a text with placeholders outside of commands, such as `@stdin`. */
export function templateInJson(source: CommandSource): readonly Diagnostic[] {
  const { text } = source.text;
  const pieces: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(/\{\{|\}\}|\{([A-Za-z_][A-Za-z0-9_-]*)\}/g)) {
    const [mark, name] = match;
    const end = match.index + mark.length;
    pieces.push({ kind: "text", text: text.slice(from, match.index) + (name === undefined ? mark.slice(1) : "") });
    if (name !== undefined) pieces.push({ kind: "placeholder", name, start: match.index, end });
    from = end;
  }
  pieces.push({ kind: "text", text: text.slice(from) });
  return problem(source, pieces);
}

function problem(source: CommandSource, pieces: readonly Piece[]): readonly Diagnostic[] {
  const piece = insideString(pieces, source);
  return piece ? [toDiagnostic(source, piece)] : [];
}

/** Returns the words and the here-documents of a script. */
function textsOf(text: string, shell: "sh" | "bash" | "zsh"): readonly (readonly Piece[])[] {
  const { commands } = scanScript(text, { knowsTests: shell !== "sh", knowsSubscripts: shell === "zsh" });
  const words = commands.flatMap((command) => [...command.words, ...command.redirections.map(({ word }) => word)]);
  return words.map(({ pieces }) => pieces.flatMap(pieceOf));
}

function pieceOf(piece: { readonly kind: string; readonly text?: string }): readonly Piece[] {
  if (piece.kind === "text") return [{ kind: "text", text: piece.text ?? "" }];
  if (piece.kind === "quote") return [];
  return [isPlaceholder(piece) ? piece : { kind: "other" }];
}

function isPlaceholder(piece: { readonly kind: string }): piece is Extract<Piece, { readonly kind: "placeholder" }> {
  return piece.kind === "placeholder";
}

type PlaceholderPiece = Extract<Piece, { readonly kind: "placeholder" }>;

/** Returns the first placeholder that may hold a quote or a backslash and stands in a string of a JSON text. */
function insideString(pieces: readonly Piece[], source: CommandSource): PlaceholderPiece | undefined {
  const risky = pieces.filter(isPlaceholder).filter(({ name }) => mayHoldQuote(source, name));
  if (risky.length === 0) return undefined;
  // `\ue000` and its neighbours are for private use: no text has them.
  const marked = pieces
    .map((piece) => {
      if (piece.kind === "text") return piece.text;
      const index = isPlaceholder(piece) ? risky.indexOf(piece) : -1;
      return index === -1 ? "1" : `\ue000${index}\ue001`;
    })
    .join("");
  // `-d{…}`, `--data={…}`, `field={…}`, and the last line of a here-document.
  const json = marked.replace(/^[\w@.-]*=?(?=[[{])/, "").replace(/\n[\t ]*\w+\n?$/, "");
  // `["{x}"]` alone is more often a pattern.
  if (!/^\s*(?:\{|\[.*[{,])/s.test(json)) return undefined;
  try {
    JSON.parse(json);
  } catch {
    return undefined;
  }
  return risky[Number(/\ue000(\d+)\ue001/.exec(json)?.[1])];
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
