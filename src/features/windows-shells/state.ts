// How far a script for PowerShell or cmd.exe has been read, and what was found in it: its commands, and the place of
// each value. Both readers extend this.
import { ScriptParts } from "../../core/shell/parts.ts";
import {
  type CommandPiece,
  type CommandWord,
  type ExpansionPiece,
  literalText,
  type PlaceholderPiece,
  placeholdersIn,
  type ReadScript,
  type Redirection,
  type SimpleCommand,
} from "../../core/shell/pieces.ts";
import { REGION_NESTING_MAX } from "../../core/shell/regions.ts";
import type { ShellPlaceholder, WindowsShell } from "../../core/tool/command.ts";
import { takesSlashOptions } from "./names.ts";

type Placed = "isWholeWord" | "startsWord" | "behind" | "isAfterDashes" | "standsFor" | "takesSlash";

export interface Place extends Pick<ShellPlaceholder, Placed> {
  /** Set if the value is next to other text, without quotes. */
  readonly isGlued?: true;
  /** Why the value would not arrive. */
  readonly problem?: { readonly note: string; readonly help: readonly string[] };
}

export const inText: Place = { isWholeWord: false, startsWord: false, isAfterDashes: false };

/** An argument of a command. */
export interface Argument {
  readonly word: CommandWord;
  /** How it is written: `bare` is text that is not fully in quotes, `placeholder` a single one without quotes. */
  readonly form: "bare" | "placeholder" | "value";
}

/** The command that gets arguments. */
export interface Receiver {
  /** Whether it is a cmdlet, which never takes a variable's value as an option. */
  readonly isCmdlet: boolean;
  /** Its name, or an empty text if that is not literal. */
  readonly program: string;
}

/** What cannot be read, and where it begins. */
export interface Trouble {
  readonly kind: "unclosed" | "too-deep";
  readonly start: number;
  readonly opener: string;
}

export interface WindowsScript extends ReadScript {
  /** The script as written, with `{{name}}` reduced and placeholders between the texts. */
  readonly parts: readonly (string | PlaceholderPiece)[];
  readonly places: ReadonlyMap<PlaceholderPiece, Place>;
  readonly trouble?: Trouble;
  /** What to write in place of what is not read. */
  readonly instead?: string;
}

/** A place in the text, with what has been found before it. */
export interface Mark {
  readonly at: number;
  readonly placeholders: number;
  readonly tokens: number;
}

interface VariableUse {
  readonly program: string;
  readonly name: string;
  readonly isOneWord: boolean;
  readonly made: Partial<Place>;
}

/** The limit of names before a value in its word. */
const BEHIND_MAX = 16;

export class WindowsState {
  text: string;
  readonly shell: WindowsShell;
  readonly parts: ScriptParts;
  readonly commands: SimpleCommand[] = [];
  readonly places = new Map<PlaceholderPiece, Place>();
  readonly placeholders: PlaceholderPiece[] = [];
  /** What has been read, in order: `$name` for a variable, `$(` for a command. */
  readonly tokens: string[] = [];
  /** The placeholders in the values of each variable. */
  readonly #held = new Map<string, ReadonlySet<PlaceholderPiece>>();
  /** Variables that may be several words. */
  readonly #lists = new Set<string>();
  /** Variables that are words of programs. */
  readonly #uses: VariableUse[] = [];
  trouble: Trouble | undefined;
  #unread: Pick<WindowsScript, "unread" | "instead"> = {};
  feedsInput = false;
  at = 0;
  #depth = 0;

  constructor(text: string, shell: WindowsShell) {
    this.text = text;
    this.shell = shell;
    this.parts = new ScriptParts(text);
  }

  get character(): string {
    return this.text[this.at] ?? "";
  }

  /** Whether reading is over: at the end, or where something cannot be read. */
  get isOver(): boolean {
    return this.at >= this.text.length || this.trouble !== undefined;
  }

  sees(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    return pattern.test(this.text);
  }

  /** Takes the text that the sticky pattern matches here. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (!found) return undefined;
    this.at += found[0].length;
    return found;
  }

  /** Records the trouble; the text after it is not read. */
  fail(kind: Trouble["kind"], opener: string, start = this.at): void {
    this.trouble ??= { kind, start, opener };
    this.at = this.text.length;
  }

