// The state of reading a PowerShell script. The readers beside this file advance through the text and record here what
// they find.
import type { CommandPiece, CommandWord, ExpansionPiece, SimpleCommand } from "../../core/shell/pieces.ts";
import { variableName } from "./names.ts";
import { WindowsState } from "./state.ts";

export interface Target {
  readonly name: string;
  /** The member that is assigned, in `$x.member = …`. */
  readonly member?: string;
}

/** The result of statements: the values of one expression, or the output of their commands. */
export interface StatementResult {
  readonly items?: readonly CommandWord[];
  readonly printer?: SimpleCommand;
}

export interface Expression {
  /** The values between commas. */
  readonly items: readonly CommandWord[];
  /** The targets of an assignment that would follow the expression. */
  readonly targets: readonly Target[];
}

/** A place in the text, with the state of reading at that place. */
export interface Mark {
  readonly at: number;
  readonly placeholders: number;
  readonly tokens: number;
}

/** What can be within a bracket of any other part. The state has these readers so that no file imports in a circle. */
interface PwshReaders {
  readStatements(state: PwshState, closer: "" | ")" | "}"): StatementResult;
  readStatement(state: PwshState): StatementResult;
}

const VARIABLE = /\$(?:\{([^}]*)\}|((?:[\p{L}\d_]+:)?[\p{L}\d_]+)|[?$^])/uy;
const SPLAT = /@((?:[A-Za-z]\w*:)?\w+)/y;
const BLANKS = /(?:[ \t\r\f\v\u00a0]|`\r?\n|<#[^]*?#>)+/y;
const ASSIGNMENT = /(?:\+|-|\*|\/|%|\?\?)?=(?!=)/y;

export class PwshState extends WindowsState {
  readonly readers: PwshReaders;
  /** Whether the name is a parameter's, so that its value is put in. */
  readonly isParameter: (name: string) => boolean;

  constructor(text: string, readers: PwshReaders, isParameter: (name: string) => boolean) {
    super(text, "pwsh");
    this.readers = readers;
    this.isParameter = isParameter;
  }

  /** Whether an expression or the arguments of a command end here. */
  get isAtEnd(): boolean {
    return this.isOver || "\n;|&)}".includes(this.character);
  }

  get isAtAssignment(): boolean {
    return this.sees(ASSIGNMENT);
  }

  /** Reads an assignment operator, such as `+=`, and the blanks after it. */
  takeAssignment(): string {
    const operator = this.take(ASSIGNMENT)?.[0] ?? "";
    if (operator !== "") this.skipLines();
    return operator;
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
    if (this.character === "#" && (isSkipped || /[\s;|&(){}[\]=,"'+*/%!<>-]/.test(before))) this.take(/#[^\n]*/y);
  }

  skipLines(): void {
    let from = -1;
    while (from !== this.at && !this.isOver) {
      from = this.at;
      this.skipBlanks();
      if (this.character === "\n") this.at++;
    }
  }

  takeVariable(): ExpansionPiece | undefined {
    const start = this.at;
    const found = this.take(VARIABLE);
    return found && this.#expansion(variableName(found[1] ?? found[2] ?? ""), start);
  }

  /** Reads `@name`, whose items become words. */
  takeSplat(): ExpansionPiece | undefined {
    const start = this.at;
    const name = this.take(SPLAT)?.[1];
    if (name === undefined) return undefined;
    const known = variableName(name);
    return { ...this.#expansion(known, start), text: `\${${known}[@]}` };
  }

  #expansion(name: string, start: number): ExpansionPiece {
    this.tokens.push(`$${name}`);
    return { kind: "expansion", text: `$${name}`, start, end: this.at, placeholders: [] };
  }

  mark(): Mark {
    return { at: this.at, placeholders: this.placeholders.length, tokens: this.tokens.length };
  }

  /** Returns everything read since the mark as one expansion, which is only known when the script runs. */
  since({ at, placeholders, tokens }: Mark, made: Pick<ExpansionPiece, "items" | "printer"> = {}): ExpansionPiece {
    const text = `(${[...new Set(this.tokens.slice(tokens))].join(" ")})`;
    return {
      ...{ kind: "expansion", text, start: at, end: this.at, placeholders: this.placeholders.slice(placeholders) },
      ...made,
    };
  }

  /** Returns the value of a statement: the pieces of one value, a list, or the output of commands. */
  statementValue(read: () => StatementResult): readonly CommandPiece[] {
    const mark = this.mark();
    const made = read();
    const [only, ...others] = made.items ?? [];
    return only && others.length === 0 ? only.pieces : [this.since(mark, made)];
  }

  /** Reads the value of `(…)` or `$(…)`. */
  bracketedValue(opener: "(" | "$("): readonly CommandPiece[] {
    return this.statementValue(() => this.bracketed(opener, ")", () => this.readers.readStatements(this, ")")));
  }
}
