// Why a line for a shell is asked about by the default policy for hooks.
import { basename, dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { optionsOf } from "../../core/shell/arguments.ts";
import { namesOf } from "../../core/shell/rule.ts";
import {
  codeRows,
  type DangerRow,
  dangerRows,
  dangerVariables,
  harmlessOptions,
  openNames,
} from "../../generated/hook-policy.ts";
import { languages } from "../../generated/program-data.ts";
import { type literalText, textWord } from "../../core/shell/pieces.ts";
import { rulesOf, shells } from "../../core/shell/programs.ts";
import { runsWhatItIsGiven } from "../../core/shell/inner.ts";
import { GuardedPlaces } from "../../core/policy/guarded-places.ts";
import { type RanCode, type RanCommand, ranCommands, type RanOptions } from "./ran-commands.ts";
import type { PossibleFolders } from "./ran-folders.ts";
import { projectOf } from "../../core/policy/project.ts";
import type { RanWord } from "./ran-words.ts";
import { realPath } from "../../core/policy/real-path.ts";
import { isPreload } from "../../core/policy/script-forms.ts";
import { mayBeKey } from "../../core/shell/resolve.ts";

const REASONS_MAX = 5;
/** The limit of words and program texts that are matched, since some patterns take quadratic time. */
const MATCHED_CHARACTERS_MAX = 10_000;

interface DangerOptions extends RanOptions {
  /** The absolute folder in which the line runs, if it is not `cwd`. */
  readonly from?: string;
  /** Set if the sandbox holds what it can: only dangers that it does not hold are returned. */
  readonly isContained?: boolean;
}

/** Returns sentences without an end, in the order in which they are found; none if nothing speaks against the line. */
export function commandDangers(line: string, { from, isContained, ...options }: DangerOptions): readonly string[] {
  const ran = ranCommands(line, { host: options.host, cwd: from ?? options.cwd });
  const places = new Places(options);
  const found = new Set<string>();
  if (isContained) {
    for (const command of ran.commands)
      for (const row of rowsOf(command.name))
        if (row.reaches === undefined && isMeant(row, command, places)) found.add(said(command.name, row.why));
    return [...found].slice(0, REASONS_MAX);
  }
  for (const command of ran.commands) {
    for (const row of rowsOf(command.name)) if (isMeant(row, command, places)) found.add(said(command.name, row.why));
    for (const why of written(command, places)) found.add(why);
    if (
      command.args.reduce((sum, { text }) => sum + text.length + 1, 0) > MATCHED_CHARACTERS_MAX &&
      rowsOf(command.name).length > 0
    )
      found.add(`the words of \`${command.name}\` are too long to be read`);
    places.noteLink(command);
    for (const why of settingOf(command)) found.add(why);
    const text = textOf(command);
    if (text.includes("/dev/tcp/") || text.includes("/dev/udp/"))
      found.add("`/dev/tcp` opens a connection to another machine");
  }
  if (
    ran.commands.some(isFilledDeletion) &&
    ran.commands.some((one) => LISTS.test(one.name) && places.isReached(one, "beyond"))
  )
    found.add("it deletes files outside of the working folder");
  for (const code of ran.code) for (const why of codeDangers(code)) found.add(why);
  for (const [name, value] of ran.variables)
    if (isDangerous(name, value === undefined ? undefined : places.relative(value)))
      found.add(`the variable \`${name}\` can make a program run another one`);
  for (const what of ran.unknown) found.add(what);
  if (line.includes("{") && /:\s*\(\s*\)\s*\{\s*:\s*\|\s*:/.test(line)) found.add("it starts itself again and again");
  return [...found].slice(0, REASONS_MAX);
}

/** Returns why writing a file is asked about, apart from the files that the gate guards. */
export function pathDangers(path: string, options: RanOptions): readonly string[] {
  return new Places(options).isOutside(path, [options.cwd]) ? [outside(path)] : [];
}

/**
 * Returns why searching a folder is asked about: dottool's own search passes over guarded files, and other agents' does
 * not.
 */
export function searchDangers(path: string, { host, cwd }: RanOptions): readonly string[] {
  const place = new GuardedPlaces({ host, cwd, toolFolders: [] }).below(realPath(resolve(cwd, path), host));
  return place ? [`\`${path}\` ${place.why}`] : [];
}

function outside(path: string): string {
  return `\`${path}\` is outside of the working folder`;
}

/** Matches programs whose output names files. */
const LISTS = /^(?:g?find|bfs|fd|fdfind|ls|echo|printf|cat|locate)$/;

function isFilledDeletion({ name, wrappers }: RanCommand): boolean {
  const wrapper = wrappers.at(-1);
  return (
    wrapper !== undefined &&
    /^(?:s?rm|unlink|shred|rmdir)$/.test(name) &&
    /^(?:g?xargs|parallel|g?find|fd|fdfind)$/.test(wrapper)
  );
}

function said(name: string, why: string): string {
  return `\`${name}\` ${why}`;
}

function rowsOf(name: string): readonly DangerRow[] {
  const named = dangerRows.named(name);
  const own = named.length > 0 ? named : dangerRows.named(name.toLowerCase());
  const open = openNames.filter((one) => name.startsWith(one.slice(0, -1)));
  return open.length === 0 ? own : [...own, ...open.flatMap((one) => dangerRows.named(one))];
}

function textOf({ args, redirections }: RanCommand): string {
  return [...args.map(({ text }) => text), ...redirections.map(({ path = "" }) => path)].join(" ");
}

function isMeant({ when, unless, reaches }: DangerRow, command: RanCommand, places: Places): boolean {
  const text = places.relative(command.args.map((word) => word.text).join(" ")).slice(0, MATCHED_CHARACTERS_MAX);
  if (when && !when.test(text)) return false;
  if (unless?.test(text)) return false;
  return reaches === undefined || places.isReached(command, reaches);
}

/** What a command overwrites, by its redirections and as a program whose words say so. */
function written(command: RanCommand, places: Places): readonly string[] {
  const { redirections, folders, isInFile } = command;
  const targets = redirections.flatMap(({ operator, path }) =>
    !operator.includes(">") || path === undefined || isStream(operator, path) ? [] : [path],
  );
  return isInFile ? [] : [...targets, ...targetsOf(command)].flatMap((path) => places.writtenDangers(path, folders));
}

const LOG = /(?:^|[-_./])log\.txt$|\.log$/;

/** Matches devices without content. */
const HARMLESS_TARGET = /^\/dev\/(?:null|std\w+|tty|fd\/\d+)$/;

/** Elsewhere than behind `>&`, a number is the name of a file. */
function isStream(operator: string, path: string): boolean {
  return HARMLESS_TARGET.test(path) || (operator.endsWith("&") && /^&?\d*-?$/.test(path));
}

function targetsOf({ name, args }: RanCommand): readonly string[] {
  const known = args.flatMap(({ text, isKnown }) => (isKnown ? [text] : []));
  const operands = known.filter((text) => !text.startsWith("-"));
  switch (name) {
    case "tee":
      return operands.filter((text) => !HARMLESS_TARGET.test(text));
    case "cp":
    case "mv":
    case "ln":
    case "install": {
      const folder = known.findIndex((text) => text === "-t" || text === "--target-directory");
      return folder === -1 ? (operands.length > 1 ? operands.slice(-1) : []) : known.slice(folder + 1, folder + 2);
    }
    case "unzip": {
      const option = known.indexOf("-d");
      return option === -1 ? [] : known.slice(option + 1, option + 2);
    }
    case "dd":
      return known.flatMap((text) => (/^of=(?!\/dev\/)/.test(text) ? [text.slice(3)] : []));
    case "sed":
    case "gsed":
    case "perl":
    case "ruby":
      // The first operand is the script, unless an option has it; then it may be a file.
      return known.some((text) => IN_PLACE[name].test(text))
        ? operands.slice(known.some((text) => /^--(?:expression|file)=/.test(text)) ? 0 : 1)
        : [];
    case "rsync": {
      const words = args.map(({ text }) => textWord(text));
      const values = new Set(rulesOf(name).flatMap((rule) => [...optionsOf(rule, words).values]));
      const [first, ...others] = args.filter(({ text }, index) => !text.startsWith("-") && !values.has(index));
      const to = others.at(-1);
      return first && to?.isKnown === true && !REMOTE.test(to.text) ? [to.text] : [];
    }
    default:
      return [];
  }
}

const IN_PLACE = {
  sed: /^-[a-zA-Z]*i|^--in-place/,
  gsed: /^-[a-zA-Z]*i|^--in-place/,
  perl: /^-[a-zA-Z]*i/,
  ruby: /^-[\dalnpsSw]*i/,
} as const;

/** Matches `host:path` and `rsync://…`. */
const REMOTE = /^[^/]+:/;

/** A setting of git, npm and the like that names a program. */
function settingOf({ name, args }: RanCommand): readonly string[] {
  return rulesOf(name).flatMap(({ keys }) => {
    const options = keys?.without?.split(" ") ?? [];
    if (!keys || args.some(({ text }) => options.includes(text))) return [];
    const [key, value] = args.filter(({ text }) => !text.startsWith("-"));
    const isSet = value !== undefined || (key?.text.includes("=") ?? false);
    const isAliasOfGit = /^alias\./i.test(key?.text ?? "") && !/^\s*!/.test(value?.text ?? "!");
    return key && isSet && !isAliasOfGit && mayBeKey(keys.names, wordOf(key))
      ? [said(name, `sets \`${key.text}\`, which can name a program to run`)]
      : [];
  });
}

function wordOf({ text }: RanWord): Parameters<typeof literalText>[0] & object {
  return { pieces: [{ kind: "text", text: text.replace(/=.*$/s, "") }] };
}

const shellNames = new Set(namesOf(shells));
const languageNames = new Set(languages.names().filter((name) => !shellNames.has(name)));

function codeDangers({ name, option, text, isKnown, rule }: RanCode): readonly string[] {
  if (text.length > MATCHED_CHARACTERS_MAX) return [`the program text of \`${name}\` is too long to be read`];
  if (!languageNames.has(name))
    return optionDangers({ name, ...(option === undefined ? {} : { option }), text, isKnown, rule });
  if (/^(?:--[\w-]+=)?(?:data|https?):/i.test(text) && isPreload(name, option ?? ""))
    return [said(name, "runs a module that is not a file")];
  // A module: `python -m pytest`, `node -r ts-node/register`.
  const isModule = /^-(?:m|r|M|-require|-import)$/.test(option ?? "") && !/^php/.test(name);
  if (isModule && /^[\w.@=:,-][\w./@=:,-]*$/.test(text)) return [];
  if (/^(?:g|m|n|original-)?awk$/.test(name))
    return runsWhatItIsGiven(text, "awk")
      ? [`the program text of \`${name}\` can run commands`]
      : text.includes(">") && PATH_OUTSIDE.test(text)
        ? [`the program text of \`${name}\` can write outside of the working folder`]
        : [];
  for (const { programs, when, only, why } of codeRows()) {
    if (!programs.test(name)) continue;
    if (when.test(text)) return [why.replace("NAME", name)];
    if (only) return [];
  }
  return isKnown ? [] : [`\`${name}\` runs a text that is known only when it runs`];
}

/** Matches a text of awk that names a file, apart from the streams. */
const PATH_OUTSIDE = /"(?:\/(?!dev\/(?:std(?:out|err)|null)")\w|\.\.\/|~\/)/;

