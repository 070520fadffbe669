// Reports what happens to definitions while `dottool mcp` serves them: on standard error, once for each change, and to
// a client that calls a tool which was there before.
import { basename, dirname, sep } from "node:path";
import { codeOfFileError, unreadable } from "../../core/catalog/file-problem.ts";
import { shownPathIn, type ToolFolder } from "../../core/catalog/tool-folders.ts";
import { apiName } from "../../core/tool/api-name.ts";
import type { Session } from "../../core/run/session.ts";
import type { Diagnostic } from "../../core/text/diagnostic.ts";
import { printable } from "../../core/text/display.ts";
import type { TerminalPort } from "../../core/tool/terminal.ts";
import { printableLines } from "../../cli/view/layout.ts";
import type { OpenedSession } from "../../core/session/assemble.ts";
import {
  isWholly,
  type UntrustedFolder,
  untrustedFolders,
  untrustedWords,
} from "../../core/session/untrusted-folders.ts";

/** The limit of reports for one change. */
const TOLD_MAX = 20;

interface ServedFile {
  /** The tool's name. */
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  readonly folder: ToolFolder;
}

/** Problems that keep tools from being served, as texts, by absolute path or by another key that is unique. */
type Troubles = ReadonlyMap<string, string>;

type Broken = NonNullable<Session["broken"]>;

export class ServedDefinitions {
  readonly #errors: TerminalPort;
  #latest: OpenedSession;
  #troubles: Troubles = new Map();
  /** All tools that have been served, removed ones too, by the name that clients use. */
  readonly #served = new Map<string, ServedFile>();
  /** The content keys of tools that built without errors, by name: they are built again only after a change. */
  readonly #sound = new Map<string, string>();

  constructor(first: OpenedSession, errors: TerminalPort) {
    this.#latest = first;
    this.#errors = errors;
  }

  /** Reports the problems at the start, as far as they are known before anything is built. */
  async begin(): Promise<void> {
    this.#tell(this.#newOf(await troublesOf(this.#latest, { errors: this.#errors })));
  }

  /** Serves `next` from now on. Reports the differences. */
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
        `note[mcp]: \`${printable(shownPathIn(folder, path))}\` was removed${names.has(name) ? `, and another \`${name}\` is offered instead` : `, so \`${name}\` is no longer offered`}\n`,
    );
    this.#tell([...this.#newOf(troubles), ...removed]);
  }

  /**
   * Returns the session's own answer if a definition still has the name, else what happened to the file that had it.
   */
  brokenIn(opened: OpenedSession): Broken {
    return async (wanted) => (await opened.session.broken?.(wanted)) ?? this.#lost(wanted, opened);
  }

  /** Returns the problems that were not told yet. One that is solved needs no words: clients list the tools again. */
  #newOf(troubles: Troubles): readonly string[] {
    const earlier = this.#troubles;
    this.#troubles = troubles;
    return [...troubles].filter(([key, text]) => earlier.get(key) !== text).map(([, text]) => text);
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
    const { failureOfEntry, failureOfFile } = await import("../../core/session/broken-tool.ts");
    const catalogue = opened.catalogue();
    const sources = { ...opened, wanted };
    const entry = catalogue.entries.find((one) => catalogue.absolutePathOf(one) === path);
    // A file with errors may have lost its name; without errors, it has another name now.
    if (entry) return entry.resolution.kind === "broken" ? failureOfEntry(entry, sources) : undefined;
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

/** Returns `code` if the system does not allow a look. */
function lookFor(path: string, { host }: OpenedSession): "there" | "gone" | { readonly code: string } {
  try {
    return host.instant.names(dirname(path)).includes(basename(path)) ? "there" : "gone";
  } catch (error) {
    const code = codeOfFileError(error);
    return code === "ENOENT" ? "gone" : { code };
  }
}

/** Returns the files of the tools that calls reach, by path. */
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
  /** Absent: no tools are built, because the start of a server has no time for that. */
  readonly sound?: Map<string, string>;
  readonly errors: TerminalPort;
}

/** Returns whether a tool is lost; warnings about tools that still work are for `dottool check`. */
function isLoss({ severity, code }: Diagnostic): boolean {
  return severity === "error" || code === "untrusted-plugin";
}

async function troublesOf(opened: OpenedSession, { sound, errors }: TroubleOptions): Promise<Troubles> {
  const folders = untrustedFolders(opened).filter(isWholly);
  const troubles = new Map<string, string>(folders.map((folder) => [folder.path, untrustedTrouble(folder)]));
  const isBuilt = sound !== undefined;
  if (isBuilt) await opened.session.registry.complete();
  if (isBuilt) for (const [path, text] of await untrustedFiles(opened, folders)) troubles.set(path, text);
  for (const { headline, key, diagnostics } of [
    ...ofFiles(opened),
    ...(await ofEntries(opened, sound)),
    ...(isBuilt ? await ofPlugins(opened, folders) : []),
  ]) {
    const [first, ...others] = diagnostics.filter(isLoss);
    if (!first) continue;
    const { renderAll } = await import("../../cli/view/diagnostics-text.ts");
    const more =
      others.length === 0
        ? ""
        : `  = ${others.length === 1 ? "1 more error" : `${others.length} more errors`}; \`dottool check\` shows all\n`;
    troubles.set(key, `warning[mcp]: ${headline}\n${(await renderAll([first], errors)).trimEnd()}\n${more}`);
  }
  return troubles;
}

