// The output of an attempt that may be repeated, and the output that a last step passes on: long output is not held in
// memory.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createMasks } from "../../src/core/run/mask.ts";
import { HeldFile } from "../../src/core/output/held-output.ts";
import { MASK } from "../../src/core/schema/describe.ts";
import type { HeldOutput, OutputEvent } from "../../src/core/tool/tool.ts";
import type { Host } from "../../src/core/tool/host.ts";
import { withCommandFixture } from "../base/command-fixture.ts";
import { assert, suite } from "../harness.ts";
import { startLines } from "../mcp/line-client.ts";
import { memoryHost } from "../memory-host.ts";
import { type TestProject, testProject } from "../test-project.ts";

const test = suite("held output");

/** About 2.7 MB: more than is held back before a file is written. */
const LINES = 230_000;
const numbers = Array.from({ length: LINES }, (_item, index) => `line ${index + 1}\n`).join("");
const masksOf = (secret: string): ReturnType<typeof createMasks> =>
  createMasks([{ name: "key", description: "", schema: { type: "string" }, required: true, secret: true }] as never, {
    used: [{ key: secret }],
    environment: () => undefined,
  });

async function add(held: HeldOutput, text: string, sizeBytes: number): Promise<void> {
  const bytes = new TextEncoder().encode(text);
  for (let start = 0, count = 0; start < bytes.length; start += sizeBytes, count++)
    await held.write(count % 3 === 2 ? "stderr" : "stdout", bytes.subarray(start, start + sizeBytes));
}

/** Returns both streams as they came, one after the other. */
async function shown(held: HeldOutput): Promise<string> {
  const pieces: Uint8Array[] = [];
  await held.end((event: OutputEvent) => void pieces.push(event.bytes.slice()));
  return Buffer.concat(pieces).toString("utf8");
}

test("what was held is given as it came, whatever its pieces", async () => {
  for (const size of [1_009, 65_536, 300_000, 5_000_000]) {
    const host = memoryHost();
    const held = new HeldFile(host);
    await add(held, numbers, size);
    assert.ok((await shown(held)) === numbers, String(size));
    assert.equal(host.texts(), {});
  }
});

test("what is not shown leaves nothing behind", () =>
  withCommandFixture(async ({ host, folder }) => {
    const held = new HeldFile(host);
    await add(held, numbers, 65_536);
    assert.is(readdirSync(join(folder, "cache/spill")).length, 1);
    await held.end();
    assert.equal(readdirSync(join(folder, "cache/spill")), []);
  }));

test("no secret of a tool, and of none above it, reaches the disk", () =>
  withCommandFixture(async ({ host, folder }) => {
    const own = "correct-horse-battery-staple";
    const above = "another-horse-another-staple";
    const held = masksOf(own).stored(masksOf(above).stored(new HeldFile(host)));
    await add(held, `${"a line of text\n".repeat(997)}${own} ${above}\n`.repeat(100), 4_093);
    const written = readdirSync(join(folder, "cache/spill"))
      .map((name) => readFileSync(join(folder, "cache/spill", name), "utf8"))
      .join("");
    assert.equal(
      [
        written.length > 1_000_000,
        written.includes("battery-st"),
        written.includes("another-st"),
        written.includes(MASK),
      ],
      [true, false, false, true],
    );
    const text = await shown(held);
    assert.equal([text.includes("-staple"), text.split(`${MASK} ${MASK}\n`).length > 95], [false, true]);
  }));

test("a disk that is full loses nothing", async () => {
  const real = memoryHost();
  let writes = 0;
  const full = {
    ...real,
    files: {
      ...real.files,
      create: async (path: string, options: { readonly mode: number }) => {
        const file = await real.files.create(path, options);
        return {
          ...file,
          write: (bytes: Uint8Array) =>
            ++writes > 3 ? Promise.reject(Object.assign(new Error("no space"), { code: "ENOSPC" })) : file.write(bytes),
          close: () => file.close(),
        };
      },
    },
  } as Host;
  const held = new HeldFile(full);
  await add(held, numbers, 50_000);
  assert.ok((await shown(held)) === numbers);
});

/** A command that prints much, and then writes the content of the cache to the file `held`. */
const much = (word: string): string => `seq -f '${word} %.0f' ${LINES}
    n=0; until [ -e quick ] || [ -n "$(ls "$HOME/.cache/dottool/spill" 2>/dev/null)" ] || [ $n -gt 500 ]; do n=$((n + 1)); sleep 0.01; done
    [ -e quick ] || ls "$HOME/.cache/dottool/spill" > held`;
