// Output that is too long for memory: the stored text is the printed one, a reader needs one block of it, and damage is
// reported.
import { readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { GatheredOutput } from "../../src/core/output/gathered-output.ts";
import { lineStarts, openKept, storeSpill } from "../../src/core/output/kept-file.ts";
import { MASK } from "../../src/core/schema/describe.ts";
import { readOutput } from "../../src/core/base/read-output.ts";
import { fitToBudget, modelBudget } from "../../src/core/output/budget.ts";
import { createMasks } from "../../src/core/run/mask.ts";
import { openKeeper, TextParts } from "../../src/core/output/output-keeper.ts";
import { forModels } from "../../src/core/text/hidden-characters.ts";
import type { Content, OutputStream } from "../../src/core/tool/call.ts";
import type { Host } from "../../src/core/tool/host.ts";
import { seed } from "../amount.ts";
import { assert, assertLinear, suite } from "../harness.ts";
import { memoryHost } from "../memory-host.ts";
import { withCommandFixture } from "../base/command-fixture.ts";

const test = suite("kept output");

const numbers = (count: number): string =>
  Array.from({ length: count }, (_item, index) => `line ${index + 1}\n`).join("");

/** Lines of every kind, so that blocks end everywhere. */
const texts: Readonly<Record<string, string>> = {
  "short lines": numbers(100_000),
  "one line": "x".repeat(1_000_000),
  "one line of pairs": "\u{1f600}".repeat(300_000),
  "empty lines": "\n".repeat(400_000),
  "lines that are as long as lines may be": `${"y".repeat(2_000)}\n`.repeat(300),
  "lines that are one longer": `${"y".repeat(2_001)}\r\n`.repeat(300),
};

async function handleOf(host: Host, text: string): Promise<string> {
  return (await storeSpill(host, text)).handle ?? "";
}

test("what is kept has the lines that the text has", async () => {
  for (const [what, text] of Object.entries(texts)) {
    const host = memoryHost();
    const kept = await openKept(await handleOf(host, text), host);
    const starts = lineStarts(text);
    const lines: string[] = [];
    const firsts: number[] = [];
    for await (const block of kept?.linesFrom(0) ?? []) {
      firsts.push(block.first);
      for (const line of block.lines) lines.push(line);
    }
    assert.equal([what, kept?.lines, lines.length], [what, starts.length, starts.length]);
    const wanted = starts.map((start, index) =>
      text.slice(start, starts[index + 1] ?? text.length).replace(/\r?\n$/, ""),
    );
    assert.ok(
      lines.every((line, index) => line === wanted[index]),
      what,
    );
    for (const index of [0, 1, starts.length >> 1, starts.length - 1, ...firsts])
      if (index >= 0 && index < starts.length) assert.is(await kept?.line(index), wanted[index]);
  }
});

test("a page reads the block that it is in", async () => {
  const host = memoryHost();
  const handle = await handleOf(host, numbers(500_000));
  const read: number[] = [];
  const watched: Host = {
    ...host,
    files: {
      ...host.files,
      readBytes: (path, range) => (read.push(range.lengthMax), host.files.readBytes(path, range)),
    },
  };
  const kept = await openKept(handle, watched);
  assert.is(await kept?.line(400_000), "line 400001");
  assert.ok(read.reduce((sum, bytes) => sum + bytes, 0) < 512 * 1024, String(read));
});

test("a file that was cut short, changed, or lost its end is damaged, and nothing of it is shown as whole", () =>
  withCommandFixture(async ({ host, folder, call }) => {
    const damages: Readonly<Record<string, (path: string, bytes: Buffer) => void>> = {
      "cut within its text": (path) => truncateSync(path, 100_000),
      "cut by a byte": (path, bytes) => truncateSync(path, bytes.length - 1),
      empty: (path) => truncateSync(path, 0),
      "longer by a byte": (path, bytes) => writeFileSync(path, Buffer.concat([bytes, Buffer.from("x")])),
      "changed in its first block": (path, bytes) => writeFileSync(path, bytes.fill("X", 10, 11)),
      "changed in its list": (path, bytes) =>
        writeFileSync(path, bytes.fill("9", bytes.length - 80, bytes.length - 79)),
    };
    for (const [what, damage] of Object.entries(damages)) {
      const handle = await handleOf(host, numbers(60_000));
      const path = join(folder, "cache/spill", `${handle}.output`);
      damage(path, readFileSync(path));
      const failure = {
        kind: "rejected",
        reason: `the stored output \`${handle}\` is damaged: its file was truncated or changed`,
        help: ["make the call again"],
      };
      for (const args of [{ handle }, { handle, pattern: "line 1" }])
        assert.equal([what, await call(readOutput, args)], [what, { status: "failed", content: [], failure }]);
    }
  }));

test("a block that is whole is read beside one that is damaged", () =>
  withCommandFixture(async ({ host, folder, call }) => {
    const handle = await handleOf(host, numbers(60_000));
    const path = join(folder, "cache/spill", `${handle}.output`);
    writeFileSync(path, readFileSync(path).fill("X", 10, 11));
    assert.equal((await call(readOutput, { handle, offset: 59_999 })).content, [
      { type: "text", text: "line 59999\nline 60000" },
    ]);
  }));

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Returns the result for these pieces, and the content of the cache. */
async function kept(
  host: Host,
  pieces: readonly (readonly [OutputStream, Uint8Array])[],
  secret?: string,
): Promise<readonly Content[]> {
  const parameters = [
    { name: "key", description: "", schema: { type: "string" }, required: true, secret: true },
  ] as const;
  const masks =
    secret === undefined
      ? undefined
      : createMasks(parameters as never, { used: [{ key: secret }], environment: () => undefined });
  const gathered = new GatheredOutput({
    host,
    keepOutput: async () => masks?.stored(openKeeper(host)) ?? openKeeper(host),
  });
  for (const [stream, bytes] of pieces) await gathered.take(stream, bytes);
  return (await gathered.end()).content;
}

test("nothing secret reaches the disk, wherever pieces and blocks end", () =>
  withCommandFixture(async ({ host, folder }) => {
    const secret = "correct-horse-battery-staple";
    const text = `${"a line of text\n".repeat(997)}key=${secret}!\n`.repeat(300);
    for (const size of [1_009, 65_536]) {
      const bytes = bytesOf(text);
      const pieces = Array.from(
        { length: Math.ceil(bytes.length / size) },
        (_item, index) => ["stdout", bytes.subarray(index * size, (index + 1) * size)] as const,
      );
      const content = await kept(host, pieces, secret);
      const written = readdirSync(join(folder, "cache/spill"))
        .map((name) => readFileSync(join(folder, "cache/spill", name), "utf8"))
        .join("");
      assert.equal(
        [
          written.includes(secret),
          written.includes("battery-st"),
          written.split(`key=${MASK}!`).length > 300,
          JSON.stringify(content).includes(secret),
        ],
        [false, false, true, false],
      );
    }
  }));

test(`pieces that come faster than the disk takes them stay in order and masked, also for whoever reads meanwhile (seed ${seed})`, () =>
  withCommandFixture(async ({ host }) => {
    const secret = "correct-horse-battery-staple";
    const parts = Array.from({ length: secret.length - 11 }, (_item, index) => secret.slice(index, index + 12));
    let state = seed;
    const upTo = (count: number): number => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return 1 + (state % count);
    };
    let seen = "";
    /** As a reader who comes now: the blocks before were looked at. */
    const look = (path: string): void => {
      const text = readFileSync(path, "latin1").slice(-200_000);
      seen += parts.filter((part) => text.includes(part)).join(" ");
    };
    const slow: Host = {
      ...host,
      files: {
        ...host.files,
        create: async (path, options) => {
          const file = await host.files.create(path, options);
          return {
            ...file,
            write: async (bytes) => {
              for (let turns = upTo(5); turns > 0; turns--) await new Promise(setImmediate);
              await file.write(bytes);
              look(path);
            },
          };
        },
      },
    };
    const masks = createMasks([], { used: [], hidden: [secret], environment: () => undefined });
    const gathered = new GatheredOutput({ host: slow, keepOutput: async () => masks.stored(openKeeper(slow)) });
    const text = `${"a line of text\n".repeat(300)}key=${secret}!\n`.repeat(300);
    const bytes = bytesOf(text);
    const waiting: (void | Promise<void>)[] = [];
    const at = { stdout: 0, stderr: 0 };
    while (at.stdout < bytes.length || at.stderr < bytes.length) {
      const stream = upTo(2) === 1 ? "stdout" : "stderr";
      const end = at[stream] + upTo(9_000);
      waiting.push(gathered.take(stream, bytes.slice(at[stream], end)));
      at[stream] = Math.min(end, bytes.length);
      if (upTo(20) === 1) await new Promise(setImmediate);
    }
    await Promise.all(waiting);
    const { content } = await gathered.end();
    assert.is(seen, "");
    const wanted = text.replaceAll(secret, MASK).split("\n").slice(0, -1);
    for (const one of content) {
      const kept = one.type === "file" && one.handle !== undefined ? await openKept(one.handle, host) : undefined;
      const lines: string[] = [];
      for await (const block of kept?.linesFrom(0) ?? []) for (const line of block.lines) lines.push(line);
      assert.ok(lines.length === wanted.length && lines.every((line, index) => line === wanted[index]));
    }
    assert.is(content.length, 2);
  }));

