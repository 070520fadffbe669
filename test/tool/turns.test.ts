// Places and the queue before them: which turn is next.
import { Turns } from "../../src/core/tool/turns.ts";
import { assert, suite } from "../harness.ts";

const test = suite("Turns");

const never = new AbortController().signal;

/** Lets those enter that have a place. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

interface Queue {
  readonly turns: Turns;
  /** The names inside, in the order of entry. */
  readonly inside: string[];
  /** Asks for a turn; `a1` is the first of the client a. */
  ask(name: string, signal?: AbortSignal): void;
}

function queueOf(placesMax: number, besideMax = 0): Queue {
  const turns = new Turns(placesMax, besideMax);
  const inside: string[] = [];
  const ask = (name: string, signal = never): void =>
    void turns.enter(signal, name.slice(0, -1)).then((hasPlace) => hasPlace && inside.push(name));
  return { turns, inside, ask };
}

test("Without clients, who waits longest is next", async () => {
  const { turns, inside, ask } = queueOf(1);
  for (const name of ["1", "2", "3"]) ask(name);
  await settled();
  turns.leave();
  await settled();
  assert.equal([inside, turns.waiting], [["1", "2"], 1]);
});

test("The next place is for the client that has fewest, and among equals for who was let in longest ago", async () => {
  const { turns, inside, ask } = queueOf(3);
  for (const name of ["a1", "a2", "a3", "a4", "a5", "b1", "b2", "c1", "c2"]) ask(name);
  await settled();
  for (const client of ["a", "a", "a", "b", "c"]) {
    turns.leave(client);
    await settled();
  }
  assert.equal(inside, ["a1", "a2", "a3", "b1", "c1", "a4", "b2", "c2"]);
});

test("A client that has no place gets one beside the others, as long as there are some", async () => {
  const { turns, inside, ask } = queueOf(2, 2);
  for (const name of ["a1", "a2", "a3", "b1", "b2", "c1", "d1"]) ask(name);
  await settled();
  assert.equal([inside, turns.waiting], [["a1", "a2", "b1", "c1"], 3]);
  // Of four taken places, two are extra: they only go to a client that has none.
  turns.leave("a");
  await settled();
  assert.equal([inside, turns.waiting], [["a1", "a2", "b1", "c1", "d1"], 2]);
  for (const client of ["b", "c", "d"]) turns.leave(client);
  await settled();
  assert.equal([inside.slice(5), turns.waiting], [["b2"], 1]);
  turns.leave("b");
  await settled();
  assert.equal([inside.slice(6), turns.waiting], [["a3"], 0]);
});

test("Who is not told of by name gets no place beside the others", async () => {
  const { turns, inside, ask } = queueOf(1, 1);
  for (const name of ["1", "2"]) ask(name);
  await settled();
  assert.equal([inside, turns.waiting], [["1"], 1]);
});

test("Who gives up waits no longer, and leaves nothing behind", async () => {
  const { turns, inside, ask } = queueOf(1);
  const gone = new AbortController();
  for (const name of ["a1", "b1", "b2"]) ask(name, name === "b1" ? gone.signal : never);
  await settled();
  gone.abort();
  turns.leave("a");
  await settled();
  assert.equal([inside, turns.waiting], [["a1", "b2"], 0]);
});

test.run();
