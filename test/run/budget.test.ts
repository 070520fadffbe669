import { createHash } from "node:crypto";
import { readOutput } from "../../src/core/base/read-output.ts";
import { runCommand } from "../../src/core/base/run-command.ts";
import { fitToBudget, modelBudget } from "../../src/core/output/budget.ts";
import { lineStarts, storeSpill } from "../../src/core/output/kept-file.ts";
import type { Content } from "../../src/core/tool/call.ts";
import type { Host } from "../../src/core/tool/host.ts";
import { estimateTokens } from "../../src/core/text/tokens.ts";
import { assert, assertLinear, suite } from "../harness.ts";
import { memoryHost } from "../memory-host.ts";
import { withCommandFixture } from "../base/command-fixture.ts";

const test = suite("budget");

const text = (words: string): Content => ({ type: "text", text: words });
const first = `${"0".repeat(31)}1`;
const file = (sizeBytes: number, handle = first): Content => ({
  type: "file",
  mediaType: "text/plain",
  sizeBytes,
  handle,
});
const numbers = (count: number): string =>
  Array.from({ length: count }, (_item, index) => `line ${index + 1}\n`).join("");
const sizeOf = (content: readonly Content[]): number =>
  content.reduce((sum, item) => sum + (item.type === "text" ? estimateTokens(item.text) : 0), 0);

test("fitToBudget leaves what fits", async () => {
  const content: readonly Content[] = [
    text("a\n"),
    { type: "json", value: { a: 1 } },
    { type: "image", mediaType: "image/png", base64: "A".repeat(100_000) },
  ];
  assert.equal(await fitToBudget(content, { budget: modelBudget, host: memoryHost() }), content);
});

test("fitToBudget removes terminal codes", async () => {
  assert.equal(await fitToBudget([text("\x1b[31mred\x1b[0m")], { budget: modelBudget, host: memoryHost() }), [
    text("red"),
  ]);
});

test("fitToBudget cuts 51 kB of base64 to 10,000 tokens", async () => {
  const base64 = createHash("shake256", { outputLength: 38_000 }).update("seed").digest("base64");
  const content = await fitToBudget([text(base64)], { budget: modelBudget, host: memoryHost() });
  assert.equal(
    [estimateTokens(base64) > 34_000, sizeOf(content) <= 10_000, sizeOf(content) > 8_000, content.length],
    [true, true, true, 2],
  );
});

test("fitToBudget shows what a terminal shows in the end", async () => {
  const progress = "0%\r50%\r100%\nabc\rX\nlonger\r\x1b[Kshort\r\ngone\x1b[2K\rok\n";
  assert.equal(await fitToBudget([text(progress)], { budget: modelBudget, host: memoryHost() }), [
    text("100%\nXbc\nshort\r\nok\n"),
  ]);
  assert.equal(await fitToBudget([text("a\rb")], { budget: modelBudget, host: memoryHost(), quotesFiles: true }), [
    text("a\rb"),
  ]);
});

