// What becomes of definitions while `dottool mcp` serves them: told on standard error, once for each change, and to
// whoever calls a tool that was there before.
import { basename, dirname, sep } from "node:path";
import { codeOfFileError, unreadable } from "../catalog/file-problem.ts";
import { shownPathIn, type ToolFolder } from "../catalog/tool-folders.ts";
import { apiName } from "../dialects/api-name.ts";
import type { Session } from "../run/session.ts";
import type { Diagnostic } from "../text/diagnostic.ts";
import { printable } from "../text/display.ts";
import type { TerminalPort } from "../tool/terminal.ts";
import { printable as printableLines } from "./layout.ts";
import type { OpenedSession } from "./open-session.ts";
import { type UntrustedFolder, untrustedFolders, untrustedWords } from "./untrusted-folders.ts";

/** Of one change. */
const TOLD_MAX = 20;

interface ServedFile {
  /** Of the tool. */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  readonly folder: ToolFolder;
}

/** What keeps tools from being served. */
interface Trouble {
  readonly text: string;
  /** Said when it is over. */
  readonly mended: string;
  /** Where it is not found any more: what is not there is not mended. */
  isOver(now: OpenedSession): boolean;
}

type Broken = NonNullable<Session["broken"]>;

export class ServedDefinitions {
  readonly #errors: TerminalPort;
  #latest: OpenedSession;
  #troubles: ReadonlyMap<string, Trouble> = new Map();
  /** By the name that clients use: all that have been served before, those that are gone too. */
  readonly #served = new Map<string, ServedFile>();
  /** Of tools that were built without errors, by name: they are not built again before their content changes. */
  readonly #sound = new Map<string, string>();

  constructor(first: OpenedSession, errors: TerminalPort) {
    this.#latest = first;
    this.#errors = errors;
  }

  /** What is wrong from the start, as far as it is known before anything is built. */
  async begin(): Promise<void> {
    this.#tell(this.#changes(await troublesOf(this.#latest, { errors: this.#errors }), this.#latest));
  }

  /** `next` is served from now on. Tells what is other than it was. */
  async follow(next: OpenedSession): Promise<void> {
    const before = filesOf(this.#latest);
    for (const file of before.values()) this.#served.set(apiName(file.name), file);
    this.#latest = next;
    const now = filesOf(next);
    const troubles = await troublesOf(next, { sound: this.#sound, errors: this.#errors });
    const gone = [...before].filter(
      ([path]) => !now.has(path) && !troubles.has(path) && lookFor(path, next) === "gone",
    );
    const names = new Set(next.catalogue().names());
    const removed = gone.map(
      ([path, { name, folder }]) =>
        `note[mcp]: \`${printable(shownPathIn(folder, path))}\` was removed${names.has(name) ? `, and another \`${name}\` is offered` : `, so \`${name}\` is not offered any more`}\n`,
    );
    this.#tell([...this.#changes(troubles, next), ...removed]);
  }

  /** The session's own answer where a definition still has the name, else what has become of the file that had it. */
  brokenIn(opened: OpenedSession): Broken {
    return async (wanted) => (await opened.session.broken?.(wanted)) ?? this.#lost(wanted, opened);
  }

  #changes(troubles: ReadonlyMap<string, Trouble>, now: OpenedSession): readonly string[] {
    const earlier = this.#troubles;
    this.#troubles = troubles;
    const begun = [...troubles]
      .filter(([key, { text }]) => earlier.get(key)?.text !== text)
      .map(([, { text }]) => text);
    const over = [...earlier].filter(([key, trouble]) => !troubles.has(key) && trouble.isOver(now));
    return [...begun, ...over.map(([, { mended }]) => `note[mcp]: ${mended}\n`)];
  }

  #tell(texts: readonly string[]): void {
    const more = texts.length - TOLD_MAX;
    this.#errors.write(
      texts.slice(0, TOLD_MAX).join("") +
        (more > 0
          ? `note[mcp]: there are ${more.toLocaleString("en")} more such changes; \`dottool check\` shows what is broken\n`
          : ""),
    );
  }

  async #lost(wanted: string, opened: OpenedSession): ReturnType<Broken> {
    const served = this.#served.get(wanted) ?? this.#served.get(apiName(wanted));
    if (!served) return undefined;
    const { path, folder } = served;
    const { failureOfEntry, failureOfFile } = await import("./broken-tool.ts");
    const catalogue = opened.catalogue();
    const sources = { ...opened, wanted };
    const entry = catalogue.entries.find((one) => catalogue.absolutePathOf(one) === path);
    // Of errors its name may have gone too; without errors, it has another one now.
    if (entry) return entry.standing.kind === "broken" ? failureOfEntry(entry, sources) : undefined;
    const file = catalogue.unreadable.find((one) => one.path === path);
    if (file) return failureOfFile(file, sources);
    const looked = lookFor(path, opened);
    if (looked === "gone") return { kind: "removed", tool: wanted };
    return looked === "there"
      ? { kind: "definition", tool: wanted }
      : failureOfFile(
          { name: served.name, path, folder, diagnostic: unreadable(shownPathIn(folder, dirname(path)), looked.code) },
          sources,
        );
  }
}

