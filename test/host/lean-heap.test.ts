// A server returns memory that it no longer needs.
import { execFileSync } from "node:child_process";
import process from "node:process";
import { assert, suite } from "../harness.ts";

const test = suite("lean heap");

const MB = 1_000_000;
/** Prints the resident MB while millions of objects exist, and the least in the seconds after. */
const program = `
  import { keepHeapLean } from ${JSON.stringify(new URL("../../src/core/host/processes/lean-heap.ts", import.meta.url).href)};
  keepHeapLean();
  const residentMb = () => process.memoryUsage.rss() / ${MB};
  let objects = Array.from({ length: 3_000_000 }, (_item, index) => ({ index, text: "number " + index }));
  const most = residentMb();
  objects = undefined;
  let least = most;
  for (let looks = 0; looks < 300 && least > most / 2; looks++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    least = Math.min(least, residentMb());
  }
  process.stdout.write(JSON.stringify([most, least]));
`;

test("what thousands of definitions took is given back once they are gone", () => {
  if ("Deno" in globalThis) return;
  const words = ["--input-type=module", "--eval", program];
  const [most, least] = JSON.parse(execFileSync(process.execPath, words, { encoding: "utf8" })) as [number, number];
  assert.ok(most > 250 && least <= most / 2, `at most ${most} MB, then ${least} MB`);
});

test.run();
