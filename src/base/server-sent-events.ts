// A stream of server-sent events, from bytes as they come. Format: html.spec.whatwg.org, "Server-sent events", "Parsing
// an event stream".

export interface ServerSentEvent {
  /** `message` if the stream names none. */
  readonly name: string;
  readonly data: string;
}

export class EventStream {
  // Removes a byte order mark, and joins a character that was split.
  readonly #decoder = new TextDecoder("utf-8");
  #line: string[] = [];
  #isAfterReturn = false;
  #name = "";
  #data: string[] = [];

  /** Returns the events that end in these bytes. One that is incomplete at the end of the stream does not count. */
  next(bytes: Uint8Array): readonly ServerSentEvent[] {
    let text = this.#decoder.decode(bytes, { stream: true });
    if (text === "") return [];
    if (this.#isAfterReturn && text.startsWith("\n")) text = text.slice(1);
    this.#isAfterReturn = text.endsWith("\r");
    const [first = "", ...rest] = text.split(/\r\n|\r|\n/);
    this.#line.push(first);
    return rest.flatMap((start) => {
      const line = this.#line.join("");
      this.#line = [start];
      return this.#take(line) ?? [];
    });
  }

  #take(line: string): ServerSentEvent | undefined {
    if (line === "") return this.#end();
    const colon = line.indexOf(":");
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "event") this.#name = value;
    if (field === "data") this.#data.push(value);
    return undefined;
  }

  #end(): ServerSentEvent | undefined {
    const event =
      this.#data.length === 0
        ? undefined
        : { name: this.#name === "" ? "message" : this.#name, data: this.#data.join("\n") };
    this.#name = "";
    this.#data = [];
    return event;
  }
}
