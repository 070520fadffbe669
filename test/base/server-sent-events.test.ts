import { EventStream, type ServerSentEvent } from "../../src/features/models/model-api.ts";
import { assert, suite } from "../harness.ts";

const test = suite("base/server-sent-events");

function eventsOf(...pieces: readonly (string | Uint8Array)[]): readonly ServerSentEvent[] {
  const stream = new EventStream();
  return pieces.flatMap((piece) => stream.next(typeof piece === "string" ? new TextEncoder().encode(piece) : piece));
}

// The examples of the standard, and its other rules of lines and fields.
const cases: readonly (readonly [text: string, events: readonly ServerSentEvent[]])[] = [
  ["data: YHOO\ndata: +2\ndata: 10\n\n", [{ name: "message", data: "YHOO\n+2\n10" }]],
  [
    ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
    [
      { name: "message", data: "first event" },
      { name: "message", data: "second event" },
      { name: "message", data: " third event" },
    ],
  ],
  [
    "data\n\ndata\ndata\n\ndata:",
    [
      { name: "message", data: "" },
      { name: "message", data: "\n" },
    ],
  ],
  [
    "event: add\ndata: 1\n\ndata: 2\n\nevent: none\n\ndata: 3\n\n",
    [
      { name: "add", data: "1" },
      { name: "message", data: "2" },
      { name: "message", data: "3" },
    ],
  ],
  [
    "\u{feff}data: a\r\rdata: b\r\n\r\ndata: c\n\r\ndata: d\r\n\n",
    ["a", "b", "c", "d"].map((data) => ({ name: "message", data })),
  ],
  ["event: add\r\ndata: 1\r\n\r\n", [{ name: "add", data: "1" }]],
  ["data: é €: 😀\nretry: 10\nDATA: no\n\ndata: not ended\n", [{ name: "message", data: "é €: 😀" }]],
];

test("EventStream reads what the standard says", () => {
  assert.equal(
    cases.map(([text]) => eventsOf(text)),
    cases.map(([, events]) => events),
  );
});

test("EventStream reads the same wherever the bytes are cut", () => {
  for (const [text, events] of cases) {
    const bytes = new TextEncoder().encode(text);
    for (let at = 0; at <= bytes.length; at++)
      assert.equal(eventsOf(bytes.subarray(0, at), bytes.subarray(at)), events, `${JSON.stringify(text)} cut at ${at}`);
    assert.equal(
      eventsOf(...[...bytes].map((byte) => Uint8Array.of(byte))),
      events,
      `${JSON.stringify(text)} byte by byte`,
    );
  }
});

test.run();
