// A suite whose tests mostly wait for processes and share nothing: several run at once, and are reported in sequence.
import { Turns } from "../src/core/tool/turns.ts";
import { type Suite, suite } from "./harness.ts";

const AT_ONCE = 4;
const never = new AbortController().signal;

/** Makes the suite. The first test that is reached starts all. */
export function sideBySide(name: string): Suite {
  const inner = suite(name);
  const places = new Turns(AT_ONCE);
  const starts: (() => Promise<unknown>)[] = [];
  const test = (title: string, body: () => Promise<void> | void): void => {
    let running: Promise<unknown> | undefined;
    const start = (): Promise<unknown> => (running ??= places.take(never, async () => body()));
    starts.push(start);
    inner(title, async () => {
      for (const each of starts) each().catch(() => undefined);
      await start();
    });
  };
  return Object.assign(test, { run: () => inner.run() });
}
