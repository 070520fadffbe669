// A script for PowerShell or cmd.exe: placeholders become places for values, and a place where a value could become
// program text is refused.
import type { Checked, Diagnostic } from "../../core/text/diagnostic.ts";
import type { ShellCommand, ShellPlaceholder, WindowsShell } from "../../core/tool/command.ts";
import { scanCmd } from "./cmd-scan.ts";
import { flagWords } from "../../core/language/kinds/command-flag.ts";
import { withOwnOptionsOfScript } from "../../core/language/kinds/command-own-option.ts";
import { isHarmless } from "../../core/shell/hazards.ts";
import { commandHazards } from "../../core/language/kinds/command-hazards.ts";
import { ScriptParts } from "../../core/shell/parts.ts";
import type { PlaceholderPiece } from "../../core/shell/pieces.ts";
import {
  arrayInWord,
  type CommandSource,
  commandProblem,
  declarationOf,
  emptyCommand,
  flagInWord,
  unclosed,
  unknownPlaceholder,
  unsafePlaceholder,
} from "../../core/language/kinds/command-problems.ts";
import type { Parts } from "../../core/tool/feature.ts";
import type {} from "../../core/language/kinds/windows-scripts.ts";
import { withDoubleQuotes } from "./pwsh-strings.ts";
import { scanPwsh } from "./pwsh-scan.ts";
import { REGION_NESTING_MAX } from "../../core/shell/regions.ts";
import { isForeign, joinedParts } from "../../core/language/kinds/command-shell.ts";
import { gluedProblem, inText, type WindowsPlace, type WindowsScript, type WindowsTrouble } from "./windows-place.ts";

function scanWindows(text: string, shell: WindowsShell): WindowsScript {
  return shell === "pwsh" ? scanPwsh(text) : scanCmd(text);
}

export const windowsScripts: Parts["windowsScripts"] = { read: scanWindows, parse: parseWindowsCommand };

function parseWindowsCommand(source: CommandSource, shell: WindowsShell): Checked<ShellCommand> {
  const { text } = source.text;
  if (text.trim() === "") return { diagnostics: [emptyCommand(source)] };
  const script = scanWindows(text, shell);
  const { trouble } = script;
  const lineEnd = shell === "cmd" ? text.trim().indexOf("\n") : -1;
  if (lineEnd !== -1) return { diagnostics: [severalLines(source, text.length - text.trimStart().length + lineEnd)] };
  if (trouble && trouble.kind !== "unread") return { diagnostics: [troubleOf(source, trouble)] };
  const diagnostics: Diagnostic[] = [];
  const places = trouble ? new Map<PlaceholderPiece, WindowsPlace>() : script.places;
  const written = trouble ? partsOf(text) : script.parts;
  const pieceOf = new Map<string | ShellPlaceholder, PlaceholderPiece>();
  const plain = written.map((part) => {
    if (typeof part === "string") return part;
    const place = places.get(part) ?? { ...inText, problem: unread(trouble) };
    const made = toPart(source, part, { place, diagnostics });
    if (typeof made === "object") pieceOf.set(made, part);
    return made;
  });
  const own = withOwnOptionsOfScript(plain, pieceOf, { source, takes: new Map(), shell });
  diagnostics.push(...own.diagnostics);
  const parts = own.value ?? plain;
  if (diagnostics.length === 0) diagnostics.push(...commandHazards(source, script));
  if (diagnostics.length > 0)
    return { diagnostics: diagnostics.sort((one, other) => (one.at?.span.start ?? 0) - (other.at?.span.start ?? 0)) };
  return { value: { kind: "shell", shell, parts: joinedParts(expandedParts(source, script) ?? parts) }, diagnostics };
}

/**
 * Returns the parts of the script with double quotes where a value is within single ones, in which PowerShell expands
 * nothing.
 */
