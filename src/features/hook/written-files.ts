// The files that a line for a shell writes before it runs something.
import { basename, resolve } from "node:path";
import type { CommandWord, SimpleCommand } from "../../core/shell/pieces.ts";
import type { Host } from "../../core/tool/host.ts";
import { runnersOf } from "../../core/policy/script-forms.ts";
import { type KnownWords, textOf } from "../../core/policy/known-words.ts";
import type { PossibleFolders } from "./ran-folders.ts";
import { printedBy } from "./ran-words.ts";

interface Writer {
  readonly name: string;
  readonly args: readonly CommandWord[];
}

export class WrittenFiles {
  /** Whether the line also writes a file whose name is known only at run time. */
  isAnywhere = false;
  readonly #home: string;
  readonly #texts = new Map<string, string | undefined>();

  constructor({ folders }: Host) {
    this.#home = folders.home;
  }

  pathOf(path: string, folder: string): string {
    return resolve(folder, path.replace(/^~(?=\/)/, this.#home).replace(/^~\+(?=\/)/, "."));
  }

  /** Returns the file if the line has written it, with its text if that is known. */
  find(path: string, folders: PossibleFolders): { readonly text: string | undefined } | undefined {
    const file = folders
      .flatMap((folder) => (folder === undefined ? [] : [this.pathOf(path, folder)]))
      .findLast((one) => this.#texts.has(one));
    return file === undefined ? undefined : { text: this.#texts.get(file) };
  }

  /** Returns whether a program obeys a file that the line has written, without naming it. */
  hasOwnOf(program: string): boolean {
    const files = runnersOf(program).flatMap((runner) => runner.files.toLowerCase().split(" "));
    return [...this.#texts.keys()].some((path) => files.includes(basename(path).toLowerCase()));
  }

  /** Adds what a command writes. */
  add(
    command: SimpleCommand,
    scene: KnownWords & { readonly folders: PossibleFolders; readonly isInFile: boolean },
    program?: Writer,
  ): void {
    const folders = scene.folders.filter((one) => one !== undefined);
    if (scene.isInFile || folders.length === 0) return;
    const put = (path: string, text: string | undefined, isMore: boolean): void => {
      for (const folder of folders) this.#put(this.pathOf(path, folder), text, isMore);
    };
    const own = command.redirections;
    for (const redirection of [...own, ...(command.group?.redirections ?? [])]) {
      const { operator, word } = redirection;
      if (!operator.includes(">") || !/^\d*(?:&?>[>|]?|<>)$/.test(operator)) continue;
      const path = textOf(word, scene);
      const isOwn = own.includes(redirection);
      const others = own.filter((one) => one !== redirection);
      const text = isOwn ? printedBy({ ...command, redirections: others }, scene) : undefined;
      if (path === undefined) this.isAnywhere = true;
      else put(path, text, operator.includes(">>"));
    }
    if (!program) return;
    const words = program.args.map((word) => textOf(word, scene) ?? "");
    for (const path of filesWrittenBy(program.name, words)) {
      const text =
        program.name === "tee" && !words.some((word) => word.startsWith("-"))
          ? printedBy(command.from, scene)
          : undefined;
      put(path, text, false);
    }
  }

  #put(file: string, text: string | undefined, isMore: boolean): void {
    const before = isMore ? this.#texts.get(file) : "";
    this.#texts.set(file, before === undefined || text === undefined ? undefined : `${before}${text}\n`);
  }
}

/** Returns the files that a program writes for its words, as far as they name them. */
function filesWrittenBy(name: string, words: readonly string[]): readonly string[] {
  const operands = words.filter((word) => word !== "" && !word.startsWith("-"));
  const last = operands.at(-1) ?? "";
  const valueOf = (pattern: RegExp): readonly string[] =>
    words.flatMap((word, index) => {
      const [found, glued] = pattern.exec(word) ?? [];
      return found === undefined ? [] : [glued === undefined || glued === "" ? (words[index + 1] ?? "") : glued];
    });
  const ofAddresses = operands.flatMap((word) => /\/([^/?#]+)(?:[?#].*)?$/.exec(word)?.[1] ?? []);
  switch (name) {
    case "tee":
      return operands;
    case "cp":
    case "mv":
    case "ln":
    case "install":
      return operands.length < 2 ? [] : [last, ...operands.slice(0, -1).map((word) => `${last}/${basename(word)}`)];
    case "curl":
      return [
        ...valueOf(/^(?:-[a-zA-Z]*o|--output(?:=|$))(.*)$/),
        ...(words.some((word) => /^-[a-zA-Z]*[OJ]|^--remote-name/.test(word)) ? ofAddresses : []),
      ];
    case "wget": {
      const named = valueOf(/^(?:-[a-zA-Z]*O|--output-document(?:=|$))(.*)$/);
      return named.length > 0 ? named : ofAddresses;
    }
    case "dd":
      return words.flatMap((word) => (word.startsWith("of=") ? [word.slice(3)] : []));
    case "sed":
    case "gsed":
    case "perl":
      return words.some((word) => /^-[a-zA-Z]*i|^--in-place/.test(word)) ? operands : [];
    default:
      return [];
  }
}
