// The files of a project that a command runs: the script of an interpreter, the makefile of `make`, the package.json of
// `npm`. Reads the words of the command with the language's tables of programs, and starts nothing. The files need not
// exist.
import { dirname, isAbsolute, resolve, sep } from "node:path";
import { applies, operandsIn, readArguments, type ReadArguments } from "../shell/arguments.ts";
import { commandsBehind } from "../shell/inner-commands.ts";
import { type CommandWord, literalText, type SimpleCommand, textWord } from "../shell/pieces.ts";
import { isShell, programName, rulesOf } from "../shell/programs.ts";
import type { ProgramRule } from "../shell/rule.ts";
import { scanScript } from "../shell/scan.ts";
import { isJsonObject, type JsonObject } from "../schema/json.ts";
import type { Host } from "../tool/host.ts";
import type { ProjectRunner } from "./files-rows.ts";
import { isReference, type KnownWords, textOf, unknownText, valuesOf, withoutAssignments } from "./known-words.ts";
import { realPath } from "./real-path.ts";
import { importedModules, isPreload, isPython, moduleForms, runnersOf, scriptForms } from "./script-forms.ts";

export interface Executed {
  /** Absolute; the files need not exist. */
  readonly files: ReadonlySet<string>;
  /** Other things that run, outside of these files: ends of a sentence that begins with "later changes of". */
  readonly rest: ReadonlySet<string>;
  /** If the name of a file is known only at run time, all texts that may become its name. */
  readonly unknown: ReadonlySet<string>;
  /** Folders whose modules come before those of the standard library: of `python -c TEXT` without `-P`. */
  readonly importsFrom: ReadonlySet<string>;
}

export interface ExecutedOptions {
  readonly host: Host;
  /** Absolute: where the call runs. */
  readonly cwd: string;
  /** Absolute: programs look for their files up to it. */
  readonly project: string;
}

const COMMANDS_MAX = 500;
const DEPTH_MAX = 8;
const FOLDERS_MAX = 8;

/** Returns what the commands run. `calls` are arguments of `run_command`. */
export function executedBy(calls: readonly JsonObject[], options: ExecutedOptions): Executed {
  const search = new Search(options);
  for (const call of calls) search.call(call);
  return search;
}

/** The state that the commands of one script share. */
interface Scene extends KnownWords {
  /** The folders that a relative path may refer to: a script may change its folder. */
  readonly folders: Set<string>;
  /** The input that a program without a script reads. */
  readonly stdin?: string | undefined;
  /** All words of the script, if one program reads what another writes. */
  readonly fed?: readonly CommandWord[] | undefined;
  readonly depth: number;
}

class Search implements Executed {
  readonly files = new Set<string>();
  readonly rest = new Set<string>();
  readonly unknown = new Set<string>();
  readonly importsFrom = new Set<string>();
  readonly #options: ExecutedOptions;
  #commandsLeft = COMMANDS_MAX;

  constructor(options: ExecutedOptions) {
    this.#options = options;
  }

  call({ argv, command, working_dir: folder, stdin: input, env }: JsonObject): void {
    const set = Object.entries(isJsonObject(env) ? env : {});
    const environment = set.map(([name, value]) => [name, String(value)] as const);
    const stdin = typeof input === "string" ? input : undefined;
    const folders = new Set([typeof folder === "string" ? resolve(this.#options.cwd, folder) : this.#options.cwd]);
    const given = [...environment.map(([, value]) => value), ...(stdin === undefined ? [] : [stdin])];
    const scene: Scene = { folders, given, positions: [], variables: new Map(environment), stdin, depth: 0 };
    const words = Array.isArray(argv) ? argv.map((word) => textWord(String(word))) : [];
    this.#command({ words, redirections: [] }, scene);
    if (typeof command === "string") this.#script(command, scene);
  }

  #script(text: string, scene: Scene): void {
    if (scene.depth > DEPTH_MAX) return this.#loose(TOO_DEEP, text);
    const { commands, feedsInput } = scanScript(text, { knowsTests: true });
    // In a function the positions are those of its call; if values move to variables first, `set` shows that in time.
    if (/\(\s*\)/.test(text) && !text.startsWith("dottool_1=")) scene.positions.length = 0;
    const inside = feedsInput ? { ...scene, fed: commands.flatMap(({ words }) => words), stdin: undefined } : scene;
    for (const command of commands) if (!command.isList) this.#command(command, inside);
  }

  #command(command: SimpleCommand, scene: Scene): void {
    if (this.#commandsLeft-- <= 0) return this.#loose("more commands than can be checked", "");
    const all = command.words.map((word) => unknownText(word, scene));
    if (scene.depth > DEPTH_MAX) return this.#loose(TOO_DEEP, all.join(" "));
    const words = withoutAssignments(command.words, scene);
    const [first, ...args] = words;
    if (!first) return;
    const program = textOf(first, scene);
    if (program === undefined || isReference(program)) {
      return this.#loose(unknownAtRun("program"), unknownText(first, scene));
    }
    this.#program(program, scene);
    if (program === "set" || program === "shift") scene.positions.length = 0;
    if (program === "cd" || program === "pushd") return this.#changeFolder(args, scene);
    if (program === "eval") return this.#evaluated(args, scene);
    if (program === "trap") return this.#evaluated(args.slice(0, 1), scene);
    if (program === "." || program === "source") return this.#scriptFile(args[0], program, scene);
    this.#named(programName(program), { args, literal: program, command }, scene);
  }

  #evaluated(words: readonly CommandWord[], scene: Scene): void {
    const texts = words.map((word) => textOf(word, scene));
    if (texts.every((text) => text !== undefined)) this.#script(texts.join(" "), { ...scene, depth: scene.depth + 1 });
    else this.#loose(unknownAtRun("script"), words.map((word) => unknownText(word, scene)).join(" "));
  }

  /** Adds the program if it is a file of the project: `./build`, or one that PATH finds there. */
  #program(program: string, scene: Scene): void {
    const { host, project } = this.#options;
    if (program.includes("/")) {
      const isOwn = !isAbsolute(program) || program.startsWith(project + sep);
      if (isOwn) this.rest.add(inTurn(program));
      return this.#add(program, scene);
    }
    const found = host.processes.find(program, host.environment("PATH") ?? "");
    if (found !== undefined && realPath(dirname(found), host).startsWith(project + sep)) this.files.add(found);
  }

