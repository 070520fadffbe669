// Reads a script for cmd.exe: commands between `&`, `|`, brackets and line ends, with `if`, `for`, `call` and `set`. The
// result has the form that the judges of all shells read. Sources: "Command shell overview" and `cmd /?`.
import {
  type CommandPiece,
  type CommandWord,
  literalText,
  type Redirection,
  textWord,
} from "../../core/shell/pieces.ts";
import { environmentName } from "./names.ts";
import { type Argument, joined, piped, textPiece, WindowsState, type WindowsScript } from "./state.ts";

export function scanCmd(text: string): WindowsScript {
  const state = new CmdState(text, "cmd");
  readSequence(state, "");
  return state.script();
}

/** What ends the commands that are read: a bracket, or nothing but the end. */
type Closer = "" | ")";

/** Matches `%name%`, `%name:~0,3%` and `%name:a=b%`. */
const VARIABLE = /%([A-Za-z_#$.][^%:\s"]*)(?::[^%\n]*)?%|!([A-Za-z_#$.][^!:\s"]*)(?::[^!\n]*)?!/y;
/** Matches `%~dp1` and `%*`: the arguments of a script or a label. */
const ARGUMENT = /%(?:\*|~?[A-Za-z$:]*\d)/y;

class CmdState extends WindowsState {
  isAtEnd(closer: Closer): boolean {
    return this.isOver || "\n&|".includes(this.character) || (closer !== "" && this.character === closer);
  }

  /** Reads a word up to a blank, or one of the signs in `ends` outside quotes. */
  readWord(closer: Closer, ends = "<>"): Argument | undefined {
    this.take(/[ \t\r]+/y);
    const start = this.at;
    const pieces: CommandPiece[] = [];
    let hasBare = false;
    let isIn = false;
    while (!this.isOver) {
      const { character } = this;
      const isEnd = /\s/.test(character) || this.isAtEnd(closer) || ends.includes(character);
      if (character === "\n" || (!isIn && isEnd)) break;
      if (character === '"') {
        isIn = !isIn;
        this.at++;
        pieces.push(textPiece(""));
        continue;
      }
      hasBare ||= !isIn;
      pieces.push(this.#pieceAt(isIn));
    }
    if (isIn) this.fail("unclosed", '"', this.text.indexOf('"', start));
    if (pieces.length === 0) return undefined;
    return argumentOf({ pieces: joined(pieces) }, hasBare);
  }

  #pieceAt(isIn: boolean): CommandPiece {
    const { at, character } = this;
    const variable = this.take(VARIABLE);
    if (variable) return this.variable(environmentName(variable[1] ?? variable[2] ?? ""), at);
    if (this.take(ARGUMENT)) return this.variable("_", at);
    const placeholder = this.takePlaceholder(isIn ? "double" : "bare");
    if (placeholder) return placeholder;
    // A caret before a line end joins the lines.
    if (!isIn && character === "^") return textPiece(this.take(/\^(?:\r?\n|([^]?))/y)?.[1] ?? "");
    this.at++;
    return textPiece(character);
  }
}

/** Reads up to the bracket that closes the sequence, and leaves that bracket. */
function readSequence(state: CmdState, closer: Closer): void {
  while (!state.isOver) {
    state.take(/[\s&|@,;=]+/y);
    if (state.isOver || (closer !== "" && state.character === closer)) return;
    const from = state.at;
    readCommand(state, closer);
    if (state.at === from) state.at++;
  }
}

/** Reads `(…)`, a comment, a label or one command, up to the separator before the next. */
function readCommand(state: CmdState, closer: Closer): void {
  state.take(/[ \t@]+/y);
  if (state.character === "(") {
    readGroup(state, closer);
    return;
  }
  if (state.take(/(?:::|rem(?![^\s])|:)[^\n]*/iy)) return;
  // A name ends where its options begin, even without a blank: `dir/s`.
  const name = state.readWord("", "<>(),;=/");
  if (!name) return;
  const literal = literalText(name.word)?.toLowerCase();
  const isLoop = /^for(?:%|$)/.test(literal ?? "");
  if (isLoop) skipLoop(state);
  if (literal === "if") readCondition(state, closer);
  if (isLoop || /^(?:if|else|call)$/.test(literal ?? "")) state.nested("(", state.at, () => readCommand(state, closer));
  else addCommand(state, name, closer);
}

function readGroup(state: CmdState, closer: Closer): void {
  state.bracketed("(", ")", () => readSequence(state, ")"));
  if (state.take(/[ \t]*else(?![\w.-])/iy)) {
    state.nested("(", state.at, () => readCommand(state, closer));
    return;
  }
  const { redirections } = readWords(state, closer);
  if (redirections.length > 0) state.add([], redirections);
}

/** Reads what is between `if` and its command: `not exist x`, `"a"=="b"`, `1 lss 2`. */
function readCondition(state: CmdState, closer: Closer): void {
  const next = (): string => (state.take(/[ \t]*==/y) ? "==" : (literalText(state.readWord(closer, "=")?.word) ?? ""));
  let word = next();
  while (/^(?:not|\/i)$/i.test(word)) word = next();
  if (!/^(?:exist|defined|errorlevel|cmdextversion)$/i.test(word)) next();
  next();
}

/** Reads up to `do` what is not followed: the variable and its values. */
function skipLoop(state: CmdState): void {
  state.refuse("for");
  for (let word = state.readWord(""); word && !/^do$/i.test(literalText(word.word) ?? ""); ) word = state.readWord("");
}

interface Words {
  readonly words: readonly Argument[];
  readonly redirections: readonly Redirection[];
}

function readWords(state: CmdState, closer: Closer): Words {
  const words: Argument[] = [];
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

function addCommand(state: CmdState, { word }: Argument, closer: Closer): void {
  const { words, redirections } = readWords(state, closer);
  const name = literalText(word)?.toLowerCase() ?? "";
  if (name === "set") {
    state.placeArguments(words, { program: name, isCmdlet: false });
    if (redirections.length > 0) state.add([], redirections);
    assignFrom(state, words);
    return;
  }
  // The title of `start` is its first word in quotes.
  const args = words.slice(name === "start" && words[0]?.form === "value" ? 1 : 0);
  state.placeArguments(args, { program: name, isCmdlet: false });
  state.commands.push({ words: [programOf(word), ...args.map((one) => one.word)], redirections, isSure: true });
}

function argumentOf(word: CommandWord, hasBare: boolean): Argument {
  const [only, ...others] = word.pieces;
  const isLone = only?.kind === "placeholder" && only.quoting === "bare" && others.length === 0;
  return { word, form: isLone ? "placeholder" : hasBare ? "bare" : "value" };
}

/**
 * Returns the word of the program. It is never missing, as it could be in other shells, and cmd.exe looks for it in the
 * current folder first.
 */
function programOf(word: CommandWord): CommandWord {
  const literal = literalText(word);
  if (literal === undefined) return { pieces: [textPiece(""), ...word.pieces] };
  return /^[^\\/]+\.(?:bat|cmd)$/i.test(literal) ? { pieces: [textPiece(`./${literal}`)] } : word;
}

/** Stores what `set` assigns: `set "x=…"`, `set /p x=` from its input, `set /a x=1`. */
function assignFrom(state: CmdState, words: readonly Argument[]): void {
  const option = literalText(words[0]?.word)?.toLowerCase();
  const pieces: CommandPiece[] = [];
  for (const [index, { word }] of words.slice(option === "/p" || option === "/a" ? 1 : 0).entries()) {
    pieces.push(textPiece(index > 0 ? " " : ""), ...word.pieces);
  }
  const [first, ...others] = joined(pieces);
  const [, name, rest = ""] =
    (first?.kind === "text" ? /^([^=]+?)[-+*/%&|^]?=([^]*)$/.exec(first.text) : undefined) ?? [];
  if (name === undefined) {
    // This is judged as the .NET method that does the same.
    if (others.length > 0 || first?.kind !== "text")
      state.add([textWord("[environment]::setenvironmentvariable"), { pieces }]);
    return;
  }
  const value = option === "/p" ? [piped] : option === "/a" ? [textPiece("1")] : [textPiece(rest), ...others];
  // Where the variable is used without quotes, the value is split at its blanks.
  state.assign(environmentName(name.trim()), value, { isList: others.length > 0 });
}
