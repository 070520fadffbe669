// A script for sh, bash or zsh: placeholders become places for values, and where a value could become program text it
// is refused.
import { textsOf } from "../../shell/choices.ts";
import { holdsDigits } from "../../shell/shell-safe.ts";
import type { Checked, Diagnostic } from "../../text/diagnostic.ts";
import type { Shell, ShellCommand, ShellPlaceholder } from "../../tool/command.ts";
import type { Declaration } from "../syntax/ast.ts";
import { withFlag } from "./command-flag.ts";
import { commandHazards } from "./command-hazards.ts";
import { checkOptions, readerOf } from "./command-option-problems.ts";
import type { OptionFlow } from "../../shell/options.ts";
import type { PlaceholderPiece } from "../../shell/pieces.ts";
import {
  type CommandSource,
  commandProblem,
  declarationOf,
  emptyCommand,
  nearName,
  unclosed,
  unknownPlaceholder,
  unsafePlaceholder,
} from "./command-problems.ts";
import { environmentOf, otherInterpreter, stayingBehind } from "./command-environment.ts";
import { withOwnOptionsOfScript } from "./command-own-option.ts";
import type { PlaceholderPosition } from "../../shell/positions.ts";
import { REGION_NESTING_MAX, regionNote } from "../../shell/regions.ts";
import { type ScannedScript, scanScript } from "../../shell/scan.ts";

/** The limit below which no similar name is suggested: short words are near to anything. */
const NEAR_NAME_LENGTH_MIN = 3;

export function parseShellCommand(source: CommandSource, shell: Shell): Checked<ShellCommand> {
  const { text } = source.text;
  if (text.trim() === "") return { diagnostics: [emptyCommand(source)] };
  const other = otherInterpreter(source, shell);
  if (other) return { diagnostics: [other] };
  const script = scanScript(text, { knowsTests: shell !== "sh", knowsSubscripts: shell === "zsh" });
  if (script.trouble) return { diagnostics: [troubleOf(source, script.trouble)] };
  const diagnostics: Diagnostic[] = [];
  const read = { ...script, shell: shell === "sh" || shell === "zsh" ? shell : ("bash" as const) };
  const options = checkOptions(source, read);
  const spot: PartSpot = { script, options, diagnostics };
  const pieceOf = new Map<string | ShellPlaceholder, PlaceholderPiece>();
  const plain = script.parts.map((piece) => {
    const part = typeof piece === "string" ? piece : toPart(source, piece, spot);
    if (typeof part === "object" && typeof piece === "object") pieceOf.set(part, piece);
    return part;
  });
  const own = withOwnOptionsOfScript(plain, pieceOf, { source, takes: options.takes });
  const parts = own.value ?? plain;
  diagnostics.push(...regionProblems(source, script), ...own.diagnostics);
  if (diagnostics.length === 0) diagnostics.push(...commandHazards(source, read), ...options.diagnostics);
  if (diagnostics.length > 0)
    return { diagnostics: diagnostics.sort((one, other) => (one.at?.span.start ?? 0) - (other.at?.span.start ?? 0)) };
  const { needs, problems: undeclared } = environmentOf(source, read);
  const problems = [...undeclared, ...stayingBehind(source, read)];
  if (problems.some(({ severity }) => severity === "error")) return { diagnostics: problems };
  return {
    value: {
      kind: "shell",
      shell,
      parts: joinedParts(parts),
      ...(movesPositions(parts) ? { movesPositions: true } : {}),
      ...(needs ? { needs } : {}),
    },
    diagnostics: problems,
  };
}

export function troubleOf(
  source: CommandSource,
  trouble: Pick<NonNullable<ScannedScript["trouble"]>, "kind" | "start" | "opener">,
): Diagnostic {
  const { kind, start, opener } = trouble;
  if (kind === "too-deep")
    return commandProblem(source, "too-deep", {
      message: `this script is nested deeper than ${REGION_NESTING_MAX} levels`,
      start,
      end: start + 1,
      help: ["split it into several commands"],
    });
  if (opener === "\\")
    return commandProblem(source, "unclosed-quote", {
      message: "the backslash at the end escapes nothing",
      start,
      end: start + 1,
      help: ["write `\\\\` for a backslash"],
    });
  return unclosed(source, start, opener);
}

interface PartSpot {
  readonly script: ScannedScript;
  readonly options: OptionFlow;
  readonly diagnostics: Diagnostic[];
}

