// The open documents, and what `check` says about them: each text is checked beside its neighbours as if it were saved.
// Nothing that a document names is started, no plugin is loaded, and nothing is written.
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { TextDocument } from "vscode-languageserver-textdocument";
import { secretNames } from "../../core/base/secret-names.ts";
import { isDefinition } from "../../core/catalog/discover.ts";
import type { KnownAround } from "../../core/language/author-help.ts";
import { projectRootOf } from "../../core/catalog/trust.ts";
import { isAtOrBelow } from "../../core/run/system-failure.ts";
import type { OpenedSession } from "../../core/session/assemble.ts";
import type { Diagnostic } from "../../core/text/diagnostic.ts";
import type { SourceFile } from "../../core/text/source.ts";
import { isYamlPath } from "../../core/text/source-language.ts";
import type { Host } from "../../core/tool/host.ts";
import type { CommandContext } from "../../cli/command.ts";
import { openSession } from "../../cli/session/open-session.ts";
import { type CheckedScope, checkedScope } from "../check/checked-scope.ts";
import { diagnosticsOf } from "../check/commands/check.ts";
import { overlaidHost, stillHost } from "../check/overlaid-host.ts";

/** A document with what is known around it. */
export interface Looked extends CheckedScope {
  readonly path: string;
  readonly source: SourceFile;
  readonly around: KnownAround;
  /** The same with other texts of some files, by their paths. */
  with(changed: ReadonlyMap<string, string>): Promise<Looked | undefined>;
}

export class CheckedDocuments {
  protected readonly context: CommandContext;
  readonly #texts = new Map<string, Uint8Array>();
  /** The last session of each root, of which the next one takes what has not changed. */
  readonly #sessions = new Map<string, OpenedSession>();
  #host: Host | undefined;
  roots: readonly string[] = [];

  constructor(context: CommandContext) {
    this.context = context;
  }

  /** Sets the text of a file, or with undefined that of the disk. */
  set(path: string, text: string | undefined): void {
    if (text === undefined) this.#texts.delete(path);
    else this.#texts.set(path, new TextEncoder().encode(text));
  }

  /** Undefined without a folder to work in, and for YAML outside of tool folders, which is mostly something else. */
  async look(path: string, changed: ReadonlyMap<string, string> = new Map()): Promise<Looked | undefined> {
    const root = this.#rootOf(path);
    const first = this.#sessions.get(root) ?? (await this.#open(root));
    const isInFolder = first?.catalogue().folders.some((folder) => isAtOrBelow(path, folder.path)) === true;
    if (!first || (isYamlPath(path) && !isInFolder)) return undefined;
    const host = (this.#host ??= stillHost(first.host));
    const texts = new Map(this.#texts);
    for (const [other, text] of changed) texts.set(other, new TextEncoder().encode(text));
    const context = { ...this.#contextIn(root), host: overlaidHost(host, texts) };
    const earlier = { folders: first.catalogue().loaded, mayDiffer: () => true };
    const scope = await checkedScope([path], context, { withoutPlugins: true, earlier });
    if (typeof scope === "number") return undefined;
    const { opened } = scope;
    await opened.session.registry.complete();
    if (changed.size === 0) this.#sessions.set(root, opened);
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(texts.get(path));
    return {
      ...scope,
      path,
      source: { path: scope.entries[0]?.path ?? path, text },
      around: { registry: opened.session.registry, secrets: secretNames(host) },
      with: (tried) => this.look(path, tried),
    };
  }

  /** Returns what `check` says, but for names that may be those of plugins' tools. */
  async diagnostics(looked: Looked): Promise<readonly Diagnostic[]> {
    const all = await diagnosticsOf({ ...looked, plugins: [] }, { isStill: true });
    const hasPlugins = looked.opened.catalogue().plugins.length > 0;
    return hasPlugins ? all.filter(({ code }) => code !== "unknown-base-tool") : all;
  }

  /** The first session of a root may store what it reads from the disk, as every command does. */
  async #open(root: string): Promise<OpenedSession | undefined> {
    const opened = await openSession(this.#contextIn(root), { isQuiet: true, withoutPlugins: true, isForAuthor: true });
    if (typeof opened === "number") return undefined;
    this.#sessions.set(root, opened);
    return opened;
  }

  #contextIn(root: string): CommandContext {
    return { ...this.context, options: { ...this.context.options, cwd: root } };
  }

  /** The innermost folder of the editor; else the project of the file, or its folder. */
  #rootOf(path: string): string {
    const within = this.roots.filter((root) => path.startsWith(join(root, "/")));
    const [inner] = within.toSorted((one, other) => other.length - one.length);
    return inner ?? dirname(projectRootOf(path));
  }
}

/** The file of a document; undefined for one that is in no file, or no definition. */
export function pathOf({ uri }: Pick<TextDocument, "uri">): string | undefined {
  if (!uri.startsWith("file:")) return undefined;
  try {
    const path = resolve(fileURLToPath(uri));
    return isDefinition(basename(path)) ? path : undefined;
  } catch {
    return undefined;
  }
}

export function uriOf(path: string): string {
  return pathToFileURL(path).href;
}
