// Tools for a program that embeds dottool: opened once, called many times, through the same gate as everywhere.
import { resolve } from "node:path";
import { assemble } from "../../core/session/assemble.ts";
import { unofferedNames } from "../../core/tool/base-tool-names.ts";
import type { DialectName } from "../dialects/dialect.ts";
import { type DeclarationForm, declarationForms, declarationsIn, loadDialect } from "../dialects/dialects.ts";
import type { ModelAnswer } from "../dialects/model-call.ts";
import { callTool } from "../../core/run/call-tool.ts";
import { failureText } from "../../core/run/failure-text.ts";
import { effectsUntrusted } from "../../core/builder/untrusted-effects.ts";
import type { Session } from "../../core/run/session.ts";
import { valueText } from "../../core/schema/describe.ts";
import type { Json, JsonObject } from "../../core/schema/json.ts";
import type { Reply } from "../dialects/replies.ts";
import { didYouMean } from "../../core/text/suggest.ts";
import type { ToolResult } from "../../core/tool/call.ts";
import { type Caller, callers } from "../../core/tool/policy.ts";
import { endEverything } from "../../core/tool/endings.ts";
import type { Approver } from "../../core/tool/policy-rule.ts";
import type { Tool, ToolEvent } from "../../core/tool/tool.ts";

export interface OpenToolsOptions {
  /** The folder of calls, relative to the process's working directory. */
  readonly cwd: string;
  /** Tool folders that come before all others. */
  readonly toolFolders?: readonly string[];
  /** With `model`, results are cut to a model's budget. The default, `person`, cuts nothing. */
  readonly audience?: "person" | "model";
  readonly approver?: Approver;
  /**
   * The caller, for policy. Default: program, which needs no approval; a program that lets a model call sets `agent`.
   */
  readonly frontEnd?: Caller;
  readonly onEvent?: (event: ToolEvent) => void;
}

export interface OpenTools {
  /** Sorted. */
  names(): Promise<readonly string[]>;
  /** A failure is in the result. Rejects only if the arguments are wrong: a name that is not text, a bad `signal`. */
  call(tool: string, args: JsonObject, options?: { readonly signal?: AbortSignal }): Promise<ToolResult>;
  /** Returns a failed result as text; a suggested call is shown as JSON. */
  explain(result: ToolResult): string;
  /**
   * Returns what a request to the API has under `tools`; of `text` the part of a prompt. `names`: default all tools
   * that models are offered. Rejects if there is no such tool.
   */
  declarations(form: DeclarationForm, names?: readonly string[]): Promise<Json>;
  /**
   * Runs the calls of a reply, each exactly once, and returns what the next request has to contain: messages or items
   * in the form of the API, or text. They are a model's calls: policy asks or refuses as it does for `frontEnd`, here
   * `agent` by default, long results are cut, and what `declarations` has returned is what a result suggests. Rejects if
   * the reply cannot be read; see `readReply`.
   */
  answer(reply: unknown, options?: AnswerOptions): Promise<Answered>;
  /**
   * Ends the MCP servers that calls have started or are connected to, once all sessions of the program are closed. No
   * call works afterwards.
   */
  close(): Promise<void>;
}

export interface AnswerOptions {
  /** The API of the reply. Default: it is found out. */
  readonly api?: DialectName;
  readonly signal?: AbortSignal;
  /** The number of calls that run at once, if they only read. Default: 4. */
  readonly parallel?: number;
}

export interface Answered extends Reply {
  /** For the next request; text for the form `text`. Empty if the model has called no tool. */
  readonly messages: Json;
  /** One for each call, in order. */
  readonly answers: readonly ModelAnswer[];
}

/** All sessions of a program share their servers. */
let openCount = 0;

