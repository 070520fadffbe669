// The loop with a scripted model behind real HTTP, and with tools, files and a clock in memory.
import { askQuestion } from "../../src/core/base/ask-question.ts";
import { converse } from "../../src/features/models/converse.ts";
import type { ApiProvider } from "../../src/features/models/model-settings.ts";
import { taskCompletion } from "../../src/core/base/task-completion.ts";
import { createApiModel } from "../../src/features/models/api-model.ts";
import {
  beginConversation,
  type Conversation,
  type ConversationOptions,
  savedForm,
} from "../../src/features/agent/conversation.ts";
import type { Entry } from "../../src/features/agent/entry.ts";
import { type AgentLimits, Spending } from "../../src/features/agent/limits.ts";
import { type AgentEnd, runLoop } from "../../src/features/agent/loop.ts";
import { unofferedNames } from "../../src/core/tool/base-tool-names.ts";
import { offeredTools } from "../../src/features/agent/offered.ts";
import { createSearchTool, type FindTools, withSearch } from "../../src/features/agent/search-tool.ts";
import { createWeb } from "../../src/features/web/host/web.ts";
import { createMasks } from "../../src/core/run/mask.ts";
import type { Session } from "../../src/core/run/session.ts";
import { createRegistry } from "../../src/core/tool/registry.ts";
import type { Tool } from "../../src/core/tool/tool.ts";
import { type MemoryHost, memoryHost } from "../memory-host.ts";
import { type AgentServer, startAgentServer } from "./agent-server.ts";
import { type Body, KEY, MODEL, type Turn } from "./scripted-turn.ts";

export interface LoopOptions {
  readonly kind?: ApiProvider["kind"];
  readonly tools?: readonly Tool[];
  readonly session?: Partial<Session>;
  readonly provider?: Partial<ApiProvider>;
  readonly limits?: Partial<AgentLimits>;
  readonly task?: string;
  readonly signal?: AbortSignal;
  /** Settles when the time limit is reached. */
  readonly timeIsOver?: Promise<void>;
  readonly search?: FindTools;
  /** The entries of a conversation that is continued. */
  readonly before?: readonly Entry[];
}

export interface LoopRun {
  readonly end: AgentEnd;
  /** The entries without the beginning. */
  readonly entries: readonly Entry[];
  readonly spending: Spending;
  readonly notes: readonly string[];
  readonly said: string;
  readonly sleptMs: readonly number[];
  readonly server: AgentServer;
  /** The messages of each request to the model. */
  readonly messages: readonly (readonly unknown[])[];
  readonly host: MemoryHost;
}

export async function runScript(
  turns: readonly (Turn | ((body: Body) => Turn))[],
  options: LoopOptions = {},
): Promise<LoopRun> {
  const server = await startAgentServer(...turns);
  try {
    return await runAgainst(server, options);
  } finally {
    await server.close();
  }
}

async function runAgainst(server: AgentServer, { kind = "openai", ...options }: LoopOptions): Promise<LoopRun> {
  const sleptMs: number[] = [];
  const memory = memoryHost({ files: { "/work/": "" }, web: createWeb() });
  // Nothing waits for a busy API, and the time limit comes when a test says so.
  let isBusy = false;
  const sleep = async (delayMs: number, signal: AbortSignal): Promise<void> => {
    if (isBusy) sleptMs.push(delayMs);
    else if (delayMs === options.limits?.timeMsMax) await options.timeIsOver;
    else await memory.sleep(delayMs, signal);
    isBusy = false;
  };
  const host: MemoryHost = { ...memory, sleep };
  const given = sessionOf(options, host);
  const provider: ApiProvider = { kind, url: `${server.origin}/v1`, streams: true, ...options.provider };
  await given.registry.complete();
  const all = await offeredTools(
    given.registry.names().filter((name) => !unofferedNames.includes(name)),
    given,
  );
  const search = options.search && createSearchTool(all, options.search);
  const offered = search ? withSearch(all, search) : all;
  const session: Session = search
    ? { ...given, registry: given.registry.extended([search]).value ?? given.registry }
    : given;
  const masks = createMasks([], { used: [], hidden: [KEY], environment: () => undefined });
  const conversation = await openConversation(
    { host, savedForm: (entry) => savedForm(entry, { session, offered, mask: masks.text }) },
    options,
  );
  const notes: string[] = [];
  let said = "";
  const limits = { turnsMax: 25, ...options.limits };
  const spending = new Spending(limits, provider.price);
  const end = await runLoop({
    model: createApiModel({
      name: "api",
      configPath: "config.yaml",
      provider,
      model: MODEL,
      key: { kind: "key", value: KEY, from: "the variable API_KEY" },
      host,
      tokensDefault: 16_384,
      countsTokens: true,
    }),
    conversation,
    offered,
    session,
    limits,
    spending,
    system: "Do it.",
    signal: options.signal ?? new AbortController().signal,
    mask: masks.text,
    view: {
      onText: (text) => void (said += text),
      onNote: (text) => void (isBusy = notes.push(text) > 0 && text.includes(": attempt ")),
      onCall: () => undefined,
      onResult: () => undefined,
    },
  });
  const messages = server.bodies.map((body) =>
    (body["messages"] as readonly { readonly role: string }[]).filter(({ role }) => role !== "system"),
  );
  return { end, entries: conversation.entries.slice(1), spending, notes, said, sleptMs, server, messages, host };
}

function sessionOf({ tools = [], session = {} }: LoopOptions, host: MemoryHost): Session {
  const all = new Map(
    [...tools, askQuestion, converse, taskCompletion].map((tool) => [tool.definition.name.value, tool]),
  );
  return {
    registry: createRegistry({ names: () => [...all.keys()], build: (name) => all.get(name) }),
    policy: [{ name: "test", decision: "allow", reason: "a test", matches: () => true }],
    approver: { ask: async () => "denied" },
    frontEnd: "agent",
    host,
    cwd: "/work",
    audience: "model",
    setting: async () => undefined,
    memory: new Map(),
    ...session,
  };
}

async function openConversation(
  options: ConversationOptions,
  { task = "Do the task.", before }: LoopOptions,
): Promise<Conversation> {
  const begun = await beginConversation({ cwd: "/work", model: "api/big-1", only: [], system: "Do it." }, options);
  if ("failure" in begun) throw new Error("a new conversation is nobody's");
  for (const entry of before ?? []) await begun.conversation.add(entry);
  await begun.conversation.add({ kind: "user", text: task });
  return begun.conversation;
}