  /** Records a part of the language that is not followed, so that no value may be in the script. */
  refuse(unread: string, instead?: string): void {
    if (this.#unread.unread === undefined) this.#unread = { unread, ...(instead === undefined ? {} : { instead }) };
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

  mark(): Mark {
    return { at: this.at, placeholders: this.placeholders.length, tokens: this.tokens.length };
  }

  /** Returns everything read since the mark as one expansion, which is only known when the script runs. */
  since({ at, placeholders, tokens }: Mark): ExpansionPiece {
    const text = `(${[...new Set(this.tokens.slice(tokens))].join(" ")})`;
    const inside = [...new Set(this.placeholders.slice(placeholders))];
    return { kind: "expansion", text, start: at, end: this.at, placeholders: inside };
  }

  variable(name: string, start: number): ExpansionPiece {
    this.tokens.push(`$${name}`);
    return { kind: "expansion", text: `$${name}`, start, end: this.at, placeholders: [] };
  }

  /** Takes a placeholder, or a doubled one as text. */
  takePlaceholder(quoting: PlaceholderPiece["quoting"], place = inText): CommandPiece | undefined {
    const found = this.parts.take(this.at, quoting);
    if (!found) return undefined;
    this.at = found.end;
    if (typeof found.taken === "string") return textPiece(found.taken);
    this.placeholders.push(found.taken);
    this.places.set(found.taken, place);
    return found.taken;
  }

  /** Changes the place of a value. A value that reaches several words is guarded if one of them needs it. */
  place(piece: PlaceholderPiece, made: Partial<Place>): void {
    const before = this.places.get(piece) ?? inText;
    const isAfterDashes = made.isAfterDashes === true && (!before.startsWord || before.isAfterDashes);
    this.places.set(piece, {
      ...before,
      ...made,
      startsWord: before.startsWord || made.startsWord === true,
      isAfterDashes: made.startsWord ? isAfterDashes : before.isAfterDashes,
    });
  }

  /** Records how a command gets the values in its arguments. */
  placeArguments(args: readonly Argument[], { isCmdlet, program }: Receiver): void {
    const slash = takesSlashOptions(program, this.shell) ? { takesSlash: true as const } : {};
    let isAfterDashes = false;
    for (const argument of args) {
      const { word, form } = argument;
      this.#placeWord(argument, { isCmdlet, isAfterDashes, slash });
      const [first, ...others] = word.pieces.filter((piece) => piece.kind !== "text" || piece.text !== "");
      if (!isCmdlet && program !== "echo" && first?.kind === "expansion") {
        const made = { startsWord: true, isAfterDashes, ...slash };
        const isOneWord = others.length > 0 || (this.shell === "cmd" && form !== "bare");
        this.#uses.push({ program, name: first.text.slice(1), isOneWord, made });
        // The value of `(…)` may begin with any value in it. The output of a command in it is judged like that of others.
        for (const piece of first.text.includes("$(") ? [] : first.placeholders) this.place(piece, made);
      }
      // A program with options of Windows does not know `--`.
      isAfterDashes ||= literalText(word) === "--" && slash.takesSlash === undefined;
    }
  }

  #placeWord(
    { word, form }: Argument,
    {
      isCmdlet,
      isAfterDashes,
      slash,
    }: Pick<Receiver, "isCmdlet"> & Pick<Place, "isAfterDashes"> & { readonly slash: Partial<Place> },
  ): void {
    const isWholeWord = form === "placeholder";
    const isAlone = word.pieces.length === 1;
    let startsWord = !isCmdlet;
    let behind: readonly string[] = [];
    for (const piece of word.pieces) {
      if (piece.kind === "text" && piece.text !== "") startsWord = false;
      if (piece.kind !== "placeholder") continue;
      const { standsFor } = this.places.get(piece) ?? inText;
      const isBare = piece.quoting === "bare" && !isWholeWord;
      const made = isBare && isAlone ? "value" : (standsFor ?? (isCmdlet ? "argument" : undefined));
      this.place(piece, {
        ...{ isWholeWord, startsWord, isAfterDashes, ...slash },
        ...(behind.length > 0 ? { behind } : {}),
        ...(made ? { standsFor: made } : {}),
        ...(isBare && !isAlone && standsFor !== "value" ? { isGlued: true as const } : {}),
      });
      behind = [...new Set([...behind, piece.name])].slice(0, BEHIND_MAX);
    }
  }

  /** Adds a command of these words. */
  add(words: readonly CommandWord[], redirections: readonly Redirection[] = []): void {
    this.commands.push({ words, redirections });
  }

  /** Adds `name=value`. */
  assign(name: string, value: readonly CommandPiece[], { appends = false, isList = false, isSure = true }): void {
    const words = [{ pieces: [textPiece(`${name}${appends ? "+" : ""}=`), ...value] }];
    this.commands.push({ words, redirections: [], ...(isSure ? { isSure } : {}) });
    const start = value.findIndex((piece) => piece.kind === "text" && piece.text !== "");
    const held = placeholdersIn([{ pieces: value.slice(0, start === -1 ? value.length : start) }]);
    this.#held.set(name, new Set([...(this.#held.get(name) ?? []), ...held]));
    if (isList) this.#lists.add(name);
  }

  /** Returns all that was found. */
  script(): WindowsScript {
    for (const { program, name, isOneWord, made } of this.#uses) {
      if (!isOneWord && this.#lists.has(name))
        this.refuse(`${program} ${this.shell === "cmd" ? `%${name}%` : `$${name}`}`, WRITE_OUT[this.shell]);
      for (const piece of this.#held.get(name) ?? []) this.place(piece, made);
    }
    const { commands, places, feedsInput, trouble, shell } = this;
    return {
      ...{ parts: this.parts.all(), commands, places, feedsInput, regions: [], shell, ...this.#unread },
      ...(trouble ? { trouble } : {}),
    };
  }
}

const WRITE_OUT = {
  pwsh: "write the words of the variable in the command: `git log -- {name}`",
  cmd: "write the value in the command, or the variable in double quotes",
} as const;

/** What comes from a pipe, the caller or a file. */
export const piped: CommandPiece = { kind: "expansion", text: "$_", start: 0, placeholders: [] };

export function textPiece(text: string): CommandPiece {
  return { kind: "text", text };
}

/** Merges adjacent texts. */
export function joined(pieces: readonly CommandPiece[]): readonly CommandPiece[] {
  const made: CommandPiece[] = [];
  for (const piece of pieces) {
    const last = made.at(-1);
    if (piece.kind === "text" && last?.kind === "text") made[made.length - 1] = textPiece(last.text + piece.text);
    else made.push(piece);
  }
  return made;
}
