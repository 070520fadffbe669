// What becomes of a line for a shell with `hook install --contained`, if no rule and no danger speaks of it: what is
// known to only read runs as it is, and everything else in the sandbox.
import { join, resolve } from "node:path";
import { GuardedPlaces } from "../../core/policy/guarded-places.ts";
import { projectOf } from "../../core/policy/project.ts";
import { isWithin, realPath } from "../../core/policy/real-path.ts";
import { isProjectKey } from "../../core/text/project-keys.ts";
import type { Host } from "../../core/tool/host.ts";
import { gitData, readers, registries } from "../../generated/hook-contained.ts";
import { type RanCommand, ranCommands } from "./ran-commands.ts";

interface Place {
  readonly host: Host;
  /** Absolute: where the line runs. */
  readonly cwd: string;
}

export type Containment =
  /** `isInside`: no word of it leads out of the project. */
  | { readonly kind: "reads"; readonly isInside: boolean }
  /** `words` are options of `dottool sandbox`. */
  | { readonly kind: "contained"; readonly words: readonly string[] };

/** Matches where a variable may be written that holds a secret, numbers that are evaluated, and folders of the shell. */
const EXPANSION = /`|\(\(|~[^/\s'"]|\\[\r\n]|\$(?!(?:HOME|USER)\b|[?'"\s|)/]|$)/;
const QUOTED = /'[^']*'|"[^"]*"/g;
const PATTERN = /[*?[{]/;
const NOWHERE = /^\/dev\/(?:null|stdin|stdout|stderr)$/;
/** Programs that change nothing but the files that their words name. */
const MAKERS: ReadonlySet<string> = new Set(["touch", "mkdir"]);
/** Also shortened, as git takes them: `--output`, `--strategy`, `--exec`, `--ext-diff`, `--upload-pack`. */
const RUNS_OR_WRITES = /^--(?:ou|str|ex|up)/;
const LEADS_OUT = /^[~/]|(?:^|\/)\.\.(?:\/|$)/;

/** No place is guarded for a line in the sandbox, which neither sees keys nor changes what other programs obey. */
export class NoPlaces extends GuardedPlaces {
  override at(): undefined {
    return undefined;
  }

  override below(): undefined {
    return undefined;
  }

  override holdsProjectKeys(): boolean {
    return false;
  }
}

export function containmentOf(line: string, { host, cwd }: Place): Containment {
  const { commands, code, variables, unknown } = ranCommands(line, { host, cwd });
  const project = projectOf(cwd, host);
  const path = host.environment("PATH") ?? "";
  // A project may have put a program of this name in PATH.
  const isOfProject = ({ name, program }: RanCommand): boolean => {
    const found = name === "" ? undefined : host.processes.find(program, path);
    return found !== undefined && isWithin(found, project);
  };
  const isPlain = code.length + variables.length + unknown.size === 0 && !commands.some(isOfProject);
  // What a pattern matches may be a key, or look like an option.
  const hasPattern = PATTERN.test(line.includes("\\") ? line : line.replaceAll(QUOTED, ""));
  const isReadable = isPlain && commands.length > 0 && !commands.some(({ isInFile }) => isInFile);
  if (isReadable && !hasPattern && !EXPANSION.test(line) && commands.every((one) => isReading(one))) {
    const places = new Set(commands.flatMap((one) => placesOf(one, project, host)));
    if (!places.has("hidden")) return { kind: "reads", isInside: !places.has("outside") };
  }
  const isGit = commands.some(({ name }) => name === "git");
  const hosts = new Set(commands.flatMap((one) => registries.get(managerOf(one)) ?? []));
  if (commands.some(({ name }) => /^git (?:fetch|pull|ls-remote)$/.test(name)))
    for (const remote of remoteHosts(project, host)) hosts.add(remote);
  const isPlainFile = (one: RanCommand): boolean =>
    !hasPattern &&
    !EXPANSION.test(line) &&
    (isKnown(one) || MAKERS.has(one.program)) &&
    one.args.every((word) => word.isKnown) &&
    placesOf(one, project, host).every((place) => place === "inside");
  const mayWriteGit =
    isGit && isPlain && commands.every((one) => (isGitData(one) && isQuiet(one)) || isReading(one) || isPlainFile(one));
  return {
    kind: "contained",
    words: ["--work", ...(mayWriteGit ? ["--git"] : []), ...[...hosts].flatMap((one) => ["--network", one])],
  };
}

function isReading(one: RanCommand): boolean {
  return isQuiet(one) && isKnown(one);
}

function isQuiet({ redirections }: RanCommand): boolean {
  return redirections.every(({ operator, path }) => isRead(operator, path));
}

/** Whether it changes nothing but what its redirections name. */
function isKnown({ name, program, args }: RanCommand): boolean {
  if (name === "") return true;
  const row = readers.get(program);
  return (
    row !== undefined &&
    args.every((word) => word.isKnown) &&
    row.unless?.test(args.map(({ text }) => text).join(" ")) !== true
  );
}

type Reached = "inside" | "outside" | "hidden";

/** Returns where the words of a command lead: hidden is what the sandbox hides in the project, or what only a link leads to. */
function placesOf({ args, redirections, folders }: RanCommand, project: string, host: Host): readonly Reached[] {
  const files = redirections.filter(({ operator }) => !operator.endsWith("&") && !operator.startsWith("<<"));
  const words = [...args.map(({ text }) => text), ...files.map(({ path = "/" }) => path)];
  return folders.flatMap((folder) => {
    if (folder === undefined) return ["hidden"];
    return [".", ...words].map((word): Reached => {
      if (NOWHERE.test(word)) return "inside";
      const path = realPath(resolve(folder, word.replace(/^-[^/]*?=?(?=[./])/, "")), host);
      if (isWithin(path, project))
        return path.split("/").some((name) => name === ".git" || isProjectKey(name)) ? "hidden" : "inside";
      return word === "." || LEADS_OUT.test(word) ? "outside" : "hidden";
    });
  });
}

function isRead(operator: string, path: string | undefined): boolean {
  if (path === undefined) return false;
  // A number is a stream only behind `>&`; elsewhere it is the name of a file.
  if (operator.includes(">")) return NOWHERE.test(path) || (/^\d*>&$/.test(operator) && /^\d+-?$/.test(path));
  return !/^\/dev\/(?:tcp|udp)\//.test(path);
}

/** `git -c x=y commit` and some options run programs; `--output` writes anywhere. */
function isGitData({ name, program, args }: RanCommand): boolean {
  if (program !== "git" || args.some(({ text }) => RUNS_OR_WRITES.test(text))) return false;
  const [, subcommand = args[0]?.text ?? ""] = name.split(" ");
  return gitData.has(subcommand);
}

function managerOf({ name, args: [first, second] }: RanCommand): string {
  return /^python[\d.]*$/.test(name) && first?.text === "-m" ? (second?.text ?? "") : (name.split(" ")[0] ?? "");
}

/** Returns the hosts that the repository fetches from over HTTP: the wall has no key for others. */
function remoteHosts(project: string, host: Host): readonly string[] {
  try {
    const settings = new TextDecoder().decode(host.instant.readStart(join(project, ".git", "config"), 64 * 1024));
    return [...settings.matchAll(/^\s*url\s*=\s*https?:\/\/(?:[^@/\s]*@)?([\w.-]+)/gm)].map(([, name = ""]) => name);
  } catch {
    return [];
  }
}
