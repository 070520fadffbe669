// The commands that a line for a shell runs, as far as that can be known without a shell: those in pipes, functions,
// substitutions and here-documents, those behind wrappers such as `sudo` and `xargs`, those in scripts that are words
// of other commands, such as `sh -c`, and those in shell scripts that are files. Reads the words with the language's
// tables of programs, and starts nothing.
import { operandsIn, readArguments, type ReadArguments } from "../../core/shell/arguments.ts";
import { assignmentOf } from "../../core/shell/assignments.ts";
import { commandsBehind, marksOf, withPiece } from "../../core/shell/inner-commands.ts";
import {
  type CommandGroup,
  type CommandWord,
  literalStart,
  literalText,
  type SimpleCommand,
  textWord,
} from "../../core/shell/pieces.ts";
import { isShell, programName, rulesOf } from "../../core/shell/programs.ts";
import { aliasTextsOf } from "../../core/shell/resolve.ts";
import type { ProgramRule } from "../../core/shell/rule.ts";
import { scanScript } from "../../core/shell/scan.ts";
import type { Host } from "../../core/tool/host.ts";
import {
  beforeInputs,
  EVALUATES_NUMBERS,
  SETS_NAMED,
  copiedVariables,
  EnvironmentVariables,
  expandedWords,
  feedersOf,
  GLUED_OPTION,
  hasUnseenCharacters,
  hasZshCode,
  inputOf,
  isExpanded,
  isLineOfDottool,
  isUpperName,
  joinedWords,
  opensInput,
  PASSES_TO_SHELL,
  printedBy,
  quotedWord,
  type RanRedirections,
  type RanWord,
  ranWord,
  ranWords,
  redirectedIn,
  setLoops,
  tailOf,
  withoutOption,
} from "./ran-words.ts";
import { takesText } from "../../generated/hook-policy.ts";
import { changedFolders, type PossibleFolders, RanFolders } from "./ran-folders.ts";
import { SHELL_START, shellScript } from "../../core/policy/script-forms.ts";
import { WrittenFiles } from "./written-files.ts";
import { type KnownWords, textOf, withoutAssignments } from "../../core/policy/known-words.ts";

export interface RanCommand {
  /** The name in the tables of programs, with its subcommands: `git push`. */
  readonly name: string;
  /** As the line has it: `/usr/bin/python3`. */
  readonly program: string;
  readonly args: readonly RanWord[];
  /** The programs that run it, outermost first: `sudo`, `xargs`. */
  readonly wrappers: readonly string[];
  /** The programs that write to its input. */
  readonly fedBy: readonly string[];
  readonly redirections: RanRedirections;
  /** The folders in which it may run. */
  readonly folders: PossibleFolders;
  /** Whether it stands in a script that is a file: what cannot be told there is not asked about. */
  readonly isInFile: boolean;
}

/** Program text that is a word, in a language that is not a shell's, or an option that names a program to run. */
export interface RanCode {
  /** The name in the tables of programs. */
  readonly name: string;
  /** Absent for an operand. */
  readonly option?: string;
  /** As a shell makes it, and as written where that is known only at run time. */
  readonly text: string;
  readonly isKnown: boolean;
  readonly rule: ProgramRule;
}

interface RanCommands {
  readonly commands: readonly RanCommand[];
  readonly code: readonly RanCode[];
  /** Assignments to variables, before commands or by `export`. Undefined: known only at run time. */
  readonly variables: readonly (readonly [name: string, value: string | undefined])[];
  /** What cannot be told: whole sentences without an end. */
  readonly unknown: ReadonlySet<string>;
}

export interface RanOptions {
  readonly host: Host;
  /** Absolute. */
  readonly cwd: string;
}

const COMMANDS_MAX = 1_000;
const DEPTH_MAX = 12;
const runsWritten = (name: string): string => `\`${name}\` runs a file that the same line writes`;
/** Stands for a part of the input of `xargs` or `find`. */
const INPUT = { kind: "text", text: "{}" } as const;
const INPUT_FILE = /^\/(?:dev\/stdin|dev\/fd\/0|proc\/self\/fd\/0)$/;
export function ranCommands(line: string, options: RanOptions): RanCommands {
  const reader = new Reader(options);
  reader.line(line);
  return reader;
}