/** Programs whose statements do not name programs: rows of the policy look at them. */
const DATABASES =
  /^(?:psql|mysql|mariadb|sqlite3|mongosh?|duckdb|sqlcmd|clickhouse.*|cqlsh|hive|beeline|trino|presto|usql|impala-shell|spark-sql|redis-cli|jq|yq|gojq|gh\b.*)$/;

function optionDangers({ name, option = "", text, isKnown, rule }: RanCode): readonly string[] {
  if (option === "" || rule.takesWhole === true || DATABASES.test(name)) return [];
  const value = text.startsWith(option) ? text.slice(option.length).replace(/^=/, "") : text;
  if (name.startsWith("git") && /^(?:-c|--config|--config-env)$/.test(option)) {
    const keys = rulesOf("git config").flatMap((one) => one.keys?.names ?? []);
    const isNamed = keys.some((names) => mayBeKey(names, wordOf({ text: value, isKnown: true })));
    const isHarmless = /^(?:core\.pager|pager\.\w+)=(?:cat|less|)$|^(?:core|sequence)\.editor=(?:true|:|cat)$/.test(
      value,
    );
    return isKnown && (!isNamed || isHarmless) ? [] : [said("git", `runs what the setting \`${value}\` names`)];
  }
  if (harmlessOptions().some((row) => row.programs.test(name) && row.options.test(option) && row.when.test(value)))
    return [];
  return [`\`${option}\` of \`${name}\` ${rule.note ?? "names a program to run"}`];
}

