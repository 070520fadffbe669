// What calls share that come at the same time, and what goes out at the end of a turn.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { AuditLog } from "../../src/core/policy/audit-log.ts";
import { openTurnOutput } from "../../src/features/mcp-server/serve-lines.ts";
import { assert, suite } from "../harness.ts";
import { testProject } from "../test-project.ts";
import { startLines } from "./line-client.ts";
import { startHttp } from "./server-fixture.ts";

const test = suite("mcp/server turns");

const greeting =
  '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}';
const call = (id: number): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"read_file","arguments":{"file_path":"a.txt"}}}`;

test("openTurnOutput writes at the end of a turn: first the log, then all answers at once", () => {
  const written: string[] = [];
  const ends: (() => void)[] = [];
  const log = { append: (lines: string) => written.push(`log ${lines}`) } as unknown as AuditLog;
  const output = openTurnOutput(
    (text) => void written.push(`answers ${text}`),
    (work) => ends.push(work),
  );
  output.hold(log);
  log.later?.("a\n");
  void output.write("1\n");
  void output.write("2\n");
  log.later?.("b\n");
  assert.equal([written, ends.length], [[], 1]);
  ends.pop()?.();
  assert.equal(written, ["log a\nb\n", "answers 1\n2\n"]);
});

test("openTurnOutput goes on where a turn ends at once", () => {
  const written: string[] = [];
  const output = openTurnOutput(
    (text) => void written.push(text),
    (work) => work(),
  );
  for (const line of ["1\n", "2\n"]) void output.write(line);
  assert.equal(written, ["1\n", "2\n"]);
});

test("a hundred calls in one piece have an answer and a line in the log each", async () => {
  using bench = testProject({ "a.txt": "a\n" });
  const lines = startLines(bench);
  const ids = Array.from({ length: 100 }, (_, index) => index + 1);
  lines.sendPart(`${[greeting, ...ids.map(call)].join("\n")}\n`);
  const answers = await lines.count(ids.length + 1);
  const logged = readFileSync(join(bench.folder, "home/.local/state/dottool/audit.jsonl"), "utf8").split("\n");
  assert.equal(
    [answers.filter(({ result }) => result?.content !== undefined).length, logged.length],
    [ids.length, ids.length + 1],
  );
  await lines.end();
});

test("a rule that is written between two calls holds for the second", async () => {
  using bench = testProject({ "a.txt": "a\n" });
  const lines = startLines(bench);
  lines.sendPart(`${greeting}\n${call(1)}\n`);
  await lines.count(2);
  const folder = join(bench.folder, "home/.config/dottool");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "config.yaml"), "policy:\n  - decision: deny\n    tool: read_file\n");
  lines.sendPart(`${call(2)}\n${call(3)}\n`);
  // That the list has changed may be told between them.
  let answers = await lines.count(4);
  const answered = (): typeof answers => answers.filter(({ id }) => id !== undefined);
  for (let wanted = 5; answered().length < 4; wanted++) answers = await lines.count(wanted);
  assert.equal(
    answered()
      .slice(1)
      .map(({ result }) => result?.isError === true),
    [false, true, true],
  );
  await lines.end();
});

test("over HTTP, a rule that is written between two calls holds for the second, however many come at once", async () => {
  using bench = testProject({ "a.txt": "a\n" });
  const server = await startHttp(bench);
  const post = async (id: number): Promise<boolean> => {
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const answer = await fetch(server.url, { method: "POST", headers, body: call(id) });
    const text = await answer.text();
    assert.match(text, /"content":/);
    return text.includes('"isError":true');
  };
  const many = (): Promise<readonly boolean[]> => Promise.all(Array.from({ length: 8 }, (_, id) => post(id)));
  try {
    assert.equal(new Set(await many()), new Set([false]));
    const folder = join(bench.folder, "home/.config/dottool");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "config.yaml"), "policy:\n  - decision: deny\n    tool: read_file\n");
    assert.equal(new Set(await many()), new Set([true]));
  } finally {
    await server.stop();
  }
});

test.run();