const tool = (name: string, lines: string): string => `Prints.\n\n@title Print\n@name ${name}\n${lines}\n`;
const folder = "home/.config/dottool";
const files = {
  [`${folder}/config.yaml`]: "policy:\n  - decision: allow\n    tool: [streams, calls, cut]\n    front_end: mcp\n",
  [`${folder}/tools/second.tool`]: tool(
    "second",
    `@wrapped run_command\n@retry 3 delay=10ms\n@shell sh\n@script\n    if [ -e failed ]; then seq -f 'line %.0f' ${LINES}; exit 0; fi\n    : > failed\n    ${much("lost")}\n    exit 1`,
  ),
  [`${folder}/tools/streams.tool`]: tool(
    "streams",
    `@step first runs\n    echo first\n@step last sh [output=stream]\n    ${much("line")}`,
  ),
  [`${folder}/tools/prints.tool`]: tool(
    "prints",
    `@wrapped run_command\n@param key {string} [secret default="line 9"]\n@env KEY={key}\n@shell sh\n@script\n    ${much("line")}`,
  ),
  [`${folder}/tools/calls.tool`]: tool("calls", "@step last uses prints [output=stream]"),
  [`${folder}/tools/cut.tool`]: tool("cut", "@step last uses prints [buffer-limit=1MB]"),
};
const HELD = /^[0-9a-f]{32}\.output\n$/;

test("a tool that is tried again prints what its last attempt printed, and what another attempt printed waits in the cache", async () => {
  using bench = testProject(files);
  const { stdout, stderr, exitCode } = await bench.run(["second"]);
  assert.equal([stdout === numbers, stderr, exitCode], [true, "", 0]);
  assert.match(readFileSync(join(bench.folder, "held"), "utf8"), HELD);
  assert.equal(readdirSync(join(bench.folder, "home/.cache/dottool/spill")), []);
});

const handleIn = (answer: string): string => /read_output \{\\"handle\\":\\"(\w+)\\"/.exec(answer)?.[1] ?? "none";

/** Returns the last of the answers. */
async function calledByModel(bench: TestProject, name: string): Promise<string> {
  const lines = startLines(bench);
  const initialize = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  };
  lines.send(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: initialize }));
  lines.send(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }));
  lines.send(JSON.stringify({ jsonrpc: "2.0", id: 2, method: "tools/call", params: { name, arguments: {} } }));
  const messages = await lines.count(2);
  await lines.end();
  return JSON.stringify(messages.find(({ id }) => id === 2));
}

test("a last step that streams prints all of its output, and for a model it goes to the cache while it comes", async () => {
  using bench = testProject(files);
  const answers = await calledByModel(bench, "streams");
  const handle = handleIn(answers);
  assert.is(readFileSync(join(bench.folder, "held"), "utf8"), `${handle}.output\n`);
  bench.write("quick", "");
  const { stdout, exitCode } = await bench.run(["streams"]);
  assert.equal([stdout === numbers, exitCode], [true, 0]);
});

test("a last step that calls another tool does so too, without what that tool hides", async () => {
  using bench = testProject(files);
  const answer = await calledByModel(bench, "calls");
  const handle = handleIn(answer);
  assert.is(readFileSync(join(bench.folder, "held"), "utf8"), `${handle}.output\n`);
  const kept = readFileSync(join(bench.folder, `home/.cache/dottool/spill/${handle}.output`), "utf8");
  assert.equal([kept.includes("line 8\n"), kept.includes("line 9"), kept.includes(`${MASK}\n`)], [true, false, true]);
  bench.write("quick", "");
  const { stdout, exitCode } = await bench.run(["calls"]);
  assert.equal([stdout === numbers.replaceAll("line 9", MASK), exitCode], [true, 0]);
});

test("a step keeps all that a tool gives, or fails: never a part of it; its help leads on", async () => {
  using bench = testProject(files);
  bench.write("quick", "");
  const { stdout, stderr, exitCode } = await bench.run(["cut"]);
  assert.equal([stdout, exitCode], ["", 1]);
  assert.match(stderr, "stopped at the limit of 1000000 bytes of output");
  const definition = files[`${folder}/tools/cut.tool`] ?? "";
  for (const option of ["buffer-limit=10MB", "output=stream"]) {
    assert.match(stderr, option.split("=")[0] ?? "");
    bench.write(`${folder}/tools/cut.tool`, definition.replace("buffer-limit=1MB", option));
    const again = await bench.run(["cut"]);
    assert.equal([again.stdout === numbers.replaceAll("line 9", MASK), again.exitCode], [true, 0], option);
  }
});

test.run();