function isDangerous(name: string, value: string | undefined): boolean {
  return dangerVariables().some(
    ({ names, when, unless, isKnown }) =>
      names.test(name) &&
      (value === undefined ? !isKnown : (when?.test(value) ?? true) && !(unless?.test(value) ?? false)),
  );
}

/** Matches the working folder itself, and everything in it. */
const WHOLE = /^(?:\.|\.\/|(?:\.\/)?\*|(?:\.\/)?\.\*|\.\/?\*\*?)$/;

interface Folders {
  /** The working folder and its project. */
  readonly work: readonly string[];
  /** Where files may be written and deleted, apart from the temporary folders. */
  readonly own: readonly string[];
  readonly temporary: readonly string[];
  readonly homes: readonly string[];
}

function foldersOf({ host, cwd }: RanOptions): Folders {
  const both = (path: string): readonly string[] => [...new Set([path, realPath(path, host)])];
  const homes = both(host.folders.home);
  // Nobody works in the folder with all homes, or in a home that is a project.
  const mayChange = (path: string): boolean =>
    !both(path).some((folder) => homes.some((home) => isBelow(home, folder) || (home === folder && path !== cwd)));
  const work = [...new Set([cwd, projectOf(cwd, host)])];
  return {
    work: work.flatMap(both),
    own: work.filter(mayChange).flatMap(both),
    temporary: [host.folders.temporary, "/tmp"].flatMap(both),
    homes,
  };
}

