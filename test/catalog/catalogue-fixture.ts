// A place for a catalogue: real files in a temporary folder with a project's, a user's and a machine's tool folder, and
// a clock that can be moved.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Catalogue, openCatalogue } from "../../src/core/catalog/catalogue.ts";
import type { BundledTool } from "../../src/core/catalog/bundled.ts";
import { type DefinitionReader, loadDefinitionReader } from "../../src/core/catalog/definition-reader.ts";
import type { EarlierFolders } from "../../src/core/catalog/load-folder.ts";
import { storeDefinition } from "../../src/core/catalog/stored-definition.ts";
import { summarizeDefinition } from "../../src/core/catalog/load-changed.ts";
import { createNodeHost } from "../../src/core/host/node-host.ts";
import type { Diagnostic, Label } from "../../src/core/text/diagnostic.ts";
import { positionOf } from "../../src/core/text/source.ts";
import type { Host } from "../../src/core/tool/host.ts";

export interface OpenOptions {
  readonly givenFolders?: readonly string[];
  readonly base?: readonly string[];
  readonly reserved?: readonly string[];
  readonly bundled?: readonly BundledTool[];
  readonly cacheKey?: string;
  readonly earlier?: EarlierFolders;
  /** How far the clock is ahead. */
  readonly laterMs?: number;
  readonly host?: Host;
  /** The working folder below the root. The default is `work`. */
  readonly cwd?: string;
}

/** `work` is the project, `config/tools` the user's folder, and `etc` the machine's. */
export class CatalogueFixture {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "dottool-catalogue-")));
  readonly host: Host;
  /** The files parsed by the last `open`. */
  parsed: string[] = [];

  constructor(files: Readonly<Record<string, string>> = {}) {
    this.host = {
      ...createNodeHost(),
      folders: {
        home: this.at("home"),
        config: this.at("config"),
        state: this.at("state"),
        cache: this.at("cache"),
        temporary: this.at("tmp"),
      },
    };
    mkdirSync(this.at("work"));
    for (const [path, text] of Object.entries(files)) this.write(path, text);
  }

  at(path: string): string {
    return join(this.root, path);
  }

  write(path: string, content: string | Uint8Array): void {
    mkdirSync(dirname(this.at(path)), { recursive: true });
    writeFileSync(this.at(path), content);
  }

  async open(options: OpenOptions = {}): Promise<Catalogue> {
    const { base = [], reserved = [], laterMs = 0, host = this.host } = options;
    this.parsed = [];
    return openCatalogue({
      host: { ...host, timestamp: () => new Date(Date.now() + laterMs).toISOString() },
      cwd: this.at(options.cwd ?? "work"),
      givenFolders: options.givenFolders ?? [],
      taken: { base: new Set([...base, ...reserved]), reserved: new Set(reserved) },
      bundled: options.bundled ?? [],
      cacheKey: options.cacheKey ?? "key",
      earlier: options.earlier,
      globalFolder: this.at("etc"),
      loadDefinitionReader: (path) => this.reader(path),
    });
  }

  /** Returns the real reader, which records what it parses. */
  private async reader(path: string): Promise<DefinitionReader> {
    const real = await loadDefinitionReader(path);
    return {
      ...real,
      read: (source, place) => {
        this.parsed.push(source.path);
        return real.read(source, place);
      },
    };
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  /** Returns the messages, one a line, without the root in paths. */
  lines(diagnostics: readonly Diagnostic[]): readonly string[] {
    return diagnostics.map((one) =>
      `${one.severity}[${one.code}] ${one.message}${[...(one.at ? [one.at] : []), ...one.related].map(placeLine).join("")}`.replaceAll(
        this.root,
        "ROOT",
      ),
    );
  }
}

function placeLine({ span, text }: Label): string {
  const { line, column } = positionOf(span.source, span.start);
  return ` | ${span.source.path}:${line}:${column} ${span.source.text.slice(span.start, span.end)}: ${text}`;
}

/** Returns a definition without mistakes. */
export function toolText(name: string, words = `Print ${name}.`): string {
  return `${words}\n\n@title ${name}\n@name ${name}\n@wrapped run_command\n@command echo ${name}\n@tags read\n`;
}

export async function bundledTool(name: string): Promise<BundledTool> {
  const source = { path: `${name}.tool`, text: toolText(name, `The built-in ${name}.`) };
  const { value } = (await loadDefinitionReader("any.tool")).read(source, { scope: "builtin" });
  if (!value) throw new Error(`${name} has errors`);
  return {
    fileName: source.path,
    name,
    scope: "builtin",
    errorCount: 0,
    warningCount: 0,
    summary: summarizeDefinition(value),
    definition: storeDefinition(value, source),
    text: source.text,
  };
}

export async function withFixture(
  files: Readonly<Record<string, string>>,
  body: (bench: CatalogueFixture) => Promise<void>,
): Promise<void> {
  const bench = new CatalogueFixture(files);
  try {
    await body(bench);
  } finally {
    bench.remove();
  }
}
