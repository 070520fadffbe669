// How far a script for PowerShell or cmd.exe has been read, and what was found in it: its commands, and the place of
// each value. Both readers share this.
import { ScriptParts } from "../../core/shell/parts.ts";
import {
  type CommandPiece,
  type CommandWord,
  literalText,
  type PlaceholderPiece,
  type ReadScript,
  type SimpleCommand,
} from "../../core/shell/pieces.ts";
import { REGION_NESTING_MAX } from "../../core/shell/regions.ts";
import type { ShellPlaceholder, WindowsShell } from "../../core/tool/command.ts";
import { windowsNames } from "../../generated/windows-names.ts";

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
  /**
   * How it is written: `bare` is text that is not fully in quotes, `placeholder` a single one without quotes.
   */
  readonly form: "bare" | "placeholder" | "value";
  /** The items of `a, b` in PowerShell. */
  readonly items?: readonly CommandWord[];
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
  readonly values = new VariableValues();
  trouble: Trouble | undefined;
  unread: string | undefined;
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

  /** Goes on with another text of the same length, which differs only behind this place. */
  requote(text: string): void {
    this.text = text;
    this.parts.text = text;
  }

  /** Takes a placeholder, or a doubled one as text. */
  takePlaceholder(quoting: PlaceholderPiece["quoting"], place = inText): CommandPiece | undefined {
    const found = this.parts.take(this.at, quoting);
    if (!found) return undefined;
    this.at = found.end;
    if (typeof found.taken === "string") return { kind: "text", text: found.taken };
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
      const { word, items } = argument;
      for (const one of items ?? [word]) {
        this.#placeWord(items ? { word: one, form: "value" } : argument, { isCmdlet, isAfterDashes, slash });
        const [first] = one.pieces;
        // The value of `(…)` may begin with any value in it. The output of a command in it is judged like that of others.
        if (isCmdlet || first?.kind !== "expansion" || first.printer || first.text.includes("$(")) continue;
        for (const piece of first.placeholders) this.place(piece, { startsWord: true, isAfterDashes, ...slash });
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

  /** Adds `name=value`. */
  addSetting(name: string, value: readonly CommandPiece[], isSure: boolean): void {
    const words = [{ pieces: [textPiece(`${name}=`), ...value] }];
    this.commands.push({ words, redirections: [], ...(isSure ? { isSure } : {}) });
  }

  /** Returns all that was found. */
  script(): WindowsScript {
    const { commands, places, feedsInput, trouble, unread, shell } = this;
    return {
      ...{ parts: this.parts.all(), commands, places, feedsInput, regions: [], shell },
      ...(trouble ? { trouble } : {}),
      ...(unread === undefined ? {} : { unread }),
    };
  }
}

/** The limits of assignments for one variable, and of items for one list. More of them count as unknown. */
const ASSIGNMENTS_MAX = 8;
const ITEMS_MAX = 64;

/** The values that variables have been given so far. A command is also judged with these in place of its variables. */
class VariableValues {
  /** Assignments by variable. An empty list means that the variable stays unknown. */
  readonly #given = new Map<string, readonly (readonly CommandWord[])[]>();

  /** Records an assignment. With `appends`, the words are added to everything that the variable may hold. */
  give(name: string, words: readonly CommandWord[], appends: boolean): void {
    const before = this.#given.get(name);
    if (before?.length === 0) return;
    const made = appends ? (before ?? [[]]).map((list) => [...list, ...words]) : [...(before ?? []), words];
    const isKnown = made.length <= ASSIGNMENTS_MAX && made.every(({ length }) => length <= ITEMS_MAX);
    this.#given.set(name, isKnown ? made : []);
  }

  /** Returns the arguments once for each known assignment of a variable that `nameOf` finds among them. */
  variants(
    args: readonly Argument[],
    nameOf: (argument: Argument) => string | undefined,
    formOf: (value: CommandWord) => Argument["form"],
  ): readonly (readonly Argument[])[] {
    const values = args.map((argument) => this.#given.get(nameOf(argument) ?? "") ?? []);
    const count = Math.max(0, ...values.map(({ length }) => length));
    return Array.from({ length: count }, (_value, index) =>
      args.flatMap(
        (argument, at) =>
          values[at]?.[Math.min(index, values[at].length - 1)]?.map((word) => ({ word, form: formOf(word) })) ?? [
            argument,
          ],
      ),
    );
  }
}

/** What comes from a pipe, the caller or a file. */
export const piped: CommandPiece = { kind: "expansion", text: "$_", start: 0, placeholders: [] };

/** Returns the name of the variable that is the whole word. */
export function variableIn({ pieces }: CommandWord, form = /^\$(\w+)$/): string | undefined {
  const [only, ...others] = pieces.filter((piece) => piece.kind !== "text" || piece.text !== "");
  return only?.kind === "expansion" && others.length === 0 ? form.exec(only.text)?.[1] : undefined;
}

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

/** Returns the text of the only piece that is not empty, if it is replaced at run time. */
export function onlyExpansion({ pieces }: CommandWord): string {
  const [only, ...others] = pieces.filter((piece) => piece.kind !== "text" || piece.text !== "");
  return only?.kind === "expansion" && others.length === 0 ? only.text : "";
}

let lazySlash: ReadonlyMap<WindowsShell, ReadonlySet<string>> | undefined;

/** Whether the program takes words with a leading `/` as options. */
function takesSlashOptions(program: string, shell: WindowsShell): boolean {
  const { slash, "slash-in-cmd": inCmd } = windowsNames;
  lazySlash ??= new Map([
    ["pwsh", new Set(slash.split(" "))],
    ["cmd", new Set([slash, inCmd].join(" ").split(" "))],
  ]);
  const name = program
    .replace(/^.*[\\/]/s, "")
    .toLowerCase()
    .replace(/\.(?:exe|com)$/, "");
  return lazySlash.get(shell)?.has(name) === true;
}
