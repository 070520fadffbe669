// Reads a script for PowerShell: its statements, and in them commands, in the form that the judges of all shells read.
// Sources: about_Parsing and about_Language_Keywords.
import {
  type CommandPiece,
  type CommandWord,
  literalStart,
  literalText,
  type Redirection,
  textWord,
} from "../../core/shell/pieces.ts";
import { cmdlets } from "../../generated/program-data.ts";
import { isCmdlet, notFollowed, READS_FILES, withoutModule, WRITES_FILES } from "./names.ts";
import { PwshValues } from "./pwsh-values.ts";
import { type Argument, inText, joined, piped, type Receiver, textPiece, type WindowsScript } from "./state.ts";

/** `isParameter` says whether a name is a parameter's. */
export function scanPwsh(text: string, isParameter: (name: string) => boolean = () => false): WindowsScript {
  const script = new PwshScript(text, isParameter);
  script.readStatements("");
  return script.script();
}

const KEYWORD =
  /(?:if|elseif|else|while|until|for|foreach|switch|do|try|catch|finally|trap|begin|process|end|clean|param|function|filter|return|throw|exit)(?![\w.\\/:=-])/iy;
/** Keywords with rules that differ from those of other statements; they are not followed here. */
const UNREAD =
  /(?:class|enum|configuration|workflow)(?=[ \t]+[A-Za-z_]\w*\s*[:{])|(?:inlinescript|dynamicparam|data)(?=\s*\{)/iy;
const SWITCH_OPTION = /[ \t]*-\w+/y;
const LABEL = /:[A-Za-z_]\w*/y;
const NAME = /[^\s({]+/y;
/** Matches the types between `catch` and its block. */
const TYPES = /[^{}#<"'$\s]+/y;
/** What continues a statement behind its block. */
const [CLAUSE, LOOP_END] = [/(?:elseif|else|catch|finally)(?![\w-])/iy, /(?:while|until)(?![\w-])/iy];
/** Matches the beginning of an expression in a pipeline. Source: about_Parsing. */
const EXPRESSION =
  /[$"'(@[{+!,\u201c-\u201e\u2018-\u201b-]|(?:0x[\da-f]+|\.?\d[\d.]*(?:e[+-]?\d+)?[dlu]?(?:[kmgtp]b)?)(?=[\s;|&)},.+*/%-]|$)/iuy;
/** A pipe may begin the next line, since PowerShell 7. */
const NEXT_PIPE = /[ \t\r]*(?:\n[ \t\r]*)+(?=\|(?!\|))/y;
const INVOCATION = /[&.](?=[\s$("'{@`\u201c-\u201e\u2018-\u201b])[ \t]*/y;
const REDIRECTION = /(?:[1-6]|\*)?>>?/y;
const MERGING = /(?:[1-6]|\*)>&[12]/y;
const STOP_PARSING = /--%(?=\s|$)/y;
const SPLAT = /@([A-Za-z]\w*)/y;
/** Matches the name of a parameter with its value behind it. */
const PARAMETER = /^[-\u2013-\u2015][A-Za-z]\w*:$/;
const PART = /[^\s;|&(){},"'`$<>\u201c-\u201e\u2018-\u201b]+|[<{@]/y;
/** Matches a value that may be several words, and what makes one of it. */
const LIST = /,|@[({]|-[ci]?split\b/i;
const ONE = /-(?:f|join|[ci]?replace)(?![\w-])/i;

class PwshScript extends PwshValues {
  override readStatements(closer: "" | ")" | "}"): void {
    for (let count = 0; !this.isOver; ) {
      this.skipLines();
      if (this.isOver || (closer !== "" && this.character === closer)) break;
      if (")}".includes(this.character)) return this.fail("unclosed", this.character);
      const from = this.at;
      if (this.character === ";") this.at++;
      else {
        this.readStatement(closer === "");
        if (count++ > 0) this.several++;
      }
      if (this.at === from) this.at++;
    }
  }

  /** `isTop` marks a statement of the script itself. */
  override readStatement(isTop = false): CommandWord | undefined {
    this.take(LABEL);
    this.skipBlanks();
    const unread = this.take(UNREAD)?.[0];
    if (unread !== undefined) this.refuse(unread);
    const keyword = this.take(KEYWORD)?.[0].toLowerCase() ?? "";
    if (keyword === "") return this.#readPipeline(isTop);
    if (/^(?:return|throw|exit)$/.test(keyword)) {
      this.skipBlanks();
      return this.isOver || "\n;)}".includes(this.character) ? undefined : this.#readPipeline();
    }
    const clauses = keyword === "do" ? LOOP_END : CLAUSE;
    for (let clause: string | undefined = keyword; clause !== undefined; ) {
      this.#readClause(clause);
      clause = this.take(clauses)?.[0].toLowerCase();
    }
    return undefined;
  }

  /** Reads what follows a keyword: brackets and a block. */
  #readClause(keyword: string): void {
    this.skipLines();
    const mark = this.mark();
    const isFunction = /^(?:function|filter|param)$/.test(keyword);
    const name = isFunction && keyword !== "param" ? this.take(NAME)?.[0] : undefined;
    while (!isFunction && this.take(SWITCH_OPTION)) this.skipBlanks();
    if (/^(?:catch|trap)$/.test(keyword)) while (this.take(TYPES)) this.skipLines();
    if (/^(?:do|while|for|foreach)$/.test(keyword)) this.several++;
    this.skipLines();
    if (this.character === "(")
      this.bracketed("(", ")", () =>
        isFunction ? this.#readParameters() : keyword === "foreach" ? this.#readLoop() : this.readStatements(")"),
      );
    else if (keyword === "switch")
      this.refuse("switch -File", "read the file before it: `switch (Get-Content {path})`");
    if (keyword !== "param") this.skipLines();
    const block = keyword !== "param" && this.character === "{" ? this.readBraces(inText) : undefined;
    // Only a program could stand in place of a block.
    if (block?.kind === "placeholder") this.add([{ pieces: [block] }]);
    if (name !== undefined) this.addFunction(name, mark);
    this.skipLines();
  }

  /** Reads `$name in …`. */
  #readLoop(): void {
    this.skipLines();
    const variable = this.takeVariable();
    const mark = this.mark();
    this.skipLines();
    this.take(/in\b/iy);
    this.readStatements(")");
    if (variable) this.#addAssignment(variable.text.slice(1), { pieces: [this.since(mark)] }, {});
  }

  /** Reads the parameters of a function, which may get anything from the caller. */
  #readParameters(): void {
    const { tokens } = this.mark();
    while (!this.isOver && this.character !== ")") {
      const from = this.at;
      this.skipLines();
      this.readExpression();
      this.takeAssignment();
      if (this.character === "," || (this.at === from && this.character !== ")")) this.at++;
    }
    for (const token of new Set(this.tokens.slice(tokens)))
      if (/^\$\w/.test(token)) this.assign(token.slice(1), [piped], { isSure: false });
  }

  /** Reads a pipeline, and what follows after `&&` and `||`. */
  #readPipeline(isTop = false): CommandWord | undefined {
    for (let isFirst = true; ; isFirst = false) {
      this.skipBlanks();
      const value = this.sees(EXPRESSION) ? this.#readValues(isFirst) : this.#readCommand();
      this.skipBlanks();
      this.take(NEXT_PIPE);
      const operator = this.take(/\|\||&&|\|/y)?.[0];
      if (operator === undefined) {
        const [only, ...others] = (isFirst ? value?.pieces : undefined) ?? [];
        // PowerShell prints a value that stands alone, but its author means a program.
        if (isTop && only?.kind === "placeholder" && only.quoting === "bare" && others.length === 0)
          this.add([{ pieces: [only] }]);
        return isFirst ? value : undefined;
      }
      if (operator === "|") this.feedsInput = true;
      this.skipLines();
      if (this.isOver) return undefined;
    }
  }

  #readValues(isFirst: boolean): CommandWord | undefined {
    const made = [this.readExpression()];
    while (this.take(/,/y)) {
      this.skipLines();
      made.push(this.readExpression());
    }
    const start = this.at;
    const operator = isFirst ? this.takeAssignment() : "";
    const words = made.map(({ word }) => word);
    if (operator !== "") {
      const mark = this.mark();
      const { several } = this;
      const value = this.nested(operator, start, () => this.readStatement()) ?? { pieces: [this.since(mark)] };
      const written = this.text.slice(mark.at, this.at);
      const isList = this.several > several || (LIST.test(written) && !ONE.test(written));
      for (const { targets, member } of made)
        for (const name of targets) this.#addAssignment(name, value, { operator, member, isList });
      return undefined;
    }
    const redirections: Redirection[] = [];
    while (this.#takeRedirection(redirections)) this.skipBlanks();
    this.#addOutput(words, redirections);
    return words.length === 1 ? words[0] : undefined;
  }

  /** Adds values that a script outputs. */
  #addOutput(items: readonly CommandWord[], redirections: readonly Redirection[]): void {
    if (redirections.length > 0 || items.some((word) => literalText(word) === undefined))
      this.add([textWord("write-output"), ...items], redirections);
  }

  /** Reads a command, from its name or the `&` or `.` before it, to its end. */
  #readCommand(): undefined {
    this.take(INVOCATION);
    const [name] = this.#readArgument(false);
    if (!name) return;
    const args: Argument[] = [];
    const redirections: Redirection[] = [];
    const program = withoutModule(literalText(name.word) ?? "");
    const receiver: Receiver = { isCmdlet: program !== "" && isCmdlet(program), program };
    let mark = this.mark();
    for (;;) {
      this.skipBlanks();
      if (this.isAtEnd) break;
      const from = this.at;
      if (this.take(STOP_PARSING))
        this.refuse("--%", "remove the `--%`, and put words with special characters in quotes");
      else if (this.sees(SPLAT)) this.#readSplat(receiver);
      else if (this.take(/,/y)) {
        // `a, b` is one argument of a cmdlet, and several words of a program.
        this.skipLines();
        const items = [args.pop(), ...this.#readArgument(false)].flatMap((one) => (one ? [value(one.word)] : []));
        if (receiver.isCmdlet) this.placeArguments(items, receiver);
        args.push(...(receiver.isCmdlet ? [value({ pieces: [this.since(mark)] })] : items));
      } else if (!this.#takeRedirection(redirections)) {
        mark = this.mark();
        args.push(...this.#readArgument(receiver.isCmdlet));
      }
      if (this.at === from) this.at++;
    }
    this.tokens.push(READS_FILES.test(program) ? "$( cat" : "$(");
    this.addCall(program);
    this.placeArguments(args, receiver);
    const words = args.map(
      ({ word, form }): CommandWord =>
        receiver.isCmdlet && !(form === "bare" && isParameter(word)) ? { ...word, isOperand: true } : word,
    );
    this.commands.push({ words: [...programWords(name.word, program), ...words], redirections, isSure: true });
    const given = args.map(({ word }) => word);
    const what = notFollowed(program, given.map(literalStart));
    if (what !== undefined) this.refuse(what);
    // Any of its words may be the file, and it may write its input.
    const files = given.filter((word) => !isParameter(word)).map((word) => ({ operator: ">", word }));
    if (WRITES_FILES.test(program)) this.#addOutput([...given, { pieces: [piped] }], files);
  }

  /** Reads `@name`: parameters that only a cmdlet without dangers may get. */
  #readSplat({ isCmdlet: isOwn, program }: Receiver): void {
    const [, name = ""] = this.take(SPLAT) ?? [];
    this.tokens.push(`$${name}`);
    if (!isOwn || cmdlets.named(program.toLowerCase()).length > 0)
      this.refuse(`@${name}`, "write the words or parameters of the variable in the command");
  }

  #takeRedirection(redirections: Redirection[]): boolean {
    if (this.take(MERGING)) return true;
    if (!this.take(REDIRECTION)) return false;
    this.skipBlanks();
    for (const { word } of this.#readArgument(false)) redirections.push({ operator: ">", word });
    return true;
  }

  /** Reads a bare word, a string, a variable, brackets or a block; `-Name:value` of a cmdlet is two arguments. */
  #readArgument(isOfCmdlet: boolean): readonly Argument[] {
    const mark = this.mark();
    const string = this.readString();
    if (string) return [value({ pieces: string })];
    const inner = this.character === "$" ? undefined : this.readBrackets();
    if (inner) return [value({ pieces: this.readMembers({}) === undefined ? inner : [this.since(mark)] })];
    const piece = this.character === "{" ? this.readBraces(inText) : undefined;
    if (piece?.kind === "text" && piece.text === "{}") return [value({ pieces: [piece] })];
    return this.#readBare(piece ? [piece] : [], isOfCmdlet);
  }

  /** Reads bare text with variables, strings and placeholders in it. */
  #readBare(pieces: CommandPiece[], isOfCmdlet: boolean): readonly Argument[] {
    const start = this.at;
    const isVariable = this.character === "$" && pieces.length === 0;
    while (!this.isAtEnd && !",(".includes(this.character) && !/\s/.test(this.character)) {
      const from = this.at;
      if (this.character === "$") pieces.push(...this.#readDollar(pieces.length === 0));
      else if (this.character === "{") {
        // A block begins a new word, as brackets do.
        const piece = this.takePlaceholder("bare");
        if (!piece) break;
        pieces.push(piece);
      } else
        pieces.push(...(this.readString() ?? [textPiece(this.take(/`([^]?)/y)?.[1] ?? this.take(PART)?.[0] ?? "")]));
      if (isOfCmdlet && PARAMETER.test(literalText({ pieces }) ?? "")) {
        const behind = this.isAtEnd || /\s/.test(this.character) ? [] : this.#readArgument(false);
        return [{ word: { pieces }, form: "bare" }, ...behind.map((one) => value(one.word))];
      }
      if (this.at === from) break;
    }
    if (pieces.length === 0 && this.at === start) return [];
    const [only] = pieces;
    const isLone = pieces.length === 1 && only?.kind === "placeholder";
    return [{ word: { pieces: joined(pieces) }, form: isLone ? "placeholder" : isVariable ? "value" : "bare" }];
  }

  /** Reads `$x.Name[0]`, which is one value at the beginning of a word. */
  #readDollar(isFirst: boolean): readonly CommandPiece[] {
    const mark = this.mark();
    const found = this.readBrackets() ?? this.takeVariable();
    if (!found) this.at++;
    if (found && isFirst && this.readMembers({}) !== undefined) return [this.since(mark)];
    return [found ?? textPiece("$")].flat();
  }

  /** Adds `$x = …`. What is assigned to an element or a member of `$x` counts as a part of the value of `$x`. */
  #addAssignment(
    name: string,
    { pieces }: CommandWord,
    { operator = "=", member = undefined as string | undefined, isList = false },
  ): void {
    const appends = operator === "+=" || member !== undefined;
    const isText = pieces.length > 0 && pieces.every(({ kind }) => kind === "text");
    const items = [{ pieces }];
    // PowerShell does not split text into words, so a text is a list of one.
    const held: CommandWord["pieces"] =
      isText && !appends ? [{ kind: "expansion", text: "(", start: 0, placeholders: [], items }] : pieces;
    this.assign(name, held, { appends, isList: appends || (!isText && isList) });
    if (member !== undefined && member !== "") this.addMethod(`::${member}=`, items);
    // `$function:name = …` defines a function from text.
    if (/^(?:function|alias)__/.test(name)) this.addMethod("$function:", items);
  }
}

/** The name of a program is never missing, as it could be in other shells. */
function programWords(word: CommandWord, program: string): readonly CommandWord[] {
  if (program === "") return [{ pieces: [textPiece(""), ...word.pieces] }];
  // cmd.exe runs a batch file and reads its words again. Source: about_Experimental_Features,
  // PSNativeCommandArgumentPassing.
  return /\.(?:bat|cmd)$/i.test(program) ? [...["cmd", "/c"].map(textWord), word] : [word];
}

function value(word: CommandWord): Argument {
  return { word, form: "value" };
}

function isParameter(word: CommandWord): boolean {
  return /^[-\u2013-\u2015][A-Za-z?]/.test(literalStart(word));
}
