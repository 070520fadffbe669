// Reads a script for cmd.exe: commands between `&`, `|`, brackets and line ends, with `if`, `for` and `set`. The result
// has the form that the judges of all shells read. Sources: "Command shell overview" and `cmd /?`.
import { assign, assignFrom } from "./cmd-settings.ts";
import { CmdState, type CmdWord } from "./cmd-words.ts";
import { type CommandWord, type ExpansionPiece, literalText, type Redirection } from "../../core/shell/pieces.ts";
import { REGION_NESTING_MAX } from "../../core/shell/regions.ts";
import { guardedAgain, inText, startsIn, type WindowsScript } from "./windows-place.ts";
import { takesSlashOptions } from "./windows-programs.ts";

export function scanCmd(text: string): WindowsScript {
  const state = new CmdState(text);
  readSequence(state, "");
  return state.script("cmd");
}

/** Reads up to the bracket that closes the sequence, and leaves that bracket. */
function readSequence(state: CmdState, closer: "" | ")"): void {
  while (!state.isOver) {
    state.take(/[\s&|@,;=]+/y);
    if (state.isOver || (closer === ")" && state.character === ")")) return;
    const from = state.at;
    readCommand(state, closer);
    if (state.at === from) state.at++;
  }
}

/** Reads `(…)`, a comment, a label or one command, up to the separator before the next. */
function readCommand(state: CmdState, closer: "" | ")"): void {
  state.take(/[ \t@]+/y);
  if (state.character === "(") {
    readGroup(state, closer);
    return;
  }
  if (state.take(/(?:::|rem(?![^\s])|:)[^\n]*/iy)) return;
  const name = state.readName();
  if (!name) return;
  const literal = literalText(name.word)?.toLowerCase();
  if (literal === "else") nested(state, name.start, () => readCommand(state, closer));
  else if (literal === "if") readIf(state, closer);
  else if (literal === "for") readFor(state, closer);
  else addCommand(state, name, closer);
}

function readGroup(state: CmdState, closer: "" | ")"): void {
  const start = state.at;
  state.at++;
  nested(state, start, () => readSequence(state, ")"));
  if (state.trouble) return;
  if (state.character !== ")") state.fail("unclosed", "(", start);
  else state.at++;
  if (state.take(/[ \t]*else(?![\w.-])/iy)) {
    nested(state, state.at, () => readCommand(state, closer));
    return;
  }
  const { redirections } = readWords(state, closer);
  if (redirections.length > 0) state.commands.push({ words: [], redirections });
}

function nested(state: CmdState, start: number, read: () => void): void {
  if (state.depth >= REGION_NESTING_MAX) state.fail("too-deep", "(", start);
  state.depth++;
  read();
  state.depth--;
}

/** Reads `if`, whose condition is not a command: `if not exist x`, `if "a"=="b"`, `if 1 lss 2`. */
function readIf(state: CmdState, closer: "" | ")"): void {
  const next = (): CmdWord | undefined => state.readWord(closer, { isCondition: true });
  let word = next();
  while (/^(?:not|\/i)$/i.test(literalText(word?.word) ?? "")) word = next();
  if (/^(?:exist|defined|errorlevel|cmdextversion)$/i.test(literalText(word?.word) ?? "")) next();
  else {
    next();
    next();
  }
  nested(state, state.at, () => readCommand(state, closer));
}

/** Reads `for /f "…" %%x in (…) do …`. */
function readFor(state: CmdState, closer: "" | ")"): void {
  const before: string[] = [];
  for (;;) {
    state.take(/[ \t]+/y);
    if (state.isOver || state.character === "(") break;
    const word = state.readWord(closer);
    if (!word) break;
    before.push(state.text.slice(word.start, word.end));
  }
  const variable = before.findLast((word) => /^%{1,2}[^%]$/.test(word))?.at(-1);
  const isCommand = before.some((word) => /^\/f$/i.test(word));
  const values =
    state.character === "("
      ? readSet(state, { isCommand, usesBackquotes: before.some((word) => /usebackq/i.test(word)) })
      : [];
  for (const value of variable === undefined ? [] : values) assign(state, `for_${variable}`, value);
  state.take(/[ \t]*do\b/iy);
  nested(state, state.at, () => readCommand(state, closer));
}

/** Reads the set in the brackets; with `/f`, a command in single quotes gives its lines. */
function readSet(
  state: CmdState,
  { isCommand, usesBackquotes }: { readonly isCommand: boolean; readonly usesBackquotes: boolean },
): readonly CommandWord[] {
  const start = state.at;
  state.at++;
  state.take(/\s+/y);
  const quote = usesBackquotes ? "`" : "'";
  const words: CommandWord[] = [];
  if (isCommand && state.character === quote) words.push({ pieces: [readPrinted(state, quote)] });
  for (;;) {
    state.take(/\s+/y);
    if (state.isOver || state.character === ")") break;
    const from = state.at;
    const word = state.readWord(")");
    if (word) words.push(...placedWords(state, [word], "for"));
    if (state.at === from) state.at++;
  }
  if (!state.trouble && state.character !== ")") state.fail("unclosed", "(", start);
  else state.at++;
  // With a file or a text, `/f` gives parts of its lines.
  const isRead = isCommand && words[0]?.pieces[0]?.kind !== "expansion";
  return isRead ? [{ pieces: [{ kind: "expansion", text: "$_", start, placeholders: [] }] }] : words;
}

