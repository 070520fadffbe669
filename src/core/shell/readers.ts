// Which program reads each word of a command, and whether that program could take it as an option. The innermost
// program counts, as `tar` does in `timeout -- 60 tar cf x {files}`, and only the `--` after its name.
import { type KnownOptions, operandsIn, optionsOf, readArguments, type ReadArguments } from "./arguments.ts";
import { insteadOfDashes, passesDashes, readsOptions, utilityTakesValue } from "./dashes.ts";
import { type FileUse, fileUseOf } from "./files.ts";
import { programText } from "./inner.ts";
import { commandsBehind, commandsIn, GUESS_DEPTH, type InnerCommand, WRAPPERS_MAX } from "./inner-commands.ts";
import { languages } from "../../generated/program-data.ts";
import { type CommandWord, literalStart, literalText, type PlaceholderPiece } from "./pieces.ts";
import { programName, rulesOf } from "./programs.ts";
import { type TakenWord, optionTakes } from "./option-takes.ts";
import type { ProgramRule } from "./rule.ts";

/** How a word is used, as far as its first character matters. */
type WordUse =
  | OptionUse
  | { readonly kind: "operand"; readonly word: CommandWord }
  /** The word is an argument of the script: `$1`, `$2` and so on. */
  | { readonly kind: "argument"; readonly word: CommandWord; readonly script: InnerText };

/** A word that would be an option of the program if it began with a dash. */
export interface OptionUse {
  readonly kind: "option";
  readonly word: CommandWord;
  /** The program's name in the tables. */
  readonly name: string;
  /** The program's name in messages. */
  readonly program: string;
  /** Whether the option before it usually takes the word as its value. */
  readonly isValue: boolean;
  /** What to write for a program that does not know `--`. */
  readonly instead?: string;
  /** The offset at which a `--` would come before all operands, if that is known. */
  readonly dashesAt?: number;
  /** Whether an option of a row takes the word as its value, so that it is not an option itself. */
  readonly isTaken?: boolean;
  /** Whether the word is options even without a dash, as the first word of tar is. */
  readonly isLetters?: boolean;
  /** What the option before a placeholder takes, if a row says so. */
  readonly taken?: TakenWord;
}

/** A script that is a word of the command. */
export interface InnerText {
  readonly text: string;
  readonly isZsh: boolean;
}

interface ReaderContext {
  /** The stand-in for what xargs adds to the words of its command. */
  readonly fed: PlaceholderPiece;
  mayVanish(word: CommandWord): boolean;
  /** Returns one list of words for each assignment. */
  literalsOf(variable: string): readonly (readonly CommandWord[])[] | undefined;
  readonly aliases: ReadonlyMap<string, readonly CommandWord[]>;
}

/** A word whose value may be read as the name of a file. */
interface FileWord extends FileUse {
  readonly word: CommandWord;
}

export interface Reading {
  readonly uses: readonly WordUse[];
  readonly files: readonly FileWord[];
  readonly scripts: readonly InnerText[];
}

/** Returns how each word is read. `words` begin with the program, without assignments before it. */
export function readersOf(words: readonly CommandWord[], context: ReaderContext): Reading {
  const reader = new Reader(context);
  reader.read(words, 0);
  return reader;
}

/** The limit of values of a variable that names the program. */
const CHOICES_MAX = 8;

interface Program {
  readonly name: string;
  /** The name as written, or undefined if it is not literal. */
  readonly shown: string | undefined;
  readonly args: readonly CommandWord[];
}

class Reader implements Reading {
  readonly uses: WordUse[] = [];
  readonly files: FileWord[] = [];
  readonly scripts: InnerText[] = [];
  readonly #context: ReaderContext;

  constructor(context: ReaderContext) {
    this.#context = context;
  }

