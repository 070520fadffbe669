// The forged tools of a session and of the user: who may run which, how many there may be, and what use makes of them.
import type { ToolDefinition } from "../../core/tool/definition.ts";
import type { Checked } from "../../core/text/diagnostic.ts";
import type { Host } from "../../core/tool/host.ts";
import type { Tool } from "../../core/tool/tool.ts";
import { codeOf } from "../../core/tool/error-code.ts";
import { firstDifference } from "../../core/language/write/same-definition.ts";
import { type ForgedDefinition, readForgedText } from "./definition.ts";
import type { Forged, ForgeRegister, Registered } from "./pipeline.ts";
import { type ForgedRecord, idOf, noUses, RECORD_VERSION } from "./record.ts";
import { Refused } from "./refusal.ts";
import { changingTools, type LockedStore, logEvent, storedTools } from "./store.ts";
import { storeUse } from "./uses.ts";

const SESSION_TOOLS_MAX = 10;
const DAY_MS = 86_400_000;
/** How long a person can still keep a tool whose session has ended. */
const ENDED_MS_MAX = 7 * DAY_MS;
/** How long a tool of every session stays without use. */
const UNUSED_MS_MAX = 90 * DAY_MS;
const BUILT_MAX = 100;

export interface ForgedTools extends ForgeRegister {
  /** Returns what this session may run under this name, or why it may not. */
  find(name: string): FoundTool | undefined;
  /** Whether another session has forged a tool of this name, which this one may not run. */
  isElsewhere(name: string): boolean;
  /** Counts a use. */
  used(record: ForgedRecord, outcome: "succeeded" | "failed"): Promise<void>;
}

type FoundTool =
  | { readonly record: ForgedRecord; readonly tool: Tool }
  | { readonly record: ForgedRecord; readonly obstacle: string };

interface ForgedToolsOptions {
  readonly host: Host;
  build(definition: ToolDefinition): Checked<Tool>;
}

export function forgedTools({ host, build }: ForgedToolsOptions): ForgedTools {
  const built = new Map<string, Tool>();
  const mayRun = (record: ForgedRecord): boolean => record.tier !== "session" || isOwn(record, host);
  const toolOf = (record: ForgedRecord): Tool | undefined => {
    const known = built.get(record.id);
    if (known) return known;
    const tool = builtTool(record, build);
    if (tool && built.size >= BUILT_MAX) built.delete(built.keys().next().value ?? "");
    if (tool) built.set(record.id, tool);
    return tool;
  };
  return {
    sameAs: (definition) =>
      storedTools(host).records.find(
        (record) => record.state === "active" && mayRun(record) && isSame(record, definition),
      ),
    find: (name) => {
      const record = storedTools(host, name).records.toSorted(byTier).find(mayRun);
      if (!record) return undefined;
      if (record.state !== "active") return { record, obstacle: record.why ?? `it is ${record.state}` };
      const tool = toolOf(record);
      if (!tool) return { record, obstacle: "a tool that it calls is missing or has changed" };
      const wider = tool.effects.filter((effect) => !record.effects.includes(effect));
      return wider.length > 0 || (tool.effects.length === 0 && record.effects.length > 0)
        ? { record, obstacle: "a tool that it calls may do more than when it was forged" }
        : { record, tool };
    },
    isElsewhere: (name) =>
      storedTools(host, name).records.some((record) => record.state === "active" && !mayRun(record)),
    names: () => [
      ...new Set(
        storedTools(host)
          .records.filter((record) => record.state === "active" && mayRun(record))
          .map(({ name }) => name),
      ),
    ],
    register: (forged) => register(forged, host),
    used: async ({ id }, outcome) => {
      try {
        await changingTools(host, (store) => storeUse(id, outcome, { store, host }));
      } catch (error) {
        // The result of the call is not lost because it could not be counted.
        if (codeOf(error) === undefined) throw error;
      }
    },
  };
}

/** Those of the session first. */
function byTier(one: ForgedRecord, other: ForgedRecord): number {
  return Number(other.tier === "session") - Number(one.tier === "session");
}

function isOwn({ session }: ForgedRecord, host: Host): boolean {
  const { processId, start, boot, namespace } = host.shared.identity();
  return (
    session.processId === processId &&
    session.start === start &&
    session.boot === boot &&
    session.namespace === namespace
  );
}

