// Reads a script for sh, bash or zsh from left to right: quotes, substitutions, here-documents, `case` and simple
// commands. It does not use a grammar, because earlier text decides where a here-document ends and what `)` closes. It takes
// linear time and has its own stack.
import type { CommandFrame } from "./frame.ts";
import { hereDocumentAt } from "./here-document.ts";
import type { CommandPiece, PlaceholderPiece, ReadScript } from "./pieces.ts";
import type { PlaceholderPosition } from "./positions.ts";
import { regionOpener } from "./regions.ts";
import { type ScanOptions, ScanState, type Trouble } from "./scan-state.ts";

export interface ScannedScript extends ReadScript {
  /** The script as written, with `{{name}}` reduced and placeholders between the texts. */
  readonly parts: readonly (string | PlaceholderPiece)[];
  readonly positions: ReadonlyMap<PlaceholderPiece, PlaceholderPosition>;
  /** The first problem; text after it is read uncertainly. */
  readonly trouble?: Trouble;
}

const VARIABLE = /\$(?:[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-])/y;
/** Matches a variable of zsh, which may have marks before its name: `$~name`. */
const ZSH_VARIABLE = /\$(?:[=~^+]*(?:[A-Za-z_][A-Za-z0-9_]*|[0-9@*])|[#?$!-])/y;

/** Matches characters that mean nothing by themselves, wherever they stand. */
const PLAIN = /[A-Za-z0-9_\-./,:+@%]+/y;

/** Matches the brackets of `f ()`. */
const BRACKETS = /^\([ \t]*\)/;
const BRACKETS_CHARACTERS_MAX = 16;

export function scanScript(text: string, options: ScanOptions): ScannedScript {
  return new Scanner(text, options).scanned();
}

function isArithmetic(opener: string): boolean {
  return opener.endsWith("((") || opener === "$[";
}

class Scanner {
  readonly #state: ScanState;

  constructor(text: string, options: ScanOptions) {
    this.#state = new ScanState(text, options);
  }

  scanned(): ScannedScript {
    this.#state.open({ closer: "", start: 0 });
    while ((this.#state.at < this.#state.text.length || this.#state.openRegions.length > 0) && !this.#state.trouble) {
      const frame = this.#state.frames.at(-1);
      const open = this.#state.openRegions.at(-1);
      if (open && this.#state.at >= open.end) this.#state.closeRegion(open);
      else if (frame?.kind === "double") this.#stepInDouble();
      else if (frame?.isText) this.#stepInText(frame);
      else if (frame) this.#stepInCommands(frame);
    }
    this.#finish();
    const trouble = this.#state.trouble;
    const { commands, feedsInput, regions, positions, functions } = this.#state;
    return {
      parts: this.#state.parts.all(),
      commands,
      feedsInput,
      regions,
      positions,
      functions,
      ...(trouble ? { trouble } : {}),
    };
  }

  #finish(): void {
    const open = this.#state.frames.at(-1);
    if (open && this.#state.frames.length > 1)
      this.#state.trouble ??= {
        kind: "unclosed",
        start: open.start,
        opener: open.kind === "double" ? '"' : open.opener,
      };
    const pending = this.#state.hereDocuments[0];
    if (pending) this.#state.trouble ??= { kind: "unclosed", start: pending.document.start, opener: "<<" };
    const top = this.#state.frames[0];
    if (top?.kind === "commands") top.endCommand();
  }

  #stepInDouble(): void {
    const text = this.#state.text;
    const commands = this.#state.commandsFrame();
    const character = text[this.#state.at] ?? "";
    if (character === '"') {
      this.#state.frames.pop();
      this.#state.at++;
    } else if (character === "\\" && '"\\$`\n'.includes(text[this.#state.at + 1] ?? " ")) {
      commands.add(text[this.#state.at + 1] === "\n" ? "" : (text[this.#state.at + 1] ?? ""));
      this.#state.at += 2;
    } else if (!this.#takePlain(commands) && !this.#stepAnywhere("double")) {
      commands.add(character);
      this.#state.at++;
    }
  }

  #takePlain(frame: CommandFrame): boolean {
    PLAIN.lastIndex = this.#state.at;
    const plain = PLAIN.exec(this.#state.text)?.[0];
    if (plain === undefined) return false;
    frame.add(plain);
    this.#state.at += plain.length;
    return true;
  }

  /** Reads what has the same meaning inside and outside of double quotes. */
  #stepAnywhere(quoting: "bare" | "double"): boolean {
    const text = this.#state.text;
    const frame = this.#state.commandsFrame();
    const opener = regionOpener(text, this.#state.at, quoting === "double");
    if (opener !== undefined && opener !== "((") return this.#state.takeRegion(opener, quoting === "double");
    if (text.startsWith("$(", this.#state.at)) {
      this.#state.open({
        closer: ")",
        start: this.#state.at,
        opener: "$(",
        joins: frame,
        isQuoted: quoting === "double",
      });
      this.#state.at += 2;
      return true;
    }
    const form = this.#state.options.knowsSubscripts ? ZSH_VARIABLE : VARIABLE;
    form.lastIndex = this.#state.at;
    const variable = form.exec(text)?.[0];
    if (variable !== undefined && this.#state.options.knowsSubscripts && text[this.#state.at + variable.length] === "[")
      return this.#state.takeRegion(`${variable}[`, quoting === "double");
    if (variable !== undefined) {
      frame.addExpansion({
        text: variable,
        start: this.#state.at,
        placeholders: [],
        ...(quoting === "double" ? { isQuoted: true as const } : {}),
      });
      this.#state.at += variable.length;
      return true;
    }
    // A here-document is expanded as if it were in double quotes, but quotes have no meaning in it.
    if (frame.isText && frame.opener === "<<") return this.#state.takePlaceholder("double");
    return (!frame.isText || isArithmetic(frame.opener)) && this.#state.takePlaceholder(quoting);
  }

  /** Reads text in which quotes have no meaning, but a backslash still prevents expansion. */
  #stepInText(frame: CommandFrame): void {
    if (this.#state.text[this.#state.at] === "\\") {
      frame.add(this.#state.text[this.#state.at + 1] ?? "");
      this.#state.at += 2;
    } else if (!this.#takePlain(frame) && !this.#stepAnywhere("double")) {
      frame.add(this.#state.text[this.#state.at] ?? "");
      this.#state.at++;
    }
  }

  #stepInCommands(frame: CommandFrame): void {
    const text = this.#state.text;
    const character = text[this.#state.at] ?? "";
    if (character === " " || character === "\t" || character === "\r") {
      frame.endWord();
      this.#state.at++;
    } else if (character === "\n") this.#endLine(frame);
    else if (character === "#" && !frame.hasWord && !this.#isQualifier(frame)) {
      const end = text.indexOf("\n", this.#state.at);
      this.#state.at = end === -1 ? text.length : end;
    } else if (character === "'") this.#takeSingle(frame);
    else if (character === '"' || text.startsWith('$"', this.#state.at)) {
      frame.addQuote();
      this.#state.at += character === '"' ? 1 : 2;
      this.#state.frames.push({ kind: "double", start: this.#state.at - 1 });
    } else if (character === "\\") {
      const next = text[this.#state.at + 1];
      if (next === undefined) this.#state.trouble = { kind: "unclosed", start: this.#state.at, opener: "\\" };
      else if (next !== "\n") frame.addQuote(next);
      this.#state.at += 2;
    } else if (!this.#takePlain(frame) && !this.#takeOperator(frame, character) && !this.#stepAnywhere("bare")) {
      frame.add(character);
      this.#state.at++;
    }
  }

  /** Whether `(#i)` follows, in a pattern or after one. */
  #isQualifier(frame: CommandFrame): boolean {
    return (
      this.#state.text[this.#state.at - 1] === "(" &&
      (frame.isTest || (frame.isList && this.#state.options.knowsSubscripts === true))
    );
  }

  #takeSingle(frame: CommandFrame): void {
    const start = this.#state.at;
    const end = this.#state.text.indexOf("'", start + 1);
    if (end === -1) {
      this.#state.trouble = { kind: "unclosed", start, opener: "'" };
      return;
    }
    frame.addQuote();
    this.#state.at++;
    while (this.#state.at < end) {
      if (this.#state.takePlaceholder("single")) continue;
      frame.add(this.#state.text[this.#state.at] ?? "");
      this.#state.at++;
    }
    this.#state.at = end + 1;
  }

  #endLine(frame: CommandFrame): void {
    // A list in brackets continues. A test over several lines is read on as if it were a command.
    if (frame.isList) frame.endWord();
    else frame.endCommand();
    this.#state.at++;
    this.#state.takeDocument();
  }

  #takeOperator(frame: CommandFrame, character: string): boolean {
    const text = this.#state.text;
    // A `]]` ends a test, whatever follows it.
    if (frame.isTest && "<>();&|".includes(character)) frame.endWord();
    if (character === "<" && text.startsWith("<<", this.#state.at) && text[this.#state.at + 2] !== "<")
      return this.#takeHereDocument(frame);
    if ((character === "<" || character === ">") && text[this.#state.at + 1] === "(" && !frame.isTest) {
      this.#state.open({
        closer: ")",
        start: this.#state.at,
        opener: text.slice(this.#state.at, this.#state.at + 2),
        joins: frame,
      });
      if (character === ">") this.#state.feedsInput = true;
      this.#state.at += 2;
      return true;
    }
    const redirect = /(?:&>>?|<<<|>>|>\||[<>]&|<>|[<>])/y;
    redirect.lastIndex = this.#state.at;
    const redirection = frame.isTest ? undefined : redirect.exec(text)?.[0];
    if (redirection !== undefined) {
      frame.beginRedirection(redirection);
      if (redirection === "<<<") this.#state.feedsInput = true;
      this.#state.at += redirection.length;
      return true;
    }
    if (character === "(") return this.#takeOpenBracket(frame);
    if (character === ")") {
      frame.endWord();
      if (frame.isTest) {
        this.#state.at++;
        return true;
      }
      if (frame.closer === ")" && !frame.isInCase) {
        frame.endCommand();
        this.#state.frames.pop();
        frame.joinOuter(text.slice(frame.start, this.#state.at + 1));
      } else if (frame.isInCase) frame.endPattern();
      else frame.endCommand();
      this.#state.at++;
      return true;
    }
    if (!";&|".includes(character)) return false;
    const isPipe = character === "|" && text[this.#state.at + 1] !== "|";
    if (isPipe) this.#state.feedsInput = true;
    const isDouble = text[this.#state.at + 1] === character;
    if (!frame.isTest || character === ";")
      frame.endCommand(isDouble && character !== ";" ? character + character : character);
    this.#state.at += isDouble || (character === "|" && text[this.#state.at + 1] === "&") ? 2 : 1;
    return true;
  }

  #takeOpenBracket(frame: CommandFrame): boolean {
    if (frame.isTest) {
      frame.endWord();
    } else if (frame.hasWord) {
      // A list `a=(…)`, a pattern `@(…)` or a function `f()`: words, but not commands. Only zsh's `=(…)` runs what it
      // holds.
      this.#state.open({
        closer: ")",
        start: this.#state.at,
        opener: "(",
        isList: frame.wordText !== "=",
        joins: frame,
      });
    } else if (isArithmeticAt(this.#state.text, this.#state.at)) return this.#state.takeRegion("((", false);
    else if (BRACKETS.test(this.#ahead(BRACKETS_CHARACTERS_MAX)) && frame.defines()) {
      this.#state.at = this.#state.text.indexOf(")", this.#state.at);
    } else {
      frame.endCommand();
      this.#state.open({ closer: ")", start: this.#state.at, opener: "(", group: frame.openSubshell() });
    }
    this.#state.at++;
    return true;
  }

  #ahead(charactersMax: number): string {
    return this.#state.text.slice(this.#state.at, this.#state.at + charactersMax);
  }

  #takeHereDocument(frame: CommandFrame): boolean {
    const start = this.#state.at;
    frame.endFileNumber();
    const opening = hereDocumentAt(this.#state.text, start);
    if (!opening) {
      this.#state.trouble = { kind: "unclosed", start, opener: "<<" };
      return true;
    }
    const pieces: CommandPiece[] = [];
    this.#state.hereDocuments.push({ document: opening, pieces });
    frame.addHereDocument({ pieces });
    this.#state.at = opening.end;
    return true;
  }
}

const ARITHMETIC_CHARACTERS_MAX = 10_000;

/** Whether `((` begins a number, as bash sees it: `((a); b)` are brackets in brackets. */
function isArithmeticAt(text: string, at: number): boolean {
  if (!text.startsWith("((", at)) return false;
  const end = Math.min(text.length, at + ARITHMETIC_CHARACTERS_MAX);
  let depth = 0;
  for (let index = at + 2; index < end; index++) {
    if (text[index] === "(") depth++;
    if (text[index] === ")" && depth-- === 0) return text[index + 1] === ")";
  }
  return true;
}