/** `code`: why nobody can tell. */
function lookFor(path: string, { host }: OpenedSession): "there" | "gone" | { readonly code: string } {
  try {
    return host.instant.names(dirname(path)).includes(basename(path)) ? "there" : "gone";
  } catch (error) {
    const code = codeOfFileError(error);
    return code === "ENOENT" ? "gone" : { code };
  }
}

/** Those that calls reach, by path. */
function filesOf({ catalogue }: OpenedSession): ReadonlyMap<string, ServedFile> {
  const files = catalogue()
    .names()
    .flatMap((name): readonly ServedFile[] => {
      const content = catalogue().contentOf(name);
      return content ? [{ name, path: content.path, folder: content.folder }] : [];
    });
  return new Map(files.map((file) => [file.path, file]));
}

interface TroubleOptions {
  /** Absent: no tools are built, which may take what the start of a server has no time for. */
  readonly sound?: Map<string, string>;
  readonly errors: TerminalPort;
}

/** Warnings of what is used all the same are for `dottool check`. */
function isLoss({ severity, code }: Diagnostic): boolean {
  return severity === "error" || code === "untrusted-plugin";
}

/** By absolute path, or by what else tells them apart. */
async function troublesOf(
  opened: OpenedSession,
  { sound, errors }: TroubleOptions,
): Promise<ReadonlyMap<string, Trouble>> {
  const folders = untrustedFolders(opened);
  const troubles = new Map<string, Trouble>(folders.map((folder) => [folder.path, untrustedTrouble(folder)]));
  const isBuilt = sound !== undefined;
  if (isBuilt) await opened.session.registry.complete();
  if (isBuilt) for (const [path, trouble] of await untrustedFiles(opened, folders)) troubles.set(path, trouble);
  for (const { headline, mended, path, key = path ?? "", diagnostics } of [
    ...ofFiles(opened),
    ...(await ofEntries(opened, sound)),
    ...(isBuilt ? await ofPlugins(opened, folders) : []),
  ]) {
    const [first, ...others] = diagnostics.filter(isLoss);
    if (!first) continue;
    const { renderAll } = await import("./diagnostics-text.ts");
    const more =
      others.length === 0
        ? ""
        : `  = ${others.length === 1 ? "1 more error" : `${others.length} more errors`}; \`dottool check\` shows all\n`;
    troubles.set(key, {
      text: `warning[mcp]: ${headline}\n${(await renderAll([first], errors)).trimEnd()}\n${more}`,
      mended,
      isOver: (now) => path === undefined || lookFor(path, now) === "there",
    });
  }
  return troubles;
}