function expandedParts(source: CommandSource, script: WindowsScript): ScriptPieces | undefined {
  const isParameter = (name: string): boolean => declarationOf(source, name) !== undefined;
  const quoted = script.parts.filter(
    (part): part is PlaceholderPiece => typeof part !== "string" && part.quoting === "single" && isParameter(part.name),
  );
  const singles = script.singles.filter(({ start, end }) =>
    quoted.some((piece) => piece.start > start && piece.end < end),
  );
  if (singles.length === 0) return undefined;
  const { parts, places } = scanPwsh(withDoubleQuotes(source.text.text, singles, isParameter));
  return parts.map((part) =>
    typeof part === "string" ? part : toPart(source, part, { place: places.get(part) ?? inText, diagnostics: [] }),
  );
}

type ScriptPieces = readonly (string | ShellPlaceholder)[];

function troubleOf(source: CommandSource, { kind, start, opener }: WindowsTrouble): Diagnostic {
  if (kind === "too-deep")
    return commandProblem(source, "too-deep", {
      message: `this script is nested deeper than ${REGION_NESTING_MAX} levels`,
      start,
      end: start + 1,
      help: ["split it into several commands"],
    });
  return unclosed(source, start, opener);
}

/** Reports a second line: the shell reads a command up to the end of the line and silently drops the rest. */
function severalLines(source: CommandSource, start: number): Diagnostic {
  return commandProblem(source, "unsupported-yet", {
    message: "cmd.exe runs only the first line of this script",
    start,
    end: start + 1,
    note: "the lines after this one would not run",
    help: [
      "join the lines with `&&`, or with `&` if the next one should always run",
      "or write `@shell pwsh`, or put the lines in a `.bat` file and `call` that",
    ],
  });
}

function unread(trouble: WindowsTrouble | undefined): NonNullable<WindowsPlace["problem"]> {
  return {
    note: `this script has \`${trouble?.opener ?? ""}\`, which is not supported with placeholders`,
    help: ["put the script in a `.ps1` file and pass values as its parameters: `./script.ps1 -Name {name}`"],
  };
}

/** Splits a script that cannot be read into texts and placeholders. */
function partsOf(text: string): readonly (string | PlaceholderPiece)[] {
  const parts = new ScriptParts(text);
  for (let at = text.indexOf("{"); at !== -1; ) {
    const found = text[at - 1] === "$" ? undefined : parts.take(at, "bare");
    at = text.indexOf("{", found?.end ?? at + 1);
  }
  return parts.all();
}

function toPart(
  source: CommandSource,
  piece: PlaceholderPiece,
  { place, diagnostics }: { readonly place: WindowsPlace; readonly diagnostics: Diagnostic[] },
): string | ShellPlaceholder {
  const declaration = declarationOf(source, piece.name);
  if (!declaration) {
    if (!isForeign(source, piece)) diagnostics.push(unknownPlaceholder(source, piece));
    return `{${piece.name}}`;
  }
  const { parameter } = declaration;
  const problem =
    place.problem ?? (place.isGlued && !isHarmless(parameter.schema) ? gluedProblem(piece.name) : undefined);
  if (problem) diagnostics.push(unsafePlaceholder(source, piece, problem));
  const isList = parameter.schema.type === "array";
  const placeholder: ShellPlaceholder = {
    placeholder: piece.name,
    quoting: piece.quoting,
    isWholeWord: place.isWholeWord,
    startsWord: place.startsWord,
    ...(place.behind.length > 0 ? { behind: place.behind } : {}),
    isAfterDashes: place.isAfterDashes,
    ...(place.standsFor ? { standsFor: place.standsFor } : {}),
    ...(place.takesSlash ? { takesSlash: true as const } : {}),
  };
  if (parameter.flag !== undefined) {
    if (!place.isWholeWord) diagnostics.push(flagInWord(source, piece));
    const flag = flagWords(declaration);
    diagnostics.push(...flag.diagnostics);
    return flag.value ? { ...placeholder, flag: flag.value } : placeholder;
  }
  if (isList && !place.isWholeWord && !(place.standsFor === "value" && piece.quoting === "bare"))
    diagnostics.push(arrayInWord(source, piece, piece.quoting === "bare" ? "expected one word here" : "in quotes"));
  return placeholder;
}
