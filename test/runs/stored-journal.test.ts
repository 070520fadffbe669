import { readSteps } from "../../src/features/runs/journal-file.ts";
import { makeRunFolder } from "../../src/features/runs/open-run.ts";
import { StoredJournal } from "../../src/features/runs/stored-journal.ts";
import type { Outcome } from "../../src/core/tool/call.ts";
import type { Host } from "../../src/core/tool/host.ts";
import { assert, suite } from "../harness.ts";
import { type MemoryHost, memoryHost } from "../memory-host.ts";

const test = suite("runs/stored-journal");

const id = "20260102-030405-000001";
const text = (said: string): Outcome => ({ status: "ok", content: [{ type: "text", text: said }] });

function journalOn(host: Host, lost: string[] = []): StoredJournal {
  return new StoredJournal({ id, host, ready: () => makeRunFolder(id, host), onLost: (code) => void lost.push(code) });
}

/** A host whose files cannot be appended to. */
function fullHost(): Host {
  const host: MemoryHost = memoryHost();
  const append = (): Promise<void> => Promise.reject(Object.assign(new Error("full"), { code: "ENOSPC" }));
  return Object.assign(Object.create(host) as Host, {
    files: Object.assign(Object.create(host.files) as Host["files"], { append }),
  });
}

test("what ended is read again, and what began without an end is unknown", async () => {
  const host = memoryHost();
  const journal = journalOn(host).ofCall((outcome) => outcome);
  await Promise.all([
    journal.end("a", text("one")),
    journal.begin("b"),
    journal.begin("c"),
    journal.end("c", text("x")),
  ]);
  const stored = readSteps(id, host);
  assert.equal("outcomes" in stored && [[...stored.outcomes], [...stored.unknown], stored.hasCleanedUp], [
    [
      ["a", text("one")],
      ["c", text("x")],
    ],
    ["b"],
    false,
  ]);
});

test("a step that must not run twice does not begin unless that is stored, whichever line is written first", async () => {
  const lost: string[] = [];
  const journal = journalOn(fullHost(), lost).ofCall((outcome) => outcome);
  const [end, ...begun] = await Promise.all([journal.end("a", text("")), journal.begin("b"), journal.begin("c")]);
  assert.equal([end, begun.map((failure) => failure?.kind), lost], [undefined, ["file", "file"], ["ENOSPC"]]);
});

test("a step that must not run twice does not begin a second time in one process", async () => {
  const journal = journalOn(memoryHost()).ofCall((outcome) => outcome);
  assert.is(await journal.begin("a"), undefined);
  assert.is((await journal.begin("a"))?.kind, "rejected");
});

test("an outcome that held a secret is stored as an end without it", async () => {
  const host = memoryHost();
  const journal = journalOn(host).ofCall(() => text("•••"));
  await journal.end("a", text("secret"));
  assert.equal(
    new TextDecoder().decode(host.instant.readBytes(`${host.folders.state}/runs/${id}/steps.jsonl`, 1000)),
    `{"kind":"end","place":"a","at":"${host.timestamp()}"}\n`,
  );
});

test("a step that must not run twice is unknown if its outcome held a secret, and not done", async () => {
  const host = memoryHost();
  const journal = journalOn(host).ofCall(() => text("•••"));
  await journal.begin("a");
  await journal.end("a", text("secret"));
  const stored = readSteps(id, host);
  assert.equal("outcomes" in stored && [[...stored.outcomes], [...stored.unknown]], [[], ["a"]]);
});

test("a broken line is named", async () => {
  const host = memoryHost();
  const journal = journalOn(host);
  await journal.add({ kind: "clean-up" });
  await host.files.append(`${host.folders.state}/runs/${id}/steps.jsonl`, "half\n", { mode: 0o600 });
  assert.equal(readSteps(id, host), { brokenLine: 2 });
});

test.run();
