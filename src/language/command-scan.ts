// Reads a script for sh, bash or zsh from left to right: quotes, substitutions, here-documents, `case`, and the simple commands in it.
// Not a grammar, because where a here-document ends and what `)` closes depends on what came before. Linear, with its own stack.
import type { CommandPiece, PlaceholderPiece, ReadScript, SimpleCommand } from "./command-pieces.ts";
import { type HereDocument, hereDocumentAt, hereDocumentBody } from "./command-here-document.ts";
import { decodedAnsi, NESTING_MAX, type Region, regionAt, regionOpener } from "./command-regions.ts";
import { CommandFrame, type FrameOptions, type PlaceholderPosition } from "./command-frame.ts";

export interface ScannedScript extends ReadScript {
  /** The script as written, with `{{name}}` reduced, and placeholders between. */
  readonly parts: readonly (string | PlaceholderPiece)[];
  readonly positions: ReadonlyMap<PlaceholderPiece, PlaceholderPosition>;
  /** The first of them; what follows it is doubtful. */
  readonly trouble?: { readonly kind: "unclosed" | "too-deep"; readonly start: number; readonly opener: string };
}

const NAME = "[A-Za-z_][A-Za-z0-9_-]*";
const PLACEHOLDER = new RegExp(`\\{(${NAME})\\}`, "y");
const DOUBLED = new RegExp(`\\{\\{${NAME}\\}\\}`, "y");
const VARIABLE = /\$(?:[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-])/y;

interface ScanOptions {
  /** `[[ … ]]` is read as bash and zsh do. */
  readonly knowsTests: boolean;
  /** `$a[…]` is read as zsh does. */
  readonly knowsSubscripts?: boolean;
}

export function scanScript(text: string, options: ScanOptions): ScannedScript {
  return new Scanner(text, options).scanned();
}

/** A region whose text is being read. */
interface OpenRegion {
  readonly region: Region;
  readonly opener: string;
  /** Of what is read: before its closing. */
  readonly end: number;
  readonly frame: CommandFrame;
  /** Takes what a here-document holds. */
  readonly document?: CommandPiece[];
}

type Frame = CommandFrame | { readonly kind: "double"; readonly start: number };

function isArithmetic(opener: string): boolean {
  return opener.endsWith("((") || opener === "$[";
}

class Scanner {
  readonly #text: string;
  readonly #parts: (string | PlaceholderPiece)[] = [];
  readonly #commands: SimpleCommand[] = [];
  readonly #regions: Region[] = [];
  readonly #positions = new Map<PlaceholderPiece, PlaceholderPosition>();
  readonly #frames: Frame[] = [];
  readonly #hereDocuments: { readonly document: HereDocument; readonly pieces: CommandPiece[] }[] = [];
  readonly #openRegions: OpenRegion[] = [];
  #trouble: ScannedScript["trouble"];
  #at = 0;
  /** Where the script text begins that is not in `parts` yet. */
  #kept = 0;
  readonly #options: ScanOptions;
  #feedsInput = false;

  constructor(text: string, options: ScanOptions) {
    this.#options = options;
    this.#text = text;
  }