test("what could still become a secret is kept where nothing follows it", async () => {
  const masks = createMasks([], { used: [], hidden: ["correct-horse-battery"], environment: () => undefined });
  const keeper = masks.stored(openKeeper(memoryHost()));
  await keeper.write("stdout", bytesOf("key: correct-horse"));
  const content = (await keeper.end()).get("stdout");
  assert.is(content?.type === "file" && content.ends?.head, "key: correct-horse");
});

test("hidden characters are left out, and spelled out where a text has to be found again as it is", async () => {
  const head = async (quotesFiles: boolean): Promise<string | undefined> => {
    const keeper = openKeeper(memoryHost(), quotesFiles);
    await keeper.write("stdout", bytesOf("a\u202eb"));
    const content = (await keeper.end()).get("stdout");
    return content?.type === "file" ? content.ends?.head : undefined;
  };
  assert.equal([await head(false), await head(true)], ["ab", "a\\u{202e}b"]);
});

test("a long output is shown by its ends, with terminal codes taken out, and read_output goes on between them", () =>
  withCommandFixture(async ({ host, call }) => {
    const bytes = bytesOf(numbers(400_000).replaceAll(/line (\d+)/g, "\x1b[1mline\x1b[0m $1"));
    const pieces = Array.from(
      { length: Math.ceil(bytes.length / 4_093) },
      (_item, index) => ["stdout", bytes.subarray(index * 4_093, (index + 1) * 4_093)] as const,
    );
    const content = await fitToBudget(await kept(host, [...pieces, ["stderr", bytesOf("one warning\n")]]), {
      budget: modelBudget,
      host,
    });
    const [shown, file, errors] = content;
    const [, head = "", handle = "", offset = "", tail = ""] =
      /^([^[]*)\[.* left out here; read_output \{"handle":"(\w+)","offset":(\d+)\} shows them\]\n([^]*)$/.exec(
        shown?.type === "text" ? shown.text : "",
      ) ?? [];
    const first = head.split("\n").length - 1;
    const last = tail.split("\n").length - 1;
    assert.equal(
      [head, tail],
      [
        numbers(first),
        numbers(400_000)
          .split("\n")
          .slice(400_000 - last)
          .join("\n"),
      ],
    );
    assert.equal(
      [Number(offset), file, errors],
      [
        first + 1,
        { type: "file", mediaType: "text/plain", sizeBytes: numbers(400_000).length, handle },
        { type: "text", text: "one warning\n" },
      ],
    );
    assert.equal((await call(readOutput, { handle, offset: 200_000, limit: 1 })).content, [
      { type: "text", text: "line 200000\n[200000 more lines; continue with offset 200001]" },
    ]);
    assert.equal((await call(readOutput, { handle, pattern: "^line 39{5}$" })).content, [
      { type: "text", text: "399999:line 399999" },
    ]);
  }));

test("bytes that are not text are hashed as they come", async () => {
  const host = memoryHost();
  const bytes = new Uint8Array(5_000_000).map((_byte, index) => index % 251);
  const pieces = Array.from(
    { length: 50 },
    (_item, index) => ["stdout", bytes.subarray(index * 100_000, (index + 1) * 100_000)] as const,
  );
  assert.equal(await kept(host, pieces), [
    { type: "file", mediaType: "application/octet-stream", sizeBytes: 5_000_000, sha256: host.sha256(bytes) },
  ]);
});

test("what nobody keeps stays in memory whole, and a character that is cut between pieces too", async () => {
  const gathered = new GatheredOutput({ host: memoryHost() });
  for (const byte of bytesOf("é\n".repeat(10_000))) await gathered.take("stdout", Uint8Array.of(byte));
  await gathered.take("stderr", bytesOf("x"));
  const text = "é\n".repeat(10_000);
  assert.equal(await gathered.end(), {
    content: [
      { type: "text", text },
      { type: "text", text: "x" },
    ],
    transcript: [
      { stream: "stdout", text },
      { stream: "stderr", text: "x" },
    ],
  });
});

test("a full disk loses the rest of a long output, and never the result", async () => {
  const real = memoryHost();
  const full: Host = {
    ...real,
    files: {
      ...real.files,
      create: async (path, options) => ({
        ...(await real.files.create(path, options)),
        write: () => Promise.reject(Object.assign(new Error("no space"), { code: "ENOSPC" })),
      }),
    },
  };
  const [shown, ...others] = await fitToBudget(
    await kept(
      full,
      Array.from({ length: 100 }, () => ["stdout", bytesOf("a line\n".repeat(9_000))] as const),
    ),
    { budget: modelBudget, host: full },
  );
  assert.ok(
    shown?.type === "text" &&
      shown.text.startsWith("a line\n") &&
      shown.text.includes("and not stored, because the cache cannot be written to: ENOSPC]"),
    JSON.stringify(shown).slice(0, 200),
  );
  assert.equal([others, real.texts()], [[], {}]);
});

test("TextParts gives parts that are cleaned as the whole is", () => {
  const whole = `${"plain \x1b[31mred\x1b[0m a\u200d\u200db ab\b\bxy \u{1f469}\u200d\u{1f4bb} ".repeat(4_000)}\n${"tail\x9b1m ".repeat(20_000)}`;
  for (const size of [997, 30_000, 200_000]) {
    const parts = new TextParts();
    let cleaned = "";
    for (let start = 0; start < whole.length; start += size)
      cleaned += forModels(parts.take(whole.slice(start, start + size)));
    assert.ok(cleaned + forModels(parts.end("")) === forModels(whole), `pieces of ${size}`);
  }
});

test("keeping takes time linear to a text, whatever its lines are", () => {
  const hostile: Readonly<Record<string, (length: number) => string>> = {
    "one line": (length) => "x".repeat(length),
    "many lines": (length) => "\n".repeat(length),
    "escapes that never end": (length) => "\x1b]".repeat(length / 2),
    joiners: (length) => "\u200d".repeat(length),
  };
  for (const [what, make] of Object.entries(hostile)) {
    assertLinear(what, 2 ** 19, (length) => {
      const text = make(length);
      const parts = new TextParts();
      for (let start = 0; start < length; start += 8_192) forModels(parts.take(text.slice(start, start + 8_192)));
      forModels(parts.end(""));
    });
  }
});

test.run();
