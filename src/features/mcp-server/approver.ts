// Asks the person behind a client whether a call may run.
import { identityOf } from "../../core/builder/identity.ts";
import { addedFacts, boundFacts, runFacts } from "../../core/run/call-facts.ts";
import { callLine } from "../../core/run/call-line.ts";
import type { JsonObject } from "../../core/schema/json.ts";
import { maskedArguments } from "../../core/schema/secrets.ts";
import { printable } from "../../core/text/display.ts";
import type { PreparedCall } from "../../core/tool/tool.ts";
import type { Host } from "../../core/tool/host.ts";
import type { Approval, PolicyQuestion, Verdict } from "../../core/tool/policy.ts";
import { type Approver, unaskableText } from "../../core/tool/policy-rule.ts";
import { acceptedContent, type Begun } from "./held-calls.ts";

interface ApproverOptions {
  readonly begun: Begun<unknown>;
  readonly host: Host;
  /** The id of the client's call. Calls within it are asked about while it runs. */
  readonly callId: string;
}

export function clientApprover({ begun, host, callId }: ApproverOptions): Approver {
  let questions = 0;
  return {
    unaskable: (prepared, verdict) => unaskableText(messageOf(prepared, verdict).length, MESSAGE_CHARACTERS_MAX),
    ask: async (prepared, verdict) => {
      questions++;
      const isFirst = questions === 1 && prepared.call.id === callId;
      const asked = [
        identityOf(prepared.tool, host),
        JSON.stringify(prepared.arguments),
        verdict.question?.content ?? "",
      ];
      const content = isFirst ? host.sha256(asked.join(" ")) : undefined;
      begun.asksFirst(content);
      // An answer that came with the request counts only for this very question: nothing was asked before it, and the
      // tool and its underlying tools are unchanged.
      const takesGiven = content !== undefined && begun.askedContent === content;
      const answer = await begun.held.ask(
        isFirst ? KEY : `${KEY}-${questions}`,
        { method: "elicitation/create", params: question(prepared, verdict) },
        { takesGiven },
      );
      begun.asksFirst(undefined);
      return approvalIn(answer);
    },
  };
}

/** The key of the question. A tool's own keys contain no blank. */
const KEY = "may it run";

const choices: readonly (readonly [Approval, string])[] = [
  ["once", "Run it once"],
  ["session", "Run it, and do not ask again until this server ends"],
  ["always", "Run it, and do not ask again until the tool changes"],
  ["denied", "Do not run it"],
];

/** More than a form shows. MCP states no limit, but a form has no pages. */
const MESSAGE_CHARACTERS_MAX = 50_000;

/** Returns the question, with all of the call and of what it runs. */
function messageOf(prepared: PreparedCall, verdict: Verdict): string {
  const { tool, arguments: args } = prepared;
  const reasons = verdict.matched
    .filter(({ decision }) => decision === verdict.decision)
    .map(({ name, reason }) => `${printable(name)}: ${printable(reason)}`);
  const effects = tool.effects.length === 0 ? "unknown, so it may do anything" : tool.effects.join(", ");
  const changes = (verdict.question?.changes ?? []).map((change) => printable(change));
  const lines = [
    `May \`${printable(tool.definition.name.value)}\` run?`,
    printable(
      callLine(tool.definition.name.value, maskedArguments(args, tool.parameters), { parameters: tool.parameters }),
    ),
    ...runLines(prepared, verdict.question?.cwd ?? ""),
    `folder: ${printable(verdict.question?.cwd ?? "")}`,
    `effects: ${effects}`,
    ...reasons,
    ...(verdict.question?.scope === "tool"
      ? addedFacts(tool).map(([name, text]) => `${name}: ${printable(text)}`)
      : []),
    ...boundLines(verdict.question),
    ...(changes.length === 0 ? [] : ["changed since it was allowed:", ...changes]),
  ];
  return lines.filter((line) => line !== "folder: ").join("\n");
}

function question(prepared: PreparedCall, verdict: Verdict): JsonObject {
  return {
    mode: "form",
    message: messageOf(prepared, verdict),
    requestedSchema: {
      type: "object",
      properties: {
        decision: {
          type: "string",
          title: "Run it?",
          oneOf: choices
            .filter(([value]) => verdict.question?.scope !== "call" || value === "once" || value === "denied")
            .map(([value, title]) => ({ const: value, title })),
        },
      },
      required: ["decision"],
    },
  };
}

/** Returns rows of what runs. A text of several lines cannot pass for another row. */
function runLines(prepared: PreparedCall, cwd: string): readonly string[] {
  const started = runFacts(prepared, cwd).filter(([name]) => name !== "calls");
  return started.map(([name, text]) => `${name}: ${text.split("\n").map(printable).join("\n    │ ")}`);
}

/** Returns what the lasting answers cover. */
function boundLines(question: PolicyQuestion | undefined): readonly string[] {
  if (!question || question.scope === "call") return [];
  return boundFacts(question).map(([name, text]) => `${name}: ${printable(text)}`);
}

/** Reads the answer. Anything but a clear yes is a no. */
function approvalIn(answer: JsonObject): Approval {
  const decision = acceptedContent(answer)?.["decision"];
  return choices.find(([value]) => value === decision)?.[0] ?? "denied";
}
