// The commands of a script, or of a part of it in brackets, while they are read: the current word, the command that it
// belongs to, and what is known of the places of values.
import { CommandGroups } from "./groups.ts";
import type {
  CommandGroup,
  CommandPiece,
  CommandWord,
  ExpansionPiece,
  PlaceholderPiece,
  Redirection,
  SimpleCommand,
} from "./pieces.ts";
import { literalText } from "./pieces.ts";
import { type PlaceholderPosition, placeWord, placeWords } from "./positions.ts";

export interface FrameOptions {
  readonly closer: "" | ")";
  readonly start: number;
  readonly opener?: string;
  /** Whether the frame holds the words of a list, `a=(…)`, instead of commands. */
  readonly isList?: boolean;
  /** Whether the frame holds one text that a shell expands, without words or commands. */
  readonly isText?: boolean;
  /** The frame around this one, which becomes a word of it or a part of a word. */
  readonly joins?: CommandFrame;
  /** Whether this frame is in double quotes within the one around it. */
  readonly isQuoted?: boolean;
  /** The group that the frame's commands belong to. */
  readonly group: CommandGroup;
  /** Returns the current offset in the text. */
  readonly at: () => number;
  /** Whether `[[ … ]]` is a test, as in bash and zsh, and not a command. */
  readonly knowsTests: boolean;
  /** Whether a command may directly follow `{`, `}` and `]]`, as in zsh. */
  readonly knowsShortForms?: boolean;
  /** Collects finished commands. */
  readonly commands: SimpleCommand[];
  readonly positions: Map<PlaceholderPiece, PlaceholderPosition>;
  /** Names of the functions that the script defines. */
  readonly functions: Set<string>;
}

interface GrowingWord {
  readonly start: number;
  readonly pieces: CommandPiece[];
  text: string;
  hasQuotes: boolean;
}

/** Words that a command may follow. */
const leadingWords = new Set([
  "if",
  "then",
  "elif",
  "else",
  "while",
  "until",
  "do",
  "!",
  "-",
  "{",
  "}",
  "always",
  "coproc",
  "noglob",
  "nocorrect",
]);
const opening = new Set(["if", "while", "until", "for", "select", "foreach", "repeat", "case", "{"]);
const closing = new Set(["fi", "done", "end", "esac", "}"]);

export class CommandFrame {
  readonly kind = "commands";
  readonly closer: "" | ")";
  readonly start: number;
  readonly opener: string;
  readonly isList: boolean;
  readonly isText: boolean;
  readonly #options: FrameOptions;
  readonly #inside: PlaceholderPiece[] = [];
  readonly groups: CommandGroups;
  #words: CommandWord[] = [];
  #bareWords: boolean[] = [];
  #redirections: Redirection[] = [];
  #word: GrowingWord | undefined;
  #redirection: string | undefined;
  #caseDepth = 0;
  /** The nesting depth of `if`, `while`, `{` and similar words. */
  #depth = 0;
  /** What decides whether the command runs: the operator before it, or that it is the body of a function. */
  #condition: "&&" | "||" | "|" | "function" | undefined;
  /** Indexes of words at which another command may begin. */
  #splits: number[] = [];
  #isCoprocess = false;
  #items: readonly CommandWord[] = [];
  #isPipeline = true;
  #isEnded = false;
  #last: SimpleCommand | undefined;
  isTest = false;

  constructor(options: FrameOptions) {
    this.closer = options.closer;
    this.start = options.start;
    this.opener = options.opener ?? "";
    this.isList = options.isList ?? false;
    this.isText = options.isText ?? false;
    this.#options = options;
    this.groups = new CommandGroups(options.group);
  }

  /** The text of the current word since the last placeholder. */
  get wordText(): string {
    return this.#word?.text ?? "";
  }

  get hasWord(): boolean {
    return this.#word !== undefined;
  }