interface Scene extends KnownWords {
  /** The folders in which the command may run. */
  readonly folders: PossibleFolders;
  /** The shell in which a `cd` counts, and the command of its script that is read. */
  readonly shell?: { readonly folders: RanFolders; readonly command: SimpleCommand; readonly depth: number };
  readonly wrappers: readonly string[];
  readonly aliases: ReadonlyMap<string, string>;
  readonly depth: number;
  readonly isInFile: boolean;
  /** The command whose input is also that of the script, or of the command behind a wrapper. */
  readonly outer?: { readonly command: SimpleCommand; readonly scene: Scene };
}

interface Program {
  /** The name in the tables. */
  readonly name: string;
  readonly program: string;
  readonly args: readonly CommandWord[];
  readonly command: SimpleCommand;
}

class Reader implements RanCommands {
  readonly commands: RanCommand[] = [];
  readonly code: RanCode[] = [];
  readonly variables: (readonly [name: string, value: string | undefined])[] = [];
  readonly unknown = new Set<string>();
  readonly #options: RanOptions;
  readonly #files = new Set<string>();
  readonly #written: WrittenFiles;
  #splitsOtherwise = false;
  #setsFolder = false;
  #left = COMMANDS_MAX;

  constructor(options: RanOptions) {
    this.#options = options;
    this.#written = new WrittenFiles(options.host);
  }

  line(text: string): void {
    const { cwd, host } = this.#options;
    if (hasUnseenCharacters(text)) this.unknown.add("the command has characters that cannot be seen");
    const known = new EnvironmentVariables(host);
    const scene = { given: [], positions: [], variables: known, folders: [cwd], wrappers: [], aliases: new Map() };
    this.#script(text, { ...scene, depth: 0, isInFile: false });
  }

