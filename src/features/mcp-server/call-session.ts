// The session of one call: its events go to the client, and the client is asked for what only its person knows.
import type { Session } from "../../core/run/session.ts";
import type { Host } from "../../core/tool/host.ts";
import type { AskableClient, ToolEvent } from "../../core/tool/tool.ts";
import { acceptedContent, type Begun } from "./held-calls.ts";
import { clientApprover } from "./approver.ts";
import { lackedFor, metaOf, type OpenRequest, sendLog } from "./open-request.ts";
import { missingCapability, type ProtocolError } from "./protocol.ts";
import type { McpService, Change } from "./service.ts";
import { forModels } from "../../core/text/hidden-characters.ts";

interface Asking {
  readonly begun: Begun<unknown>;
  readonly request: OpenRequest;
}

interface CallSessionOptions extends Asking {
  readonly service: McpService;
  readonly callId: string;
  /** Called when a tool asks for something that this client does not support. */
  onRefused(error: ProtocolError): void;
}

export function callSession(session: Session, { callId, service, onRefused, ...asking }: CallSessionOptions): Session {
  const { begun, request } = asking;
  const host = request.caller === undefined ? session.host : hostFor(request.caller, session.host);
  const onEvent = eventSender(host, { request: () => begun.held.request, tell: (change) => service.tell(change) });
  const own: Session = { ...session, host, client: askableClient(asking, onRefused), onEvent };
  if (lackedFor({ method: "elicitation/create" }, request.client)) return own;
  return { ...own, approver: clientApprover({ begun, host, callId }), person: personBehind(begun) };
}

/** Returns a host on which processes take the places of this client. */
export function hostFor(client: string, host: Host): Host {
  const { processes, sandbox } = host;
  return {
    ...host,
    processes: {
      run: (request) => processes.run({ ...request, client }),
      find: (program, pathVariable) => processes.find(program, pathVariable),
      endAll: () => processes.endAll(),
      killAll: () => processes.killAll(),
    },
    sandbox: {
      run: (run) => sandbox.run({ ...run, client }),
      eraseTypes: (code, signal) => sandbox.eraseTypes(code, signal),
    },
  };
}

/** Returns the client that sent the request. A tool or a prompt may ask it. */
export function askableClient(
  { begun, request: { client } }: Asking,
  onRefused?: CallSessionOptions["onRefused"],
): AskableClient {
  return {
    canAnswer: (method) => lackedFor({ method }, client) === undefined,
    ask: (key, request) => {
      if (!KEY.test(key))
        return Promise.reject(
          new TypeError(
            `\`${key}\` cannot be a request key; a key is letters, digits, \`_\`, \`-\` and \`.\`, at most 64`,
          ),
        );
      const lacked = lackedFor(request, client);
      if (!lacked) return begun.held.ask(key, request);
      const error = missingCapability(lacked, `the client cannot answer \`${request.method}\``);
      onRefused?.(error);
      return Promise.reject(error);
    },
  };
}

const KEY = /^[\w.-]{1,64}$/;

function personBehind(begun: Begun<unknown>): NonNullable<Session["person"]> {
  let questions = 0;
  return {
    ask: async (question, suggestions) => {
      const description = suggestions.length === 0 ? {} : { description: `such as: ${suggestions.join("; ")}` };
      const requestedSchema = {
        type: "object",
        properties: { answer: { type: "string", title: "Answer", ...description } },
        required: ["answer"],
      };
      const given = acceptedContent(
        await begun.held.ask(`question-${++questions}`, {
          method: "elicitation/create",
          params: { mode: "form", message: question, requestedSchema },
        }),
      );
      if (given === undefined) return "(the person did not answer)";
      return String(given["answer"] ?? "");
    },
  };
}

/** The shortest time between two notifications. Streaming output is shown as its last line. */
const OUTPUT_MS_MIN = 200;
const LINE_CHARACTERS_MAX = 200;
/** The length of output in which the last line is looked for. */
const END_BYTES = 4 * 1024;

interface EventTargets {
  /** Returns the open request, if there is one. */
  request(): OpenRequest | undefined;
  tell(change: Change): void;
}

function eventSender(host: Host, { request, tell }: EventTargets): (event: ToolEvent) => Promise<void> {
  const decoder = new TextDecoder();
  let done = 0;
  let outputMs = -OUTPUT_MS_MIN;
  const send = async (
    message: string,
    step?: { readonly done: number; readonly all?: number | undefined },
  ): Promise<void> => {
    const open = request();
    const { progressToken } = metaOf(open?.params ?? {});
    if (!open || progressToken === undefined) return;
    // Progress may only grow.
    const isFarther = step !== undefined && step.done >= done;
    done = isFarther ? step.done : done + 1;
    await open.notify("notifications/progress", {
      progressToken,
      progress: done,
      ...(step?.all === undefined || !isFarther ? {} : { total: step.all }),
      ...(message === "" ? {} : { message: forModels(message) }),
    });
  };
  const forward = (event: ToolEvent): Promise<void> | undefined => {
    switch (event.kind) {
      case "progress":
        return send(event.text, event.done === undefined ? undefined : { done: event.done, all: event.all });
      case "step":
        return event.state === "waiting"
          ? undefined
          : send(`${[...event.within, event.step].join(" > ")}: ${event.state}`);
      case "resource-changed":
        tell({ kind: "resource", uri: event.uri });
        return undefined;
      case "log": {
        const open = request();
        return open && sendLog(open, event.level, forModels(event.text));
      }
      case "output": {
        const nowMs = host.nowMs();
        if (nowMs - outputMs < OUTPUT_MS_MIN) return undefined;
        const line =
          forModels(decoder.decode(event.bytes.subarray(-END_BYTES)))
            .trimEnd()
            .split("\n")
            .at(-1)
            ?.trim()
            .slice(0, LINE_CHARACTERS_MAX) ?? "";
        if (line === "") return undefined;
        outputMs = nowMs;
        return send(line);
      }
    }
  };
  return async (event) => {
    // A client that has gone ends the call in another way.
    await forward(event)?.catch(() => undefined);
  };
}