test("fitToBudget shows nothing of a kept output of spaces twice", async () => {
  const spaces = `${" ".repeat(1_999)}\n`.repeat(66);
  const host = memoryHost();
  const { sizeBytes, ends } = await storeSpill(host, spaces);
  const [shown] = await fitToBudget([{ type: "file", mediaType: "text/plain", sizeBytes, ends }], {
    budget: modelBudget,
    host,
  });
  assert.ok(shown?.type === "text" && shown.text.length < spaces.length, JSON.stringify(shown).slice(-300));
  assert.match(shown.text, /\[\d+ lines \(\d+ bytes\) left out here/);
});

test("fitToBudget keeps the head and the tail of too many lines", async () => {
  const content = await fitToBudget([text(numbers(20))], {
    budget: { tokensMax: 10_000, linesMax: 9 },
    host: memoryHost(),
  });
  const middle = `[12 lines (91 bytes) left out here; read_output {"handle":"${first}","offset":5} shows them]`;
  assert.equal(content, [
    text(`line 1\nline 2\nline 3\nline 4\n${middle}\nline 17\nline 18\nline 19\nline 20\n`),
    file(151),
  ]);
});

test("fitToBudget shows nothing of lines where there is room for none", async () => {
  const [shown] = await fitToBudget([text(numbers(20))], {
    budget: { tokensMax: 10_000, linesMax: 2 },
    host: memoryHost(),
  });
  assert.equal(
    shown,
    text(`[20 lines (151 bytes) left out here; read_output {"handle":"${first}","offset":1} shows them]\n`),
  );
});

test("fitToBudget keeps whole lines within the tokens", async () => {
  const [shown] = await fitToBudget([text(numbers(1_000))], {
    budget: { tokensMax: 150, linesMax: 2_000 },
    host: memoryHost(),
  });
  const middle = `[978 lines (8714 bytes) left out here; read_output {"handle":"${first}","offset":12} shows them]`;
  assert.equal(shown, text(`${numbers(11)}${middle}\n${numbers(1_000).slice(numbers(989).length)}`));
});

test("fitToBudget cuts a single line between characters", async () => {
  const [shown, kept] = await fitToBudget([text("\u{1f600}".repeat(1_000))], {
    budget: { tokensMax: 150, linesMax: 2_000 },
    host: memoryHost(),
  });
  const middle = `[1 line (3944 bytes) left out here; read_output {"handle":"${first}","offset":1} shows them]`;
  assert.equal([shown, kept], [text(`${"\u{1f600}".repeat(14)}\n${middle}\n`), file(4_000)]);
});

test("fitToBudget gives to long texts what short ones leave over", async () => {
  const content = await fitToBudget([text(numbers(5)), text(numbers(1_000))], {
    budget: { tokensMax: 500, linesMax: 2_000 },
    host: memoryHost(),
  });
  assert.equal(
    [content[0], content.length, sizeOf(content) <= 500, sizeOf(content) > 400],
    [text(numbers(5)), 3, true, true],
  );
});

test("fitToBudget shows long JSON as lines", async () => {
  const value = Array.from({ length: 100 }, (_item, index) => index);
  const [shown] = await fitToBudget([{ type: "json", value }], {
    budget: { tokensMax: 120, linesMax: 2_000 },
    host: memoryHost(),
  });
  assert.ok(shown?.type === "text" && shown.text.startsWith("[\n  0,\n  1,\n"), JSON.stringify(shown));
});

test("fitToBudget never goes over a budget that has room for the middle", async () => {
  const texts = [
    "x".repeat(5_000),
    numbers(3_000),
    "é\n".repeat(3_000),
    `${"\u{1f600}".repeat(3_000)}\nend`,
    "\n".repeat(5_000),
    `${"y".repeat(4_000)}\n`.repeat(3),
  ];
  for (const words of texts) {
    for (const tokensMax of [100, 400, 2_000]) {
      for (const linesMax of [3, 100]) {
        const content = await fitToBudget([text(words)], { budget: { tokensMax, linesMax }, host: memoryHost() });
        const shown = content[0]?.type === "text" ? content[0].text : "";
        assert.ok(
          sizeOf(content) <= tokensMax && lineStarts(shown).length <= linesMax + 1 && shown.isWellFormed(),
          `${words.slice(0, 5)} ${tokensMax} ${linesMax}: ${sizeOf(content)} tokens, ${lineStarts(shown).length} lines`,
        );
      }
    }
  }
});

test("fitToBudget delivers the result when the rest cannot be kept", async () => {
  const real = memoryHost();
  const full: Host = {
    ...real,
    files: { ...real.files, create: () => Promise.reject(Object.assign(new Error("no space"), { code: "ENOSPC" })) },
  };
  const content = await fitToBudget([text(numbers(20))], { budget: { tokensMax: 10_000, linesMax: 5 }, host: full });
  const middle = "[16 lines (121 bytes) left out here, and not stored, because the cache cannot be written to: ENOSPC]";
  assert.equal(content, [text(`line 1\nline 2\n${middle}\nline 19\nline 20\n`)]);
});

test("fitToBudget and read_output give together what a process printed", () =>
  withCommandFixture(async ({ call, host }) => {
    const outcome = await call(runCommand, { argv: ["seq", "30000"] });
    const content = await fitToBudget(outcome.content, { budget: modelBudget, host });
    const [shown, kept] = content;
    assert.ok(
      sizeOf(content) <= modelBudget.tokensMax &&
        shown?.type === "text" &&
        shown.text.startsWith("1\n2\n") &&
        shown.text.endsWith("29999\n30000\n"),
    );
    const { handle = "", offset = 0 } = JSON.parse(
      /read_output (\{.*?\})/.exec(shown?.type === "text" ? shown.text : "")?.[1] ?? "{}",
    ) as { handle?: string; offset?: number };
    const page = await call(readOutput, { handle, offset, limit: 2 });
    assert.equal(
      [kept, page.content],
      [
        file(168_894, handle),
        [text(`${offset}\n${offset + 1}\n[${30_000 - offset - 1} more lines; continue with offset ${offset + 2}]`)],
      ],
    );
  }));

test("lineStarts takes time linear to a line", () => {
  assertLinear("one line", 2 ** 22, (length) => void lineStarts("x".repeat(length)));
});

test.run();