function toPart(source: CommandSource, piece: PlaceholderPiece, spot: PartSpot): string | ShellPlaceholder {
  const declaration = declarationOf(source, piece.name);
  const position = spot.script.positions.get(piece);
  if (!declaration) {
    if (!isForeign(source, piece)) spot.diagnostics.push(unknownPlaceholder(source, piece));
    return `{${piece.name}}`;
  }
  if (!position) throw new Error(`the place of {${piece.name}} is not known`);
  const { diagnostics, options } = spot;
  const place = { source, piece, isWord: position.isWholeWord, bareNote: "expected one word here", diagnostics };
  return withFlag(placed(piece, position, options), declaration, place);
}

function placed(
  piece: PlaceholderPiece,
  position: PlaceholderPosition,
  { guards, known, files }: OptionFlow,
): ShellPlaceholder {
  const [use, file] = [guards.get(piece), files.get(piece)];
  return {
    placeholder: piece.name,
    quoting: piece.quoting,
    isWholeWord: position.isWholeWord,
    startsWord: position.startsWord || use !== undefined,
    ...(position.behind.length > 0 ? { behind: position.behind } : {}),
    isAfterDashes: position.startsWord && known.has(piece) && use === undefined,
    ...(use ? { reader: readerOf(use) } : {}),
    ...(file ? { file } : {}),
  };
}

/**
 * Whether a placeholder in single quotes belongs to another language, as `{print}` does in awk and `{name}` in jq,
 * unless it looks like a misspelled parameter.
 */
export function isForeign(source: CommandSource, piece: PlaceholderPiece): boolean {
  return (
    piece.quoting === "single" &&
    (piece.name.length < NEAR_NAME_LENGTH_MIN || nearName(source, piece.name) === undefined)
  );
}

function regionProblems(source: CommandSource, script: ScannedScript): readonly Diagnostic[] {
  return script.regions.flatMap((region) => {
    // `${name}` is the shell's own variable.
    const from = region.start + (region.kind === "parameter expansion" ? 2 : 0);
    const inside = source.text.text.slice(from, region.end);
    if (region.kind === "here-document" && region.inside) return [];
    if (region.kind === "arithmetic")
      return (
        region.inside?.pieces.flatMap((piece) =>
          piece.kind === "placeholder" && !isNumber(declarationOf(source, piece.name))
            ? [unsafePlaceholder(source, piece, regionNote(region.kind))]
            : [],
        ) ?? []
      );
    return [...inside.matchAll(/(?<![${])\{([A-Za-z_][A-Za-z0-9_-]*)\}/g)].flatMap((match) => {
      const [mark, name = ""] = match;
      const start = from + match.index;
      const isKnown = declarationOf(source, name) !== undefined;
      return isKnown
        ? [
            unsafePlaceholder(
              source,
              { kind: "placeholder", name, start, end: start + mark.length, quoting: "bare" },
              regionNote(region.kind),
            ),
          ]
        : [];
    });
  });
}

/** Whether the value is a number, or a name of the author's: arithmetic may contain nothing else. */
function isNumber(declaration: Declaration | undefined): boolean {
  const schema = declaration?.parameter.schema;
  if (schema?.type === "string") {
    const choices = textsOf(declaration?.parameter);
    return holdsDigits(schema) || (choices.length > 0 && choices.every((one) => /^\w+$/.test(one)));
  }
  return schema === undefined || schema.type === "integer" || schema.type === "number";
}

/**
 * Commands that change `$1`, or may, since functions have their own; and commands that look at it, which are not meant
 * to see the values.
 */
const MOVERS =
  /\b(?:set|shift|function|source|eval|getopts)\b|\(\s*\)|(?:^|[\s;&|(])\.\s|\$\{?[#!]?[0-9@*#]|\bfor\s+\w+\s*(?:;|\n|do\b)/;

function movesPositions(parts: readonly (string | ShellPlaceholder)[]): boolean {
  return parts.some((part) => typeof part === "string" && MOVERS.test(part));
}

/** Joins the parts and merges adjacent texts. */
export function joinedParts(parts: readonly (string | ShellPlaceholder)[]): readonly (string | ShellPlaceholder)[] {
  const made: (string | ShellPlaceholder)[] = [];
  for (const part of parts) {
    const last = made.at(-1);
    if (typeof part === "string" && typeof last === "string") made[made.length - 1] = last + part;
    else made.push(part);
  }
  return made;
}
