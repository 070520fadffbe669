// Values of PowerShell: strings, variables, brackets and blocks with their members and methods, and operators between
// them. `"…"` and `@"…"@` contain variables and `$(…)`, while `'…'` and `@'…'@` are literal. Only a value that is a
// single text counts as known before the script runs.
import {
  type CommandPiece,
  type CommandWord,
  type ExpansionPiece,
  literalText,
  type PlaceholderPiece,
  textWord,
} from "../../core/shell/pieces.ts";
import { environmentName, functionName, variableName } from "./names.ts";
import { inText, joined, type Mark, type Place, textPiece, WindowsState } from "./state.ts";

// PowerShell accepts typographic quotes.
const DOUBLE = '"\u{201c}\u{201d}\u{201e}';
const SINGLE = "'\u{2018}\u{2019}\u{201a}\u{201b}";
const OPENER = new RegExp(`@([${DOUBLE}${SINGLE}])[ \\t]*\\r?\\n|([${DOUBLE}${SINGLE}])`, "uy");
/** What ends a string, by its quotes: in its line, and where it has lines of its own. */
const [DOUBLE_ENDS, SINGLE_ENDS] = [DOUBLE, SINGLE].map((quotes) => ({
  plain: new RegExp(`[${quotes}](?![${quotes}])`, "uy"),
  here: new RegExp(`(?<=\\n)[${quotes}]@`, "uy"),
}));
/** Matches a string in single quotes that is the same in double quotes. */
const PLAIN_SINGLE = new RegExp(`[${SINGLE}]([^${SINGLE}${DOUBLE}\`$]*)[${SINGLE}](?![${SINGLE}])`, "uy");
const VARIABLE = /\$(?:\{([^}]*)\}|((?:[\p{L}\d_]+:)?[\p{L}\d_]+)|[?$^])/uy;
const BLANKS = /(?:[ \t\r\f\v\u00a0]|`\r?\n|<#[^]*?#>)+/y;
const ASSIGNMENT = /(?:\+|-|\*|\/|%|\?\?)?=(?!=)/y;
const REDIRECTION = /(?:[1-6]|\*)?>/y;
const OPERATOR = /-[A-Za-z]+(?![\w-])|\.\.|\+\+|--|\?\?(?!=)|[-+*/%!?:<](?!=)|=/y;
/** Matches a number, or a name in a hash, a class or a pattern of `switch`. */
const BARE = /[^\s;|&(){}[\],"'`$@=<>.:+*/%!?\u201c-\u201e\u2018-\u201b]+/y;
/** Matches what would extend the name of a variable, or be read as a second value. */
const JOINED = /[\p{L}\d_:?$"']|\{[A-Za-z_][\w-]*\}/uy;
const MEMBER = /(?:\?\.|\.|::)(?!\.)[ \t]*(?:([A-Za-z_]\w*)|(?=[$("'{]))/y;
const TYPE = /\[([A-Za-z_][\w.+`]*(?:\[[\w.,\s[\]+`]*\])?)\]/y;

const FUNCTION = /\b(?:function|filter)[ \t\r\n]+([^\s({]+)/gi;
const BLOCK = /[=,(][ \t\r\n]*\{/;
/** Cmdlets that run a block of a variable and give its result. */
const RUNS_VARIABLE = /^(?:invoke-command|icm|foreach-object|foreach|%)$/i;

const VALUE: Place = { ...inText, standsFor: "value" };
const inSingleQuotes = inPlace(
  "PowerShell puts no value into this string in single quotes",
  'put it in double quotes, with a backtick before each `$` and `"` of the text',
);
const inType = inPlace("in the brackets of a type", "write out the type");

function inPlace(note: string, help: string): Place {
  return { ...inText, problem: { note, help: [help] } };
}

interface Expression {
  /** A word of one piece, or of a string. */
  readonly word: CommandWord;
  /** What an assignment that follows would change. */
  readonly targets: readonly string[];
  /** The member that is assigned, in `$x.member = …`. */
  readonly member: string | undefined;
}

export abstract class PwshValues extends WindowsState {
  /** Whether the name is a parameter's, so that its value is put in. */
  readonly #isParameter: (name: string) => boolean;
  /** Variables of functions that the script defines, also behind their calls. */
  readonly #functions: ReadonlySet<string>;
  readonly #returned = new Map<string, ReadonlySet<PlaceholderPiece>>();
  /** Whether a variable may hold a block, whose result is that of a function without a name. */
  readonly #hasBlocks: boolean;
  /** Grows with each place that may give several values. */
  several = 0;

  constructor(text: string, isParameter: (name: string) => boolean) {
    super(text, "pwsh");
    this.#isParameter = isParameter;
    this.#functions = new Set([...text.matchAll(FUNCTION)].map(([, name = ""]) => functionName(name)));
    this.#hasBlocks = BLOCK.test(text);
  }

  /** Adds a function, which returns anything that was read since the mark. */
  addFunction(name: string, mark: Mark): void {
    const variable = functionName(name);
    const body = this.since(mark);
    this.#returned.set(variable, new Set([...(this.#returned.get(variable) ?? []), ...body.placeholders]));
    this.assign(variable, [body], { appends: true, isSure: false });
  }

  /** Adds what a call of a function gives. A call whose `program` is not known may be that of any. */
  addCall(program: string): void {
    const own = functionName(program);
    const called = program === "" ? [...this.#functions] : this.#functions.has(own) ? [own] : [];
    if (this.#hasBlocks && (program === "" || RUNS_VARIABLE.test(program))) called.push(functionName(""));
    for (const name of called) {
      this.tokens.push(`$${name}`);
      for (const piece of this.#returned.get(name) ?? []) this.placeholders.push(piece);
      this.several++;
    }
  }

  /** Reads up to a closing bracket, and leaves it. */
  abstract readStatements(closer: "" | ")" | "}"): void;
  /** Returns the value, if the statement is an expression. */
  abstract readStatement(): CommandWord | undefined;

  /** Whether an expression or a command ends here. */
  get isAtEnd(): boolean {
    return this.isOver || "\n;|&)}".includes(this.character);
  }

  skipBlanks(): void {
    const before = this.text[this.at - 1] ?? " ";
    const isSkipped = this.take(BLANKS) !== undefined;
    if (this.text.startsWith("<#", this.at)) this.fail("unclosed", "<#");
    // `a#b` is one word.
    if (this.character === "#" && (isSkipped || /[\s;|&(){}[\]=,"'+*/%!<>-]/.test(before))) this.take(/#[^\n]*/y);
  }

  skipLines(): void {
    for (let from = -1; from !== this.at && !this.isOver; ) {
      from = this.at;
      this.skipBlanks();
      if (this.character === "\n") this.at++;
    }
  }

  /** Reads an assignment operator, such as `+=`, and the blanks after it. */
  takeAssignment(): string {
    const operator = this.take(ASSIGNMENT)?.[0] ?? "";
    if (operator !== "") this.skipLines();
    return operator;
  }

  takeVariable(): ExpansionPiece | undefined {
    const start = this.at;
    const found = this.take(VARIABLE);
    return found && this.variable(variableName(found[1] ?? found[2] ?? ""), start);
  }

  /** Reads `(…)`, `$(…)`, `@(…)` or `@{…}`. Returns undefined if none begins here. */
  readBrackets(): CommandWord["pieces"] | undefined {
    const mark = this.mark();
    const opener = (["(", "$(", "@(", "@{"] as const).find((one) => this.text.startsWith(one, this.at));
    if (opener === "@{") this.bracketed(opener, "}", () => this.#readHash());
    else if (opener) this.bracketed(opener, ")", () => this.readStatements(")"));
    return opener && [this.since(mark)];
  }

  #readHash(): void {
    for (this.skipLines(); !this.isOver && this.character !== "}"; this.skipLines()) {
      const from = this.at;
      this.readExpression();
      if (this.takeAssignment() !== "") this.readStatement();
      if (this.at === from) this.at++;
    }
  }

  /** Reads a string. Returns undefined if none begins here; an empty string is an empty text. */
  readString(): CommandWord["pieces"] | undefined {
    const start = this.at;
    this.#expandSingle();
    const [opener, here, plain] = this.take(OPENER) ?? [];
    if (opener === undefined) return undefined;
    const isDouble = DOUBLE.includes(here ?? plain ?? "");
    const ends = isDouble ? DOUBLE_ENDS : SINGLE_ENDS;
    const end = (here === undefined ? ends?.plain : ends?.here) ?? /$/y;
    const pieces: CommandPiece[] = [];
    while (!this.isOver) {
      if (this.take(end)) return joined([...pieces, textPiece("")]);
      const found = isDouble
        ? ((this.character === "$" ? this.readBrackets()?.[0] : undefined) ??
          this.takeVariable() ??
          this.takePlaceholder("double"))
        : this.takePlaceholder("single", inSingleQuotes);
      pieces.push(found ?? textPiece(this.#letter(isDouble, here !== undefined)));
    }
    this.fail("unclosed", opener.trim(), start);
    return pieces;
  }

  /** Gives a string in single quotes double ones if a value stands in it and its text means the same there. */
  #expandSingle(): void {
    const { at, text } = this;
    const [whole, inside = ""] = this.take(PLAIN_SINGLE) ?? [];
    this.at = at;
    if (whole === undefined) return;
    const names = [...inside.matchAll(/(?<!\{)\{([A-Za-z_][\w-]*)\}(?!\})/g)].map(([, name = ""]) => name);
    if (names.length > 0 && names.every(this.#isParameter))
      this.text = this.parts.text = `${text.slice(0, at)}"${inside}"${text.slice(at + whole.length)}`;
  }

  /** Reads a character of a string. A doubled quote is one quote, and a backtick escapes. */
  #letter(isDouble: boolean, isHere: boolean): string {
    const { character } = this;
    const next = this.text[this.at + 1] ?? "";
    if (isDouble && character === "`") {
      this.at += 2;
      return "nr".includes(next) ? "\n" : "0abeftv".includes(next) ? "" : next;
    }
    this.at += !isHere && (isDouble ? DOUBLE : SINGLE).includes(character) ? 2 : 1;
    return character;
  }

  /** Reads a placeholder or a block, whose commands are checked in their place. */
  readBraces(place: Place): CommandPiece {
    const isBehindText = /[\w"']/.test(this.text[this.at - 1] ?? " ");
    const piece = this.takePlaceholder("bare", place);
    if (piece?.kind === "placeholder" && place.standsFor === "value" && (isBehindText || this.sees(JOINED)))
      this.place(piece, { isGlued: true });
    if (!piece) this.bracketed("{", "}", () => this.readStatements("}"));
    return piece ?? textPiece("{}");
  }

  /** Reads `[0]`, or an attribute such as `[ValidateSet("a", "b")]`. */
  #readIndex(isAttribute: boolean): CommandPiece {
    const { placeholders } = this.mark();
    this.bracketed("[", "]", () => this.#readItems(true));
    if (isAttribute) for (const piece of this.placeholders.slice(placeholders)) this.places.set(piece, inType);
    return textPiece("[]");
  }

  #readItems(isIndex: boolean): readonly CommandWord[] {
    const items: CommandWord[] = [];
    do {
      this.skipLines();
      const { word } = this.readExpression(isIndex);
      if (word.pieces.length > 0) items.push(word);
      this.skipLines();
    } while (this.take(/[,=]/y));
    return items;
  }

  /**
   * Reads `.Length`, `[0]`, `::Create(…)` of a value, or of the `type`. What a method of a variable gets counts as part
   * of its value. Returns the name of the last member, or an empty text for `[0]`; undefined if nothing is read.
   */
  readMembers({
    type = "",
    variable,
  }: {
    readonly type?: string;
    readonly variable?: string | undefined;
  }): string | undefined {
    let owner = type;
    let last: string | undefined;
    for (;;) {
      if (this.character === "[" && owner === "") {
        this.#readIndex(false);
        last ??= "";
        continue;
      }
      const member = this.take(MEMBER);
      if (!member) return last;
      const name = member[1] ?? this.#readValue() ?? [];
      const pieces = typeof name === "string" ? [textPiece(name)] : name;
      last = literalText({ pieces })?.toLowerCase() ?? "";
      // The value is the input of the script.
      if (owner === "[console]" && /^(?:in|readline|openstandardinput)$/.test(last)) this.tokens.push("$_");
      if (this.character === "(") {
        // In `$x.$name(…)` a value would choose the method; without brackets, it only chooses a property.
        if (typeof name !== "string") this.add([{ pieces }]);
        const args = this.bracketed("(", ")", () => this.#readItems(false));
        this.addMethod(`${owner}::${last}`, args);
        if (last.includes("invoke")) this.addCall("");
        if (variable !== undefined)
          for (const arg of args) this.assign(variable, arg.pieces, { appends: true, isList: true });
      }
      owner = "";
    }
  }

  /**
   * Adds the call of a method, judged as a command of that name: `[scriptblock]::create`, or `::invokescript` of any
   * object.
   */
  addMethod(name: string, args: readonly CommandWord[]): void {
    this.add([textWord(name), ...args.map(({ pieces }): CommandWord => ({ pieces, isOperand: true }))]);
    const variable = name === "[environment]::setenvironmentvariable" ? literalText(args[0]) : undefined;
    if (variable !== undefined) this.assign(environmentName(variable), args[1]?.pieces ?? [], { isSure: false });
  }

  /** Reads a value without its members. Returns undefined if none begins here. */
  #readValue(): CommandWord["pieces"] | undefined {
    const made = this.readString() ?? this.readBrackets();
    if (made) return made;
    if (this.character === "{") {
      const mark = this.mark();
      const piece = this.readBraces(VALUE);
      if (piece.kind === "text") this.addFunction("", mark);
      return [piece];
    }
    if (this.character === "[") return [this.#readIndex(true)];
    const variable = this.takeVariable();
    if (variable) return [variable];
    const text = this.take(BARE)?.[0];
    return text === undefined ? undefined : [textPiece(text)];
  }

  /** Reads values with operators between them, up to a comma. With `isIndex`, a `]` ends them too. */
  readExpression(isIndex = false): Expression {
    this.skipBlanks();
    const mark = this.mark();
    const values: CommandWord["pieces"][] = [];
    const targets: string[] = [];
    let [isPlain, cast]: [boolean, string | undefined] = [true, undefined];
    let member: string | undefined;
    while (!this.isAtEnd && this.character !== "," && !(isIndex && this.character === "]")) {
      if (this.at > mark.at && (this.sees(ASSIGNMENT) || this.sees(REDIRECTION))) break;
      const type = this.take(TYPE)?.[1];
      const isOperator = type === undefined && this.take(OPERATOR) !== undefined;
      const value = type === undefined && !isOperator ? this.#readValue() : undefined;
      if (type !== undefined) {
        const short = `[${type.slice(type.lastIndexOf(".") + 1).toLowerCase()}]`;
        if (short === "[ref]") this.refuse("[ref]");
        cast = this.readMembers({ type: short }) === undefined ? short : undefined;
        isPlain &&= cast !== undefined;
      } else if (value) {
        values.push(value);
        const [first] = value;
        const variable = first?.kind === "expansion" ? /^\$(\w+)$/.exec(first.text)?.[1] : undefined;
        if (variable !== undefined) targets.push(variable);
        member = this.readMembers({ variable });
        isPlain &&= member === undefined;
        // The type may run the value.
        if (cast !== undefined) this.addMethod(cast, [{ pieces: value }]);
        cast = undefined;
      } else {
        isPlain = false;
        if (isOperator) this.skipLines();
        else this.at++;
      }
      this.skipBlanks();
    }
    const [only = []] = values;
    const isKnown = (isPlain && values.length === 1) || this.at === mark.at;
    return { word: { pieces: isKnown ? only : [this.since(mark)] }, targets, member };
  }
}
