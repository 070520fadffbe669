// Definitions of the older system, unchanged: they load, and every call that their texts show runs. Their annotations
// are those of its six files.
import { analyzeToolFile } from "../../src/core/language/analyze.ts";
import { parseToolFile } from "../../src/core/language/syntax/parse.ts";
import { assert, suite } from "../harness.ts";
import { testProject } from "../test-project.ts";

const test = suite("older-system");

const glob = `Find files by glob patterns with find, below the project's folder unless another one comes first.
Only files are found. Common usage: ["-name", "*.vala"] for all .vala files,
or ["src/", "-name", "*.json"] for JSON files in src.

@title Glob Pattern Matching
@name Glob
@wrapped run_command
@command find {arguments} -type f
@example {"name": "Glob", "arguments": {"arguments": ["-name", "*.vala"]}}
@param arguments {array<string>} [required] Array of strings that will be passed to the command
`;
const grep = `Search for patterns in files with grep.
Common usage: ["-r", "pattern", "."] for the whole folder,
or ["-r", "-n", "pattern", "src/"] with line numbers, in src.

@title Grep Pattern Search
@name Grep
@wrapped run_command
@command grep {arguments}
@param arguments {array<string>} [required] Array of strings that will be passed to the grep command
`;
const ls = `List what is in a folder with ls.
Common usage: ["."] for the current folder, ["-la", "src/"] for src with details, or ["-R", "."] for all folders below.

@title List Directory Contents
@name LS
@wrapped run_command
@command ls {arguments}
@param arguments {array<string>} [required] Array of strings that will be passed to the ls command
`;
const files = {
  ".tools/glob.tool": glob,
  ".tools/grep.tool": grep,
  ".tools/ls.tool": ls,
  ".tools/Read.tool": "@name Read\n@wrapped read_file\n",
  ".tools/WebFetch.tool":
    '@name WebFetch\n@wrapped web_fetch\n@example {"name": "WebFetch", "arguments": {"url": "https://example.com"}}',
  ".tools/WebSearch.tool":
    '@name WebSearch\n@wrapped google_search\n@example {"name": "WebSearch", "arguments": {"query": "Vala programming"}}\n',
};
const inWork = { cwd: "work" };
const shownCalls = [glob, grep, ls].flatMap((text) => {
  const [description = ""] = text.split("\n@title");
  const name = /^@name (.*)$/m.exec(text)?.[1] ?? "";
  return [...description.matchAll(/\[[^\]]+\]/g)].map(([words]) => ({ name, words }));
});

test("their files load without a diagnostic", () => {
  for (const [path, text] of Object.entries(files))
    assert.equal(analyzeToolFile(parseToolFile({ path, text })).diagnostics, [], path);
});

test("every call that their texts show runs", async () => {
  using bench = testProject({
    ...files,
    "work/a.vala": "the pattern\n",
    "work/src/b.json": "{}\n",
    "work/src/c.txt": "a pattern\n",
  });
  const check = await bench.here(["check"]);
  assert.equal([check.exitCode, check.stderr], [0, ""]);
  const results = [];
  for (const { name, words } of shownCalls) {
    const asCall = await bench.here(["call", name, "--json", `{"arguments": ${words}}`], inWork);
    const asWords = await bench.here([name, ...(JSON.parse(words) as readonly string[])], inWork);
    assert.equal([name, words, asWords], [name, words, asCall]);
    assert.equal([name, words, asCall.exitCode, asCall.stderr], [name, words, 0, ""]);
    if (name !== "LS") results.push(asCall.stdout.trimEnd().split("\n").toSorted());
  }
  assert.equal(results, [
    ["./a.vala"],
    ["src/b.json"],
    ["./a.vala:the pattern", "./src/c.txt:a pattern"],
    ["src/c.txt:1:a pattern"],
  ]);
  assert.is((await bench.here(["Read", "a.vala"], inWork)).stdout, "the pattern\n");
});

test.run();
