// Asks the person behind a client whether a call may run.
import { identityOf } from "../../builder/identity.ts";
import { callLine } from "../../run/call-line.ts";
import type { JsonObject } from "../../schema/json.ts";
import { maskedArguments } from "../../schema/secrets.ts";
import { printable } from "../../text/display.ts";
import type { PreparedCall } from "../../tool/call.ts";
import type { Host } from "../../tool/host.ts";
import type { Approval, Approver, Verdict } from "../../tool/policy.ts";
import { acceptedContent } from "./answer.ts";
import type { Begun } from "./held-calls.ts";

export interface ApproverOptions {
  readonly begun: Begun<unknown>;
  readonly host: Host;
  /** Of the call that the client makes. Those that it makes in turn are asked about while it runs. */
  readonly callId: string;
}

export function clientApprover({ begun, host, callId }: ApproverOptions): Approver {
  let questions = 0;
  return {
    ask: async (prepared, verdict) => {
      questions++;
      const isFirst = questions === 1 && prepared.call.id === callId;
      const content = isFirst ? host.sha256(`${identityOf(prepared.tool, host)} ${JSON.stringify(prepared.arguments)}`) : undefined;
      begun.asksFirst(content);
      // An answer that came with the request counts only where this very question was asked: nobody else is asked, and the tool is the same.
      const takesGiven = content !== undefined && begun.askedContent === content;
      const answer = await begun.held.ask(isFirst ? KEY : `${KEY}-${questions}`, { method: "elicitation/create", params: question(prepared, verdict) }, { takesGiven });
      begun.asksFirst(undefined);
      return approvalIn(answer);
    },
  };
}

/** No key of a tool's own has a blank in it: `keyOfTool`. */
const KEY = "may it run";

const choices: readonly (readonly [Approval, string])[] = [
  ["once", "Run it this once"],
  ["session", "Run it, and do not ask again until this server ends"],
  ["always", "Run it, and do not ask again while the tool stays as it is"],
  ["denied", "Do not run it"],
];

function question({ tool, arguments: args }: PreparedCall, verdict: Verdict): JsonObject {
  const reasons = verdict.matched.filter(({ decision }) => decision === verdict.decision).map(({ name, reason }) => `${printable(name)}: ${printable(reason)}`);
  const effects = tool.effects.length === 0 ? "unknown, which may be anything" : tool.effects.join(", ");
  const changes = (verdict.question?.changes ?? []).map((change) => printable(change));
  const lines = [
    `May \`${printable(tool.definition.name.value)}\` run?`,
    printable(callLine(tool.definition.name.value, maskedArguments(args, tool.parameters), undefined)),
    `in: ${printable(verdict.question?.cwd ?? "")}`,
    `effects: ${effects}`,
    ...reasons,
    ...(changes.length === 0 ? [] : ["changed since it was allowed:", ...changes]),
  ];
  return {
    mode: "form",
    message: lines.filter((line) => line !== "in: ").join("\n"),
    requestedSchema: {
      type: "object",
      properties: { decision: { type: "string", title: "May it run?", oneOf: choices.filter(([value]) => verdict.question?.scope !== "call" || value === "once" || value === "denied").map(([value, title]) => ({ const: value, title })) } },
      required: ["decision"],
    },
  };
}

/** Anything but a clear yes is a no. */
function approvalIn(answer: JsonObject): Approval {
  const decision = acceptedContent(answer)?.["decision"];
  return choices.find(([value]) => value === decision)?.[0] ?? "denied";
}