  #named(name: string, program: Program, scene: Scene): void {
    for (const runner of runnersOf(name)) this.#runner(runner, program, scene);
    for (const rule of rulesOf(name)) this.#rule(rule, { ...program, name }, scene);
  }

  #rule(rule: ProgramRule, program: NamedProgram, scene: Scene): void {
    const { args, name, command, literal } = program;
    const read = readArguments(rule, args, { mayVanish: () => false });
    const nested = { ...scene, depth: scene.depth + 1 };
    for (const word of read.files) this.#scriptFile(word, name, scene);
    for (const { at } of operandsIn(rule.runs, read)) this.#command({ ...command, words: args.slice(at) }, nested);
    for (const { words } of commandsBehind(rule, args)) this.#command({ ...command, words }, nested);
    const [sub] = read.operands;
    const subcommand = rule.hasSubcommands && sub && textOf(sub.word, scene);
    if (subcommand) {
      const behind = { args: args.slice(sub.at + 1), literal: `${literal} ${subcommand}`, command };
      this.#named(`${name} ${subcommand}`, behind, nested);
    }
    if (rule.script === "shell") this.#shellTexts(rule, { ...program, read }, nested);
    else for (const { word } of read.code) this.#code(word, scene);
    const isInterpreter = typeof rule.readsInput === "object" && rule.readsInput.operands === 0 && !rule.runs;
    if (isInterpreter && !subcommand) this.#interpreter(rule, { ...program, read }, nested);
  }

  #shellTexts(rule: ProgramRule, { read, args }: ReadProgram, scene: Scene): void {
    for (const { word } of read.code) this.#shellText(word, [], scene);
    for (const { word, at } of operandsIn(rule.text, read)) {
      // `sh -c TEXT NAME A B`: A is `$1`.
      const positions = args.slice(at + 2).flatMap((one) => textOf(one, scene) ?? []);
      this.#shellText(word, positions, scene);
    }
  }

  #shellText(word: CommandWord, positions: readonly string[], scene: Scene): void {
    const text = textOf(word, scene);
    if (text === undefined || isReference(text)) this.#loose(unknownAtRun("script"), unknownText(word, scene));
    if (text !== undefined) this.#script(text, { ...withPositions(scene, positions), fed: undefined });
  }

  /** Adds program text, a module or a file; only a module and a file can be in the project. */
  #code(word: CommandWord, scene: Scene): void {
    const text = textOf(word, scene);
    if (text === undefined || !/^[\w.@%+/-]+$/.test(text)) return;
    for (const form of [text, ...moduleForms(text)]) this.#add(form, scene);
  }

  #interpreter(rule: ProgramRule, program: ReadProgram, scene: Scene): void {
    const { name, read } = program;
    const hasText = rule.text !== undefined && applies(rule.text, read.options);
    const isText = hasText || read.code.some(({ option = "" }) => !isPreload(name, option));
    const isModule = isText && rule.script !== "shell" && read.options.has("-m");
    if (isModule) this.rest.add(`the module that \`${name}\` runs, and what that imports`);
    if (isText && rule.script !== "shell") this.#imports(program, scene);
    if (isText || read.files.length > 0) return;
    // An unknown option may have taken the word before.
    const scripts = read.operands.filter(({ least }) => least === 0);
    if (scripts.length > 0) for (const { word } of scripts) this.#scriptFile(word, name, scene);
    else this.#input(program, scene);
  }

  /** Adds the modules that program text names, where the working folder is among the places that are searched. */
  #imports({ name, args, read }: ReadProgram & NamedProgram, scene: Scene): void {
    const texts = args.flatMap((word) => textOf(word, scene) ?? []);
    if (isPython(name)) {
      const doesImport = texts.some((text) => /\b(?:import|exec|eval|runpy)/.test(text));
      if (!doesImport || read.options.has("-I") || read.options.has("-P")) return;
      for (const folder of scene.folders) this.importsFrom.add(folder);
    }
    for (const module of texts.flatMap((text) => importedModules(name, text))) this.#add(module, scene);
  }

  #input({ name, args, command }: NamedProgram, scene: Scene): void {
    for (const { operator, word } of command.redirections) if (operator === "<") this.#scriptFile(word, name, scene);
    const texts = args.flatMap((word) => textOf(word, scene) ?? []);
    if (scene.stdin !== undefined && isShell(name)) this.#script(scene.stdin, withPositions(scene, texts));
    if (!scene.fed) return;
    const words = scene.fed.map((word) => unknownText(word, scene));
    this.#loose(`what \`${name}\` reads from another program`, words.join(" "));
    for (const word of scene.fed) this.#code(word, scene);
  }

  #runner(runner: ProjectRunner, { args }: Program, scene: Scene): void {
    const texts = args.map((word) => textOf(word, scene));
    const only = runner.only?.split(" ");
    if (only && !texts.some((text) => text === undefined || only.includes(text))) return;
    this.rest.add(runner.rest);
    const chosen = valuesOf(runner.folderOptions, args);
    for (const word of chosen) this.#loosely(word, scene);
    const inside = chosen.length === 0 ? ["."] : chosen.flatMap((word) => textOf(word, scene) ?? []);
    const folders = [...scene.folders].flatMap((folder) => inside.map((path) => resolve(folder, path)));
    for (const word of valuesOf(runner.fileOptions, args)) this.#loosely(word, scene, folders);
    const programs = runner.runsPackages ? texts.filter((text = "") => /^[\w@][\w@./-]*$/.test(text)) : [];
    const names = [...runner.files.split(" "), ...programs.map((name) => `node_modules/.bin/${name ?? ""}`)];
    for (const folder of runner.looksAbove ? folders.flatMap((one) => this.#upwards(one)) : folders) {
      for (const name of names) if (name !== "") this.files.add(resolve(folder, name));
    }
  }

  /** Returns the folder, and those above it up to the project's. */
  #upwards(folder: string): readonly string[] {
    const { project, host } = this.#options;
    const folders = [folder];
    for (let at = realPath(folder, host); at !== project && at.startsWith(project + sep); ) {
      at = dirname(at);
      folders.push(at);
    }
    return folders;
  }

  #changeFolder(args: readonly CommandWord[], scene: Scene): void {
    const { folders } = scene;
    const to = args.find((word) => !/^-/.test(literalText(word) ?? ""));
    const text = to && textOf(to, scene);
    if (to && text === undefined) this.#loose(unknownAtRun("folder"), unknownText(to, scene));
    if (text === undefined) return;
    if (folders.size > FOLDERS_MAX) return this.#loose("scripts in more folders than can be checked", text);
    for (const folder of [...folders]) folders.add(resolve(folder, text));
  }

  #scriptFile(word: CommandWord | undefined, by: string, scene: Scene): void {
    const text = word && textOf(word, scene);
    if (!word || text === "-") return;
    if (text === undefined || isReference(text) || /[*?[]/.test(text)) {
      return this.#loose(`a file that is known only when \`${by}\` runs`, unknownText(word, scene));
    }
    for (const form of [text, ...scriptForms(by, text)]) this.#add(form, scene);
    this.rest.add(inTurn(text));
  }

  /** Adds a file or folder that an option names. */
  #loosely(word: CommandWord, scene: Scene, folders: Iterable<string> = scene.folders): void {
    const text = textOf(word, scene);
    if (text === undefined || isReference(text)) this.#loose(unknownAtRun("file"), unknownText(word, scene));
    else for (const folder of folders) this.files.add(resolve(folder, text));
  }

  #add(path: string, { folders }: Scene): void {
    for (const folder of folders) this.files.add(resolve(folder, path));
  }

  #loose(what: string, text: string): void {
    this.rest.add(what);
    this.unknown.add(text);
  }
}

const TOO_DEEP = "commands that are nested too deep to check";

function inTurn(path: string): string {
  return `what \`${path}\` runs or imports in turn`;
}

function unknownAtRun(noun: string): string {
  return `a ${noun} that is known only at run time`;
}

interface Program {
  readonly args: readonly CommandWord[];
  /** The text as written. */
  readonly literal: string;
  readonly command: SimpleCommand;
}

interface NamedProgram extends Program {
  /** The name in the tables. */
  readonly name: string;
}

interface ReadProgram extends NamedProgram {
  readonly read: ReadArguments;
}

/** Returns the state of an inner shell, which inherits variables but does not read the outer shell's input. */
function withPositions(scene: Scene, positions: readonly string[]): Scene {
  const given = [...positions, ...scene.given];
  return { ...scene, given, positions: [...positions], variables: new Map(scene.variables), stdin: undefined };
}