  scanned(): ScannedScript {
    this.#open({ closer: "", start: 0 });
    while ((this.#at < this.#text.length || this.#openRegions.length > 0) && !this.#trouble) {
      const frame = this.#frames.at(-1);
      const open = this.#openRegions.at(-1);
      if (open && this.#at >= open.end) this.#closeRegion(open);
      else if (frame?.kind === "double") this.#stepInDouble(frame);
      else if (frame?.isText) this.#stepInText(frame);
      else if (frame) this.#stepInCommands(frame);
    }
    this.#finish();
    const trouble = this.#trouble;
    return { parts: this.#parts, commands: this.#commands, feedsInput: this.#feedsInput, regions: this.#regions, positions: this.#positions, ...(trouble ? { trouble } : {}) };
  }

  #finish(): void {
    const open = this.#frames.at(-1);
    if (open && this.#frames.length > 1) this.#trouble ??= { kind: "unclosed", start: open.start, opener: open.kind === "double" ? '"' : open.opener };
    const pending = this.#hereDocuments[0];
    if (pending) this.#trouble ??= { kind: "unclosed", start: pending.document.start, opener: "<<" };
    const top = this.#frames[0];
    if (top?.kind === "commands") top.endCommand();
    if (this.#kept < this.#text.length) this.#parts.push(this.#text.slice(this.#kept));
  }

  #open(options: Pick<FrameOptions, "closer" | "start" | "opener" | "isList" | "isText" | "joins">): CommandFrame {
    if (this.#frames.length >= NESTING_MAX) this.#trouble = { kind: "too-deep", start: options.start, opener: options.opener ?? "" };
    const frame = new CommandFrame({ ...options, knowsTests: this.#options.knowsTests, knowsShortForms: this.#options.knowsSubscripts ?? false, commands: this.#commands, positions: this.#positions });
    this.#frames.push(frame);
    return frame;
  }

  /** The commands that the place belongs to, through quotes. */
  #commandsFrame(): CommandFrame {
    for (let index = this.#frames.length - 1; index >= 0; index--) {
      const frame = this.#frames[index];
      if (frame?.kind === "commands") return frame;
    }
    throw new Error("the outermost frame holds commands");
  }

  #stepInDouble(frame: { readonly start: number }): void {
    const text = this.#text;
    const commands = this.#commandsFrame();
    const character = text[this.#at] ?? "";
    if (character === '"') {
      this.#frames.pop();
      this.#at++;
    } else if (character === "\\" && '"\\$`\n'.includes(text[this.#at + 1] ?? " ")) {
      commands.add(text[this.#at + 1] === "\n" ? "" : (text[this.#at + 1] ?? ""));
      this.#at += 2;
    } else if (!this.#stepAnywhere("double")) {
      commands.add(character);
      this.#at++;
    }
  }

  /** What means the same in and out of double quotes. */
  #stepAnywhere(quoting: "bare" | "double"): boolean {
    const text = this.#text;
    const frame = this.#commandsFrame();
    const opener = regionOpener(text, this.#at, quoting === "double");
    if (opener !== undefined && opener !== "((") return this.#takeRegion(opener, quoting === "double");
    if (text.startsWith("$(", this.#at)) {
      this.#open({ closer: ")", start: this.#at, opener: "$(", joins: frame });
      this.#at += 2;
      return true;
    }
    VARIABLE.lastIndex = this.#at;
    const variable = VARIABLE.exec(text)?.[0];
    if (variable !== undefined && this.#options.knowsSubscripts && text[this.#at + variable.length] === "[") return this.#takeRegion(`${variable}[`, quoting === "double");
    if (variable !== undefined) {
      frame.addExpansion({ text: variable, start: this.#at, placeholders: [] });
      this.#at += variable.length;
      return true;
    }
    return (!frame.isText || isArithmetic(frame.opener)) && this.#takePlaceholder(quoting);
  }

  #takePlaceholder(quoting: PlaceholderPiece["quoting"]): boolean {
    if (this.#text[this.#at] !== "{") return false;
    DOUBLED.lastIndex = this.#at;
    const doubled = DOUBLED.exec(this.#text)?.[0];
    const frame = this.#commandsFrame();
    if (doubled !== undefined) {
      const reduced = doubled.slice(1, -1);
      this.#keepUntil(this.#at, reduced);
      this.#at += doubled.length;
      this.#kept = this.#at;
      frame.add(reduced);
      return true;
    }
    PLACEHOLDER.lastIndex = this.#at;
    const match = PLACEHOLDER.exec(this.#text);
    if (!match) return false;
    const piece: PlaceholderPiece = { kind: "placeholder", name: match[1] ?? "", start: this.#at, end: this.#at + match[0].length, quoting };
    this.#keepUntil(this.#at, piece);
    this.#at = piece.end;
    this.#kept = this.#at;
    frame.addPlaceholder(piece);
    return true;
  }

  #keepUntil(end: number, next: string | PlaceholderPiece): void {
    if (end > this.#kept) this.#parts.push(this.#text.slice(this.#kept, end));
    this.#parts.push(next);
  }

  #takeRegion(opener: string, isInDouble: boolean): boolean {
    const region = regionAt(this.#text, { start: this.#at, opener, isInDouble });
    if (region.kind === "unclosed" || region.kind === "too-deep") {
      this.#trouble = { kind: region.kind, start: region.start, opener };
      return true;
    }
    const outer = this.#commandsFrame();
    if (region.kind === "ANSI-C quotes") {
      this.#regions.push(region);
      outer.addQuote(decodedAnsi(this.#text.slice(region.start + 2, region.end - 1)));
      this.#at = region.end;
      return true;
    }
    // `((…))` is a command, and not a word of one.
    if (opener === "((") outer.endCommand();
    const frame = this.#open({ closer: "", start: region.start, opener, isText: region.kind !== "backquotes", ...(opener === "((" ? {} : { joins: outer }) });
    this.#openRegions.push({ region, opener, end: region.end - (opener.endsWith("((") ? 2 : 1), frame });
    this.#at = region.start + opener.length;
    return true;
  }

  #closeRegion(open: OpenRegion): void {
    const { region, frame, document } = open;
    if (this.#frames.at(-1) !== frame || this.#at > open.end) {
      this.#trouble ??= { kind: "unclosed", start: region.start, opener: open.opener };
      return;
    }
    this.#openRegions.pop();
    this.#frames.pop();
    if (frame.isText) {
      const inside = frame.takeWord();
      this.#regions.push({ ...region, inside });
      document?.push(...inside.pieces);
    } else {
      frame.endCommand();
      this.#regions.push(region);
    }
    frame.joinOuter(this.#text.slice(region.start, region.end));
    this.#at = region.end;
    if (document) this.#takeDocument();
  }

  /** Where quotes are only text, but a backslash keeps a shell from expanding. */
  #stepInText(frame: CommandFrame): void {
    if (this.#text[this.#at] === "\\") {
      frame.add(this.#text[this.#at + 1] ?? "");
      this.#at += 2;
    } else if (!this.#stepAnywhere("double")) {
      frame.add(this.#text[this.#at] ?? "");
      this.#at++;
    }
  }

  #stepInCommands(frame: CommandFrame): void {
    const text = this.#text;
    const character = text[this.#at] ?? "";
    if (character === " " || character === "\t" || character === "\r") {
      frame.endWord();
      this.#at++;
    } else if (character === "\n") this.#endLine(frame);
    else if (character === "#" && !frame.hasWord) {
      const end = text.indexOf("\n", this.#at);
      this.#at = end === -1 ? text.length : end;
    } else if (character === "'") this.#takeSingle(frame);
    else if (character === '"' || text.startsWith('$"', this.#at)) {
      frame.addQuote();
      this.#at += character === '"' ? 1 : 2;
      this.#frames.push({ kind: "double", start: this.#at - 1 });
    } else if (character === "\\") {
      const next = text[this.#at + 1];
      if (next === undefined) this.#trouble = { kind: "unclosed", start: this.#at, opener: "\\" };
      else if (next !== "\n") frame.addQuote(next);
      this.#at += 2;
    } else if (!this.#takeOperator(frame, character) && !this.#stepAnywhere("bare")) {
      frame.add(character);
      this.#at++;
    }
  }

  #takeSingle(frame: CommandFrame): void {
    const start = this.#at;
    const end = this.#text.indexOf("'", start + 1);
    if (end === -1) {
      this.#trouble = { kind: "unclosed", start, opener: "'" };
      return;
    }
    frame.addQuote();
    this.#at++;
    while (this.#at < end) {
      if (this.#takePlaceholder("single")) continue;
      frame.add(this.#text[this.#at] ?? "");
      this.#at++;
    }
    this.#at = end + 1;
  }

  #endLine(frame: CommandFrame): void {
    // A list in brackets goes on; a test that goes on over lines is read on as if it were a command.
    if (frame.isList) frame.endWord();
    else frame.endCommand();
    this.#at++;
    this.#takeDocument();
  }

  /** Those that begin on the line before, up to one that holds more than text. */
  #takeDocument(): void {
    for (let next = this.#hereDocuments.shift(); next && !this.#trouble; next = this.#hereDocuments.shift()) {
      const { document, pieces } = next;
      const body = hereDocumentBody(this.#text, this.#at, document);
      const region: Region = { kind: "here-document", start: this.#at, end: body.end };
      if (!body.isClosed) this.#trouble = { kind: "unclosed", start: document.start, opener: "<<" };
      else if (!document.isLiteral) {
        const frame = this.#open({ closer: "", start: this.#at, opener: "<<", isText: true });
        this.#openRegions.push({ region, opener: "<<", end: body.end, frame, document: pieces });
        return;
      }
      pieces.push({ kind: "text", text: this.#text.slice(this.#at, body.end) });
      this.#regions.push(region);
      this.#at = body.end;
    }
  }

  #takeOperator(frame: CommandFrame, character: string): boolean {
    const text = this.#text;
    // `]]` ends a test, whatever comes right behind it.
    if (frame.isTest && "<>();&|".includes(character)) frame.endWord();
    if (character === "<" && text.startsWith("<<", this.#at) && text[this.#at + 2] !== "<") return this.#takeHereDocument(frame);
    if ((character === "<" || character === ">") && text[this.#at + 1] === "(" && !frame.isTest) {
      this.#open({ closer: ")", start: this.#at, opener: text.slice(this.#at, this.#at + 2), joins: frame });
      this.#at += 2;
      return true;
    }
    const redirect = /(?:&>>?|<<<|>>|>\||[<>]&|<>|[<>])/y;
    redirect.lastIndex = this.#at;
    const redirection = frame.isTest ? undefined : redirect.exec(text)?.[0];
    if (redirection !== undefined) {
      frame.beginRedirection(redirection);
      if (redirection === "<<<") this.#feedsInput = true;
      this.#at += redirection.length;
      return true;
    }
    if (character === "(") return this.#takeOpenBracket(frame);
    if (character === ")") {
      frame.endWord();
      if (frame.isTest) {
        this.#at++;
        return true;
      }
      if (frame.closer === ")" && !frame.isInCase) {
        frame.endCommand();
        this.#frames.pop();
        frame.joinOuter(text.slice(frame.start, this.#at + 1));
      } else if (frame.isInCase) frame.endPattern();
      else frame.endCommand();
      this.#at++;
      return true;
    }
    if (!";&|".includes(character)) return false;
    const isPipe = character === "|" && text[this.#at + 1] !== "|";
    if (isPipe) this.#feedsInput = true;
    const isDouble = text[this.#at + 1] === character;
    if (!frame.isTest || character === ";") frame.endCommand(isDouble && character !== ";" ? "&&" : character);
    this.#at += isDouble || (character === "|" && text[this.#at + 1] === "&") ? 2 : 1;
    return true;
  }

  #takeOpenBracket(frame: CommandFrame): boolean {
    if (frame.isTest) {
      frame.endWord();
    } else if (frame.hasWord) {
      // A list `a=(…)`, a pattern `@(…)` or a function `f()`: words, but not commands. Only zsh's `=(…)` runs what it holds.
      this.#open({ closer: ")", start: this.#at, opener: "(", isList: frame.wordText !== "=", joins: frame });
    } else if (this.#text[this.#at + 1] === "(") return this.#takeRegion("((", false);
    else {
      frame.endCommand();
      frame.holdsSubshell();
      this.#open({ closer: ")", start: this.#at, opener: "(" });
    }
    this.#at++;
    return true;
  }

  #takeHereDocument(frame: CommandFrame): boolean {
    const start = this.#at;
    frame.endFileNumber();
    const opening = hereDocumentAt(this.#text, start);
    if (!opening) {
      this.#trouble = { kind: "unclosed", start, opener: "<<" };
      return true;
    }
    const pieces: CommandPiece[] = [];
    this.#hereDocuments.push({ document: opening, pieces });
    frame.addHereDocument({ pieces });
    this.#at = opening.end;
    return true;
  }
}