function readPrinted(state: CmdState, quote: string): ExpansionPiece {
  const start = state.at;
  state.at++;
  const [commands, placeholders, tokens] = [state.commands.length, state.placeholders.length, state.tokens.length];
  const outerEnd = state.innerEnd;
  const end = state.text.indexOf(quote, state.at);
  if (end === -1) state.fail("unclosed", quote, start);
  state.innerEnd = end;
  nested(state, start, () => readSequence(state, ""));
  state.innerEnd = outerEnd;
  if (!state.trouble) state.at = end + 1;
  const printer = state.commands.length === commands + 1 ? state.commands[commands] : undefined;
  const text = `$(${state.tokens.slice(tokens).join(" ")})`;
  return {
    kind: "expansion",
    text,
    start,
    end: state.at,
    placeholders: state.placeholders.slice(placeholders),
    ...(printer ? { printer } : {}),
  };
}

function readWords(
  state: CmdState,
  closer: "" | ")",
): { readonly words: readonly CmdWord[]; readonly redirections: readonly Redirection[] } {
  const words: CmdWord[] = [];
  const redirections: Redirection[] = [];
  for (;;) {
    state.take(/[ \t\r]+/y);
    if (state.isAtEnd(closer)) break;
    const from = state.at;
    if (state.take(/\d?>&\d/y)) continue;
    const operator = state.take(/\d?(>>?|<)[ \t]*/y)?.[1];
    const word = state.readWord(closer);
    if (word && operator !== undefined) redirections.push({ operator: operator === "<" ? "<" : ">", word: word.word });
    else if (word) words.push(word);
    if (state.at === from) state.at++;
  }
  if (state.take(/\|(?!\|)/y)) state.feedsInput = true;
  return { words, redirections };
}

function addCommand(state: CmdState, name: CmdWord, closer: "" | ")"): void {
  const literal = literalText(name.word)?.toLowerCase();
  if (literal === "set") {
    readSetCommand(state, closer);
    return;
  }
  const { words, redirections } = readWords(state, closer);
  // The title of `start` is its first word in quotes.
  const isTitle = literal === "start" && words[0]?.isQuoted === true;
  const [called] = literal === "call" ? words : [];
  const program = called ?? name;
  const args = words.slice(isTitle || called ? 1 : 0);
  for (const made of [args, ...variants(state, args)]) {
    const placed = placedWords(state, made, literalText(program.word)?.toLowerCase() ?? "");
    state.commands.push({ words: [programOf(program), ...placed], redirections, isSure: true });
  }
  // The words of `call` have their percent signs read twice.
  if (called && literalText(called.word)?.toLowerCase() === "set") assignFrom(state, words.slice(1));
}

/**
 * Gives the words once for each known assignment of the variables among them. A value with blanks becomes several
 * words.
 */
function variants(state: CmdState, words: readonly CmdWord[]): readonly (readonly CmdWord[])[] {
  return state.values.variants(words, {
    nameOf({ word }) {
      const [only, ...others] = word.pieces.filter((piece) => piece.kind !== "text" || piece.text !== "");
      return only?.kind === "expansion" && others.length === 0 ? /^\$(\w+)$/.exec(only.text)?.[1] : undefined;
    },
    toWord: (word, { start, end, isQuoted }) => ({ word, start, end, isQuoted }),
  });
}

/**
 * Returns the word of the program. It is never missing, as it could be in other shells, and cmd.exe looks for it in the
 * current folder first.
 */
function programOf({ word }: CmdWord): CommandWord {
  const literal = literalText(word);
  if (literal === undefined) return { pieces: [{ kind: "text", text: "" }, ...word.pieces] };
  return /^[^\\/]+\.(?:bat|cmd)$/i.test(literal) ? { pieces: [{ kind: "text", text: `./${literal}` }] } : word;
}

/** Reads `set "x=…"` or `set x=…`; `set /p` reads a line of input. */
function readSetCommand(state: CmdState, closer: "" | ")"): void {
  const { words, redirections } = readWords(state, closer);
  placedWords(state, words, "set");
  if (redirections.length > 0) state.commands.push({ words: [], redirections });
  assignFrom(state, words);
}

/** Places the words. `program` is in lower case. */
function placedWords(state: CmdState, words: readonly CmdWord[], program: string): readonly CommandWord[] {
  const takesSlash = takesSlashOptions(program, true);
  let isAfterDashes = false;
  for (const { word, isQuoted } of words) {
    for (const { piece, startsWord, behind } of startsIn(word)) {
      const before = state.places.get(piece) ?? inText;
      const isBare = piece.quoting === "bare";
      const isAlone = word.pieces.length === 1;
      state.places.set(piece, {
        ...before,
        ...guardedAgain(before, { startsWord, isAfterDashes }),
        isWholeWord: isBare && isAlone,
        behind,
        ...(takesSlash ? { takesSlash: true as const } : {}),
        ...(isBare && !isAlone ? { isGlued: true as const } : {}),
      });
    }
    // Programs of Windows do not know `--`.
    isAfterDashes ||= !isQuoted && !takesSlash && literalText(word) === "--";
  }
  return words.map(({ word }) => word);
}
