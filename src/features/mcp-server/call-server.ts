// The SDK's server. It checks each message up to nine times against schemas, which is a fifth of a short call. The code
// around it has checked requests before (rpc-message.ts), and knows its own results, so plain calls go without that.
import { type JSONRPCMessage, type JSONRPCRequest, Server, type Transport } from "@modelcontextprotocol/server";
import { isJsonObject } from "../../core/schema/json.ts";

type Handler = Parameters<Server["_wrapHandler"]>[1];

export class CallServer extends Server {
  /** Called with each call that comes through the transport. */
  onCall: (() => void) | undefined;
  /** Sends answers in place of the transport. */
  answer: Transport["send"] | undefined;

  override async connect(transport: Transport): Promise<void> {
    await super.connect(transport);
    const { onmessage } = transport;
    transport.onmessage = (message, extra) => {
      if (!isCall(message)) return onmessage?.(message, extra);
      this.onCall?.();
      this["_onrequest"](message, extra);
    };
    const send = transport.send.bind(transport);
    transport.send = (message, options) =>
      this.answer && !("method" in message) ? this.answer(message, options) : send(message, options);
  }

  /** Takes a call past the transport. */
  take(call: JSONRPCRequest): void {
    this["_onrequest"](call, undefined);
  }

  protected override _wrapHandler(method: string, handler: Handler): Handler {
    const checked = super._wrapHandler(method, handler);
    if (method !== "tools/call") return checked;
    return async (request, context) => {
      if (!isPlain(request) || context.mcpReq.requestState() !== undefined) return checked(request, context);
      const result = await handler(request, context);
      if (isText(result)) return result;
      // The SDK checks the result, and asks the client what it wants to know; then the call goes on.
      let first: typeof result | undefined = result;
      const goOn: Handler = async (again, next) => {
        const known = first;
        first = undefined;
        return known ?? handler(again, next);
      };
      return super._wrapHandler(method, goOn)(request, context);
    };
  }
}

export function isCall(message: JSONRPCMessage): message is JSONRPCRequest {
  return "method" in message && message.method === "tools/call" && "id" in message;
}

/** Whether it has only what rpc-message.ts checks. */
function isPlain({ params = {} }: JSONRPCRequest): boolean {
  for (const key in params) if (key !== "name" && key !== "arguments" && key !== "_meta") return false;
  for (const key in params["_meta"] as object | undefined) if (key !== "progressToken") return false;
  return true;
}

function isText(result: { readonly [key: string]: unknown }): boolean {
  const { content, isError } = result;
  for (const key in result) if (key !== "content" && key !== "isError") return false;
  return (
    Array.isArray(content) &&
    (isError === undefined || isError === true) &&
    content.every(
      (block) => isJsonObject(block) && block["type"] === "text" && typeof block["text"] === "string" && isBare(block),
    )
  );
}

function isBare(block: object): boolean {
  for (const key in block) if (key !== "type" && key !== "text") return false;
  return true;
}
