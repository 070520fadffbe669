// uvu with a time limit for each test, so that a hang is a failure with a name.
import process from "node:process";
import { suite as uvuSuite } from "uvu";
import * as assert from "uvu/assert";

export { assert };

const TEST_MS_MAX = 60_000;

export interface Suite {
  (name: string, body: () => void | Promise<void>): void;
  run(): void;
}

export function suite(name: string, options: { readonly testMsMax?: number } = {}): Suite {
  const inner = uvuSuite(name);
  const limitMs = options.testMsMax ?? TEST_MS_MAX;
  const add = (testName: string, body: () => void | Promise<void>): void => {
    inner(testName, async () => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => reject(new Error(`${testName}: not done after ${limitMs} ms`)), limitMs);
      });
      await Promise.race([Promise.resolve().then(body), late]).finally(() => clearTimeout(timer));
    });
  };
  return Object.assign(add, { run: () => inner.run() });
}

/** Processor time of this process until now. What must be quick is held to this, and not to the clock: other tests run beside it. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
