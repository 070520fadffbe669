// A secret is masked as a reader sees it, and not only in its bytes: each row of secret-rows.ts in a text, in streamed
// output, and over two streams.
import { Buffer } from "node:buffer";
import process from "node:process";
import { createMasks } from "../../src/core/run/mask.ts";
import type { OutputStream } from "../../src/core/tool/call.ts";
import type { ToolEvent } from "../../src/core/tool/tool.ts";
import { assert, suite } from "../harness.ts";
import { PIN, SECRET, type SecretRow, secretRows } from "./secret-rows.ts";

const test = suite("shown secrets");

const masksOf = (...hidden: readonly string[]): ReturnType<typeof createMasks> =>
  createMasks([], { used: [], hidden, environment: () => undefined });
const masks = masksOf(SECRET, PIN);

interface Written {
  readonly stream?: OutputStream;
  readonly bytes: string | Uint8Array;
}

/** Returns the final text of each stream, and the text before the last flush. */
async function streamed(
  written: readonly Written[],
  own = masks,
): Promise<{ readonly stdout: string; readonly stderr: string; readonly early: string }> {
  const given = { stdout: [] as Uint8Array[], stderr: [] as Uint8Array[] };
  const { emit, flush } = own.events(
    (event: ToolEvent) => void (event.kind === "output" && given[event.stream].push(event.bytes)),
  );
  for (const { stream = "stdout", bytes } of written)
    await emit({ kind: "output", stream, bytes: typeof bytes === "string" ? Buffer.from(bytes) : bytes });
  const early = Buffer.concat([...given.stdout, ...given.stderr]).toString();
  await flush();
  return { stdout: Buffer.concat(given.stdout).toString(), stderr: Buffer.concat(given.stderr).toString(), early };
}

const whole = ({ written }: SecretRow): string => Buffer.concat(written.map((one) => Buffer.from(one))).toString();
const expected = (rows: readonly SecretRow[]): Readonly<Record<string, string>> =>
  Object.fromEntries(rows.map(({ name, shown = "a ••• b" }) => [name, shown]));

async function shownBy(
  rows: readonly SecretRow[],
  show: (row: SecretRow) => string | Promise<string>,
): Promise<Readonly<Record<string, string>>> {
  return Object.fromEntries(await Promise.all(rows.map(async (row) => [row.name, await show(row)] as const)));
}

const all = secretRows;

test("A text shows no secret, however it is written", async () => {
  assert.equal(await shownBy(all, (row) => masks.text(whole(row))), expected(all));
});

test("Output that streams is masked as it is when it is whole", async () => {
  assert.equal(
    await shownBy(all, async ({ written }) => (await streamed(written.map((bytes) => ({ bytes })))).stdout),
    expected(all),
  );
});

test("However output is cut into writes, nothing of a secret is left but what begins an escape", async () => {
  const cutting = (row: SecretRow, sizeBytes: number): readonly Written[] => {
    const bytes = Buffer.from(whole(row), "utf8");
    return Array.from({ length: Math.ceil(bytes.length / sizeBytes) }, (_value, index) => ({
      bytes: bytes.subarray(index * sizeBytes, (index + 1) * sizeBytes),
    }));
  };
  for (const size of [1, 2, 3, 7]) {
    const bare = (text: string): string => text.replace(/[%\\&=]+•••/, "•••");
    const shown = await shownBy(all, async (row) => bare((await streamed(cutting(row, size))).stdout));
    assert.equal(shown, await shownBy(all, ({ shown = "a ••• b" }) => bare(shown)), `in pieces of ${size}`);
  }
});

test("A secret that is cut over both streams is masked on both, in what streams, in the transcript and in the content", async () => {
  const half = SECRET.slice(0, 9);
  const rest = SECRET.slice(9);
  const { stdout, stderr } = await streamed([
    { bytes: `a ${half}` },
    { stream: "stderr", bytes: `${rest} b` },
    { bytes: " c" },
  ]);
  assert.equal([stdout, stderr], ["a ••• c", "••• b"]);
  const masked = masks.outcome({
    status: "ok",
    content: [
      { type: "text", text: `a ${half}\n` },
      { type: "text", text: `${rest} b` },
    ],
    process: {
      argv: ["x"],
      cwd: "/",
      exitCode: 0,
      transcript: [
        { stream: "stdout", text: `a ${half}` },
        { stream: "stderr", text: `${rest} b` },
      ],
      cutBytes: 0,
      level: "none",
      sandbox: "none",
    },
  });
  assert.equal(
    [masked.content, masked.process?.transcript],
    [
      [
        { type: "text", text: "a •••" },
        { type: "text", text: " b" },
      ],
      [
        { stream: "stdout", text: "a •••" },
        { stream: "stderr", text: "••• b" },
      ],
    ],
  );
});

test("Neither stream waits for the other", async () => {
  const given: string[] = [];
  const { emit, flush } = masks.events(
    (event) => void (event.kind === "output" && given.push(`${event.stream}: ${Buffer.from(event.bytes).toString()}`)),
  );
  for (const [stream, text] of [
    ["stdout", "a hunt"],
    ["stderr", "one\n"],
    ["stderr", "two\n"],
    ["stdout", "ing\n"],
  ] as const)
    await emit({ kind: "output", stream, bytes: Buffer.from(text) });
  await flush();
  assert.equal(given, ["stdout: a ", "stderr: one\n", "stderr: two\n", "stdout: hunt", "stdout: ing\n"]);
});

