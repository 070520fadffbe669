// The commands between two brackets of a script, or of the whole of it, while they are being read: the word that grows, the
// command it belongs to, and what is known of the places of values in it.
import type { CommandPiece, CommandWord, PlaceholderPiece, Redirection, SimpleCommand } from "./command-pieces.ts";
import { literalText } from "./command-pieces.ts";

/** Where a placeholder stands in its command. */
export interface PlaceholderPosition {
  /** A word of its own, without quotes, where words may come and go. */
  readonly isWholeWord: boolean;
  readonly startsWord: boolean;
  readonly behind: readonly string[];
  readonly isAfterDashes: boolean;
}

export interface FrameOptions {
  readonly closer: "" | ")";
  readonly start: number;
  readonly opener?: string;
  /** Its words are not commands: `a=(…)`. */
  readonly isList?: boolean;
  /** The commands that this is a word, or a part of a word, of. */
  readonly joins?: CommandFrame;
  /** `[[ … ]]` is no command: in bash and zsh. */
  readonly knowsTests: boolean;
  /** Where finished commands and positions are collected. */
  readonly commands: SimpleCommand[];
  readonly positions: Map<PlaceholderPiece, PlaceholderPosition>;
}

interface GrowingWord {
  readonly pieces: CommandPiece[];
  text: string;
  hasQuotes: boolean;
}

const BEHIND_MAX = 16;

/** Words that a command may follow. */
const leadingWords = new Set(["if", "then", "elif", "else", "while", "until", "do", "!", "{", "coproc", "noglob", "nocorrect"]);

export class CommandFrame {
  readonly kind = "commands";
  readonly closer: "" | ")";
  readonly start: number;
  readonly opener: string;
  readonly isList: boolean;
  readonly #options: FrameOptions;
  readonly #inside: PlaceholderPiece[] = [];
  #words: CommandWord[] = [];
  #bareWords: boolean[] = [];
  #redirections: Redirection[] = [];
  #word: GrowingWord | undefined;
  #redirection: string | undefined;
  #caseDepth = 0;
  isTest = false;

  constructor(options: FrameOptions) {
    this.closer = options.closer;
    this.start = options.start;
    this.opener = options.opener ?? "";
    this.isList = options.isList ?? false;
    this.#options = options;
  }

  /** Of the word that grows: its text so far, since the last placeholder. */
  get wordText(): string {
    return this.#word?.text ?? "";
  }

  get hasWord(): boolean {
    return this.#word !== undefined;
  }

  /** A `)` ends a pattern here. */
  get isInCase(): boolean {
    return this.#caseDepth > 0;
  }

  add(text: string): void {
    this.#growing().text += text;
  }

  addQuote(text = ""): void {
    const word = this.#growing();
    word.hasQuotes = true;
    word.text += text;
  }

  addPlaceholder(piece: PlaceholderPiece): void {
    this.#endText();
    this.#growing().pieces.push(piece);
    this.#inside.push(piece);
  }

  addExpansion(expansion: { readonly text: string; readonly start: number; readonly placeholders: readonly PlaceholderPiece[] }): void {
    this.#endText();
    this.#growing().pieces.push({ kind: "expansion", ...expansion });
    this.#inside.push(...expansion.placeholders);
  }

