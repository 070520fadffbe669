// The words of cmd.exe: quotes, carets, `%name%`, `!name!` and the variables of `for`.
import type { CommandPiece, CommandWord, ExpansionPiece } from "../../core/shell/pieces.ts";
import { environmentName } from "./pwsh-names.ts";
import { WindowsState } from "./windows-state.ts";

export interface CmdWord {
  readonly word: CommandWord;
  readonly start: number;
  readonly end: number;
  readonly isQuoted: boolean;
}

/** Matches `%name%`, `%name:~0,3%` and `%name:a=b%`. */
const VARIABLE = /%([A-Za-z_#$.][^%:\s"]*)(?::[^%\n]*)?%|!([A-Za-z_#$.][^!:\s"]*)(?::[^!\n]*)?!/y;
/** Matches `%~dp1` and `%*`: the arguments of a script or a label. */
const ARGUMENT = /%(?:\*|~?[A-Za-z$:]*\d)/y;
/** Matches `%%x`, or `%x` outside a batch file, with the modifiers of the value: `%%~nx`. */
const LOOP_VARIABLE = /%{1,2}(?:~[fdpnxsatz]*(?:\$[A-Za-z_]+:)?)?([A-Za-z])/y;

export class CmdState extends WindowsState {
  depth = 0;
  /** The end of a command in quotes, as an offset in the text. */
  innerEnd: number | undefined;

  get isOver(): boolean {
    return this.trouble !== undefined || this.at >= (this.innerEnd ?? this.text.length);
  }

  isAtEnd(closer: "" | ")"): boolean {
    return this.isOver || "\n&|".includes(this.character) || (closer === ")" && this.character === ")");
  }

  /** Reads the name of a program. It ends where its options begin, even without a blank: `dir/s`. */
  readName(): CmdWord | undefined {
    return this.readWord("", { isName: true });
  }

  readWord(
    closer: "" | ")",
    { isName = false, isCondition = false }: { readonly isName?: boolean; readonly isCondition?: boolean } = {},
  ): CmdWord | undefined {
    this.take(/[ \t\r]+/y);
    const start = this.at;
    const ends = isName ? "<>(),;=/" : isCondition ? "=" : "<>";
    const pieces: CommandPiece[] = [];
    let hasBare = false;
    let isIn = false;
    if (isCondition && this.take(/==/y))
      return { word: { pieces: [{ kind: "text", text: "==" }] }, start, end: this.at, isQuoted: false };
    while (!this.isOver) {
      const { character } = this;
      if (character === "\n" || (!isIn && (/\s/.test(character) || this.isAtEnd(closer) || ends.includes(character))))
        break;
      if (!isIn && this.#isEscapedSign()) {
        this.at++;
        break;
      }
      if (character === '"') {
        isIn = !isIn;
        this.at++;
        add(pieces, { kind: "text", text: "" });
        continue;
      }
      hasBare ||= !isIn;
      add(pieces, this.#pieceAt(isIn));
    }
    if (isIn) this.fail("unclosed", '"', this.text.indexOf('"', start));
    if (pieces.length === 0) return undefined;
    return { word: { pieces }, start, end: this.at, isQuoted: !hasBare };
  }

  /** Reads `^|`, which is a pipe within the command of `for /f`, since that is read twice. */
  #isEscapedSign(): boolean {
    return this.innerEnd !== undefined && this.character === "^" && "|&<>".includes(this.text[this.at + 1] ?? " ");
  }

  #pieceAt(isIn: boolean): CommandPiece {
    const { at, character } = this;
    const variable = this.take(VARIABLE);
    if (variable) return this.#expansion(environmentName(variable[1] ?? variable[2] ?? ""), at);
    if (this.take(ARGUMENT)) return this.#expansion("_", at);
    const loop = this.take(LOOP_VARIABLE)?.[1];
    if (loop !== undefined) return this.#expansion(`for_${loop}`, at);
    const placeholder = this.takePlaceholder(isIn ? "double" : "bare");
    if (placeholder) return placeholder;
    if (isIn || character !== "^") {
      this.at++;
      return { kind: "text", text: character };
    }
    // A caret before a line end joins the lines.
    const escaped = this.take(/\^(?:\r?\n|([^]?))/y)?.[1] ?? "";
    return { kind: "text", text: escaped };
  }

  #expansion(name: string, start: number): ExpansionPiece {
    this.tokens.push(`$${name}`);
    return { kind: "expansion", text: `$${name}`, start, end: this.at, placeholders: [] };
  }
}

/** Adds a piece and merges adjacent texts. */
export function add(pieces: CommandPiece[], piece: CommandPiece): void {
  const last = pieces.at(-1);
  if (piece.kind === "text" && last?.kind === "text")
    pieces[pieces.length - 1] = { kind: "text", text: last.text + piece.text };
  else pieces.push(piece);
}
