// An editor as tests have it: starts `dottool lsp`, sends messages, and has every answer and every list of diagnostics.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { TestProject } from "../test-project.ts";

export interface ShownDiagnostics {
  readonly uri: string;
  readonly version?: number;
  readonly diagnostics: readonly {
    readonly code: string;
    readonly message: string;
    readonly severity: number;
    readonly range: Range;
  }[];
}

interface Range {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
}

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

export interface Editor {
  readonly pid: number;
  uri(path: string): string;
  /** Returns the result, or the error as it came. */
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into results as they come
  ask(method: string, params: unknown): Promise<any>;
  tell(method: string, params: unknown): void;
  /** Says that it begins, and opens the folder of the project. */
  begin(): Promise<unknown>;
  /** Opens a document as it is in `text`, and returns its diagnostics. */
  open(path: string, text: string): Promise<ShownDiagnostics>;
  /** Replaces the whole text. */
  change(path: string, text: string): Promise<ShownDiagnostics>;
  /** Messages of the server that were no answers, but for diagnostics. */
  readonly said: readonly Message[];
  errors(): string;
  /** Says that it ends, and returns the exit code. */
  end(): Promise<number | null>;
}

export function startEditor({ program, folder }: TestProject): Editor {
  const child = spawn(program.command, [...program.words, "lsp", "--stdio"], { cwd: folder, env: program.environment });
  const closed = new Promise<number | null>((resolve) => child.on("close", resolve));
  const waiting = new Map<number | string, (message: Message) => void>();
  const shown: ShownDiagnostics[] = [];
  const watching = new Set<() => void>();
  const said: Message[] = [];
  const versions = new Map<string, number>();
  let stderr = "";
  let rest: Buffer = Buffer.alloc(0);
  let asked = 0;
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  child.stdin.on("error", () => undefined);
  const send = (message: object): void => {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  };
  const take = (message: Message): void => {
    if (message.id !== undefined && message.method === undefined) return waiting.get(message.id)?.(message);
    if (message.method === "textDocument/publishDiagnostics") shown.push(message.params as ShownDiagnostics);
    else said.push(message);
    // What the server asks is granted.
    if (message.id !== undefined) send({ id: message.id, result: null });
    for (const look of watching) look();
  };
  child.stdout.on("data", (bytes: Buffer) => {
    rest = Buffer.concat([rest, bytes]);
    for (;;) {
      const head = rest.indexOf("\r\n\r\n");
      const length = Number(/Content-Length: (\d+)/.exec(rest.subarray(0, head).toString())?.[1]);
      if (head === -1 || rest.length < head + 4 + length) return;
      const text = rest.subarray(head + 4, head + 4 + length).toString();
      rest = rest.subarray(head + 4 + length);
      take(JSON.parse(text) as Message);
    }
  });
  const uri = (path: string): string => pathToFileURL(join(folder, path)).href;
  const tell = (method: string, params: unknown): void => send({ method, params });
  const ask = (method: string, params: unknown): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const id = ++asked;
      waiting.set(id, ({ result, error }) => resolve(error ?? result ?? null));
      void closed.then((code) => reject(new Error(`the server ended with ${code} before it answered: ${stderr}`)));
      send({ id, method, params });
    });
  const checked = (at: string, version: number): Promise<ShownDiagnostics> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        const found = shown.find((one) => one.uri === at && one.version === version);
        if (!found) return;
        watching.delete(look);
        resolve(found);
      };
      watching.add(look);
      void closed.then((code) => reject(new Error(`the server ended with ${code}: ${stderr}`)));
      look();
    });
  const set = (path: string, text: string): Promise<ShownDiagnostics> => {
    const at = uri(path);
    const version = (versions.get(at) ?? 0) + 1;
    const isOpen = versions.has(at);
    versions.set(at, version);
    if (isOpen) tell("textDocument/didChange", { textDocument: { uri: at, version }, contentChanges: [{ text }] });
    else tell("textDocument/didOpen", { textDocument: { uri: at, version, languageId: "dottool", text } });
    return checked(at, version);
  };
  return {
    pid: child.pid ?? 0,
    uri,
    ask,
    tell,
    begin: async () => {
      const folders = [{ uri: pathToFileURL(folder).href, name: "project" }];
      const answer = await ask("initialize", { processId: null, capabilities: {}, workspaceFolders: folders });
      tell("initialized", {});
      return answer;
    },
    open: set,
    change: set,
    said,
    errors: () => stderr,
    end: async () => {
      await ask("shutdown", null);
      tell("exit", null);
      return closed;
    },
  };
}

/** Returns the text without the mark `|`, and the position where it was. */
export function marked(text: string): { readonly text: string; readonly position: Range["start"] } {
  const at = text.indexOf("|>");
  const before = text.slice(0, at).split("\n");
  return {
    text: text.slice(0, at) + text.slice(at + 2),
    position: { line: before.length - 1, character: before.at(-1)?.length ?? 0 },
  };
}