test("Few digits are a secret only as they are: not in a column of numbers, nor as digits of others", () => {
  const texts = ["4\n7\n1\n1\n", "34 37 31 31", "3437", "471\n1", "pin 4711.", "34373131", "NDcxMQ==", "4\x1b[1m711"];
  assert.equal(
    texts.map((text) => masks.text(text)),
    ["4\n7\n1\n1\n", "34 37 31 31", "3437", "471\n1", "pin •••.", "•••", "•••", "•••"],
  );
});

test("A secret is found in the quotes of a shell, and a short one in the digits of an address", () => {
  assert.equal(
    [masksOf("it's a secret").text("login 'it'\\''s a secret'"), masksOf("??>~").text("?t=Pz8-fg&a")],
    ["login '•••'", "?t=•••&a"],
  );
});

test("A key of several lines is masked line by line too", () => {
  const key = "-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQ\nEFAASCBKcwggSjAgEAAoIBAQ\n-----END KEY-----\n";
  const own = masksOf(key);
  assert.equal(
    [own.text(`a ${key}b`), own.text("it ends with EFAASCBKcwggSjAgEAAoIBAQ."), own.text(JSON.stringify({ key }))],
    ["a •••\nb", "it ends with •••.", '{"key":"•••\\n"}'],
  );
});

test("Nothing but secrets is changed, and nothing is lost, wherever output is cut", async () => {
  // A generator of Park and Miller mixes the forms.
  let seed = 42;
  const next = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
  const parts = [
    "hunt",
    "er2",
    "\b",
    "\r",
    "\n",
    "\x1b[",
    "31m",
    "\x1b]0;",
    "\x07",
    "\\",
    "%",
    "=",
    "&#",
    "&amp",
    "0",
    "0x",
    "68",
    "aHVu",
    "\0",
    "\u200b",
    "é",
    "\xff",
    "C",
    "5D",
    "\x1b[K",
    "\x1b[2P",
  ];
  for (let round = 0; round < 300; round++) {
    const bytes = Buffer.concat(
      Array.from({ length: 60 }, () => Buffer.from(parts[next(parts.length)] ?? "", next(5) === 0 ? "latin1" : "utf8")),
    );
    const written: Written[] = [];
    for (let at = 0; at < bytes.length; ) {
      const size = 1 + next(9);
      written.push({ bytes: bytes.subarray(at, at + size) });
      at += size;
    }
    const given: Uint8Array[] = [];
    const { emit, flush } = masks.events((event) => void (event.kind === "output" && given.push(event.bytes)));
    for (const { bytes: some } of written) await emit({ kind: "output", stream: "stdout", bytes: Buffer.from(some) });
    await flush();
    assert.is(Buffer.concat(given).toString("hex"), bytes.toString("hex"), `round ${round}`);
  }
});

test("A picture with a secret in it is left out, and what belongs to a result is masked too", () => {
  const base64 = Buffer.from(`\x89PNG tEXt${SECRET}`, "latin1").toString("base64");
  const utf8 = Buffer.from(`PNG tEXt${SECRET}`).toString("base64");
  const { content } = masks.outcome({
    status: "ok",
    content: [
      { type: "image", mediaType: "image/png", base64: utf8 },
      { type: "audio", mediaType: `audio/x;t=${SECRET}`, base64: "AAAA" },
      { type: "resource", uri: `x://h/${encodeURIComponent(SECRET)}`, mediaType: "text/plain", text: SECRET },
      { type: "image", mediaType: "image/png", base64: base64.slice(0, 8) },
    ],
  });
  assert.equal(content, [
    { type: "text", text: "(an image that holds a secret is left out)" },
    { type: "audio", mediaType: "audio/x;t=•••", base64: "AAAA" },
    { type: "resource", uri: "x://h/•••", mediaType: "text/plain", text: "•••" },
    { type: "image", mediaType: "image/png", base64: base64.slice(0, 8) },
  ]);
});

test("The time is that of the output, whatever is in it, and what is held back has an end", async () => {
  const own = masksOf(SECRET, PIN, "aaaaaaaaaaaaaaaab", "sk-1234567890abcdefghijklmnop");
  const costs = async (unit: string, count: number): Promise<number> => {
    const bytes = Buffer.from(unit.repeat(Math.ceil(count / unit.length)));
    const before = process.cpuUsage();
    const { emit, flush } = own.events(() => undefined);
    for (let at = 0; at < bytes.length; at += 65_536)
      await emit({ kind: "output", stream: "stdout", bytes: bytes.subarray(at, at + 65_536) });
    await flush();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
  await costs("warm ", 200_000);
  for (const unit of [
    "a",
    "x\b",
    "hunter2/Key+",
    "\r\x1b[K 42%",
    "\x1b[4096C\rx\n",
    "\0",
    "\\",
    "%68",
    "68",
    "aHVudGVy",
    "some words of a text\n",
  ]) {
    const [one, four] = [await costs(unit, 100_000), await costs(unit, 400_000)];
    assert.ok(four < 12 * one + 200, `${JSON.stringify(unit)}: ${one} ms, of four times as much ${four} ms`);
  }
  let given = 0;
  const { emit } = own.events((event) => void (event.kind === "output" && (given += event.bytes.length)));
  for (let round = 0; round < 64; round++)
    await emit({
      kind: "output",
      stream: "stdout",
      bytes: Buffer.concat([Buffer.from(round === 0 ? "hunter" : ""), Buffer.alloc(65_536)]),
    });
  assert.ok(given > 3_500_000, `${given} bytes of 4 MB are shown`);
});

test("a secret is masked without the white space around it, also where a message has cut it", () => {
  const own = masksOf("  hunter2-abcdef\n");
  assert.is(own.text("got hunter2-abcdef, and"), "got •••, and");
  assert.is(own.text('got "hunter2-ab…" and'), 'got "•••…" and');
});

test.run();
