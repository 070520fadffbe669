// Values that may become options. The text of each value is followed through variables, functions, pipes and inner
// scripts to the programs that read it as a word. A value that begins such a word is guarded in a call, so that it may
// not begin with a dash. Where only a part of a value may begin the word, no guard helps, and the definition is
// refused.
import { assignmentOf } from "./assignments.ts";
import type { FileReader } from "../tool/command.ts";
import { onlyPrints } from "./dashes.ts";
import { fileUseOf } from "./files.ts";
import { scannedInner } from "./inner.ts";
import {
  type CommandPiece,
  type CommandWord,
  type ExpansionPiece,
  literalStart,
  literalText,
  type PlaceholderPiece,
  type ReadScript,
  type SimpleCommand,
} from "./pieces.ts";
import { type PrintContext, printedText } from "./prints.ts";
import type { OptionTakes } from "./option-takes.ts";
import { type InnerText, type OptionUse, readersOf } from "./readers.ts";
import { aliasesOf } from "./resolve.ts";
import { withoutPrefixes } from "./settings.ts";
import { calledFunction, defaultTransfers, transfersOf } from "./sources.ts";
import { streamsOf } from "./streams.ts";
import {
  ANYTHING,
  cutText,
  type Transfer,
  isPiece,
  type Source,
  type Text,
  type TextContext,
  textFrom,
  wordText,
  unquotedIn,
} from "./text.ts";
import { TextGraph } from "./text-graph.ts";
import { variablesOf } from "./variables.ts";

export interface OptionContext extends Pick<TextContext, "isValue" | "beginsWord"> {
  mayVanish(word: CommandWord): boolean;
  /** Whether a part of the value may begin with a dash, and the author has not allowed options there. */
  mayHoldDash(piece: PlaceholderPiece): boolean;
  /** Whether the value may be the name of an option that the author did not mean. */
  mayName(piece: PlaceholderPiece, place: "letters" | "name"): boolean;
  /** The `flag` of the parameter. */
  flagOf?(piece: PlaceholderPiece): string | undefined;
  /** Whether the value may hold blanks or a shell's patterns. */
  isWild(piece: PlaceholderPiece): boolean;
  /** Values from outside: of environment variables by their names, and of standard input as `STDIN`. */
  readonly given?: ReadonlyMap<string, PlaceholderPiece>;
}

/** These two stand for sources that are not variables. */
export const STDIN = "<";
const OPERANDS = "|";

export interface OptionFlow {
  /** Values that begin a word which a program could read as an option. */
  readonly guards: ReadonlyMap<PlaceholderPiece, OptionUse>;
  /** Values that would choose an option: `find . -{x}`, `tar {x}`. */
  readonly choices: readonly OptionChoice[];
  /** Values that a program may read as the name of a file. */
  readonly files: ReadonlyMap<PlaceholderPiece, FileReader>;
  /** Values whose every use is known. */
  readonly known: ReadonlySet<PlaceholderPiece>;
  /** Words that a part of a value may begin. */
  readonly cuts: readonly OptionCut[];
  /** Values that become several words. */
  readonly splits: readonly ValueSplit[];
  /** What the option before a value takes, where a row says so. */
  readonly takes: ReadonlyMap<PlaceholderPiece, OptionTakes>;
}

export interface OptionCut {
  readonly use: OptionUse;
  readonly piece: PlaceholderPiece;
  /** Whether the word is in the text itself, and not in a script that is a word of it. */
  readonly isOuter: boolean;
  /** The words of the command to which xargs adds arguments. */
  readonly fedTo?: readonly CommandWord[];
}

export interface OptionChoice {
  readonly use: OptionUse;
  readonly piece: PlaceholderPiece;
  readonly isOuter: boolean;
}

export interface ValueSplit {
  readonly expansion: ExpansionPiece;
  readonly piece: PlaceholderPiece;
  readonly isOuter: boolean;
  /** Whether the author puts options into the variable too, so that several words are intended. */
  readonly holdsOptions: boolean;
}

/** The nesting depth of scripts in scripts. */
const DEPTH_MAX = 4;

export function optionFlow(script: ReadScript, context: OptionContext): OptionFlow {
  const flow = new Flow(context);
  flow.addScript(script, { positional: "@", input: STDIN, depth: 0 });
  return flow.solved();
}

