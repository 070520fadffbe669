import { beginRun, type OpenRun } from "../../src/features/runs/open-run.ts";
import { pruneByDefault, startMsOf } from "../../src/features/runs/prune.ts";
import { newRunId, readRun, type RunEnd, type RunRecord, runFile, runIds } from "../../src/features/runs/run-record.ts";
import type { Host } from "../../src/core/tool/host.ts";
import { assert, present, suite } from "../harness.ts";
import { memoryHost } from "../memory-host.ts";

const test = suite("runs/open-run");

const end: RunEnd = { endedAt: "2026-01-02T03:04:06.000Z", status: "done", exitCode: 0, durationMs: 1000 };

function record(id: string): RunRecord {
  return {
    id,
    startedAt: "2026-01-02T03:04:05.000Z",
    tool: "say",
    arguments: {},
    cwd: "/work",
    options: { toolFolders: [], result: "text" },
    content: {},
    approvals: [],
    processId: 1,
  };
}

async function begun(id: string, host: Host): Promise<OpenRun> {
  return present(await beginRun(record(id), host));
}

function stateOf(id: string, host: Host): string {
  const read = present(readRun(id, host));
  return "run" in read ? read.run.state : read.trouble;
}

test("a run is running until it is closed, then as it ended, and lost without an end", async () => {
  const host = memoryHost();
  const [one, other] = ["20260102-030405-000001", "20260102-030405-000002"];
  const run = await begun(one, host);
  assert.is(await beginRun(record(one), host), undefined);
  assert.is(stateOf(one, host), "running");
  await run.end(end);
  run.close();
  assert.is(stateOf(one, host), "done");
  (await begun(other, host)).close();
  assert.is(stateOf(other, host), "lost");
});

test("the end of a run is stored on a disk that has become full", async () => {
  const host = memoryHost();
  const id = newRunId(host);
  const full: Host = Object.assign(Object.create(host) as Host, {
    files: Object.assign(Object.create(host.files) as Host["files"], {
      write: async (path: string, ...rest: [string]) => {
        if (path.endsWith("end.json") && host.instant.stat(runFile(id, "spare", host)))
          throw Object.assign(new Error("full"), { code: "ENOSPC" });
        await host.files.write(path, ...rest);
      },
    }),
  });
  const run = await begun(id, full);
  await run.end(end);
  run.close();
  assert.is(stateOf(id, host), "done");
});

test("pruneByDefault keeps 200 runs of the last 30 days", async () => {
  const host = memoryHost();
  const nowMs = Date.parse(host.timestamp());
  const idAt = (ms: number, index: number): string =>
    `${new Date(ms)
      .toISOString()
      .replaceAll(/[-:]/g, "")
      .replace("T", "-")
      .slice(0, 15)}-${index.toString(16).padStart(6, "0")}`;
  const old = idAt(nowMs - 31 * 24 * 3_600_000, 0);
  const recent = Array.from({ length: 201 }, (_none, index) => idAt(nowMs - 2 * 3_600_000 - index * 60_000, index));
  for (const id of [old, ...recent]) (await begun(id, host)).close();
  await pruneByDefault(host);
  assert.equal(runIds(host), recent.slice(0, 200));
});

test("startMsOf reads the time in an id", () => {
  assert.is(startMsOf("20260102-030405-abcdef"), Date.parse("2026-01-02T03:04:05Z"));
});

test.run();
