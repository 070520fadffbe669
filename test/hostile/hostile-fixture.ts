// A hostile repository, a canary that any execution would leave, and dottool in this process, as used by a person who
// has cloned the repository.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { callByName } from "../../src/cli/call.ts";
import { isCommandName } from "../../src/cli/commands.ts";
import { readGlobalOptions } from "../../src/cli/words/global-options.ts";
import { runProgram } from "../../src/cli/program.ts";
import type { Terminal, TerminalPort } from "../../src/core/tool/terminal.ts";
import { trustFoldersBelow } from "../trust-folders.ts";

export interface Ran {
  /** Both streams, as they come. */
  readonly text: string;
  readonly exitCode: number;
}

export interface RunOptions {
  /** An absolute path. The default is the repository. */
  readonly cwd?: string;
  readonly stdin?: string;
  /** Answers each question, as a person at a terminal, and may do something else before. */
  answer?(question: string): string | undefined;
}

/** Says this at once, and leaves after so many lines. */
export interface Client {
  readonly says: string;
  readonly lines: number;
  /** Absolute. */
  readonly cwd: string;
}

export interface Served {
  readonly stdout: string;
  readonly stderr: string;
}

export interface HostileFixture {
  /** The absolute path, without links, of the folder with the repository, the user's home and what is beside them. */
  readonly root: string;
  readonly repository: string;
  /** Shell text that leaves the canary. */
  readonly payload: string;
  /** JavaScript that leaves the canary. */
  readonly payloadCode: string;
  at(path: string): string;
  /** Writes a file below the root. */
  write(path: string, text: string, mode?: number): void;
  run(words: readonly string[], options?: RunOptions): Promise<Ran>;
  /** Runs `dottool mcp` for this client. */
  serve(client: Client): Promise<Served>;
  executed(): readonly string[];
  /** Trusts the present content, as a person after a review. */
  trust(folder: string): void;
}

const variables = [
  "HOME",
  "PATH",
  "XDG_CONFIG_HOME",
  "XDG_STATE_HOME",
  "XDG_CACHE_HOME",
  "DOTTOOL_PATH",
  "DOTTOOL_TRUST",
  "DOTTOOL_RUN_ID",
] as const;

export async function withHostile(body: (bench: HostileFixture) => Promise<void>): Promise<void> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "dottool-hostile-")));
  const before = new Map(variables.map((name) => [name, process.env[name]]));
  const at = (path: string): string => join(root, path);
  const write = (path: string, text: string, mode = 0o644): void => {
    mkdirSync(dirname(at(path)), { recursive: true });
    writeFileSync(at(path), text);
    chmodSync(at(path), mode);
  };
  try {
    for (const folder of ["repository", "home", "canary"]) mkdirSync(at(folder));
    // A program that nothing in a repository may start.
    write("bin/sentinel", `#!/bin/sh\ntouch '${at("canary/sentinel")}'\necho 9.9.9\n`, 0o755);
    for (const name of variables) delete process.env[name];
    process.env["HOME"] = at("home");
    process.env["PATH"] = `${at("bin")}:/usr/bin:/bin`;
    await body({
      root,
      repository: at("repository"),
      payload: `touch '${at("canary/executed")}'`,
      payloadCode: `(await import("node:fs")).writeFileSync(${JSON.stringify(at("canary/loaded"))}, "");`,
      at,
      write,
      run: async (words, options = {}) => {
        const { text, exitCode } = await runHere(words, { ...options, cwd: options.cwd ?? at("repository") });
        return { text, exitCode };
      },
      serve: (client) => runHere(["mcp"], { cwd: client.cwd, client }),
      executed: () => readdirSync(at("canary")),
      trust: (folder) => trustFoldersBelow(at(folder), at("home/.local/state/dottool")),
    });
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
    if (existsSync(root)) rmSync(root, { recursive: true, force: true });
  }
}

async function runHere(
  argv: readonly string[],
  { cwd, stdin = "", client, answer }: RunOptions & { readonly cwd: string; readonly client?: Client },
): Promise<Ran & Served> {
  const read = readGlobalOptions(argv);
  if ("problem" in read) throw new Error(read.problem);
  let text = "";
  const kept = { stdout: "", stderr: "" };
  let leave = (): void => undefined;
  const decoder = new TextDecoder();
  const port = (name: keyof typeof kept): TerminalPort => ({
    isTerminal: answer !== undefined,
    hasColor: false,
    movesCursor: false,
    columns: 100,
    rows: 24,
    write: (content) => {
      const more = typeof content === "string" ? content : decoder.decode(content);
      text += more;
      kept[name] += more;
      if (client !== undefined && kept.stdout.split("\n").length > client.lines) leave();
    },
  });
  const ask = async (question: string): Promise<string | undefined> => {
    text += question;
    return answer?.(question);
  };
  const input: Terminal["input"] = {
    isTerminal: answer !== undefined,
    readBytes: async () => new TextEncoder().encode(stdin),
    ask,
    listen: (_signal, onText) => {
      leave = () => void onText(undefined);
      void onText(client?.says);
    },
  };
  const terminal: Terminal = {
    runtime: "a test",
    workingFolder: () => cwd,
    output: port("stdout"),
    errors: port("stderr"),
    input,
    signal: new AbortController().signal,
    ending: undefined,
  };
  const context = { terminal, options: read.options };
  const exitCode = isCommandName(read.words[0] ?? "")
    ? await runProgram(read.words, context)
    : await callByName(read.words, context);
  return { text, ...kept, exitCode };
}

/** Returns a definition that runs a line of shell. */
export function shellTool(name: string, line: string, more = ""): string {
  return `Does it.\n\n@title Does It\n@name ${name}\n@wrapped run_command\n@shell sh\n@command ${line}\n${more}`;
}