  read([program, ...args]: readonly CommandWord[], depth: number): void {
    if (!program) return;
    const literal = literalText(program);
    const alias = depth < WRAPPERS_MAX && literal !== undefined ? this.#context.aliases.get(literal) : undefined;
    if (alias) this.read([...alias, ...args], depth + GUESS_DEPTH);
    if (literal !== undefined) return this.#readProgram({ name: programName(literal), shown: literal, args }, depth);
    this.#takeOption(program, { name: "", shown: undefined, args }, {});
    // Quotes leave an empty text.
    const [only, ...others] = program.pieces.filter((piece) => piece.kind !== "text" || piece.text !== "");
    const variable =
      only?.kind === "expansion" && others.length === 0
        ? /^\$\{?([A-Za-z_]\w*)(?:\[@\])?\}?$/.exec(only.text)?.[1]
        : undefined;
    const choices = (variable !== undefined && depth < WRAPPERS_MAX && this.#context.literalsOf(variable)) || [];
    for (const choice of choices.slice(0, CHOICES_MAX)) this.read([...choice, ...args], depth + GUESS_DEPTH);
    if (choices.length === 0) this.#readOwn({ name: "", shown: undefined, args }, [], new Set());
  }

  #readProgram(program: Program, depth: number): void {
    const { name, args } = program;
    // `set x "$@"` reads no options after a word.
    const readsNone = !readsOptions(name) || (name === "set" && /^[^-+]/.test(literalText(args[0]) ?? ""));
    if (readsNone) {
      for (const word of args) this.uses.push({ kind: "operand", word });
      return;
    }
    if (name === "printf") return this.#readFormat(program);
    const rules = depth < WRAPPERS_MAX ? rulesOf(name) : [];
    /** Indexes of words that an inner program reads, whatever else is true. */
    const taken = new Set<number>();
    this.#readPassed(program, taken);
    for (const rule of rules) this.#readRule(rule, program, { depth, taken });
    if (rules.length === 0 && depth < WRAPPERS_MAX && !name.includes(" ")) this.#readUnknownWrapper(args, depth);
    this.#readOwn(program, rules, taken);
  }

