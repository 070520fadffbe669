// Random edits: what the server says after each is what a fresh server says of the same text, and its memory stays flat.
// The texts are hostile too: deep brackets, long lines, NUL, halves of characters.
import { readFileSync } from "node:fs";
import { sampleOf } from "../amount.ts";
import { assert, suite } from "../harness.ts";
import { testProject } from "../test-project.ts";
import { startEditor } from "./editor.ts";

const test = suite("lsp edits");

const TOOL = `Builds a page.

@name page
@wrapped run_command
@param title {string} [required, max=80] What it is called
@param kind {"a"|"b"} [default=a] The kind 🎉 of it
@command echo {title} {kind}
@tags read
@example {"title": "x"}
`;
const STEPS = `Reads.

@name steps
@param url {url} [required] The page
@step get uses web_fetch
    url = {url}
@step count runs [when={get.ok}]
    wc -l {get.output}
`;
const YAML = `name: listed
description: Lists.
parameters:
  FOLDER:
    type: string
    required: true
steps:
  - name: one
    bash: ls {FOLDER}
`;
const PIECES = [
  "{",
  "}",
  "[",
  "]",
  "@",
  "\n",
  "\r\n",
  "  ",
  '"',
  "{url}",
  "{title",
  "@param x {",
  "@step ",
  "uses page",
  "- ",
  ": ",
  "🎉",
  "\ud83c",
  "\0",
  "é",
  "\t",
  "@tags write",
  "@wrapped steps",
  "[[[[[[[[[[",
];
/** With CI_FULL 10,000 edits, in sessions that each end in time. */
const SESSIONS = process.env["CI_FULL"] ? 10 : 1;
const EDITS = process.env["CI_FULL"] ? 1_000 : 80;
/** A fresh server is asked after each of so many. */
const COMPARED = process.env["CI_FULL"] ? 100 : 40;

/** Returns numbers below 1, the same each time (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function edited(text: string, next: () => number): string {
  const start = Math.floor(next() * (text.length + 1));
  const end = Math.min(text.length, start + Math.floor(next() * next() * 12));
  return (
    text.slice(0, start) + (next() < 0.7 ? (PIECES[Math.floor(next() * PIECES.length)] ?? "") : "") + text.slice(end)
  );
}

for (let session = 1; session <= SESSIONS; session++)
  test(`after any edits the diagnostics are those of a fresh reading, and memory is flat (${session})`, () =>
    editAndCompare(session));

async function editAndCompare(session: number): Promise<void> {
  const files = { ".tools/page.tool": TOOL, ".tools/steps.tool": STEPS, ".tools/listed.yaml": YAML };
  using project = testProject(files);
  const next = numbers(20_261_130 + session);
  const editor = startEditor(project);
  await editor.begin();
  const texts = new Map(Object.entries(files));
  for (const [path, text] of texts) await editor.open(path, text);
  let firstKb = 0;
  for (let count = 1; count <= EDITS; count++) {
    const path = [...texts.keys()][Math.floor(next() * texts.size)] ?? "";
    // From time to time the author starts again.
    const text = edited(count % 40 === 0 ? (files[path as keyof typeof files] ?? "") : (texts.get(path) ?? ""), next);
    texts.set(path, text);
    const { diagnostics } = await editor.change(path, text);
    const position = { line: Math.floor(next() * 12), character: Math.floor(next() * 30) };
    const at = { textDocument: { uri: editor.uri(path) }, position };
    for (const asked of ["completion", "hover", "definition", "documentSymbol", "semanticTokens/full"])
      assert.not(
        JSON.stringify(await editor.ask(`textDocument/${asked}`, at)).startsWith('{"code"'),
        `${asked} of ${JSON.stringify(text)}`,
      );
    if (count % COMPARED === 0) {
      const fresh = startEditor(project);
      await fresh.begin();
      for (const [other, saved] of texts) if (other !== path) await fresh.open(other, saved);
      assert.equal(diagnostics, (await fresh.open(path, text)).diagnostics, JSON.stringify(text));
      await fresh.end();
    }
    if (count === Math.floor(EDITS / 2)) firstKb = residentKb(editor.pid);
  }
  const growthKb = residentKb(editor.pid) - firstKb;
  assert.ok(growthKb < 100_000, `grew by ${growthKb} KB`);
  assert.is(await editor.end(), 0);
}

function residentKb(pid: number): number {
  return process.platform === "linux"
    ? Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1])
    : 0;
}

/** Each is answered, whatever the answer is. */
const hostile: readonly (readonly [what: string, path: string, text: string])[] = [
  ["brackets", "deep.tool", `@name deep\n@param x ${"{array<".repeat(50_000)}\n@example ${"[".repeat(50_000)}\n`],
  ["braces of YAML", "deep.yaml", `name: deep\nparameters: ${"{a: ".repeat(20_000)}\n`],
  ["indents of YAML", "steep.yaml", Array.from({ length: 2_000 }, (_, depth) => `${" ".repeat(depth)}k:`).join("\n")],
  ["5 MB", "large.tool", `@name large\n${"@note words and words\n".repeat(230_000)}`],
  ["one long line", "long.tool", `@name long\n@command echo ${"{x} ".repeat(200_000)}`],
  ["NUL", "nul.tool", "@name nul\0\n@command echo hi\n"],
  ["half of a character", "half.tool", "Half \ud83c.\n\n@name half\n@param x {string} \udf89\n@command echo {x}\n"],
  ["only line ends", "ends.tool", "\r\n".repeat(100_000)],
  ["many annotations", "many.tool", `@name many\n@wrapped run_command\n${"@param x {string}\n".repeat(20_000)}`],
  [
    "a name of the prototype",
    "proto.tool",
    "@constructor x\n@__proto__ y\n@name constructor\n@step toString uses __proto__\n    constructor = {constructor}\n",
  ],
];