interface Finding {
  readonly headline: string;
  readonly mended: string;
  readonly path?: string;
  /** Default: the path. */
  readonly key?: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** Their tools are not offered, and whoever looks for them has to find out why. */
function untrustedTrouble(folder: UntrustedFolder): Trouble {
  const { fact, help } = untrustedWords(folder);
  const shown = printable(folder.shownPath);
  const isOver = (now: OpenedSession): boolean =>
    now
      .catalogue()
      .folders.some(
        (one) => (one.path === folder.path || one.path.startsWith(folder.path + sep)) && now.trustOf(one).isTrusted,
      ) && holdsAny(folder.path, now);
  return {
    isOver,
    text: `warning[mcp]: the tools of \`${shown}\` are not offered: it ${fact}\n  = ${help}\n`,
    mended: `the tools of \`${shown}\` are offered: it is trusted`,
  };
}

/** Whether there is anything in it to offer. */
function holdsAny(folder: string, { catalogue }: OpenedSession): boolean {
  return (
    catalogue().entries.some((entry) =>
      catalogue()
        .absolutePathOf(entry)
        ?.startsWith(folder + sep),
    ) || catalogue().plugins.some(({ path }) => path.startsWith(folder + sep))
  );
}

/** Single ones in folders that are trusted: others may write to the file, or it stands on one of those folders. */
async function untrustedFiles(
  opened: OpenedSession,
  folders: readonly UntrustedFolder[],
): Promise<readonly (readonly [path: string, trouble: Trouble])[]> {
  const { session, catalogue } = opened;
  const told = (path: string): boolean => folders.some((folder) => path.startsWith(folder.path + sep));
  const found: (readonly [string, Trouble])[] = [];
  for (const name of (await session.distrusted?.(catalogue().names())) ?? []) {
    const path = catalogue().contentOf(name)?.path;
    const failure = path === undefined || told(path) ? undefined : await session.distrust?.(name);
    if (path === undefined || !failure) continue;
    const { failureText } = await import("../run/failure-text.ts");
    found.push([
      path,
      {
        isOver: (now) => lookFor(path, now) === "there",
        text: `warning[mcp]: \`${printable(name)}\` is not offered\n${printableLines(failureText(failure, { audience: "person", tool: name }))}\n`,
        mended: `\`${printable(name)}\` is offered: it is trusted`,
      },
    ]);
  }
  return found;
}

function ofFiles({ catalogue }: OpenedSession): readonly Finding[] {
  const { unreadable: files, folderDiagnostics } = catalogue();
  const ofFile = new Set(files.map(({ diagnostic }) => diagnostic));
  const folders = folderDiagnostics
    .filter((one) => !ofFile.has(one))
    .map((one) => ({
      headline: "some definitions are not read",
      mended: `this is over: ${printable(one.message)}`,
      key: one.message,
      diagnostics: [one],
    }));
  return [
    ...folders,
    ...files.map(({ name, path, folder, diagnostic }) => ({
      ...wordsFor(shownPathIn(folder, path), name.endsWith("/") ? undefined : name),
      path,
      diagnostics: [diagnostic],
    })),
  ];
}

/** Others have their turn each time that so many tools were built. */
const BUILT_AT_ONCE = 50;

async function ofEntries(opened: OpenedSession, sound: Map<string, string> | undefined): Promise<readonly Finding[]> {
  const catalogue = opened.catalogue();
  const findings: Finding[] = [];
  const never = new AbortController().signal;
  let built = 0;
  for (const entry of catalogue.entries) {
    const { name, standing } = entry;
    const key = sound && standing.kind === "used" ? catalogue.contentKeyOf(name) : undefined;
    const isNew = sound !== undefined && standing.kind === "used" && (key === undefined || sound.get(name) !== key);
    if (isNew && ++built % BUILT_AT_ONCE === 0) await opened.host.sleep(0, never);
    const isLost = isNew && opened.session.registry.find(name) === undefined;
    if (isNew && !isLost && key !== undefined) sound.set(name, key);
    if (!isLost && standing.kind !== "broken" && standing.kind !== "duplicate" && standing.kind !== "reserved")
      continue;
    const path = catalogue.absolutePathOf(entry);
    const diagnostics = [
      ...(await catalogue.diagnosticsOf(entry)),
      ...(isLost ? await opened.buildDiagnostics(name) : []),
    ];
    findings.push({
      ...wordsFor(entry.path, standing.kind === "duplicate" ? undefined : name),
      ...(path === undefined ? { key: entry.path } : { path }),
      diagnostics,
    });
  }
  return findings;
}

async function ofPlugins(
  { pluginDiagnostics }: OpenedSession,
  untrusted: readonly UntrustedFolder[],
): Promise<readonly Finding[]> {
  const isTold = (one: { readonly plugin: string; readonly code: string }): boolean =>
    one.code === "untrusted-plugin" && untrusted.some(({ path }) => one.plugin.startsWith(path + sep));
  return (await pluginDiagnostics())
    .filter((one) => !isTold(one))
    .map((one) => ({
      headline: `\`${printable(one.plugin)}\` does not load, so what it has is not offered`,
      mended: `\`${printable(one.plugin)}\` is mended`,
      path: one.plugin,
      diagnostics: [one],
    }));
}

function wordsFor(shownPath: string, name: string | undefined): Pick<Finding, "headline" | "mended"> {
  const file = `\`${printable(shownPath)}\``;
  return {
    headline:
      name === undefined ? `${file} is not used` : `${file} is broken, so \`${printable(name)}\` is not offered`,
    mended: `${file} is mended`,
  };
}