export async function openTools(options: OpenToolsOptions): Promise<OpenTools> {
  checkOptions(options);
  const { cwd, ...others } = options;
  const { session, host } = await assemble({ cwd: resolve(cwd), frontEnd: "program", ...others });
  if (host.instant.stat(resolve(cwd))?.kind !== "folder") throw new Error(`\`${cwd}\` is not a directory`);
  const declared = new Set<string>();
  const isOffered = (name: string): boolean => declared.size === 0 || declared.has(name);
  let calls = 0;
  let isOpen = true;
  openCount++;
  return {
    names: async () => {
      await session.registry.complete();
      return session.registry.names();
    },
    call: async (tool, args, { signal } = {}) => {
      if (typeof tool !== "string")
        throw new TypeError(`the first argument of \`call\` must be the name of a tool, got ${valueText(tool)}`);
      if (!isOpen) throw new Error("these tools are closed");
      if (signal !== undefined && !(signal instanceof AbortSignal))
        throw new TypeError(`\`signal\` must be an AbortSignal, got ${valueText(signal)}`);
      return callTool({ id: String(++calls), tool, arguments: args }, session, signal ?? new AbortController().signal);
    },
    declarations: async (form, names) => {
      if (!declarationForms.includes(form))
        throw new TypeError(`\`declarations\` knows the forms ${declarationForms.join(", ")}; got ${valueText(form)}`);
      const offered = await offeredTools(session, names);
      for (const name of names ?? session.registry.names()) declared.add(name);
      return (await declarationsIn(form, offered)).declarations;
    },
    answer: async (reply, { api, signal, parallel } = {}) => {
      if (!isOpen) throw new Error("these tools are closed");
      const { readReply } = await import("../dialects/replies.ts");
      const read = await readReply(reply, api);
      const answers = await (await import("../dialects/answer-calls.ts")).answerCalls(read.calls, {
        session: { ...session, frontEnd: options.frontEnd ?? "agent", audience: "model", isOffered },
        signal: signal ?? new AbortController().signal,
        dialect: read.api,
        ...(parallel === undefined ? {} : { parallel }),
      });
      const messages =
        read.api === "text"
          ? (await import("../dialects/text.ts")).textResults(answers)
          : (await loadDialect[read.api]()).results(answers);
      return { ...read, answers, messages };
    },
    explain: (result) => {
      if (result?.status !== "ok" && result?.status !== "failed")
        throw new TypeError(`\`explain\` expects a result of \`call\`, got ${valueText(result)}`);
      return result.status === "ok" ? "" : failureText(result.failure, { audience: "model", tool: result.call.tool });
    },
    close: async () => {
      if (!isOpen) return;
      isOpen = false;
      if (--openCount === 0) await endEverything();
    },
  };
}

async function offeredTools({ registry, distrusted }: Session, names?: readonly string[]): Promise<readonly Tool[]> {
  if (names === undefined) await registry.complete();
  const wanted = names ?? registry.names().filter((name) => !unofferedNames.includes(name));
  const found = await Promise.all(
    wanted.map(async (name) => {
      const tool = await registry.resolve(name);
      if (!tool && names !== undefined)
        throw new Error(`there is no tool ${valueText(name)}${didYouMean(String(name), registry.names())}`);
      return tool ? [{ name, tool }] : [];
    }),
  );
  const untrusted = await distrusted?.(wanted);
  return found
    .flat()
    .map(({ name, tool }) => (untrusted?.has(name) ? { ...tool, effects: effectsUntrusted(tool) } : tool));
}

type Check = readonly [wanted: string, isFit: (value: unknown) => boolean];

const checks: Readonly<Record<keyof OpenToolsOptions, Check>> = {
  cwd: ["a folder's path", (value) => typeof value === "string"],
  toolFolders: [
    "an array of paths",
    (value) => Array.isArray(value) && [...(value as readonly unknown[])].every((folder) => typeof folder === "string"),
  ],
  audience: ["person or model", (value) => value === "person" || value === "model"],
  approver: [
    "an object with a function `ask`",
    (value) => typeof (value as Partial<Approver> | null)?.ask === "function",
  ],
  frontEnd: [callers.join(", "), (value) => (callers as readonly unknown[]).includes(value)],
  onEvent: ["a function", (value) => typeof value === "function"],
};

/** Checks the options, because a program in JavaScript has no compiler that does. */
function checkOptions(options: OpenToolsOptions): void {
  if (!isFields(options))
    throw new TypeError(`\`openTools\` expects options, such as { cwd: "." }, got ${valueText(options)}`);
  for (const name of Object.keys(options))
    if (!Object.hasOwn(checks, name))
      throw new TypeError(`\`openTools\` has no option \`${name}\`${didYouMean(name, Object.keys(checks))}`);
  for (const [name, [wanted, isFit]] of Object.entries(checks)) {
    const value: unknown = options[name as keyof OpenToolsOptions];
    if (!(isFit(value) || (value === undefined && name !== "cwd")))
      throw new TypeError(`\`${name}\` of \`openTools\` must be ${wanted}, got ${valueText(value)}`);
  }
}

function isFields(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}
