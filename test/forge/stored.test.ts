// The limits of stored tools: how many there may be, and for how long.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createNodeHost } from "../../src/core/host/node-host.ts";
import { type ForgedRecord, idOf, noUses, RECORD_VERSION } from "../../src/features/forge/record.ts";
import { namedTools, storeTested } from "../../src/features/forge/registry.ts";
import { changingTools, storedTools } from "../../src/features/forge/store.ts";
import { AGENT_TOOLS_MAX, storeUse } from "../../src/features/forge/uses.ts";
import type { Host } from "../../src/core/tool/host.ts";
import { assert, suite } from "../harness.ts";

const test = suite("forge stored");

const DAY_MS = 86_400_000;

async function withHost(body: (host: Host) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "dottool-forge-stored-"));
  const before = process.env["XDG_STATE_HOME"];
  process.env["XDG_STATE_HOME"] = folder;
  try {
    await body(createNodeHost());
  } finally {
    if (before === undefined) delete process.env["XDG_STATE_HOME"];
    else process.env["XDG_STATE_HOME"] = before;
    rmSync(folder, { recursive: true });
  }
}

function record(
  name: string,
  host: Host,
  more: Partial<ForgedRecord> & { readonly daysAgo?: number } = {},
): ForgedRecord {
  const { daysAgo = 0, ...rest } = more;
  const text = `Does ${name}.\n\n@name ${name}\n@title T\n@code\n    return 1;\n`;
  const at = new Date(Date.parse(host.timestamp()) - daysAgo * DAY_MS).toISOString();
  return {
    version: RECORD_VERSION,
    id: idOf(name, text, host),
    name,
    text,
    tier: "agent",
    state: "active",
    session: host.shared.identity(),
    verdict: { approved: true, confidence: 0.9, safety: 1, correctness: 1, determinism: 1, bounded: 1, reasoning: "" },
    judges: ["deterministic"],
    effects: ["read"],
    uses: noUses,
    forgedAt: at,
    usedAt: at,
    ...rest,
  };
}

test("what nobody can run or has used for long is removed, and the log says so", () =>
  withHost(async (host) => {
    // No system gives that id to a process.
    const ended = { ...host.shared.identity(), processId: 2 ** 30 };
    const records = [
      record("unused", host, { daysAgo: 91 }),
      record("used", host, { daysAgo: 89 }),
      record("ended_long_ago", host, { tier: "session", session: ended, daysAgo: 8 }),
      record("ended", host, { tier: "session", session: ended, daysAgo: 6 }),
      record("running", host, { tier: "session", daysAgo: 30 }),
    ];
    await changingTools(host, async (store) => {
      for (const one of records) await store.write(one);
    });
    await storeTested(record("fresh", host), host);
    assert.equal(
      storedTools(host)
        .records.map(({ name }) => name)
        .toSorted(),
      ["ended", "fresh", "running", "used"],
    );
    const log = readFileSync(join(host.folders.state, "forge/audit.jsonl"), "utf8");
    assert.equal(
      log
        .trimEnd()
        .split("\n")
        .map((line) => (JSON.parse(line) as { event: string }).event),
      ["expire", "expire", "test"],
    );
  }));

test("fifty tools are every session's at most, and ids are compared whole", () =>
  withHost(async (host) => {
    await changingTools(host, async (store) => {
      for (let number = 0; number < AGENT_TOOLS_MAX; number++) await store.write(record(`tool_${number}`, host));
    });
    const uses = { succeeded: 9, failed: 0, failedInARow: 0 };
    const proven = record("one_more", host, { tier: "session", uses, judges: ["deterministic", "one"] });
    const tierAfterUse = (): Promise<string | undefined> =>
      changingTools(host, async (store) => {
        await store.write(proven);
        await storeUse(proven.id, "succeeded", { store, host });
        return store.find(proven.id)?.tier;
      });
    assert.is(await tierAfterUse(), "session");
    await changingTools(host, (store) => store.remove(record("tool_8", host).id));
    assert.is(await tierAfterUse(), "agent");
    const [found] = namedTools("tool_7", host);
    assert.is(namedTools(found?.id ?? "", host).length, 1);
    assert.equal(namedTools((found?.id ?? "").slice(0, -1), host), []);
    assert.equal(namedTools("tool_", host), []);
  }));

test.run();