/** The names under which a script gets values from outside, and its nesting depth in other scripts. */
interface Place {
  readonly positional: string;
  readonly input: string;
  readonly depth: number;
}

interface Spot {
  readonly place: Place;
  readonly texts: PrintContext;
  readonly aliases: ReadonlyMap<string, readonly CommandWord[]>;
  literalsOf(variable: string): readonly (readonly CommandWord[])[] | undefined;
}

interface Sink extends Omit<OptionCut, "piece"> {
  readonly text: Text;
  /** What follows the dashes that the author wrote. */
  readonly afterDashes?: Text;
}

/** Matches a command that assigns to variables and reads none of them as an option. */
const DECLARES = /^(?:export|declare|typeset|local|readonly|integer|float|private)$/;
/** Matches words after which a shell does not split variables, or is meant to. */
const KEEPS_WORDS = /^(?:\[\[|case|for|select|foreach|set)$/;

/** Returns the variables without quotes that become several words unintentionally. */
export function splitsIn(words: readonly CommandWord[], splitsVariables: boolean): readonly ExpansionPiece[] {
  const name = literalText(words[0]) ?? "";
  // A program that is chosen by a value is refused, whatever its quotes.
  return KEEPS_WORDS.test(name) || DECLARES.test(name)
    ? []
    : words.slice(1).flatMap((word) => unquotedIn(word, splitsVariables));
}

/** Whether the command turns on word splitting in zsh: `setopt shwordsplit`, `set -y`, `emulate sh`. */
function makesSplit({ words }: SimpleCommand): boolean {
  const [program = "", ...args] = words.map((word) => (literalText(word) ?? "").toLowerCase().replaceAll(/[_-]/g, ""));
  if (program === "emulate") return args.some((arg) => /^(?:k?sh|bash)$/.test(arg));
  return /^(?:setopt|set|unsetopt)$/.test(program) && args.some((arg) => /^o?(?:no)?shwordsplit$|^y$/.test(arg));
}

/** Whether the piece holds an option, as in `"--name $x"`. */
function holdsOption(piece: CommandPiece): boolean {
  return piece.kind === "text" && /(?:^|\s)--?[A-Za-z]/.test(piece.text);
}

function isAfterStart(_piece: CommandPiece, at: number, pieces: readonly CommandPiece[]): boolean {
  return at >= pieces.findIndex((one) => one.kind !== "text");
}

/** Returns what follows `-` or `--`, if the author wrote nothing but that of the option. */
function textAfterDashes({ pieces, ...word }: CommandWord, texts: TextContext): Text | undefined {
  const at = pieces.findIndex((piece) => piece.kind !== "text");
  const start = pieces.slice(0, at).map((piece) => (piece.kind === "text" ? piece.text : ""));
  return at > 0 && /^--?$/.test(start.join("")) ? wordText({ ...word, pieces: pieces.slice(at) }, texts) : undefined;
}

class Flow {
  readonly #context: OptionContext;
  readonly #transfers: Transfer[];
  readonly #sinks: Sink[] = [];
  readonly #files: { readonly text: Text; readonly of: FileReader }[] = [];
  readonly #splits: { readonly expansion: ExpansionPiece; readonly text: Text; readonly isOuter: boolean }[] = [];
  readonly #takes = new Map<PlaceholderPiece, OptionTakes>();
  /** Variables into which the author puts options. */
  readonly #withOptions = new Set<Source>();
  /** Stand-ins for the arguments that xargs adds. */
  readonly #fed = new Set<PlaceholderPiece>();
  #count = 0;

  constructor(context: OptionContext) {
    this.#context = context;
    this.#transfers = [...(context.given ?? [])].map(([target, piece]) => ({ target, text: textFrom(piece) }));
  }

  addScript(script: ReadScript, place: Place): void {
    const functionOutput = `()${this.#count++}`;
    const { inputOf, outputs, opened } = streamsOf(script, { input: place.input, functionOutput });
    const texts: PrintContext = {
      positional: place.positional,
      // Scripts of Windows shells are not read here.
      shell: script.shell === "sh" || script.shell === "zsh" ? script.shell : "bash",
      splitsVariables: script.shell !== "zsh" || script.commands.some(makesSplit),
      functions: script.functions ?? new Set(),
      functionOutput,
      isValue: (piece) => this.#fed.has(piece) || this.#context.isValue(piece),
      beginsWord: (piece) => this.#fed.has(piece) || this.#context.beginsWord(piece),
      inputOf: (command) => inputOf(command, texts),
    };
    let variables: ReturnType<typeof variablesOf> | undefined;
    const literalsOf: Spot["literalsOf"] = (name) =>
      (variables ??= variablesOf(script, () => "text")).literalsOf(name)?.choices;
    const aliases = aliasesOf(script);
    this.#transfers.push(...outputs, ...opened(texts), ...defaultTransfers(script, texts));
    for (const command of script.commands) {
      this.#transfers.push(...transfersOf(command, texts));
      for (const { name, value } of command.words.flatMap((word) => assignmentOf(word) ?? []))
        if (value.pieces.some(holdsOption)) this.#withOptions.add(name);
      if (!command.isList) this.#addCommand(command, { place, texts, aliases, literalsOf });
    }
  }

  #addCommand(command: SimpleCommand, spot: Spot): void {
    const { place, texts } = spot;
    const words = withoutPrefixes(command.words);
    const name = literalText(words[0]) ?? "";
    this.#transfers.push({ target: command, text: printedText(command, texts) });
    if (calledFunction(command, texts.functions))
      this.#transfers.push({ target: place.input, text: texts.inputOf(command) });
    else if (words.length > 0 && !DECLARES.test(name)) this.#addWords(words, texts.inputOf(command), spot);
    const splits = splitsIn(words, texts.splitsVariables);
    this.#splits.push(
      ...splits.map((expansion) => ({
        expansion,
        text: wordText({ pieces: [expansion] }, texts),
        isOuter: place.depth === 0,
      })),
    );
  }

  #addWords(words: readonly CommandWord[], input: Text, { place, texts, aliases, literalsOf }: Spot): void {
    const fed: PlaceholderPiece = { kind: "placeholder", name: "", start: 0, end: 0, quoting: "bare" };
    this.#fed.add(fed);
    // Each item of `xargs -0` is one whole word.
    const isWhole = words.some((word) => /^-(?:[oprtx]*0[oprtx]*|-null)$/.test(literalText(word) ?? ""));
    this.#transfers.push({ target: fed, text: isWhole ? input : cutText(input) });
    const { uses, scripts, files } = readersOf(words, { fed, mayVanish: this.#context.mayVanish, aliases, literalsOf });
    const positionals = new Map(scripts.map((script) => [script, this.#addInner(script, input, place)]));
    // A script that these run later uses the variables of this one.
    const isLater = /^(?:trap|eval)$/.test(literalText(words[0]) ?? "") && place.depth < DEPTH_MAX;
    for (const word of isLater ? words.slice(1) : [])
      this.addScript(scannedInner(literalText(word) ?? "", texts.shell === "zsh"), {
        ...place,
        depth: place.depth + 1,
      });
    for (const { word, reader, from } of files) {
      const pieces = literalStart(word).length === from ? word.pieces.filter(isAfterStart) : word.pieces;
      this.#files.push({ text: wordText({ ...word, pieces }, texts), of: reader });
    }
    for (const use of uses) {
      const flagged = use.kind === "option" ? this.#flaggedFile(use) : undefined;
      if (flagged) this.#files.push(flagged);
      const [piece] = use.word.pieces;
      const taken = use.kind === "option" ? use.taken : undefined;
      if (piece?.kind === "placeholder" && taken) this.#takes.set(piece, taken.takes);
      const text = wordText(use.word, texts);
      const positional = use.kind === "argument" ? positionals.get(use.script) : undefined;
      const fedTo = use.word.pieces.includes(fed) ? { fedTo: words } : {};
      if (use.kind === "option" && !taken?.takesDash) {
        const afterDashes = use.isTaken ? undefined : textAfterDashes(use.word, texts);
        this.#sinks.push({ use, text, isOuter: place.depth === 0, ...fedTo, ...(afterDashes ? { afterDashes } : {}) });
      }
      if (use.kind === "operand" || taken?.takesDash || positional !== undefined)
        this.#transfers.push({ target: positional ?? OPERANDS, text });
    }
  }

  /** Finds a file in the words of a flag: `flag="-d {value}"`. */
  #flaggedFile({ name, word }: OptionUse): { readonly text: Text; readonly of: FileReader } | undefined {
    const [piece, ...others] = word.pieces;
    const flag = piece?.kind === "placeholder" && others.length === 0 ? this.#context.flagOf?.(piece) : undefined;
    if (flag === undefined || piece?.kind !== "placeholder") return undefined;
    const words = flag.split(/\s+/).map((one) => one.replaceAll(/["']/g, ""));
    const at = words.findIndex((one) => one.includes("{value}"));
    const literal = (text: string): CommandWord => ({ pieces: [{ kind: "text", text }] });
    const own: CommandWord = { pieces: [...literal((words[at] ?? "").split("{value}")[0] ?? "").pieces, piece] };
    const use = at === -1 ? undefined : fileUseOf(name, own, literal(words[at - 1] ?? ""));
    return use && { text: textFrom(piece), of: use.reader };
  }

  /** Adds an inner script. Returns the name of its arguments, or undefined if it is nested too deep to be read. */
  #addInner({ text, isZsh }: InnerText, input: Text, { depth }: Place): string | undefined {
    if (depth >= DEPTH_MAX) return undefined;
    const place = { positional: `@${this.#count}`, input: `${STDIN}${this.#count}`, depth: depth + 1 };
    this.#transfers.push({ target: place.input, text: input });
    this.addScript(scannedInner(text, isZsh), place);
    return place.positional;
  }

  solved(): OptionFlow {
    const targets = new Set(this.#transfers.flatMap(({ target }) => (typeof target === "string" ? [target] : [])));
    const graph = new TextGraph([
      ...this.#transfers,
      ...[...targets].map((name) => ({ target: ANYTHING, text: textFrom(name) })),
    ]);
    const isOwn = (piece: PlaceholderPiece): boolean => !this.#fed.has(piece);
    const held = graph.holding((piece) => isOwn(piece) && this.#context.mayHoldDash(piece));
    const cut = graph.cut(held);
    const wild = graph.holding((piece) => isOwn(piece) && this.#context.isWild(piece));
    const named = graph.holding((piece) => isOwn(piece) && this.#context.mayName(piece, "name"));
    const lettered = graph.holding((piece) => isOwn(piece) && this.#context.mayName(piece, "letters"));
    const choices = this.#sinks.flatMap(({ text, afterDashes, use, isOuter }): readonly OptionChoice[] => {
      if (onlyPrints(use.name)) return [];
      const [piece] = [
        ...(use.isLetters ? text.holds.flatMap((source) => lettered(source) ?? []) : []),
        ...(afterDashes?.starts ?? []).flatMap(({ source }) => named(source) ?? []),
      ];
      return piece ? [{ use, piece, isOuter }] : [];
    });
    const cuts = this.#sinks.flatMap(({ text, afterDashes: _none, ...sink }): readonly OptionCut[] => {
      if (sink.use.isValue || onlyPrints(sink.use.name)) return [];
      const [piece] = text.starts.flatMap(({ source, isCut }) => (isCut ? held(source) : cut(source)) ?? []);
      return piece ? [{ ...sink, piece }] : [];
    });
    const splits = this.#splits.flatMap(({ text, ...split }): readonly ValueSplit[] => {
      const [piece] = text.holds.flatMap((source) => wild(source) ?? []);
      return piece
        ? [{ ...split, piece, holdsOptions: text.holds.some((source) => this.#withOptions.has(source)) }]
        : [];
    });
    const guards = graph.beginnings(this.#sinks.map(({ text, use }) => ({ text, of: use })));
    const known = new Set([...this.#transfers, ...this.#sinks].flatMap(({ text }) => text.holds.filter(isPiece)));
    const files = new Map([
      ...this.#files.flatMap(({ text, of }) =>
        of.holds ? text.holds.filter(isPiece).map((piece) => [piece, of] as const) : [],
      ),
      ...graph.beginnings(this.#files),
    ]);
    return { guards, known, cuts, splits, choices, files, takes: this.#takes };
  }
}
