import process from "node:process";
import { readFileSync, readdirSync } from "node:fs";
import { HANG_MS_MAX } from "../amount.ts";
import { startListener } from "../../src/core/host/processes/process-watcher.ts";
import { assert, suite } from "../harness.ts";

const test = suite("process-listener");

if (process.platform === "linux" && !("Deno" in globalThis)) {
  test("a listener that no longer reads is ended, and acts on nothing that it has heard before", async () => {
    const name = `dottool-deaf-${process.pid}-${Date.now()}`;
    const listener = startListener({
      file: "/bin/sh",
      argv: [name, "-c", "kill -STOP $$; cat", name],
      cwd: "/",
      environment: { PATH: "/usr/bin:/bin" },
    });
    for (let line = 0; listener?.isListening === true && line < 1_000_000; line++)
      listener.tell("+a run that has long been over\n");
    assert.is(listener?.isListening, false);
    const deadline = Date.now() + HANG_MS_MAX;
    while (isRunning(name) && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 10));
    assert.is(isRunning(name), false);
  });
}

function isRunning(name: string): boolean {
  return readdirSync("/proc").some((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, "latin1").startsWith(`${name}\0`);
    } catch {
      return false;
    }
  });
}

test.run();