  /** This frame is done: what it held becomes a part of the word around it. */
  joinOuter(text: string): void {
    const outer = this.#options.joins;
    if (outer) outer.addExpansion({ text, start: this.start, placeholders: this.#inside });
  }

  beginRedirection(operator: string): void {
    this.endFileNumber();
    this.#redirection = operator;
  }

  /** `2` in `2>file` is no word of the command. */
  endFileNumber(): void {
    const word = this.#word;
    if (word && word.pieces.length === 0 && /^(\d+|\{\w+\})$/.test(word.text)) this.#word = undefined;
    this.endWord();
  }

  endWord(): void {
    this.#endText();
    const growing = this.#word;
    if (!growing) return;
    this.#word = undefined;
    const word: CommandWord = { pieces: growing.pieces };
    const operator = this.#redirection;
    this.#redirection = undefined;
    const bareText = growing.hasQuotes ? undefined : literalText(word);
    if (operator !== undefined) {
      this.#redirections.push({ operator, word });
      this.#place(word, { isWholeWord: false, startsWord: false });
      return;
    }
    if (!this.isList && this.#isBeforeCommand(word, bareText)) return;
    if (bareText === "]]") this.isTest = false;
    this.#words.push(word);
    this.#bareWords.push(!growing.hasQuotes && growing.pieces.length === 1);
  }

  /** A word that a command may follow, so that the next word is the program again. */
  #isBeforeCommand(word: CommandWord, bareText: string | undefined): boolean {
    if (this.#words.length === 1 && literalText(this.#words[0]) === "function") {
      this.#words = [];
      this.#bareWords = [];
      return true;
    }
    if (this.#words.length > 0) return false;
    const [name, brackets, ...others] = word.pieces;
    if (name?.kind === "text" && !name.text.endsWith("=") && brackets?.kind === "expansion" && others.length === 0 && /^\(\s*\)$/.test(brackets.text)) return true;
    if (bareText === undefined) return false;
    if (bareText === "case") this.#caseDepth++;
    if (bareText === "esac" && this.#caseDepth > 0) this.#caseDepth--;
    if (bareText === "[[" && this.#options.knowsTests) this.isTest = true;
    return leadingWords.has(bareText);
  }

  endCommand(): void {
    this.endWord();
    this.isTest = false;
    this.#redirection = undefined;
    const words = this.#words;
    this.#placeWords();
    const isSomething = words.length > 0 || this.#redirections.length > 0;
    const list = this.isList ? { isList: true as const } : {};
    if (isSomething) this.#options.commands.push({ words, redirections: this.#redirections, ...list });
    this.#words = [];
    this.#bareWords = [];
    this.#redirections = [];
  }

  /** What stands before the `)` of a `case` is no command. */
  endPattern(): void {
    this.endWord();
    this.#placeWords();
    this.#words = [];
    this.#bareWords = [];
    this.#redirections = [];
  }

  #growing(): GrowingWord {
    this.#word ??= { pieces: [], text: "", hasQuotes: false };
    return this.#word;
  }

  #endText(): void {
    const word = this.#word;
    if (!word || (word.text === "" && !(word.hasQuotes && word.pieces.length === 0))) return;
    word.pieces.push({ kind: "text", text: word.text });
    word.text = "";
  }

  #placeWords(): void {
    const first = literalText(this.#words[0]);
    const isTest = first === "[" || first === "test" || first === "[[";
    const subject = first === "case" ? this.#words[1] : undefined;
    let isAfterDashes = false;
    for (const [index, word] of this.#words.entries()) {
      const isFixed = isTest || word === subject;
      this.#place(word, { isWholeWord: this.#bareWords[index] === true && !isFixed, startsWord: word !== subject, isAfterDashes });
      if (literalText(word) === "--") isAfterDashes = true;
    }
  }

  #place(word: CommandWord, options: { readonly isWholeWord: boolean; readonly startsWord: boolean; readonly isAfterDashes?: boolean }): void {
    let startsWord = options.startsWord;
    let behind: readonly string[] = [];
    for (const piece of word.pieces) {
      if (piece.kind === "text" && piece.text !== "") startsWord = false;
      if (piece.kind !== "placeholder") continue;
      this.#options.positions.set(piece, { isWholeWord: options.isWholeWord, startsWord, behind, isAfterDashes: options.isAfterDashes ?? false });
      // Behind very many, a dash is refused whatever stands before it.
      if (startsWord && !behind.includes(piece.name)) behind = behind.length < BEHIND_MAX ? [...behind, piece.name] : [];
    }
  }
}
