// Outputs that a step stores for later runs: if the folder is damaged, they are silently lost.
import { keepOutcome, keptOutcome } from "../../src/core/steps/step-cache.ts";
import { assert, suite } from "../harness.ts";
import { memoryHost } from "../memory-host.ts";

const test = suite("step-cache");

test("an output is cached where the folder goes away before old ones are removed", async () => {
  const host = memoryHost();
  const gone = {
    ...host,
    instant: {
      ...host.instant,
      list: () => {
        throw Object.assign(new Error("gone"), { code: "ENOENT" });
      },
    },
  };
  const rejected: unknown[] = [];
  const onRejected = (error: unknown): void => void rejected.push(error);
  process.on("unhandledRejection", onRejected);
  try {
    keepOutcome("key", { status: "ok", content: [{ type: "text", text: "kept" }] }, gone);
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.off("unhandledRejection", onRejected);
  }
  assert.equal(
    [keptOutcome("key", 1_000, host), rejected],
    [{ status: "ok", content: [{ type: "text", text: "kept" }] }, []],
  );
});

test.run();
