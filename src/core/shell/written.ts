// Values that reach a program without being its words: through standard input, or in files that the script has written.
import {
  type CommandWord,
  literalStart,
  literalText,
  type PlaceholderPiece,
  type ReadScript,
  type Redirection,
  type SimpleCommand,
} from "./pieces.ts";
import { isShell, programName, rulesOf } from "./programs.ts";
import type { Flow } from "./taint.ts";

/**
 * Returns a value that the command may read as input, unless its input is known to be something else. Asking for a
 * version reads no input.
 */
export function fedTo(
  command: SimpleCommand,
  { flow, free, written, feeds }: ScriptSurroundings,
): PlaceholderPiece | undefined {
  if (!free || command.words.slice(1).some((word) => /^-(?:v|V|-version|-help|h)$/.test(literalText(word) ?? "")))
    return undefined;
  const last = command.redirections.findLast(isInput);
  return (last ? mayHoldValue(last, { flow, written }) : feeds) ? free : undefined;
}

function isInput({ operator }: Redirection): boolean {
  return operator.startsWith("<") && operator !== "<&";
}

function mayHoldValue(
  { operator, word }: Redirection,
  { flow, written }: Pick<ScriptSurroundings, "flow" | "written">,
): boolean {
  return !word.pieces.every(flow.variables.isOwn) || (operator === "<" && written.has(fileKey(word)));
}

/** Returns what is known of values that reach commands without being their words. */
export function surroundingsOf(script: ReadScript, flow: Flow, free: PlaceholderPiece | undefined): ScriptSurroundings {
  const written = writtenFiles(script, flow);
  // A command within a group or a function may read the input of the whole.
  const feeds =
    script.feedsInput ||
    script.commands.some(({ redirections }) =>
      redirections.some((redirection) => isInput(redirection) && mayHoldValue(redirection, { flow, written })),
    );
  return { flow, free, written, feeds, made: madeFiles(script) };
}

export interface ScriptSurroundings {
  readonly flow: Flow;
  /** A value that may be any text. */
  readonly free: PlaceholderPiece | undefined;
  readonly written: ReadonlySet<string>;
  /** Whether something in the script reads input that may hold a value. */
  readonly feeds: boolean;
  readonly made: ReadonlyMap<string, string>;
}

/** Returns the files that may hold a value, by the ends of their names. */
function writtenFiles(script: ReadScript, flow: Flow): ReadonlySet<string> {
  const written = new Set<string>();
  let before = -1;
  // A copy of such a file may hold a value too.
  while (before !== written.size) {
    before = written.size;
    for (const command of script.commands) {
      if (command.isList || printsItsOwn(command, { script, flow, written })) continue;
      for (const word of targetsOf(command)) written.add(fileKey(word));
    }
  }
  return written;
}

function printsItsOwn(
  { words, redirections }: SimpleCommand,
  {
    script,
    flow,
    written,
  }: { readonly script: ReadScript; readonly flow: Flow; readonly written: ReadonlySet<string> },
): boolean {
  const inputs = redirections.filter(({ operator }) => operator.startsWith("<")).map(({ word }) => word);
  const isGroup = words.length === 0 || /^(?:\}|done|fi|esac)$/.test(literalText(words[0]) ?? "");
  const printed = [...words, ...inputs];
  const reads =
    inputs.length === 0 && script.feedsInput && !/^(?:echo|printf|:|print)$/.test(literalText(words[0]) ?? "");
  return (
    !isGroup &&
    !reads &&
    printed.every((word) => word.pieces.every(flow.variables.isOwn)) &&
    !printed.some((word) => written.has(fileKey(word)))
  );
}

function targetsOf({ words, redirections }: SimpleCommand): readonly CommandWord[] {
  const program = literalText(words[0]) ?? "";
  const named = /^(?:tee|dd|cp|mv|ln|install)$/.test(program) ? words.slice(1) : [];
  const files = redirections
    .filter(
      ({ operator, word }) =>
        operator.includes(">") && !(operator === ">&" && /^[-\d]*$/.test(literalText(word) ?? "")),
    )
    .map(({ word }) => word);
  return [...named, ...files].filter((word) => literalText(word) !== "/dev/null");
}

/** Whether the command runs a file that may hold a value, as far as its words tell. */
export function runsWritten(
  words: readonly CommandWord[],
  { flow, written }: ScriptSurroundings,
): CommandWord | undefined {
  const program = literalText(words[0]);
  if (program === undefined) return undefined;
  if (written.size === 0 && !words.some(({ pieces }) => pieces.some(({ kind }) => kind === "expansion")))
    return undefined;
  const runsFiles =
    program === "." ||
    program === "source" ||
    words.some((word) => rulesOf(programName(literalText(word) ?? "")).some((rule) => rule.readsInput !== undefined));
  const isMade = (word: CommandWord): boolean =>
    word.pieces.some(
      (piece, index) =>
        piece.kind === "expansion" &&
        (/^[<=]\(/.test(piece.text) || (index > 0 && literalStart(word) === "=" && piece.text.startsWith("("))) &&
        !flow.variables.isOwn(piece),
    );
  if (runsFiles) return words.slice(1).find((word) => isMade(word) || written.has(fileKey(word)));
  return /[\\/]/.test(program) && written.has(fileKey(words[0] ?? { pieces: [] })) ? words[0] : undefined;
}

/** Returns the author's own scripts that a shell reads from a here-document, or from a file that holds one. */
export function ownScripts({ words, redirections }: SimpleCommand, { made }: ScriptSurroundings): readonly string[] {
  if (redirections.length === 0 && made.size === 0) return [];
  const names = words.map((word) => literalText(word) ?? "");
  if (!names.some((name) => name === "." || name === "source" || name.includes("/") || isShell(programName(name))))
    return [];
  const inputs = redirections
    .filter(({ operator }) => operator === "<<" || operator === "<<<")
    .flatMap(({ word }) => literalText(word) ?? []);
  return [...inputs, ...words.flatMap((word) => made.get(fileKey(word)) ?? [])];
}

/** Returns the files that contain a here-document, by the ends of their names. */
function madeFiles({ commands }: ReadScript): ReadonlyMap<string, string> {
  return new Map(
    commands.flatMap(({ redirections }) => {
      const [text] = redirections
        .filter(({ operator }) => operator === "<<")
        .flatMap(({ word }) => literalText(word) ?? []);
      return text === undefined
        ? []
        : redirections
            .filter(({ operator }) => operator.includes(">"))
            .map(({ word }) => [fileKey(word), text] as const);
    }),
  );
}

/** Returns a key that is the same for every spelling of one file's name, and for some other files. */
function fileKey({ pieces }: CommandWord): string {
  const last = pieces.at(-1);
  if (last?.kind === "text")
    return last.text.slice(
      Math.max(last.text.lastIndexOf("/"), last.text.lastIndexOf("\\"), last.text.lastIndexOf("=")) + 1,
    );
  return last?.kind === "expansion" ? `$${last.text.replaceAll(/[${}"]/g, "")}` : "{}";
}
