// The session of one call: what it tells goes to its client, and its client is asked for what only the person there knows.
import type { Server, ServerContext } from "@modelcontextprotocol/server";
import type { Session } from "../../run/session.ts";
import { acceptedContent } from "./answer.ts";
import { clientApprover } from "./approver.ts";
import { eventSender } from "./call-events.ts";
import { canAnswer } from "./client-of.ts";
import type { Begun } from "./held-calls.ts";

export interface CallSessionOptions {
  readonly begun: Begun<unknown>;
  readonly server: Server;
  readonly context: ServerContext;
  readonly callId: string;
}

export function callSession(session: Session, { begun, server, context, callId }: CallSessionOptions): Session {
  const { host } = session;
  const answers = canAnswer(server, context);
  const client: NonNullable<Session["client"]> = {
    canAnswer: answers,
    ask: (key, request) => {
      if (!/^[\w.-]{1,64}$/.test(key)) return Promise.reject(new TypeError(`\`${key}\` is no key for a request: letters, digits, \`_\`, \`-\` and \`.\`, at most 64`));
      return answers(request.method) ? begun.held.ask(key, request) : Promise.reject(new Error(`the client cannot answer \`${request.method}\``));
    },
  };
  const own: Session = { ...session, client, onEvent: eventSender(host, () => begun.held.context) };
  if (!answers("elicitation/create")) return own;
  return { ...own, approver: clientApprover({ begun, host, callId }), person: personBehind(begun) };
}

function personBehind(begun: Begun<unknown>): NonNullable<Session["person"]> {
  let questions = 0;
  return {
    ask: async (question, suggestions) => {
      const description = suggestions.length === 0 ? {} : { description: `such as: ${suggestions.join("; ")}` };
      const requestedSchema = { type: "object", properties: { answer: { type: "string", title: "Answer", ...description } }, required: ["answer"] };
      const given = acceptedContent(await begun.held.ask(`question-${++questions}`, { method: "elicitation/create", params: { mode: "form", message: question, requestedSchema } }));
      if (given === undefined) return "(the person did not answer)";
      return String(given["answer"] ?? "");
    },
  };
}