  /** Whether a `)` ends a pattern of `case` here. */
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
    if (this.isText) this.#options.positions.set(piece, { isWholeWord: false, startsWord: false, behind: [] });
  }

  addExpansion(expansion: Omit<ExpansionPiece, "kind">): void {
    this.#endText();
    this.#growing(expansion.start).pieces.push({ kind: "expansion", ...expansion });
    this.#inside.push(...expansion.placeholders);
  }

  /** Ends this frame: what it held becomes a part of the word around it. `inside` is the word of a text. */
  joinOuter(text: string, inside?: CommandWord): void {
    const outer = this.#options.joins;
    if (!outer) return;
    const printed = { ...(this.#isPipeline && this.#last ? { printer: this.#last } : {}), group: this.#options.group };
    const made = this.isList ? { items: this.#items } : inside ? { inside } : printed;
    outer.addExpansion({
      text,
      start: this.start,
      placeholders: this.#inside,
      ...made,
      ...(this.#options.isQuoted ? { isQuoted: true as const } : {}),
    });
  }

  /** Opens a group for brackets with commands in them. */
  openSubshell(): CommandGroup {
    this.#isPipeline = false;
    return this.groups.subshell();
  }

  /** Reads `f ()`, whose name has been read as a word. Returns false if that word cannot be a name. */
  defines(): boolean {
    const name = literalText(this.#words[0]);
    if (this.isList || this.#words.length !== 1 || name === undefined || !/^[^-=]+$/.test(name)) return false;
    this.#define(name);
    return true;
  }

  #define(name: string): void {
    this.#options.functions.add(name);
    this.#words = [];
    this.#bareWords = [];
    this.groups.define();
    this.#condition = "function";
  }

  /** Returns the text that this frame holds, as a word. */
  takeWord(): CommandWord {
    this.#endText();
    return { pieces: this.#word?.pieces ?? [] };
  }

  /** Adds a here-document, whose text is read later. */
  addHereDocument(word: CommandWord): void {
    this.#redirections.push({ operator: "<<", word });
  }

  beginRedirection(operator: string): void {
    this.endFileNumber();
    this.#redirection = operator;
  }

  /** Drops a file number, such as `2` in `2>file`, which is not a word of the command. */
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
    const word: CommandWord = { pieces: growing.pieces, start: growing.start, end: this.#options.at() };
    const operator = this.#redirection;
    this.#redirection = undefined;
    const bareText = growing.hasQuotes ? undefined : literalText(word);
    if (operator !== undefined) {
      this.#redirections.push({ operator, word });
      placeWord(word, { isWholeWord: false, startsWord: false }, this.#options.positions);
      return;
    }
    if (!this.isList && this.#isBeforeCommand(word, bareText)) return;
    if (bareText === "]]") this.isTest = false;
    this.#words.push(word);
    if (
      (this.#options.knowsShortForms && (bareText === "{" || bareText === "}" || bareText === "]]")) ||
      (this.#isCoprocess && bareText === "{")
    )
      this.#splits.push(this.#words.length);
    this.#bareWords.push(!growing.hasQuotes && growing.pieces.length === 1);
  }

  /** Whether a command may follow the word, so that the next word is a program again. */
  #isBeforeCommand(word: CommandWord, bareText: string | undefined): boolean {
    const [name, brackets, ...others] = word.pieces;
    const hasBrackets = brackets?.kind === "expansion" && others.length === 0 && /^\(\s*\)$/.test(brackets.text);
    if (this.#words.length === 1 && literalText(this.#words[0]) === "function") {
      this.#define(name?.kind === "text" ? name.text : "");
      return true;
    }
    if (this.#words.length > 0) return false;
    if (name?.kind === "text" && !name.text.endsWith("=") && hasBrackets) {
      this.#define(name.text);
      return true;
    }
    if (bareText === undefined) return false;
    if (this.#options.knowsShortForms && /^\{+$/.test(bareText)) return true;
    if (opening.has(bareText)) {
      this.#depth++;
      this.groups.open();
    }
    if (closing.has(bareText) && this.#depth > 0) {
      this.#depth--;
      this.groups.close();
    }
    if (bareText === "coproc") this.#isCoprocess = true;
    if (bareText === "case") this.#caseDepth++;
    if (bareText === "esac" && this.#caseDepth > 0) this.#caseDepth--;
    if (bareText === "[[" && this.#options.knowsTests) this.isTest = true;
    return leadingWords.has(bareText);
  }

  /** `operator` is what follows it. */
  endCommand(operator = ";"): void {
    this.endWord();
    this.isTest = false;
    this.#redirection = undefined;
    placeWords(this.#words, this.#bareWords, this.#options.positions);
    const [words, redirections] = [this.#words, this.#redirections];
    let command: SimpleCommand | undefined;
    if (words.length > 0 || redirections.length > 0) {
      const isSure =
        this.opener === "" &&
        this.#depth === 0 &&
        this.#condition === undefined &&
        operator !== "|" &&
        operator !== "&" &&
        !this.#options.knowsShortForms;
      const { place } = this.groups;
      command = {
        words,
        redirections,
        ...(this.isList ? { isList: true as const } : {}),
        ...(isSure ? { isSure: true as const } : {}),
        ...this.#flow(operator),
        ...place,
      };
      this.#options.commands.push(
        command,
        ...this.#splits.map((split) => ({ words: withoutLeading(words.slice(split)), redirections, ...place })),
      );
      this.#items = words;
      this.#last = command;
      if (this.#isEnded) this.#isPipeline = false;
      this.#isEnded = operator !== "|";
    }
    // After `&&`, too, the command may begin on the next line.
    const isOver = operator !== ";" || command !== undefined || this.groups.hasEnded;
    this.groups.end(command, redirections, operator);
    if (isOver) this.#condition = operator === "&&" || operator === "||" || operator === "|" ? operator : undefined;
    this.#isCoprocess = false;
    this.#forget();
  }

  #flow(operator: string): Pick<SimpleCommand, "flow"> {
    if (operator === "|" || operator === "&" || this.#condition === "|" || this.#condition === "||")
      return { flow: "apart" };
    if (this.#condition === "&&") return { flow: "then" };
    return this.#depth > 0 || this.#condition === "function" ? { flow: "inner" } : {};
  }

  #forget(): void {
    this.#words = [];
    this.#bareWords = [];
    this.#redirections = [];
    this.#splits = [];
  }

  /** Drops the words before the `)` of a `case`, which are not a command. */
  endPattern(): void {
    this.endWord();
    placeWords(this.#words, this.#bareWords, this.#options.positions);
    this.#forget();
  }

  #growing(start = this.#options.at()): GrowingWord {
    this.#word ??= { start, pieces: [], text: "", hasQuotes: false };
    return this.#word;
  }

  #endText(): void {
    const word = this.#word;
    if (!word || (word.text === "" && !(word.hasQuotes && word.pieces.length === 0))) return;
    word.pieces.push({ kind: "text", text: word.text });
    word.text = "";
  }
}

function withoutLeading(words: readonly CommandWord[]): readonly CommandWord[] {
  const first = words.findIndex((word) => !leadingWords.has(literalText(word) ?? ""));
  return first === -1 ? [] : words.slice(first);
}
