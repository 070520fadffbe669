// The state of reading a PowerShell script. The readers beside this file advance through the text and record here what
// they find.
import type { CommandPiece, CommandWord, ExpansionPiece, SimpleCommand } from "../../core/shell/pieces.ts";
import { variableName } from "./pwsh-names.ts";
import { REGION_NESTING_MAX } from "../../core/shell/regions.ts";
import { WindowsState } from "./windows-state.ts";

export interface Target {
  readonly name: string;
  /** Whether the target can only hold a number, as in `[int]$n = …`. */
  readonly isNumber: boolean;
  /** The member that is assigned, in `$x.member = …`. */
  readonly member?: string;
}

/** The result of statements: the values of one expression, or the output of their commands. */
export interface StatementResult {
  readonly items?: readonly CommandWord[];
  readonly printer?: SimpleCommand;
}

/** A place in the text, with the state of reading at that place. */
export interface Mark {
  readonly at: number;
  readonly placeholders: number;
  readonly tokens: number;
}

/** PowerShell accepts typographic quotes. */
export const DOUBLE_QUOTES = '"\u{201c}\u{201d}\u{201e}';
export const SINGLE_QUOTES = "'\u{2018}\u{2019}\u{201a}\u{201b}";

const VARIABLE = /\$(?:\{([^}]*)\}|((?:[\p{L}\d_]+:)?[\p{L}\d_]+)|[?$^])/uy;
const SPLAT = /@((?:[A-Za-z]\w*:)?\w+)/y;
const BLANKS = /(?:[ \t\r\f\v\u00a0]|`\r?\n|<#[^]*?#>)+/y;
const ASSIGNMENT = /(?:\+|-|\*|\/|%|\?\?)?=(?!=)/y;
const LINE_COMMENT = /#[^\n]*/y;

export interface Expression {
  /** The values between commas. */
  readonly items: readonly CommandWord[];
  /** The targets of an assignment that would follow the expression. */
  readonly targets: readonly Target[];
}

/** What can be within a bracket of any other part. The state has these readers so that no file imports in a circle. */
interface PwshReaders {
  readStatements(state: PwshState, closer: "" | ")" | "}"): StatementResult;
  readStatement(state: PwshState): StatementResult;
  /** With `isIndex`, a `]` ends it too. */
  readExpression(state: PwshState, isIndex?: boolean): Expression;
}

export class PwshState extends WindowsState {
  readonly readers: PwshReaders;
  #depth = 0;

  constructor(text: string, readers: PwshReaders) {
    super(text);
    this.readers = readers;
  }

  /** Whether reading is over: at the end, or where something cannot be read. */
  get isOver(): boolean {
    return this.at >= this.text.length || this.trouble !== undefined;
  }

  /** Whether an expression or the arguments of a command end here. */
  get isAtEnd(): boolean {
    return this.isOver || "\n;|&)}".includes(this.character);
  }

  get isAtAssignment(): boolean {
    return this.sees(ASSIGNMENT);
  }

  /** Reads an assignment operator, such as `+=`. */
  takeAssignment(): string {
    return this.take(ASSIGNMENT)?.[0] ?? "";
  }

  sees(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    return pattern.test(this.text);
  }

  skipBlanks(): void {
    const before = this.text[this.at - 1] ?? " ";
    const isSkipped = this.take(BLANKS) !== undefined;
    if (this.text.startsWith("<#", this.at)) this.fail("unclosed", "<#");
    // `a#b` is one word.
    if (this.character === "#" && (isSkipped || /[\s;|&(){}[\]=,"'+*/%!<>-]/.test(before))) this.take(LINE_COMMENT);
  }

  skipLines(): void {
    let from = -1;
    while (from !== this.at && !this.isOver) {
      from = this.at;
      this.skipBlanks();
      if (this.character === "\n") this.at++;
    }
  }

  /** Runs `read` for the text after an `opener` at `start`. */
  nested<T>(opener: string, start: number, read: () => T): T {
    if (this.#depth >= REGION_NESTING_MAX) this.fail("too-deep", opener, start);
    this.#depth++;
    const made = read();
    this.#depth--;
    return made;
  }

  /** Runs `read` for the text up to the bracket that closes it. */
  bracketed<T>(opener: string, closer: string, read: () => T): T {
    const start = this.at;
    this.at += opener.length;
    const made = this.nested(opener, start, read);
    if (this.trouble === undefined && this.character !== closer) this.fail("unclosed", opener, start);
    else this.at++;
    return made;
  }

  takeVariable(): ExpansionPiece | undefined {
    const start = this.at;
    const found = this.take(VARIABLE);
    if (!found) return undefined;
    const text = `$${variableName(found[1] ?? found[2] ?? "")}`;
    this.tokens.push(text);
    return { kind: "expansion", text, start, end: this.at, placeholders: [] };
  }

  /** Reads `@name`, whose items become words. */
  takeSplat(): ExpansionPiece | undefined {
    const start = this.at;
    const name = this.take(SPLAT)?.[1];
    if (name === undefined) return undefined;
    const known = variableName(name);
    this.tokens.push(`$${known}`);
    return { kind: "expansion", text: `\${${known}[@]}`, start, end: this.at, placeholders: [] };
  }

  mark(): Mark {
    return { at: this.at, placeholders: this.placeholders.length, tokens: this.tokens.length };
  }

  /** Returns everything read since the mark as one expansion, which is only known when the script runs. */
  since({ at, placeholders, tokens }: Mark, made: Pick<ExpansionPiece, "items" | "printer"> = {}): ExpansionPiece {
    const text = `(${[...new Set(this.tokens.slice(tokens))].join(" ")})`;
    return {
      kind: "expansion",
      text,
      start: at,
      end: this.at,
      placeholders: this.placeholders.slice(placeholders),
      ...made,
    };
  }

  /** Returns the value of `(…)`, `$(…)` or `@(…)`: the pieces of one value, a list, or the output of commands. */
  piecesOf({ items, printer }: StatementResult, mark: Mark): readonly CommandPiece[] {
    const [only, ...others] = items ?? [];
    if (only && others.length === 0) return only.pieces;
    return [this.since(mark, items ? { items } : printer ? { printer } : {})];
  }
}
