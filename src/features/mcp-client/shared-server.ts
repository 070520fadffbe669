// One server for several sessions: requests get numbers of their own on the way to the server, and their answers and
// progress find the way back. A server learns of no client that could answer questions or has roots, because it could
// not say whom it asks. In revision 2026-07-28 a question is part of the answer to a call, so it reaches the session
// that called. Approvals, rate limits and pins are each session's own.
import type { JSONRPCMessage } from "@modelcontextprotocol/client";

type Message = { readonly [key: string]: unknown };

/** A request on its way. */
interface Asked {
  readonly member: Member;
  readonly id: unknown;
  readonly progressToken: unknown;
}

interface Member {
  readonly write: (message: Message) => void;
}

export interface JoinedMember {
  take(message: Message): void;
  /** Cancels what the member has asked and not got. */
  leave(): void;
}

/** The requests of a session that reach the server. Any other would change the server for the other sessions. */
const forwarded: ReadonlySet<string> = new Set(["server/discover", "tools/list", "tools/call"]);
const METHOD_NOT_FOUND = -32601;
const ASKED_MAX = 10_000;
const BUSY = -32000;

export class SharedServer {
  readonly #send: (message: JSONRPCMessage) => void;
  readonly #members = new Set<Member>();
  readonly #asked = new Map<number, Asked>();
  /** The members that wait for the answer to `initialize`, or that answer. */
  #beginning: { readonly id: number; readonly waiting: Asked[]; answer?: Message } | undefined;
  #isBegun = false;
  #count = 0;

  constructor(send: (message: JSONRPCMessage) => void) {
    this.#send = send;
  }

  get memberCount(): number {
    return this.#members.size;
  }

  join(write: (message: Message) => void): JoinedMember {
    const member = { write };
    this.#members.add(member);
    return { take: (message) => this.#take(message, member), leave: () => this.#leave(member) };
  }

  /** Tells all members, such as why the server has ended. */
  tell(message: Message): void {
    for (const { write } of this.#members) write(message);
  }

  fromServer(message: Message): void {
    const { id, method } = message;
    if (typeof method !== "string") return this.#answer(message);
    if (id !== undefined) {
      const answer =
        method === "ping"
          ? { result: {} }
          : refusal(METHOD_NOT_FOUND, "this server is shared: it can ask no single client");
      return this.#send({ jsonrpc: "2.0", id, ...answer } as JSONRPCMessage);
    }
    if (method !== "notifications/progress") return this.tell(message);
    const params = message["params"] as Message | undefined;
    const asked = this.#asked.get(Number(params?.["progressToken"]));
    if (asked?.progressToken !== undefined)
      asked.member.write({ ...message, params: { ...params, progressToken: asked.progressToken } });
  }

  #take(message: Message, member: Member): void {
    const { id, method } = message;
    // A member is never asked, so it answers nothing.
    if (typeof method !== "string") return;
    if (id === undefined) return this.#note(message, member);
    const params = (message["params"] ?? {}) as Message;
    const asked: Asked = { member, id, progressToken: (params["_meta"] as Message | undefined)?.["progressToken"] };
    if (method === "ping") return answerWith(asked, { result: {} });
    if (method === "initialize") return this.#begin(message, asked);
    // A server of an earlier revision, which has begun in its way, may be silent to this question.
    if (!forwarded.has(method) || (method === "server/discover" && this.#beginning !== undefined))
      return answerWith(asked, refusal(METHOD_NOT_FOUND, `a shared server is not asked for \`${method}\``));
    if (this.#asked.size >= ASKED_MAX) return answerWith(asked, refusal(BUSY, "too many calls wait for this server"));
    const number = ++this.#count;
    this.#asked.set(number, asked);
    this.#send({
      ...message,
      id: number,
      params: asked.progressToken === undefined ? params : withToken(params, number),
    } as unknown as JSONRPCMessage);
  }

  #begin(message: Message, asked: Asked): void {
    if (this.#beginning?.answer) return answerWith(asked, this.#beginning.answer);
    if (this.#beginning) return void this.#beginning.waiting.push(asked);
    this.#beginning = { id: ++this.#count, waiting: [asked] };
    const params = { ...(message["params"] as Message | undefined), capabilities: {} };
    this.#send({ ...message, id: this.#beginning.id, params } as unknown as JSONRPCMessage);
  }

  #note(message: Message, member: Member): void {
    const params = (message["params"] ?? {}) as Message;
    if (message["method"] === "notifications/initialized") {
      if (!this.#isBegun) this.#send(message as unknown as JSONRPCMessage);
      this.#isBegun = true;
    } else if (message["method"] === "notifications/cancelled") {
      for (const [number, asked] of this.#asked)
        if (asked.member === member && asked.id === params["requestId"]) this.#cancel(number, params);
    }
  }

  #cancel(number: number, params: Message): void {
    this.#asked.delete(number);
    this.#send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { ...params, requestId: number } });
  }

  #answer(message: Message): void {
    const { id, jsonrpc: _version, ...answer } = message;
    const beginning = this.#beginning;
    if (beginning && beginning.id === id && !beginning.answer) {
      if ("result" in answer) beginning.answer = answer;
      else this.#beginning = undefined;
      for (const asked of beginning.waiting.splice(0)) answerWith(asked, answer);
      return;
    }
    const asked = this.#asked.get(Number(id));
    if (!asked) return;
    this.#asked.delete(Number(id));
    answerWith(asked, answer);
  }

  #leave(member: Member): void {
    this.#members.delete(member);
    for (const [number, asked] of this.#asked)
      if (asked.member === member) this.#cancel(number, { reason: "the client has gone" });
  }
}

function answerWith({ member, id }: Asked, answer: Message): void {
  member.write({ jsonrpc: "2.0", id, ...answer });
}

function refusal(code: number, message: string): Message {
  return { error: { code, message } };
}

function withToken(params: Message, progressToken: number): Message {
  return { ...params, _meta: { ...(params["_meta"] as Message), progressToken } };
}
