// `dottool diff`: what a change of tools means for those who call them, approve them and pay for their declarations.
import { basename, dirname, join, resolve } from "node:path";
import { type CommandContext, reportUsage, type WordsCommand, writeJson } from "../../../cli/command.ts";
import { openSession } from "../../../cli/session/open-session.ts";
import { findProjectFolder, PROJECT_FOLDER_NAME } from "../../../core/catalog/tool-folders.ts";
import { exitCodes } from "../../../core/run/exit-code.ts";
import { printable } from "../../../core/text/display.ts";
import type { Host } from "../../../core/tool/host.ts";
import { Refusal } from "../../packages/refusal.ts";
import { type Change, compareSides } from "../compare.ts";
import { diffMarkdown, diffText } from "../diff-text.ts";
import { commitOf, writeFilesOf } from "../git-files.ts";
import { openSide, type Place, type Side } from "../side.ts";

/** What `--fail-on` names. */
const faults = ["breaking", "powers"] as const;

/** One side before it is opened. */
interface Source {
  /** As a person calls it. */
  readonly shown: string;
  readonly place: Place;
  readonly commit?: string;
}

export const diffCommand: WordsCommand = {
  kind: "words",
  usage: ["diff [REF] [FILE|FOLDER] [--fail-on breaking|powers] [--json|--markdown]", "diff BEFORE NOW"],
  about:
    "Compares the tools of the project with those of a commit, by default HEAD: tools that are new, gone or renamed; parameters, and which calls they break; what the tools may do (effects, programs, hosts, paths, secrets, permissions); what holds them (sandbox, questions); approvals that end; packages in `dottool.lock`; and the tokens of the declarations. " +
    "With FILE or FOLDER, compares that; with two, one with the other; with two commits, these. " +
    "Nothing runs: of the commit, git only reads files, and plugins are not loaded.",
  options: [
    {
      name: "fail-on",
      value: "WHAT",
      choices: faults,
      does: "end with exit code 1 if a change breaks calls, or if tools may do more than before (repeatable)",
    },
    { name: "markdown", does: "print as Markdown, for a pull request" },
    { name: "json", does: "print as JSON" },
  ],
  words: [0, 2],
  takesFiles: true,
  examples: [
    ["dottool diff", "what the changes since the last commit mean"],
    ["dottool diff origin/main --markdown --fail-on powers", "in CI, for a pull request"],
    ["dottool diff old-tools new-tools", "two folders"],
  ],
  run: async (input, context) => {
    const { terminal } = context;
    if (input.has("json") && input.has("markdown"))
      return reportUsage(terminal, "`--json` and `--markdown` cannot be combined; give one of them", "diff");
    const opened = await openSession(context, { withoutPlugins: true, isQuiet: true });
    if (typeof opened === "number") return opened;
    const { host, cwd } = opened;
    try {
      const found = await sourcesOf(input.words, { host, cwd, signal: terminal.signal });
      if (typeof found === "string") return reportUsage(terminal, found, "diff");
      const now = await openSource(found.now, [], { host, context });
      if (typeof now === "number") return now;
      const files = [...now.tools.values()].flatMap(({ built }) => built?.files ?? []);
      const before = await openSource(found.before, files, { host, context });
      if (typeof before === "number") return before;
      const changes = compareSides(before, now);
      const tokens = { before: tokensOf(before), now: tokensOf(now) };
      const shown = { before: found.before.shown, now: found.now.shown, changes, tokens };
      if (input.has("json"))
        writeJson(terminal, { ...shown, breaking: isAny("breaking", changes), powers: isAny("powers", changes) });
      else
        terminal.output.write(input.has("markdown") ? diffMarkdown(shown) : diffText(shown, terminal.output.columns));
      const isFault = faults.some((fault) => input.values("fail-on").includes(fault) && isAny(fault, changes));
      return isFault ? exitCodes.failed : exitCodes.done;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      terminal.errors.write(`failed[diff]: ${printable(error.message)}\n`);
      return exitCodes.failed;
    }
  },
};

function isAny(fault: (typeof faults)[number], changes: readonly Change[]): boolean {
  return changes.some(({ breaking, gains }) => (fault === "breaking" ? breaking : gains).length > 0);
}

function tokensOf({ tools }: Side): number {
  return [...tools.values()].reduce((sum, { built }) => sum + (built?.tokens ?? 0), 0);
}

interface Surroundings {
  readonly host: Host;
  readonly cwd: string;
  readonly signal: AbortSignal;
}

/** Returns what is wrong with the words as text. */
async function sourcesOf(
  words: readonly string[],
  { host, cwd, signal }: Surroundings,
): Promise<{ readonly before: Source; readonly now: Source } | string> {
  const project = findProjectFolder(host, cwd).path ?? join(cwd, PROJECT_FOLDER_NAME);
  const paths = words.map((word) => (host.instant.stat(resolve(cwd, word)) ? resolve(cwd, word) : undefined));
  const [first, second] = paths;
  const atPlace = placeOf(second ?? (words.length === 1 ? first : undefined) ?? project, host);
  const now = { shown: second === undefined ? "the files here" : (words[1] ?? ""), place: atPlace };
  if (first !== undefined && second !== undefined)
    return { before: { shown: words[0] ?? "", place: placeOf(first, host) }, now };
  if (first !== undefined && words.length === 2)
    return `\`${words[1] ?? ""}\` is not a file or folder; a commit goes before it`;
  const atCommit = async (ref: string): Promise<Source | string> => {
    const commit = await commitOf(ref, { host, signal, root: atPlace.root });
    return commit === undefined
      ? `\`${ref}\` is not a file, a folder or a commit`
      : { shown: ref, place: atPlace, commit };
  };
  const before = await atCommit(first === undefined ? (words[0] ?? "HEAD") : "HEAD");
  const other = words.length === 2 && second === undefined ? await atCommit(words[1] ?? "") : now;
  if (typeof before === "string") return before;
  return typeof other === "string" ? other : { before, now: other };
}

function placeOf(path: string, host: Host): Place {
  if (!host.instant.stat(path)) return { root: dirname(path), folder: path };
  const real = host.instant.realPath(path);
  if (host.instant.stat(real)?.kind !== "folder") return { ...placeOf(dirname(real), host), file: basename(real) };
  const inner = join(real, PROJECT_FOLDER_NAME);
  return host.instant.stat(inner)?.kind === "folder"
    ? { root: real, folder: inner }
    : { root: dirname(real), folder: real };
}

/** `named` are files beside the folder that the other side is bound to. */
async function openSource(
  { place, commit }: Source,
  named: readonly string[],
  { host, context }: { readonly host: Host; readonly context: CommandContext },
): Promise<Side | number> {
  if (commit === undefined) return openSide(place, context);
  const made = await host.files.makeTemporaryFolder("dottool-diff-");
  try {
    const root = await host.files.realPath(made);
    const name = basename(place.folder);
    await host.files.makeFolder(join(root, name));
    await writeFilesOf(
      commit,
      { folder: name, named, to: root },
      { host, signal: context.terminal.signal, root: place.root },
    );
    return await openSide({ ...place, root, folder: join(root, name) }, context);
  } finally {
    await host.files.remove(made);
  }
}