  #readRule(
    rule: ProgramRule,
    program: Program,
    { depth, taken }: { readonly depth: number; readonly taken: Set<number> },
  ): void {
    const { name, shown, args } = program;
    const read = readArguments(rule, args, this.#context);
    const commands = commandsIn(rule, { args, read, fed: this.#context.fed });
    for (const [index, command] of commands.entries())
      this.read(command.words, depth + (index === 0 ? 1 : GUESS_DEPTH));
    // If the inner command may begin in several places, the words before the last of them may belong to the program.
    take(taken, commands.at(-1));
    for (const command of commandsBehind(rule, args)) {
      this.read(command.words, depth + 1);
      take(taken, command);
    }
    const subcommand = rule.hasSubcommands ? read.operands.find(({ least }) => least === 0) : undefined;
    const literal = literalText(subcommand?.word);
    if (subcommand && literal !== undefined && !taken.has(subcommand.at + 1)) {
      const behind = { words: args.slice(subcommand.at), at: subcommand.at, end: args.length };
      this.#readProgram(
        { name: `${name} ${literal}`, shown: `${shown ?? ""} ${literal}`, args: behind.words.slice(1) },
        depth + 1,
      );
      take(taken, behind);
    }
    const code = [...read.code.map(({ word }) => word), ...operandsIn(rule.text, read).map(({ word }) => word)];
    const { readsFiles: pattern, instead = "" } = rule;
    if (pattern !== undefined)
      for (const word of code.filter((one) => literalText(one) === undefined)) {
        const reader = { program: `\`${shown ?? name}\``, starts: [], pattern, instead };
        this.files.push({ reader, from: literalStart(word).length, word });
      }
    if (code.length > 0 && rule.script === "shell") this.#readScript(code, program, taken);
    if (code.length === 0 && languages.has(rule)) this.#readScriptFile(rule, { program, read }, taken);
  }

  /** Reads a script among the words: `sh -c 'rm "$1"' x {p}`. */
  #readScript(code: readonly CommandWord[], { name, args }: Program, taken: Set<number>): void {
    const words = new Set(code);
    const last = args.findLastIndex((word) => words.has(word));
    // Several words form one script, as for ssh.
    const script = { text: code.map(programText).join(" "), isZsh: name === "zsh" };
    this.scripts.push(script);
    // A value that begins a word of the script: `ssh host "systemctl restart {unit}"`. Only plain words are accepted
    // there.
    for (const word of code)
      for (const [index, piece] of word.pieces.entries()) {
        const before = word.pieces.slice(0, index).map((one) => (one.kind === "text" ? one.text : "$"));
        const isWithin = WITHIN_WORD.test(before.join(""));
        if (piece.kind === "placeholder" && index > 0 && !isWithin)
          this.#takeOption({ ...word, pieces: [piece] }, { name: "", shown: undefined, args: [] }, {});
      }
    // A variable or a substitution in the script may make it read its words in any way.
    const isKnown = !code.some(({ pieces }) => pieces.some((piece) => piece.kind === "expansion"));
    for (let at = last + 1; at < args.length; at++) {
      const word = args[at];
      if (!word || taken.has(at)) continue;
      taken.add(at);
      this.uses.push({ kind: "argument", word, script });
      if (!isKnown) this.#takeOption(word, { name: "", shown: undefined, args }, {});
    }
  }

  /**
   * Reads a script file: in `python3 x.py {p}` it reads the words after its name. In `sh -s {p}` the script comes from
   * the input and reads all words.
   */
  #readScriptFile(
    rule: ProgramRule,
    { program, read }: { readonly program: Program; readonly read: ReadArguments },
    taken: Set<number>,
  ): void {
    const file =
      rule.readsInput !== undefined && rule.readsInput !== "always" && rule.readsInput.operands === 0
        ? read.operands.find(({ least }) => least === 0)
        : undefined;
    if (!file) return;
    if (read.options.has("-s") || read.options.has("+s")) {
      for (const { word } of read.operands) this.#takeOption(word, { name: "", shown: undefined, args: [] }, {});
      return take(taken, { words: [], at: file.at - 1, end: program.args.length });
    }
    const args = program.args.slice(file.at + 1);
    this.#readOwn({ name: "", shown: literalText(file.word), args }, [], new Set());
    take(taken, { words: [file.word, ...args], at: file.at, end: program.args.length });
  }

  /** Reads words that are passed on: `npm run x -- {p}`. */
  #readPassed({ name, args }: Program, taken: Set<number>): void {
    const dashes = args.findIndex((word) => literalText(word) === "--");
    if (dashes === -1) return;
    const passes =
      passesDashes(name) || args.slice(0, dashes).some((word) => passesDashes(`${name} ${literalText(word) ?? ""}`));
    if (!passes) return;
    this.#readOwn({ name: "", shown: undefined, args: args.slice(dashes + 1) }, [], new Set());
    take(taken, { words: [], at: dashes, end: args.length });
  }

  /** Reads `wrap -- tar cf x {p}`, where `wrap` is an unknown program. */
  #readUnknownWrapper(args: readonly CommandWord[], depth: number): void {
    const dashes = args.findIndex((word) => literalText(word) === "--");
    if (dashes === -1) return;
    const at = args.findIndex(
      (word, index) => index > dashes && rulesOf(programName(literalText(word) ?? "")).length > 0,
    );
    if (at !== -1) this.read(args.slice(at), depth + 1);
  }

  /** Reads the words of printf, which takes no options in POSIX and never any after its format. */
  #readFormat(program: Program): void {
    const from = literalText(program.args[0]) === "-v" ? 2 : literalText(program.args[0]) === "--" ? 1 : 0;
    for (const [index, word] of program.args.entries()) {
      if (index > from) this.uses.push({ kind: "operand", word });
      else this.#takeOption(word, program, {});
    }
  }

  /** Reads the words that belong to the program itself. */
  #readOwn(program: Program, rules: readonly ProgramRule[], taken: ReadonlySet<number>): void {
    const { name, args } = program;
    const options = (rules.length === 0 ? [PLAIN] : rules).map((rule) => optionsOf(rule, args));
    const dashesAt = insteadOfDashes(name) === undefined ? this.#dashesAt(name, args, options) : args.length;
    /** The index of the first operand: after the last option, and after its value if it may have one. */
    let first = 0;
    let mayBeLetters = rules.some((rule) => rule.oldStyle);
    for (const [index, word] of args.entries()) {
      const isLetters = mayBeLetters && /^(?:$|[A-Za-z])/.test(literalStart(word)) && literalText(word) === undefined;
      mayBeLetters &&= this.#context.mayVanish(word);
      const isAValue = isValue(index, program, options);
      if (isAValue || literalStart(word).startsWith("-")) first = index + 1;
      if (taken.has(index)) continue;
      const file = fileUseOf(name, word, args[index - 1]);
      if (file) this.files.push({ ...file, word });
      if (index > dashesAt) this.uses.push({ kind: "operand", word });
      else
        this.#takeOption(word, program, {
          isValue: isAValue,
          dashesAt: args[Math.min(first, index)]?.start,
          isTaken: options.some(({ values }) => values.has(index)),
          isLetters,
          taken: this.#takenBy(name, args, index),
        });
    }
  }

  #takenBy(name: string, args: readonly CommandWord[], index: number): TakenWord | undefined {
    const word = args[index];
    const [first, ...others] = word?.pieces.filter((piece) => piece.kind !== "text" || piece.text !== "") ?? [];
    const taken = first?.kind === "placeholder" ? optionTakes(name, args, index) : undefined;
    // Where there may be no word or several, another one may be taken.
    const isOne = word && others.length === 0 && !this.#context.mayVanish(word);
    return taken && { takes: taken.takes, ...(isOne && taken.takesDash ? { takesDash: true } : {}) };
  }

  /**
   * Finds the `--` that ends the options. A `--` may also be the value of an option, in `grep -e --`, or in `-e {p} --`
   * if the value is absent.
   */
  #dashesAt(name: string, args: readonly CommandWord[], options: readonly KnownOptions[]): number {
    // gitcli(7): paths follow `--`, and revisions may follow `--end-of-options` too.
    const end = name.startsWith("git ") ? args.findIndex((word) => literalText(word) === "--end-of-options") : -1;
    if (end !== -1) return end;
    const from = Math.max(...options.map((one) => one.dashesAt));
    for (let at = from; at < args.length; at++) {
      const word = args[at];
      if (!word || literalText(word) !== "--") continue;
      let before = at - 1;
      while (before >= 0 && this.#context.mayVanish(args[before] ?? word)) before--;
      const option = before === at - 1 ? "" : (literalText(args[before]) ?? "");
      const takesIt = utilityTakesValue(name, literalText(args[at - 1]) ?? "") === true;
      if (!takesIt && (!/^-[^=]*$/.test(option) || option === "-" || options.some(({ alone }) => alone.has(before))))
        return at;
    }
    return args.length;
  }

  #takeOption(
    word: CommandWord,
    { name, shown }: Program,
    { isValue = false, dashesAt, isTaken = false, isLetters = false, taken }: TakenOption,
  ): void {
    const program = shown === undefined ? "the program" : `\`${shown}\``;
    const instead = insteadOfDashes(name);
    this.uses.push({
      kind: "option",
      word,
      name,
      program,
      isValue,
      isTaken,
      isLetters,
      ...(instead === undefined ? {} : { instead }),
      ...(dashesAt === undefined ? {} : { dashesAt }),
      ...(taken === undefined ? {} : { taken }),
    });
  }
}

/** Matches a text that ends within a word of a shell, which is not empty whatever the variables are. */
const WITHIN_WORD = /(?:^|[\s"'();&|<>])[\w./:=,@%+-]+$/;

interface TakenOption extends Pick<Partial<OptionUse>, "isValue" | "isTaken" | "isLetters"> {
  readonly dashesAt?: number | undefined;
  readonly taken?: TakenWord | undefined;
}

/** The rule of a program without a row: any option may take the next word or not. */
const PLAIN: ProgramRule = { names: "", help: "" };

/** Marks the words after the program of an inner command. */
function take(taken: Set<number>, command: InnerCommand | undefined): void {
  for (let at = (command?.at ?? 0) + 1; command && at < command.end; at++) taken.add(at);
}

/** Whether the word is, or may be, the value of the option before it. */
function isValue(index: number, { name, args }: Program, options: readonly KnownOptions[]): boolean {
  if (options.some(({ values }) => values.has(index))) return true;
  const before = args[index - 1];
  const option = literalText(before) ?? "";
  if (before === undefined || !/^-[^=]*$/.test(option) || option === "-" || literalStart(before) !== option)
    return false;
  return utilityTakesValue(name, option) ?? !options.some(({ alone }) => alone.has(index - 1));
}