test("hostile texts are answered", async () => {
  using project = testProject({ ".tools/page.tool": TOOL });
  const editor = startEditor(project);
  await editor.begin();
  for (const [what, name, text] of sampleOf(hostile, 1)) {
    const path = `.tools/${name}`;
    await editor.open(path, text);
    const document = { textDocument: { uri: editor.uri(path) } };
    for (const position of [
      { line: 1, character: 5 },
      { line: 2, character: 100 },
      { line: 9_999_999, character: 9_999_999 },
    ])
      for (const asked of ["completion", "hover", "definition", "references", "rename"]) {
        const params = { ...document, position, context: { includeDeclaration: true }, newName: "y" };
        const answer = JSON.stringify(await editor.ask(`textDocument/${asked}`, params));
        assert.not(/"code":-32603/.test(answer), `${asked} of ${what}: ${answer.slice(0, 500)}`);
      }
    for (const asked of ["documentSymbol", "semanticTokens/full", "codeLens", "inlayHint", "formatting"]) {
      const params = {
        ...document,
        range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
        options: {},
      };
      const answer = JSON.stringify(await editor.ask(`textDocument/${asked}`, params));
      assert.not(/"code":-32603/.test(answer.slice(0, 200)), `${asked} of ${what}: ${answer.slice(0, 500)}`);
    }
    editor.tell("textDocument/didClose", document);
  }
  assert.is(await editor.end(), 0);
  assert.is(editor.errors(), "");
});

test("positions count UTF-16 units, on lines with emoji too", async () => {
  using project = testProject();
  const editor = startEditor(project);
  await editor.begin();
  const { diagnostics } = await editor.open(
    ".tools/emoji.tool",
    "Says 🎉.\n\n@name emoji\n@command echo 🎉🎉 {nobody}\n",
  );
  const [{ range } = { range: undefined }] = diagnostics;
  assert.equal(range, { start: { line: 3, character: 20 }, end: { line: 3, character: 26 } });
  assert.is(await editor.end(), 0);
});

test.run();
