// Long outputs and many calls at once: no client waits for another's output, and memory and open files stay few.
import { readFileSync } from "node:fs";
import process from "node:process";
import { amount, someOf } from "../amount.ts";
import { assert, suite } from "../harness.ts";
import { type TestProject, testProject } from "../test-project.ts";
import { hello, type Message, request, startLines } from "./line-client.ts";
import { startHttp } from "./server-fixture.ts";

const test = suite("mcp/server long output");

const OUTPUT_BYTES = amount(30_000_000, 100_000_000);
/** Twice the size of the text. */
const ADDED_MB_MAX = (2 * OUTPUT_BYTES) / 1_000_000;
const CALLS = amount(250, 2_000);
const PINGS_MIN = 5;
/** Pings one after the other without a pause would be most of the work. */
const PAUSE_MS = 10;
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PAUSE_MS));

const flood = (name: string, command: string): string => `Prints a lot.

@name ${name}
@title ${name}
@wrapped run_command
@command sh -c "${command} | head -c ${OUTPUT_BYTES}"
@tags read
`;

const names = ["one_line", "many_lines"];

function floodFixture(): TestProject {
  return testProject({
    "home/.config/dottool/tools/one_line.tool": flood("one_line", "yes '' | tr '\\\\n' x"),
    "home/.config/dottool/tools/many_lines.tool": flood("many_lines", "yes 0123456789abcdef"),
    "home/.config/dottool/config.yaml": `policy:\n${names.map((name) => `  - decision: allow\n    tool: ${name}\n    front_end: mcp\n`).join("")}`,
  });
}

const headers = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
  "mcp-protocol-version": "2025-11-25",
};

async function connected(url: string): Promise<(body: string) => Promise<string>> {
  const begun = await fetch(url, { method: "POST", headers, body: hello });
  await begun.text();
  const own = { ...headers, "mcp-session-id": begun.headers.get("mcp-session-id") ?? "" };
  return async (body) => (await fetch(url, { method: "POST", headers: own, body })).text();
}

function peakMb(pid: number | undefined): number | undefined {
  return process.platform === "linux"
    ? Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024
    : undefined;
}

const handleIn = (answer: string): string => /read_output \{\\*"handle\\*":\\*"([0-9a-f]{32})/.exec(answer)?.[1] ?? "";

test("over HTTP, another client is answered while a call prints a lot, which memory does not hold", async () => {
  for (const name of names) {
    const bench = floodFixture();
    const server = await startHttp(bench);
    try {
      const [caller, other] = [await connected(server.url), await connected(server.url)];
      await other(request("list", "tools/list"));
      const before = peakMb(server.process.pid);
      let isDone = false;
      const call = caller(request(1, "tools/call", { name, arguments: {} })).finally(() => (isDone = true));
      let pings = 0;
      for (; !isDone; pings++, await pause()) assert.ok((await other(request(pings, "ping"))).includes('"result":{}'));
      const answer = await call;
      assert.ok(answer.includes("bytes) left out here"), answer.slice(0, 300));
      assert.ok(pings >= PINGS_MIN, `${pings} pings`);
      const page = await caller(
        request(2, "tools/call", {
          name: "read_output",
          arguments: { handle: handleIn(answer), offset: 5_000, limit: 2 },
        }),
      );
      assert.ok(page.includes("more lines; continue with offset 5002"), page.slice(0, 300));
      const after = peakMb(server.process.pid);
      if (before !== undefined && after !== undefined) assert.ok(after - before < ADDED_MB_MAX, `${after - before} MB`);
    } finally {
      await server.stop();
      bench.remove();
    }
  }
});

test("over stdio, pings are answered while a call prints a lot", async () => {
  for (const name of someOf(names, 2, 1)) {
    const bench = floodFixture();
    const lines = startLines(bench);
    try {
      lines.send(hello);
      await lines.count(1);
      lines.send(request("flood", "tools/call", { name, arguments: {} }));
      let messages: readonly Message[] = [];
      for (let ping = 0; !messages.some(({ id }) => id === "flood"); ping++) {
        lines.send(request(ping, "ping"));
        messages = await lines.count(ping + 2);
        await pause();
      }
      const before = messages.findIndex(({ id }) => id === "flood");
      assert.ok(before > PINGS_MIN, `${before} answers before it`);
      assert.ok(JSON.stringify(messages[before]).includes("bytes) left out here"));
    } finally {
      await lines.end();
      bench.remove();
    }
  }
});

test(`${CALLS} calls that read files, sent at once, all succeed where a process may open 64 files`, async () => {
  if (process.platform === "win32") return;
  using bench = testProject(
    Object.fromEntries(Array.from({ length: 50 }, (_item, index) => [`file_${index}.txt`, `text ${index}\n`])),
  );
  const { command, words } = bench.program;
  const lines = startLines({
    ...bench,
    program: { ...bench.program, command: "sh", words: ["-c", 'ulimit -n 64; exec "$@"', "sh", command, ...words] },
  });
  try {
    lines.send(hello);
    for (let id = 0; id < CALLS; id++)
      lines.send(request(id, "tools/call", { name: "read_file", arguments: { file_path: `file_${id % 50}.txt` } }));
    const answers = (await lines.count(CALLS + 1)).slice(1);
    const wrong = answers.filter(
      ({ id, result }) => !JSON.stringify(result?.content ?? "").includes(`text ${Number(id) % 50}`),
    );
    assert.equal(wrong.slice(0, 1), []);
  } finally {
    await lines.end();
  }
});

test.run();