function builtTool(record: ForgedRecord, build: ForgedToolsOptions["build"]): Tool | undefined {
  const read = readForgedText(record.text);
  return "definition" in read ? build(read.definition).value : undefined;
}

/** Whether it does the same for the same arguments: everything but its name, its texts and its tests. */
function isSame(record: ForgedRecord, definition: ForgedDefinition): boolean {
  const read = readForgedText(record.text);
  if (!("definition" in read)) return false;
  const { name, title, description, tests, parameters } = definition;
  const words = new Map(parameters.map((parameter) => [parameter.name, parameter.description]));
  const own = read.definition.parameters.map((parameter) => ({
    ...parameter,
    description: words.get(parameter.name) ?? parameter.description,
  }));
  return (
    firstDifference({ ...read.definition, name, title, description, tests, parameters: own }, definition) === undefined
  );
}

/** Tells apart what a person does with a tool: `NAME`, or the whole id. The latest comes first. */
export function namedTools(given: string, host: Host): readonly ForgedRecord[] {
  const [name = ""] = given.split("@");
  return storedTools(host, name).records.filter((record) => record.id === given || record.name === given);
}

/** Removes a tool, whoever made it. Returns why it is not in the log. */
export async function revoke(record: ForgedRecord, why: string, host: Host): Promise<string | undefined> {
  await changingTools(host, (store) => store.remove(record.id));
  return logEvent(host, "revoke", { id: record.id, why });
}

/** Stores a tool that was tested again. Returns why it is not in the log. */
export async function storeTested(record: ForgedRecord, host: Host): Promise<string | undefined> {
  return changingTools(host, async (store) => {
    await expire(store, host);
    await store.write(record);
    return logEvent(host, "test", { id: record.id, tier: record.tier, state: record.state });
  });
}

async function register({ text, tool, verdict, judges }: Forged, host: Host): Promise<Registered> {
  const name = tool.definition.name.value;
  const now = host.timestamp();
  const record: ForgedRecord = {
    version: RECORD_VERSION,
    id: idOf(name, text, host),
    name,
    text,
    tier: "session",
    state: "active",
    session: host.shared.identity(),
    verdict,
    judges,
    effects: tool.effects,
    uses: noUses,
    forgedAt: now,
    usedAt: now,
  };
  try {
    return await changingTools(host, async (store) => {
      await expire(store, host);
      const own = store.all().filter((one) => one.tier === "session" && isOwn(one, host));
      const others = own.filter((one) => one.name !== name);
      if (others.length >= SESSION_TOOLS_MAX)
        throw new Refused("quota", `this session has forged ${SESSION_TOOLS_MAX} tools`, [
          `forge one of them anew under its name: ${others.map((one) => `\`${one.name}\``).join(", ")}`,
        ]);
      await store.write(record);
      logEvent(host, "register", { id: record.id, confidence: verdict.confidence });
      // Another text under this name is a new tool: it has neither the tier nor the uses of the one before.
      for (const one of own.filter((before) => before.name === name && before.id !== record.id)) {
        await store.remove(one.id);
        logEvent(host, "demote", { id: one.id, why: `replaced by ${record.id}` });
      }
      return { id: record.id, tier: record.tier };
    });
  } catch (error) {
    const code = codeOf(error);
    if (error instanceof Refused || code === undefined) throw error;
    throw new Refused("storage", `the tool cannot be stored: ${code}`, [
      "a person makes the state folder writable, or frees space; `dottool doctor` shows the folder",
    ]);
  }
}

/** Removes what no session can run any more. */
async function expire(store: LockedStore, host: Host): Promise<void> {
  const nowMs = Date.parse(host.timestamp());
  for (const record of store.all()) {
    const ageMs = nowMs - Date.parse(record.usedAt);
    const isOver =
      record.tier === "session"
        ? ageMs > ENDED_MS_MAX && host.shared.isRunning(record.session) !== true
        : record.tier === "agent" && ageMs > UNUSED_MS_MAX;
    if (!isOver) continue;
    await store.remove(record.id);
    logEvent(host, "expire", { id: record.id });
  }
}
