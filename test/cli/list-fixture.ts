// Lists of a project and a user's folder, with a clock that is ahead, so that files are old enough to be recognized.
import { listTools } from "../../src/features/list/commands/list-tools.ts";
import { defaultOptions, type GlobalOptions } from "../../src/cli/words/global-options.ts";
import { readContent, trustContent } from "../../src/core/catalog/trusted-content.ts";
import type { Host } from "../../src/core/tool/host.ts";
import type { Terminal, TerminalPort } from "../../src/core/tool/terminal.ts";
import { CatalogueFixture } from "../catalog/catalogue-fixture.ts";

export interface ListOptions {
  /** How far the clock is ahead. The default is after every tick. */
  readonly laterMs?: number;
  readonly environment?: Readonly<Record<string, string>>;
  /** The working folder below the root. The default is the project. */
  readonly cwd?: string;
  readonly options?: Partial<GlobalOptions>;
}

const noWords = { words: [], has: () => false, value: () => undefined, values: () => [] };
const LATER_MS = 10_000;

export class ListFixture extends CatalogueFixture {
  list(options: ListOptions = {}): Promise<string> {
    return this.#listWith(this.#hostFor(options), options);
  }

  /** Returns the right list, whatever is cached. */
  async truth(options: ListOptions = {}): Promise<string> {
    const host = this.#hostFor(options);
    return this.#listWith(
      {
        ...host,
        folders: { ...host.folders, cache: this.at(`cache-${host.randomId()}`), temporary: this.at("tmp") },
      },
      options,
    );
  }

  trust(): void {
    const content = readContent(this.at("work/.tools"), this.host);
    if ("problem" in content) throw new Error(content.problem);
    trustContent(content, this.host);
  }

  #hostFor({ laterMs = LATER_MS, environment = {} }: ListOptions): Host {
    return {
      ...this.host,
      timestamp: () => new Date(Date.now() + laterMs).toISOString(),
      environment: (name) => environment[name] ?? (name === "PATH" ? this.at("bin") : undefined),
    };
  }

  async #listWith(host: Host, { cwd = "work", options = {} }: ListOptions): Promise<string> {
    let text = "";
    const plain: TerminalPort = {
      isTerminal: false,
      hasColor: false,
      movesCursor: false,
      columns: 80,
      rows: 24,
      write: (content) => void (text += typeof content === "string" ? content : new TextDecoder().decode(content)),
    };
    const terminal = {
      runtime: "a test",
      workingFolder: () => this.at(cwd),
      output: plain,
      errors: plain,
      input: { isTerminal: false },
    } as unknown as Terminal;
    await listTools(noWords, { terminal, options: { ...defaultOptions, ...options } }, host);
    return text.replaceAll(this.root, "ROOT");
  }
}

export async function withListFixture(
  files: Readonly<Record<string, string>>,
  body: (bench: ListFixture) => Promise<void>,
): Promise<void> {
  const bench = new ListFixture(files);
  try {
    bench.trust();
    await body(bench);
  } finally {
    bench.remove();
  }
}