/** Which paths of a command are outside of the folders that an agent works in. */
class Places {
  readonly #options: RanOptions;
  #guarded: GuardedPlaces | undefined;
  /** What the links lead to that the line itself makes; by their paths. */
  readonly #links = new Map<string, string>();
  #lazyFolders: Folders | undefined;

  constructor(options: RanOptions) {
    this.#options = options;
  }

  /** Most commands name no path. */
  get #folders(): Folders {
    this.#lazyFolders ??= foldersOf(this.#options);
    return this.#lazyFolders;
  }

  /** Returns the text with `.` for the path of the working folder: `$PWD/src` is as ordinary as `./src`. */
  relative(text: string): string {
    const { cwd } = this.#options;
    return text
      .split(cwd === sep ? "\0" : cwd)
      .reduce((before, after) => `${before}${/[\w./-]$/.test(before) || /^[^/:\s"']/.test(after) ? cwd : "."}${after}`);
  }

  /** Returns why writing to a path is asked about: it is outside, or other programs execute or follow what is there. */
  writtenDangers(path: string, folders: PossibleFolders): readonly string[] {
    if (this.isOutside(path, folders)) return [outside(path)];
    const { host, cwd } = this.#options;
    this.#guarded ??= new GuardedPlaces({ host, cwd, toolFolders: [] });
    const guarded = this.#guarded;
    const named = path.replace(/^~(?=\/|$)/, host.folders.home);
    const places = folders.flatMap((folder) => guarded.at(resolve(folder ?? cwd, named), "write") ?? []);
    const [place] = places;
    // Package managers and generators write manifests, such as package.json, all the time.
    const isManifest = place?.rule === "executed files" && !/(?:^|[\\/])\.|(?:AGENTS|CLAUDE|GEMINI)\.md$/i.test(path);
    // A log is not read by the agent in whose folder it is.
    const isLog = LOG.test(path) && LOG.test(this.#real(resolve(folders[0] ?? cwd, named)));
    return place && !isManifest && !(isLog && place.rule === "executed files") ? [`\`${path}\` ${place.why}`] : [];
  }

  /** A link is not there yet when the line is judged: what is written through it later is known only from here. */
  noteLink({ name, args, folders }: RanCommand): void {
    const [target, place] = args.flatMap(({ text }) => (text.startsWith("-") ? [] : [text]));
    if (!/^g?ln$/.test(name) || target === undefined) return;
    for (const folder of folders) {
      if (folder === undefined) continue;
      const path = resolve(folder, place ?? basename(target));
      const to = resolve(dirname(path), target.replace(/^~(?=\/|$)/, this.#options.host.folders.home));
      this.#links.set(path, to).set(resolve(path, basename(target)), to);
    }
  }

  #real(path: string): string {
    const link = [...this.#links.keys()].find((one) => one === path || isBelow(path, one));
    const followed = link === undefined ? path : `${this.#links.get(link)}${path.slice(link.length)}`;
    return realPath(followed, this.#options.host);
  }

  isReached({ args, folders, isInFile, wrappers }: RanCommand, kind: NonNullable<DangerRow["reaches"]>): boolean {
    const isElsewhere = wrappers.some((name) => /^(?:ssh|docker|podman|kubectl|nerdctl|lxc)\b/.test(name));
    const operands = args.filter(
      ({ text }, index) => !/^-./.test(text) || args.slice(0, index).some((one) => one.text === "--"),
    );
    // `find … -exec rm {} +` and `xargs rm` get their words from the outside.
    const isFilled =
      kind === "unknown" && !isInFile && wrappers.some((name) => /^(?:g?xargs|parallel|find|fd|fdfind)$/.test(name));
    if (isFilled && operands.every(({ text }) => text === "{}")) return !this.#isFedFromInside(wrappers);
    return operands.some(({ text, isKnown }) => {
      if (!isKnown) return kind === "unknown" && !isInFile && !this.#isKnownInside(text);
      if (text === "{}" || text === "") return false;
      if (kind === "beyond" && WHOLE.test(text)) return false;
      return isElsewhere ? /^(?:\/|~)?[^/]*\/?\*?$/.test(text) : this.isOutside(text, folders);
    });
  }

  #isFedFromInside(wrappers: readonly string[]): boolean {
    return wrappers.at(-1) === "find";
  }

  /** `"$(pwd)/dist"`, `$dir/node_modules`: below a folder that a variable names, where nothing above it is meant. */
  #isKnownInside(text: string): boolean {
    return /^\$(?:\(pwd\)|\{?PWD\}?)\/[\w.-]+/.test(text) && !text.includes("..");
  }

  isOutside(text: string, folders: PossibleFolders): boolean {
    const { home } = this.#options.host.folders;
    const path = text.replace(/^~(?=\/|$)/, home);
    if (/^~/.test(path)) return true;
    const isWhole = WHOLE.test(path);
    return folders.some((folder) => {
      if (folder === undefined) return !isAbsolute(path);
      const target = this.#target(folder, isWhole ? "." : path.replaceAll(/[^/]*\*[^/]*/g, "_"));
      if (isWhole) return this.#isAtOrAbove(target);
      return !this.#mayChange(target) || !this.#mayChange(this.#real(target));
    });
  }

  /** Returns the path of a file as the system finds it: `link/..` is the folder above what the link leads to. */
  #target(folder: string, path: string): string {
    const parts = path.split(sep);
    const start = isAbsolute(path) ? resolve(folder, sep) : folder;
    return parts.includes("..")
      ? parts.reduce((from, part) => (part === ".." ? resolve(this.#real(from), "..") : resolve(from, part)), start)
      : resolve(folder, path);
  }

  #isAtOrAbove(target: string): boolean {
    return this.#folders.work.some((own) => isBelow(own, target) || own === target) || !this.#mayChange(target);
  }

  /** A home folder below the temporary one, as in containers, is a home folder. */
  #mayChange(path: string): boolean {
    const { own, temporary, homes } = this.#folders;
    const isOfHome = (home: string): boolean => home === path || isBelow(path, home) || isBelow(home, path);
    return (
      own.some((folder) => isBelow(path, folder)) ||
      temporary.some(
        (folder) => isBelow(path, folder) && !homes.some((home) => isBelow(home, folder) && isOfHome(home)),
      )
    );
  }
}

/** Returns whether the path is below the folder, and not the folder itself. */
function isBelow(path: string, folder: string): boolean {
  const inner = relative(folder, path);
  return inner !== "" && inner !== ".." && !inner.startsWith(`..${sep}`) && !isAbsolute(inner);
}
