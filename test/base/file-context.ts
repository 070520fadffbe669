// A call's context for the tests of the file tools: the real host, and a real folder that is removed afterwards.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Json, JsonObject } from "../../src/core/schema/json.ts";
import { validateArguments } from "../../src/core/schema/validate.ts";
import type { Content, Outcome } from "../../src/core/tool/call.ts";
import type { Host } from "../../src/core/tool/host.ts";
import type { BaseTool, ToolContext } from "../../src/core/tool/tool.ts";
import { createNodeHost } from "../../src/core/host/node-host.ts";

export interface FileCall {
  readonly signal?: AbortSignal;
  readonly host?: Host;
  readonly memory?: Map<string, Json>;
  readonly person?: NonNullable<ToolContext["person"]>;
  readonly client?: NonNullable<ToolContext["client"]>;
}

export interface Folder {
  readonly path: string;
  at(name: string): string;
  write(name: string, content: string | Uint8Array): void;
  read(name: string): string;
  /** Runs a tool as the gate would: with checked arguments and defaults. */
  run(tool: BaseTool, args: JsonObject, call?: FileCall): Promise<Outcome>;
}

/** `files` are texts by path below the folder. */
export async function inFolder(
  files: Readonly<Record<string, string | Uint8Array>>,
  body: (folder: Folder) => void | Promise<void>,
): Promise<void> {
  const path = realpathSync(mkdtempSync(join(tmpdir(), "dottool-files-")));
  const write = (name: string, content: string | Uint8Array): void => {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), content);
  };
  try {
    for (const [name, content] of Object.entries(files)) write(name, content);
    await body({
      path,
      at: (name) => join(path, name),
      write,
      read: (name) => readFileSync(join(path, name), "utf8"),
      run: (tool, args, call) => runTool(tool, args, { cwd: path, ...call }),
    });
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
}

export function runTool(
  tool: BaseTool,
  args: JsonObject,
  call: FileCall & { readonly cwd?: string } = {},
): Promise<Outcome> {
  const validated = validateArguments(tool.parameters, args, {
    owner: tool.definition.name.value,
    environment: () => undefined,
  });
  const issues = validated.arguments ? (tool.check?.(validated.arguments) ?? []) : validated.issues;
  if (!validated.arguments || issues.length > 0)
    throw new Error(issues.map((issue) => `${issue.path}: ${issue.message}`).join("\n"));
  return tool.execute(validated.arguments, {
    cwd: call.cwd ?? "/",
    signal: call.signal ?? new AbortController().signal,
    host: call.host ?? createNodeHost(),
    path: [tool.definition.name.value],
    limits: { timeoutMs: 60_000, outputBytesMax: 1_000_000 },
    setting: async () => undefined,
    memory: call.memory ?? new Map(),
    ...(call.person ? { person: call.person } : {}),
    ...(call.client ? { client: call.client } : {}),
    invoke: () => Promise.reject(new Error("file tools call no other tool")),
    hide: async () => undefined,
    emit: () => undefined,
  });
}

/** Returns every text of an outcome, and its other content as JSON, one a line. */
export function shown(outcome: Outcome): string {
  const content = outcome.content
    .map((piece: Content) => (piece.type === "text" ? piece.text : JSON.stringify(piece)))
    .join("\n");
  return outcome.status === "ok" ? content : `${content}${JSON.stringify(outcome.failure)}`;
}
