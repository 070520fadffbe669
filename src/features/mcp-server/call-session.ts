// The session of one call: its events go to the client, and the client is asked for what only its person knows.
import { MissingRequiredClientCapabilityError, type Server, type ServerContext } from "@modelcontextprotocol/server";
import type { Session } from "../../core/run/session.ts";
import type { Host } from "../../core/tool/host.ts";
import type { AskableClient, ToolEvent } from "../../core/tool/tool.ts";
import { acceptedContent, type Begun } from "./held-calls.ts";
import { clientApprover } from "./approver.ts";
import { canAnswer } from "./client-of.ts";
import type { McpService, Change } from "./service.ts";
import { forModels } from "../../core/text/hidden-characters.ts";

interface Asking {
  readonly begun: Begun<unknown>;
  readonly server: Server;
  readonly context: ServerContext;
}

interface CallSessionOptions extends Asking {
  readonly service: McpService;
  /** The calling client, if there are several. */
  readonly client: string | undefined;
  readonly callId: string;
  /** Called when a tool asks for something that this client does not support. */
  onRefused(error: MissingRequiredClientCapabilityError): void;
}

export function callSession(
  session: Session,
  { callId, service, client, onRefused, ...asking }: CallSessionOptions,
): Session {
  const host = client === undefined ? session.host : hostFor(client, session.host);
  const { begun, server, context } = asking;
  const onEvent = eventSender(host, { context: () => begun.held.context, tell: (change) => service.tell(change) });
  const own: Session = { ...session, host, client: askableClient(asking, onRefused), onEvent };
  if (!canAnswer(server, context)("elicitation/create")) return own;
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
  { begun, server, context }: Asking,
  onRefused?: CallSessionOptions["onRefused"],
): AskableClient {
  const answers = canAnswer(server, context);
  return {
    canAnswer: answers,
    ask: (key, request) => {
      if (!KEY.test(key))
        return Promise.reject(
          new TypeError(
            `\`${key}\` cannot be a request key; a key is letters, digits, \`_\`, \`-\` and \`.\`, at most 64`,
          ),
        );
      if (answers(request.method)) return begun.held.ask(key, request);
      const error = new MissingRequiredClientCapabilityError(
        { requiredCapabilities: { [capabilityOf[request.method]]: {} } },
        `the client cannot answer \`${request.method}\``,
      );
      onRefused?.(error);
      return Promise.reject(error);
    },
  };
}

const KEY = /^[\w.-]{1,64}$/;
const capabilityOf = {
  "elicitation/create": "elicitation",
  "sampling/createMessage": "sampling",
  "roots/list": "roots",
} as const;

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
  context(): ServerContext | undefined;
  tell(change: Change): void;
}

function eventSender(host: Host, { context, tell }: EventTargets): (event: ToolEvent) => Promise<void> {
  const decoder = new TextDecoder();
  let done = 0;
  let outputMs = -OUTPUT_MS_MIN;
  const send = async (
    message: string,
    step?: { readonly done: number; readonly all?: number | undefined },
  ): Promise<void> => {
    const { mcpReq } = context() ?? {};
    const progressToken = mcpReq?._meta?.progressToken;
    if (!mcpReq || progressToken === undefined) return;
    // Progress may only grow.
    const isFarther = step !== undefined && step.done >= done;
    done = isFarther ? step.done : done + 1;
    await mcpReq.notify({
      method: "notifications/progress",
      params: {
        progressToken,
        progress: done,
        ...(step?.all === undefined || !isFarther ? {} : { total: step.all }),
        ...(message === "" ? {} : { message: forModels(message) }),
      },
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
      case "log":
        return context()?.mcpReq.log(event.level, forModels(event.text), "dottool");
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
