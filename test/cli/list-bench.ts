// Lists of a project and a user's folder, with a clock that is ahead, so that files are old enough to be recognized.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { listTools } from "../../src/features/list/commands/list-tools.ts";
import { withCachedList } from "../../src/features/list/cached-list.ts";
import { defaultOptions, type GlobalOptions } from "../../src/cli/words/global-options.ts";
import { readContent, trustContent } from "../../src/core/catalog/trusted-content.ts";
import type { Host } from "../../src/core/tool/host.ts";
import type { Terminal, TerminalPort } from "../../src/core/tool/terminal.ts";
import { CatalogueBench } from "../catalog/catalogue-bench.ts";

export interface ListOptions {
  /** How far the clock is ahead. The default is after every tick. */
  readonly laterMs?: number;
  readonly environment?: Readonly<Record<string, string>>;
  /** The working folder below the root. The default is the project. */
  readonly cwd?: string;
  readonly port?: Partial<TerminalPort>;
  readonly options?: Partial<GlobalOptions>;
}

export interface List {
  /** The text in the order in which it was written. */
  readonly text: string;
  /** Whether it was cached. */
  readonly isKept: boolean;
}

const noWords = { words: [], has: () => false, value: () => undefined, values: () => [] };
const LATER_MS = 10_000;

export class ListBench extends CatalogueBench {
  list(options: ListOptions = {}): Promise<List> {
    return this.#listWith(this.#hostFor(options), options);
  }

  /** Returns the right list, whatever is cached. */
  async truth(options: ListOptions = {}): Promise<string> {
    const host = this.#hostFor(options);
    return (
      await this.#listWith(
        {
          ...host,
          folders: { ...host.folders, cache: this.at(`cache-${host.randomId()}`), temporary: this.at("tmp") },
        },
        options,
      )
    ).text;
  }

  /** Runs until it is cached: a list that has written caches is not. */
  async warm(options: ListOptions = {}): Promise<List> {
    for (let count = 0; count < 3; count++) {
      const list = await this.list(options);
      if (list.isKept) return list;
    }
    throw new Error("the list is never cached");
  }

  trust(): void {
    const content = readContent(this.at("work/.tools"), this.host);
    if ("problem" in content) throw new Error(content.problem);
    trustContent(content, this.host);
  }

  cached(): readonly string[] {
    const folder = this.at("cache/lists");
    return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  }

  #hostFor({ laterMs = LATER_MS, environment = {} }: ListOptions): Host {
    return {
      ...this.host,
      timestamp: () => new Date(Date.now() + laterMs).toISOString(),
      environment: (name) => environment[name] ?? (name === "PATH" ? this.at("bin") : undefined),
    };
  }

  async #listWith(host: Host, { cwd = "work", port = {}, options = {} }: ListOptions): Promise<List> {
    let text = "";
    let isKept = true;
    const plain: TerminalPort = {
      isTerminal: false,
      hasColor: false,
      movesCursor: false,
      columns: 80,
      rows: 24,
      ...port,
      write: (content) => void (text += typeof content === "string" ? content : new TextDecoder().decode(content)),
    };
    const terminal = {
      runtime: "a test",
      workingFolder: () => this.at(cwd),
      output: plain,
      errors: plain,
      input: { isTerminal: false },
    } as unknown as Terminal;
    const list: typeof listTools = (input, context, used) => ((isKept = false), listTools(input, context, used));
    await withCachedList(
      { terminal, options: { ...defaultOptions, ...options } },
      (context, used) => list(noWords, context, used),
      host,
    );
    return { text: text.replaceAll(this.root, "ROOT"), isKept };
  }
}

export async function withListBench(
  files: Readonly<Record<string, string>>,
  body: (bench: ListBench) => Promise<void>,
): Promise<void> {
  const bench = new ListBench(files);
  try {
    bench.trust();
    await body(bench);
  } finally {
    bench.remove();
  }
}
