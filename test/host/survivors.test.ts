// Each shape of survivors.ts, and each ending, once; all of them together with CI_FULL=1.
import { existsSync } from "node:fs";
import process from "node:process";
import { assert, suite } from "../harness.ts";
import { needPrograms } from "../programs-needed.ts";
import { allPairs, endings, shapes, survivorsTable } from "./survivors.ts";

const test = suite("survivors");

test("nothing of a run survives it, whatever its processes do and however it ends", async () => {
  // In Deno a write to a full pipe holds the program up whatever signal comes.
  if (!existsSync("/proc/self/environ") || "Deno" in globalThis) return;
  needPrograms("perl", "setsid", "nohup", "mkfifo");
  const pairs = process.env["CI_FULL"]
    ? allPairs
    : shapes
        .map((shape, index) => [shape, endings[index % endings.length] ?? endings[0]] as const)
        .filter((pair) => pair[1] !== undefined);
  const cells = await survivorsTable(pairs as typeof allPairs);
  assert.equal(
    [...cells].filter(([, left]) => left !== "0"),
    [],
  );
});

test.run();
