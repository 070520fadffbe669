// Tools in a folder of their own under a `config.yaml`, called in this process by the caller that a test names: real
// processes, the real gate, and a person whose answers are given.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { assemble, type Assembled } from "../../src/core/session/assemble.ts";
import { callTool } from "../../src/core/run/call-tool.ts";
import { failureText } from "../../src/core/run/failure-text.ts";
import type { JsonObject } from "../../src/core/schema/json.ts";
import type { Approval, Caller, Verdict } from "../../src/core/tool/policy.ts";
import type { PreparedCall } from "../../src/core/tool/tool.ts";

export interface PolicyFixture {
  readonly folder: string;
  /** Sets the user's rules. */
  rules(yaml: string): void;
  write(path: string, text: string): void;
  read(path: string): string | undefined;
  list(path: string): readonly string[];
  open(frontEnd: Caller, options?: OpenOptions): Promise<OpenedFixture>;
  /** Answers for the next questions. After them, no question is agreed to. */
  readonly answers: Approval[];
  readonly asked: { readonly call: PreparedCall; readonly verdict: Verdict }[];
  /** Called while the person is asked. */
  onAsk: () => void;
  readonly warnings: string[];
}

interface OpenOptions {
  /** Whether a person is at a terminal. */
  readonly isAtTerminal?: boolean;
  readonly isConfirmed?: true;
}

export interface OpenedFixture extends Assembled {
  /** Returns `ok`, or the words of the failure. The bench's folder reads `<bench>`. */
  said(tool: string, args?: JsonObject): Promise<string>;
  /** Returns the first line of the same. */
  headline(tool: string, args?: JsonObject): Promise<string>;
}

const STATE = "../state/dottool";
export const statePath = (name: string): string => `${STATE}/${name}`;

/** `tools` has the text after `@name`, by name. */
export async function withPolicy(
  tools: Readonly<Record<string, string>>,
  body: (bench: PolicyFixture) => Promise<void>,
): Promise<void> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "dottool-policy-")));
  // The user's files are beside the working folder.
  const folder = join(root, "work");
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  mkdirSync(folder);
  const answers: Approval[] = [];
  const bench: PolicyFixture = {
    folder,
    answers,
    asked: [],
    warnings: [],
    onAsk: () => undefined,
    write,
    rules: (yaml) => write("../config/dottool/config.yaml", yaml),
    read: (path) => (existsSync(join(folder, path)) ? readFileSync(join(folder, path), "utf8") : undefined),
    list: (path) => (existsSync(join(folder, path)) ? readdirSync(join(folder, path)).sort() : []),
    open: (frontEnd, options) => open(frontEnd, bench, options),
  };
  try {
    for (const [name, text] of Object.entries(tools))
      write(`tools/${name}.tool`, `Do it.\n\n@title ${name}\n@name ${name}\n${text}\n`);
    // The machine's user has other caches and settings.
    for (const [name, path] of [
      ["XDG_CACHE_HOME", "cache"],
      ["XDG_CONFIG_HOME", "config"],
      ["XDG_STATE_HOME", "state"],
    ] as const)
      process.env[name] = join(root, path);
    // Most tests are about questions, so that trust does not answer for calls over MCP.
    process.env["MCP_APPROVAL"] = "ask";
    await body(bench);
  } finally {
    delete process.env["MCP_APPROVAL"];
    rmSync(root, { recursive: true, force: true });
  }
}

async function open(
  frontEnd: Caller,
  bench: PolicyFixture,
  { isAtTerminal = false, isConfirmed }: OpenOptions = {},
): Promise<OpenedFixture> {
  const { folder } = bench;
  const opened = await assemble({
    cwd: folder,
    toolFolders: [join(folder, "tools")],
    globalFolder: join(folder, "../etc"),
    frontEnd,
    ...(isAtTerminal ? { person: { ask: () => Promise.resolve(""), type: () => undefined } } : {}),
    ...(isConfirmed ? { isConfirmed } : {}),
    warn: (text) => void bench.warnings.push(text),
    approver: {
      asksOneAtATime: true,
      ask: async (call, verdict) => {
        bench.asked.push({ call, verdict });
        bench.onAsk();
        return bench.answers.length === 0 ? "denied" : (bench.answers.shift() as Approval);
      },
    },
  });
  let calls = 0;
  const said: OpenedFixture["said"] = async (tool, args = {}) => {
    const result = await callTool(
      { id: String(++calls), tool, arguments: args },
      opened.session,
      new AbortController().signal,
    );
    return result.status === "ok"
      ? "ok"
      : failureText(result.failure, { audience: "person", tool }).replaceAll(dirname(folder), "<bench>");
  };
  return { ...opened, said, headline: async (tool, args) => (await said(tool, args)).split("\n")[0] ?? "" };
}