interface Finding {
  readonly headline: string;
  /** See `Troubles`. */
  readonly key: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reports an untrusted folder: its tools are not offered, and the reason must be easy to find. */
function untrustedTrouble(folder: UntrustedFolder): string {
  const { fact, help } = untrustedWords(folder);
  return `warning[mcp]: the tools of \`${printable(folder.shownPath)}\` are not offered: it ${fact}\n  = ${help}\n`;
}

/** Finds untrusted files in trusted folders: others may write to the file, or it depends on an untrusted folder. */
async function untrustedFiles(
  opened: OpenedSession,
  folders: readonly UntrustedFolder[],
): Promise<readonly (readonly [path: string, text: string])[]> {
  const { session, catalogue } = opened;
  const told = (path: string): boolean => folders.some((folder) => path.startsWith(folder.path + sep));
  const found: (readonly [string, string])[] = [];
  for (const name of (await session.distrusted?.(catalogue().names())) ?? []) {
    const path = catalogue().contentOf(name)?.path;
    const failure = path === undefined || told(path) ? undefined : await session.distrust?.(name);
    if (path === undefined || !failure) continue;
    const { failureText } = await import("../../core/run/failure-text.ts");
    found.push([
      path,
      `warning[mcp]: \`${printable(name)}\` is not offered\n${printableLines(failureText(failure, { audience: "person", tool: name }))}\n`,
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
      headline: "some definitions cannot be read",
      key: one.message,
      diagnostics: [one],
    }));
  return [
    ...folders,
    ...files.map(({ name, path, folder, diagnostic }) => ({
      headline: headlineFor(shownPathIn(folder, path), name.endsWith("/") ? undefined : name),
      key: path,
      diagnostics: [diagnostic],
    })),
  ];
}

/** After so many tools are built, other work gets its turn. */
const BUILT_AT_ONCE = 50;

async function ofEntries(opened: OpenedSession, sound: Map<string, string> | undefined): Promise<readonly Finding[]> {
  const catalogue = opened.catalogue();
  const findings: Finding[] = [];
  const never = new AbortController().signal;
  let built = 0;
  for (const entry of catalogue.entries) {
    const { name, resolution } = entry;
    const key = sound && resolution.kind === "used" ? catalogue.contentKeyOf(name) : undefined;
    const isNew = sound !== undefined && resolution.kind === "used" && (key === undefined || sound.get(name) !== key);
    if (isNew && ++built % BUILT_AT_ONCE === 0) await opened.host.sleep(0, never);
    const isLost = isNew && opened.session.registry.find(name) === undefined;
    if (isNew && !isLost && key !== undefined) sound.set(name, key);
    if (!isLost && resolution.kind !== "broken" && resolution.kind !== "duplicate" && resolution.kind !== "reserved")
      continue;
    const diagnostics = [
      ...(await catalogue.diagnosticsOf(entry)),
      ...(isLost ? await opened.buildDiagnostics(name) : []),
    ];
    findings.push({
      headline: headlineFor(entry.path, resolution.kind === "duplicate" ? undefined : name),
      key: catalogue.absolutePathOf(entry) ?? entry.path,
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
      headline: `\`${printable(one.plugin)}\` does not load, so nothing in it is offered`,
      key: one.plugin,
      diagnostics: [one],
    }));
}

function headlineFor(shownPath: string, name: string | undefined): string {
  const file = `\`${printable(shownPath)}\``;
  return name === undefined ? `${file} is not used` : `${file} is broken, so \`${printable(name)}\` is not offered`;
}
