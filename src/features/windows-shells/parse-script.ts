// A script for PowerShell or cmd.exe: placeholders become places for values, and a place where a value could become
// program text is refused.
import { withFlag } from "../../core/language/kinds/command-flag.ts";
import { commandHazards } from "../../core/language/kinds/command-hazards.ts";
import { withOwnOptionsOfScript } from "../../core/language/kinds/command-own-option.ts";
import {
  type CommandSource,
  commandProblem,
  declarationOf,
  emptyCommand,
  unknownPlaceholder,
  unsafePlaceholder,
} from "../../core/language/kinds/command-problems.ts";
import { isForeign, joinedParts, troubleOf } from "../../core/language/kinds/command-shell.ts";
import type { WindowsScripts } from "../../core/language/kinds/windows-scripts.ts";
import { isHarmless } from "../../core/shell/hazards.ts";
import type { PlaceholderPiece } from "../../core/shell/pieces.ts";
import type { Checked, Diagnostic } from "../../core/text/diagnostic.ts";
import type { ShellCommand, ShellPlaceholder, WindowsShell } from "../../core/tool/command.ts";
import { scanCmd } from "./cmd.ts";
import { scanPwsh } from "./pwsh.ts";
import { inText, type Place } from "./state.ts";

export const windowsScripts: WindowsScripts = {
  read: (text, shell) => (shell === "pwsh" ? scanPwsh(text) : scanCmd(text)),
  parse: parseWindowsCommand,
};

function parseWindowsCommand(source: CommandSource, shell: WindowsShell): Checked<ShellCommand> {
  const { text } = source.text;
  if (text.trim() === "") return { diagnostics: [emptyCommand(source)] };
  const lineEnd = shell === "cmd" ? text.trim().indexOf("\n") : -1;
  if (lineEnd !== -1) return { diagnostics: [severalLines(source, text.length - text.trimStart().length + lineEnd)] };
  const isParameter = (name: string): boolean => declarationOf(source, name) !== undefined;
  const script = shell === "pwsh" ? scanPwsh(text, isParameter) : scanCmd(text);
  if (script.trouble) return { diagnostics: [troubleOf(source, script.trouble)] };
  const diagnostics: Diagnostic[] = [];
  const problem = script.unread === undefined ? {} : { problem: unread(script.unread, shell, script.instead) };
  const pieceOf = new Map<string | ShellPlaceholder, PlaceholderPiece>();
  const plain = script.parts.map((part) => {
    if (typeof part === "string") return part;
    const place = { ...(script.places.get(part) ?? inText), ...problem };
    const made = toPart(source, part, { place, shell, diagnostics });
    if (typeof made === "object") pieceOf.set(made, part);
    return made;
  });
  const own = withOwnOptionsOfScript(plain, pieceOf, { source, takes: new Map(), shell });
  diagnostics.push(...own.diagnostics);
  if (diagnostics.length === 0) diagnostics.push(...commandHazards(source, script));
  if (diagnostics.length > 0)
    return { diagnostics: diagnostics.sort((one, other) => (one.at?.span.start ?? 0) - (other.at?.span.start ?? 0)) };
  return { value: { kind: "shell", shell, parts: joinedParts(own.value ?? plain) }, diagnostics };
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

function unread(what: string, shell: WindowsShell, instead: string = IN_FILE[shell]): NonNullable<Place["problem"]> {
  return { note: `this script has \`${what}\`, which is not supported with placeholders`, help: [instead] };
}

const IN_FILE = {
  pwsh: "put the script in a `.ps1` file and pass values as its parameters: `./script.ps1 -Name {name}`",
  cmd: "put the script in a `.bat` file and pass values as its arguments: `call script.bat {name}`",
} as const;

function toPart(
  source: CommandSource,
  piece: PlaceholderPiece,
  {
    place: { problem, isGlued, ...place },
    shell,
    diagnostics,
  }: { readonly place: Place; readonly shell: WindowsShell; readonly diagnostics: Diagnostic[] },
): string | ShellPlaceholder {
  const declaration = declarationOf(source, piece.name);
  if (!declaration) {
    if (!isForeign(source, piece)) diagnostics.push(unknownPlaceholder(source, piece));
    return `{${piece.name}}`;
  }
  const { parameter } = declaration;
  const { name, quoting } = piece;
  const glued = { note: "joined to other text", help: [`put the whole word in double quotes: \`"…{${name}}…"\``] };
  const refused = problem ?? (isGlued && (shell === "pwsh" || !isHarmless(parameter.schema)) ? glued : undefined);
  if (refused) diagnostics.push(unsafePlaceholder(source, piece, refused));
  const isWord = place.isWholeWord;
  const takesLists = isWord || (place.standsFor === "value" && quoting === "bare");
  const inPlace = { source, piece, isWord, takesLists, bareNote: "expected one word here", diagnostics };
  return withFlag({ placeholder: name, quoting, ...place }, declaration, inPlace);
}
