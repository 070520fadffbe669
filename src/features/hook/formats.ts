// What other agents write to their hooks before a tool runs, and how they read the answer. Each row was tried in the
// named version (test/packaged/hook-clients.test.ts); docs/hook.md says where that is documented.
import { isJsonObject, type Json, type JsonObject } from "../../core/schema/json.ts";
import { objectOf } from "./tool-calls.ts";

export const clientNames = ["claude", "gemini", "codex", "opencode", "copilot"] as const;
export type ClientName = (typeof clientNames)[number];

export interface HookCall {
  readonly tool: string;
  readonly arguments: JsonObject;
  /** As given; absolute in all clients that give one. */
  readonly cwd?: string;
  /** Set if the client answers questions itself, so that a question must be a refusal. */
  readonly asksNobody?: true;
}

/**
 * `none` leaves the decision to the client, with its own rules and questions. Only a rule of the user's says `allow`.
 */
export interface HookDecision {
  readonly decision: "none" | "allow" | "ask" | "deny";
  /** Sentences without an end. */
  readonly reason: string;
  /** What a person can do if the client cannot ask. */
  readonly help?: string;
  /** Set for `allow` if the call runs with another line than it was made with: in the sandbox. */
  readonly sandboxed?: { readonly line: string; readonly arguments: JsonObject };
}

interface HookAnswer {
  /** What goes to standard output. */
  readonly output: string;
  readonly exitCode: number;
}

interface HookFormat {
  readonly title: string;
  /** The version that was run. */
  readonly version: string;
  /** Returns undefined if it is not a call of a tool. */
  read(input: JsonObject): HookCall | undefined;
  answer(decision: HookDecision): HookAnswer;
}

/** The form of Claude Code, which Codex has taken over. */
function readToolInput({ tool_name: tool, tool_input: input, cwd }: JsonObject): HookCall | undefined {
  const args = objectOf(input);
  return typeof tool === "string" && args ? called(tool, args, cwd) : undefined;
}

function called(tool: string, args: JsonObject, cwd: Json | undefined): HookCall {
  return { tool, arguments: args, ...(typeof cwd === "string" ? { cwd } : {}) };
}

function answered(value: JsonObject | undefined): HookAnswer {
  return { output: value ? `${JSON.stringify(value)}\n` : "", exitCode: 0 };
}

function permission(decision: string, reason: string, updatedInput?: JsonObject): JsonObject {
  return {
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: decision,
      permissionDecisionReason: reason,
      ...(updatedInput ? { updatedInput } : {}),
    },
  };
}

/** Returns the reason, for a client that cannot ask: how a person allows the same call. */
export function unasked({ reason, help }: HookDecision): string {
  return help === undefined ? `${reason}; only a person can do this` : `${reason}; a person can allow it with ${help}`;
}

export const hookFormats: Readonly<Record<ClientName, HookFormat>> = {
  claude: {
    title: "Claude Code",
    version: "2.1.332",
    // anthropics/claude-code#89561 and #87639: a question has no effect in this mode.
    read: (input) => {
      const call = readToolInput(input);
      return call && input["permission_mode"] === "auto" ? { ...call, asksNobody: true } : call;
    },
    answer: ({ decision, reason, sandboxed }) =>
      answered(decision === "none" ? undefined : permission(decision, reason, sandboxed?.arguments)),
  },
  gemini: {
    title: "Gemini CLI",
    version: "0.61.0",
    read: readToolInput,
    answer: ({ decision, reason, sandboxed }) =>
      answered(
        decision === "none"
          ? {}
          : {
              decision,
              reason,
              // Its question shows this instead of the reason.
              ...(decision === "ask" ? { systemMessage: reason } : {}),
              ...(sandboxed
                ? { hookSpecificOutput: { hookEventName: "BeforeTool", tool_input: sandboxed.arguments } }
                : {}),
            },
      ),
  },
  // An `allow` without a changed input, and every `ask`, is an error there, after which the tool runs. So is a changed
  // input before openai/codex#20527, and the call does not say its version: the refusal names the line to run.
  codex: {
    title: "Codex",
    version: "0.171.0",
    read: readToolInput,
    answer: (made) =>
      answered(
        made.decision === "deny"
          ? permission("deny", made.reason)
          : made.decision === "ask"
            ? permission("deny", unasked(made))
            : made.sandboxed
              ? permission("deny", `${made.reason}; run exactly this instead: ${made.sandboxed.line}`)
              : undefined,
      ),
  },
  // The plugin that `install` writes speaks this; a plugin can let a tool run, or stop it with an error.
  opencode: {
    title: "opencode",
    version: "1.18.33",
    read: ({ tool, args, cwd }) => {
      const given = objectOf(args);
      return typeof tool === "string" && given ? called(tool, given, cwd) : undefined;
    },
    answer: (made) =>
      answered({
        decision: made.decision === "ask" || made.decision === "deny" ? "deny" : made.sandboxed ? "sandbox" : "none",
        reason: made.decision === "ask" ? unasked(made) : made.reason,
        ...(made.sandboxed ? { args: made.sandboxed.arguments } : {}),
      }),
  },
  copilot: {
    title: "GitHub Copilot CLI",
    version: "1.0.102",
    read: (input) => {
      const { toolName: tool, toolArgs, cwd } = input;
      const args = objectOf(toolArgs);
      return typeof tool === "string" && args ? called(tool, args, cwd) : readToolInput(input);
    },
    answer: ({ decision, reason, sandboxed }) =>
      answered(
        decision === "none"
          ? {}
          : {
              permissionDecision: decision,
              permissionDecisionReason: reason,
              ...(sandboxed ? { modifiedArgs: sandboxed.arguments } : {}),
            },
      ),
  },
};

export function isClientName(text: string): text is ClientName {
  return (clientNames as readonly string[]).includes(text);
}

const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g;

/** Whether names of the text are lost in its value; also in arguments that are JSON text. */
function hasNameTwice(text: string, value: Json): boolean {
  let written = 0;
  for (const [, colon] of text.matchAll(STRING)) if (colon !== undefined) written++;
  if (written !== namesIn(value)) return true;
  const { toolArgs, tool_input: toolInput, args } = isJsonObject(value) ? value : {};
  return [toolArgs, toolInput, args].some((inner) => {
    const read = typeof inner === "string" ? objectOf(inner) : undefined;
    return read !== undefined && hasNameTwice(String(inner), read);
  });
}

function namesIn(value: Json): number {
  if (typeof value !== "object" || value === null) return 0;
  const inner = Object.values(value) as readonly Json[];
  return inner.reduce<number>((sum, one) => sum + namesIn(one), Array.isArray(value) ? 0 : inner.length);
}

/** Returns the call, or why the input is not one. */
export function readHookInput(format: HookFormat, text: string): HookCall | { readonly problem: string } {
  let input: Json;
  try {
    input = JSON.parse(text) as Json;
  } catch {
    return { problem: text.trim() === "" ? "the input is empty" : "the input is not JSON" };
  }
  if (hasNameTwice(text, input)) return { problem: "the input has a name twice in one object" };
  const call = isJsonObject(input) ? format.read(input) : undefined;
  return call ?? { problem: `the input is not a call of a tool in the form of ${format.title}` };
}
