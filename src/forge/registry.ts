// The forged tools of a session and of the user: who may run which, how many there may be, and what use makes of them.
import { isDeepStrictEqual } from "node:util";
import type { ToolDefinition } from "../tool/definition.ts";
import type { Checked } from "../text/diagnostic.ts";
import type { Host } from "../tool/host.ts";
import type { Tool } from "../tool/tool.ts";
import { codeOf } from "../tool/error-code.ts";
import { firstDifference } from "../language/write/same-definition.ts";
import { type ForgedDefinition, readForgedText } from "./definition.ts";
import type { Forged, ForgeRegister, Registered } from "./pipeline.ts";
import { type ForgedRecord, idOf, noUses, RECORD_VERSION, type Uses } from "./record.ts";
import { Refused } from "./refusal.ts";
import { changingTools, type ForgeEvent, type LockedStore, logEvent, storedTools } from "./store.ts";
import { AGENT_TOOLS_MAX, isWorthStoring, storeUse, usesAfter } from "./uses.ts";

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