  /** Returns the folders in which the script has been. */
  #script(text: string, scene: Scene): PossibleFolders {
    const folders = new RanFolders(scene.folders);
    this.#scriptIn(folders, text, scene);
    return folders.all;
  }

  #scriptIn(folders: RanFolders, text: string, scene: Scene): void {
    if (scene.depth > DEPTH_MAX) return this.#cannotTell("commands are nested too deep to read", scene);
    const script = scanScript(text, { knowsTests: true });
    if (script.trouble) this.#cannotTell("the command cannot be read: a quote or a bracket is not closed", scene);
    const aliases = aliasTextsOf(script, (word) => literalText(joinedWords(expandedWords(word, scene, undefined))));
    const inside = { ...scene, aliases: aliases.size === 0 ? scene.aliases : new Map([...scene.aliases, ...aliases]) };
    const groups = new Set<CommandGroup>();
    let { outer } = scene;
    for (const command of script.commands) {
      const own: Scene = {
        ...inside,
        ...(outer ? { outer } : {}),
        folders: folders.at(command),
        shell: { folders, command, depth: scene.wrappers.length },
      };
      if (!this.#setsFolder) scene.variables.set("PWD", own.folders.length === 1 ? own.folders[0] : undefined);
      this.#groups(command, own, groups);
      if (hasZshCode(command)) this.#cannotTell("a pattern of zsh runs a text for each file", own);
      if (opensInput(command)) outer = { command, scene: own };
      if (!command.isList) this.#command(command, own, text);
    }
  }

  /** Adds what brackets and `done` redirect, as a command without a name. */
  #groups({ group }: SimpleCommand, scene: Scene, seen: Set<CommandGroup>): void {
    for (let one = group; one && !seen.has(one); one = one.outer) {
      seen.add(one);
      if (one.redirections.length > 0) this.#redirects(one, scene);
    }
  }

  #redirects(group: Pick<SimpleCommand, "redirections">, scene: Scene): void {
    const { wrappers, folders, isInFile } = scene;
    const redirections = redirectedIn(group.redirections, scene);
    this.commands.push({ name: "", program: "", args: [], wrappers, fedBy: [], redirections, folders, isInFile });
  }

  /** `source` is the text in which the words have offsets, if they have any. */
  #command(command: SimpleCommand, scene: Scene, source?: string): void {
    if (this.#left-- <= 0) return this.#cannotTell("more commands than can be read", scene);
    if (scene.depth > DEPTH_MAX) return this.#cannotTell("commands are nested too deep to read", scene);
    const plain = command.words.flatMap((word) => expandedWords(word, scene, source));
    for (const word of plain) this.#assigned(word, scene);
    const [program, ...args] = withoutAssignments(plain, scene);
    if (!program) {
      this.#splitsOtherwise ||= plain.some((word) => (textOf(word, scene) ?? literalStart(word)).startsWith("IFS="));
      if (command.redirections.length > 0) this.#redirects(command, scene);
      return this.#written.add(command, scene);
    }
    const written = (): CommandWord | undefined => command.words.find((word) => !/^\w+\+?=/.test(literalStart(word)));
    if (this.#splitsOtherwise && isExpanded(written() ?? { pieces: [] }))
      this.#cannotTell("`IFS` changes where words end, and a variable becomes several", scene);
    const text = textOf(program, scene) ?? tailOf(program);
    if (text === undefined || text === "{}")
      return this.#cannotTell("the program's name is known only when it runs", scene);
    if (/[*?]|\[.*\]/.test(text) && !/^\[{1,2}$/.test(text))
      return this.#cannotTell("the program's name is a pattern", scene);
    const within = { ...scene, outer: { command, scene } };
    const alias = scene.aliases.get(text);
    if (alias) this.#evaluated([textWord(alias), ...args.map(quotedWord)], { ...within, aliases: new Map() });
    this.#program({ name: programName(text), program: text, args, command }, within);
  }

  #program(program: Program, scene: Scene): void {
    const { program: literal, args, command } = program;
    const [first] = args;
    this.#written.add(command, scene, program);
    if (/^(?:cd|pushd|popd)$/.test(literal)) this.#changeFolder(literal, args, scene);
    if (literal === "export" || literal === "declare" || literal === "typeset" || literal === "readonly")
      for (const word of args) this.#assigned(word, scene, true);
    if (SETS_NAMED.has(literal)) {
      setLoops(literal, args, scene);
      for (const word of args)
        if (isUpperName(literalText(word))) this.variables.push([literalText(word) ?? "", undefined]);
    }
    if (literal === "eval") return this.#evaluated(args, scene);
    if (literal === "trap") return this.#evaluated(args.slice(0, 1), scene);
    const isSourced = literal === "." || literal === "source";
    if (isSourced) this.#sourced(first, program.command, scene);
    else if (/[/\\]/.test(literal)) this.#scriptFile(literal, scene, literal);
    this.#named(program, scene);
  }

  #named(program: Program, scene: Scene): void {
    const { name, args, command } = program;
    this.commands.push({
      name,
      program: program.program,
      args: args.flatMap((word) => ranWords(word, scene)),
      wrappers: scene.wrappers,
      fedBy: feedersOf(command.from, scene),
      redirections: redirectedIn(command.redirections, scene),
      folders: scene.folders,
      isInFile: scene.isInFile,
    });
    if (this.#written.hasOwnOf(name)) this.#cannotTell(runsWritten(name), scene);
    for (const word of args) this.#evaluatedWord(name, word, scene);
    const inner = { ...scene, wrappers: [...scene.wrappers, name], depth: scene.depth + 1 };
    const rules = rulesOf(name);
    for (const rule of rules) this.#rule(rule, program, inner);
    if (rules.length === 0 && !name.includes(" ") && !takesText.has(name)) this.#unknownWrapper(args, command, inner);
  }

  /** An unknown program may run its words: `wrapper git push`. Only a second program of the tables counts as one. */
  #unknownWrapper(args: readonly CommandWord[], command: SimpleCommand, scene: Scene): void {
    const at = args.findIndex((word) => !(literalText(word) ?? "").startsWith("-"));
    const [program, ...rest] = at === -1 ? [] : args.slice(at);
    const text = literalText(program) ?? "";
    if (
      rest.length > 0 &&
      /^(?!(?:at|batch)$)[\w./-]+$/.test(text) &&
      (rulesOf(programName(text)).length > 0 || /^(?:rm|dd)$/.test(text))
    )
      this.#command({ ...command, words: args.slice(at), redirections: [] }, scene);
  }

  /** Finds words that a shell evaluates once more: `${x@P}`, and `a[$(…)]` as a number or a name. */
  #evaluatedWord(name: string, word: CommandWord, scene: Scene): void {
    const text = word.pieces.map((piece) => (piece.kind === "placeholder" ? "" : piece.text)).join("");
    const isPrompt = text.includes("@") && /\$\{[^}]*@[PE]\}/.test(text);
    if (isPrompt || (text.includes("[") && EVALUATES_NUMBERS.has(name) && /\[[^\]]*(?:\$\(|`)/.test(text)))
      this.#cannotTell("a value is evaluated as program text", scene);
  }

  #rule(rule: ProgramRule, program: Program, scene: Scene): void {
    const { args, name, command } = program;
    const read = readArguments(rule, args, { mayVanish: () => false });
    for (const word of read.skipped) this.#assigned(word, scene, true);
    for (const { at } of operandsIn(rule.runs, read)) {
      const [next] = args.slice(at);
      const isForShell = rule.runsShell && (literalText(next) ?? "").startsWith("-");
      const marks = rule.fills ? marksOf(args.slice(0, at)) : [];
      const own = args.slice(at).map((word) => marks.reduce((made, mark) => withPiece(made, mark, INPUT), word));
      const words = isForShell ? [textWord("sh"), ...own] : own;
      this.#command({ ...command, words, redirections: [] }, scene);
    }
    const isFilled = scene.wrappers.slice(0, -1).some((one) => rulesOf(one).some(({ fills }) => fills));
    if (isFilled && rule.runs && operandsIn(rule.runs, read).length === 0)
      this.#cannotTell(`\`${name}\` runs a program that its input names`, scene);
    for (const { words } of commandsBehind(rule, args)) this.#command({ ...command, words, redirections: [] }, scene);
    const [sub] = read.operands;
    const subcommand = rule.hasSubcommands && sub ? textOf(sub.word, scene) : undefined;
    if (subcommand !== undefined && sub) {
      const outer = { ...scene, wrappers: scene.wrappers.slice(0, -1) };
      this.#named({ ...program, name: `${name} ${subcommand}`, args: args.slice(sub.at + 1) }, outer);
    }
    const texts = operandsIn(rule.text, read);
    if (PASSES_TO_SHELL.test(name) && texts[0])
      return this.#shellText(joinedWords(beforeInputs(args.slice(texts[0].at))), [], scene);
    for (const word of rule.sign === undefined ? [] : args) {
      const { text } = ranWord(word, scene);
      if (text.startsWith(rule.sign ?? "") && text.includes("!"))
        this.code.push({ name, option: text, ...ranWord(word, scene), rule });
    }
    if (isShell(name) && rule.script === "shell" && read.options.has("-c") && texts.length === 0)
      this.#cannotTell(`\`${name}\` runs a text that is known only when it runs`, scene);
    if (rule.script === "shell") {
      for (const word of isShell(name) ? read.files : []) this.#startFile(word, name, scene);
      for (const { word } of read.code) this.#shellText(word, [], scene);
      for (const { word, at } of texts.slice(0, 1))
        this.#shellText(isShell(name) ? word : joinedWords(args.slice(at)), args.slice(at + 2), scene);
    } else {
      for (const word of read.files) this.#codeFile(name, (textOf(word, scene) ?? "").replace(GLUED_OPTION, ""), scene);
      for (const { word, option } of read.code)
        if (isLineOfDottool(name, option)) this.#shellText(withoutOption(word, option), [], scene);
        else this.code.push({ name, ...(option === undefined ? {} : { option }), ...ranWord(word, scene), rule });
      for (const { word } of texts) this.code.push({ name, ...ranWord(word, scene), rule });
    }
    if (rule.readsInput !== undefined && subcommand === undefined) this.#input(rule, { ...program, read }, scene);
  }

  /** Reads what a shell runs before its commands: `bash --rcfile FILE`. */
  #startFile(word: CommandWord, name: string, scene: Scene): void {
    const path = textOf(word, scene)?.replace(/^--\w+(?:-\w+)?=/, "");
    if (path === undefined) this.#cannotTell(`\`${name}\` runs a file that is known only when it runs`, scene);
    else this.#scriptFile(path, scene, name);
  }

  #shellText(word: CommandWord, args: readonly CommandWord[], scene: Scene): void {
    const text = textOf(word, scene);
    if (text === undefined) return this.#cannotTell("a shell runs a text that is known only when it runs", scene);
    const positions = args.map((one) => textOf(one, scene) ?? "");
    this.#script(text, { ...scene, positions, variables: copiedVariables(scene.variables) });
  }

  /** Reads what an interpreter runs: its script, or its input. */
  #input(rule: ProgramRule, { name, command, read }: Program & { readonly read: ReadArguments }, scene: Scene): void {
    if (name.startsWith("dottool") || rule.readsInput === undefined) return;
    if (read.options.has("--version") || read.options.has("--help")) return;
    if (rule.readsInput === "always") return this.#fed(name, command, scene);
    if (operandsIn(rule.text, read).length > 0 || read.code.length > 0) return;
    const { operands } = rule.readsInput;
    const [script] = read.operands;
    if (operands === 0 && script && !read.options.has("-s")) {
      const path = textOf(script.word, scene);
      if (path === "-" || (path !== undefined && INPUT_FILE.test(path))) return this.#fed(name, command, scene);
      if (path === undefined) {
        if (this.#written.isAnywhere) this.#cannotTell(runsWritten(name), scene);
        if (isShell(name) && !read.options.has("-n"))
          this.#cannotTell(`\`${name}\` runs a file that is known only when it runs`, scene);
        if (script.word.pieces.some((piece) => piece.kind === "expansion" && /^<\(/.test(piece.text)))
          this.#cannotTell(`\`${name}\` runs what another program prints`, scene);
        return;
      }
      return isShell(name) ? this.#scriptFile(path, scene, name) : this.#codeFile(name, path, scene);
    }
    if (read.operands.length <= Math.max(operands, 0)) this.#fed(name, command, scene);
  }

  #fed(name: string, command: SimpleCommand, scene: Scene): void {
    const input = inputOf(command);
    const { outer, isInFile, depth } = scene;
    if (!input) return outer && this.#fed(name, outer.command, { ...outer.scene, isInFile, depth });
    if (input.kind === "called" && !isShell(name)) return;
    const { redirection, from } = input;
    const text = redirection ? textOf(redirection.word, scene) : undefined;
    if (redirection?.operator === "<") {
      if (text === undefined) this.#cannotTell(`\`${name}\` runs a file that is known only when it runs`, scene);
      else if (isShell(name)) this.#scriptFile(text, scene, name);
      else this.#codeFile(name, text, scene);
      return;
    }
    const known = redirection ? text : printedBy(from, scene);
    if (known === undefined) {
      const isFetched = feedersOf(from, scene).some((one) => /^(?:curl|wget|base64|xxd)$/.test(one));
      const asked = isFetched ? { ...scene, isInFile: false } : scene;
      return this.#cannotTell(`\`${name}\` runs what another program prints`, asked);
    }
    if (isShell(name)) this.#script(known, { ...scene, variables: copiedVariables(scene.variables) });
    else for (const rule of rulesOf(name).slice(0, 1)) this.code.push({ name, text: known, isKnown: true, rule });
  }

  #evaluated(words: readonly CommandWord[], scene: Scene): void {
    const texts = words.map((word) => textOf(word, scene));
    if (!texts.every((text) => text !== undefined))
      return this.#cannotTell("`eval` runs a text that is known only when it runs", scene);
    this.#goesOn(this.#script(texts.join(" "), { ...scene, depth: scene.depth + 1 }), scene);
  }

  #sourced(word: CommandWord | undefined, command: SimpleCommand, scene: Scene): void {
    const path = word && textOf(word, scene);
    if (path !== undefined && INPUT_FILE.test(path)) return this.#fed("sh", command, scene);
    if (path !== undefined) return this.#scriptFile(path, scene, "source");
    const isPrinted = word?.pieces.some((piece) => piece.kind === "expansion" && piece.printer !== undefined);
    if (isPrinted) this.#cannotTell("`source` runs what another program prints", scene);
  }

  /** Reads a shell script if it is there; what it runs is known as far as its text says so. */
  #scriptFile(path: string, scene: Scene, runner: string): void {
    const read = (text: string, more: Pick<Scene, "isInFile">): void => {
      const folders = this.#script(text, {
        ...scene,
        ...more,
        positions: [],
        depth: scene.depth + 1,
      });
      if (runner === "source") this.#goesOn(folders, scene);
    };
    const written = this.#written.find(path, scene.folders);
    if (written) {
      const { text } = written;
      if (text === undefined || (text.startsWith("#!") && !SHELL_START.test(text)))
        return this.#cannotTell(runsWritten(runner), scene);
      return read(text, scene);
    }
    let isThere = scene.folders.includes(undefined);
    for (const folder of scene.folders) {
      if (folder === undefined) continue;
      const file = this.#written.pathOf(path, folder);
      isThere ||= this.#options.host.instant.stat(file) !== undefined;
      if (this.#files.has(file)) continue;
      this.#files.add(file);
      const text = shellScript(file, isShell(runner) || runner === "source", this.#options.host);
      if (text !== undefined) read(text, { isInFile: true });
    }
    if (!isThere && isShell(runner))
      this.#cannotTell(`\`${runner}\` runs \`${path}\`, which does not exist yet`, scene);
  }

  /**
   * Reads a program in another language that the same line writes. The commands of editors and debuggers are read from
   * any file: nobody expects that those of a debugger run something else.
   */
  #codeFile(name: string, path: string, scene: Scene): void {
    const [rule] = rulesOf(name);
    const file = this.#written.find(path, scene.folders);
    if (!file && rule?.readsInput === "always")
      for (const folder of scene.folders) {
        const text = folder && shellScript(this.#written.pathOf(path, folder), true, this.#options.host);
        if (text) this.code.push({ name, text, isKnown: true, rule });
      }
    if (!file) return;
    const { text } = file;
    if (text === undefined || !rule) return this.#cannotTell(runsWritten(name), scene);
    this.code.push({ name, text, isKnown: true, rule });
  }

  #changeFolder(name: string, args: readonly CommandWord[], scene: Scene): void {
    const { shell, wrappers } = scene;
    // `env cd x` changes nothing here.
    if (!shell || wrappers.slice(shell.depth).some((one) => one !== "command" && one !== "builtin")) return;
    const { to, isSure } = changedFolders(name, args, { ...scene, host: this.#options.host, all: shell.folders.all });
    shell.folders.change(shell.command, to, isSure);
  }

  /** A script that runs in the same shell may change its folder. */
  #goesOn(folders: PossibleFolders, { shell }: Scene): void {
    if (shell) shell.folders.change({ ...shell.command, flow: "apart" }, folders, false);
  }

  #assigned(word: CommandWord, scene: Scene, isDeclared = false): void {
    const assigned = assignmentOf(word);
    if (!assigned) return;
    if (scene.variables instanceof EnvironmentVariables) scene.variables.loop(assigned.name, undefined);
    const [head, ...others] = word.pieces;
    const text = head?.kind === "text" ? head.text : "";
    const value = textOf({ pieces: [{ kind: "text", text: text.slice(text.indexOf("=") + 1) }, ...others] }, scene);
    this.variables.push([assigned.name, value]);
    if (assigned.name === "PWD") this.#setsFolder = true;
    if (isDeclared) scene.variables.set(assigned.name, value);
  }

  #cannotTell(what: string, { isInFile }: Scene): void {
    if (!isInFile) this.unknown.add(what);
  }
}
