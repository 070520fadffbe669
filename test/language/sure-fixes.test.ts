// `check --fix` never changes what a file means: after a slip in a valid definition, the fixed file has the parameters,
// the types and the words of the one that was meant, or the slip is not repaired.
import { analyzeToolFile } from "../../src/core/language/analyze.ts";
import { applyFixes } from "../../src/core/text/apply-fixes.ts";
import { parseToolFile } from "../../src/core/language/syntax/parse.ts";
import { sureName } from "../../src/core/text/suggest.ts";
import type { ToolDefinition } from "../../src/core/tool/definition.ts";
import { someOf } from "../amount.ts";
import { assert, suite } from "../harness.ts";

const test = suite("sure fixes");

const head = "Does it.\n\n@title Tool\n@name tool\n";
const bases: readonly string[] = [
  `${head}@wrapped run_command\n@command grep -rn --include={pattern} {word} {folder}\n@param word {string} [required, min=2] What\n@param folder {path} [default=.] Where\n@param pattern {string} [default="*.ts", lower] Names\n@tags read\n@timeout 30s\n@test finds\n    with {"word": "ab", "folder": "."}\n    expect exit-code 1\n    expect output-not-contains x\n`,
  `${head}@wrapped run_command\n@shell bash\n@script\n    for one in {files}; do wc -l "$one"; done | sort -n | tail -n {count}\n@param files {array<path>} [required, min=1] Which\n@param count {integer} [default=3, max=99] How many\n@param mode {"short"|"long"} [default=short] Unused\n@tags run\n`,
  `${head}@param url {url} [required] Where\n@param limit {integer} [default=5] How many\n@step page uses web_fetch\n    url = {url}\n@step lines sh [timeout=5s when={page.ok}]\n    printf '%s\\n' {page} | head -n {limit}\n@output {lines}\n@tags network\n`,
];

const known = ["param", "command", "script", "title", "name", "wrapped", "shell", "tags", "step", "output", "test"];

/** Returns what a call could notice: parameters with types, words, steps, tests. */
function meaningOf(text: string): { readonly meaning?: string; readonly isClean: boolean } {
  const { value, diagnostics } = analyzeToolFile(parseToolFile({ path: "tool.tool", text }));
  const isClean = diagnostics.every(({ severity }) => severity !== "error");
  return value ? { meaning: JSON.stringify(withoutPlaces(value)), isClean } : { isClean };
}

function withoutPlaces(value: ToolDefinition): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, one: unknown) => (/^(?:span|origin|source)$/.test(key) ? undefined : one)),
  );
}

function fixed(text: string): string {
  for (let pass = 0, before = ""; text !== before && pass < 10; pass++) {
    const { diagnostics } = analyzeToolFile(parseToolFile({ path: "tool.tool", text }));
    [before, text] = [text, applyFixes({ path: "tool.tool", text }, diagnostics)];
  }
  return text;
}

/** A word of the text, with its place. */
interface Word {
  readonly start: number;
  readonly text: string;
}

function wordsOf(text: string): readonly Word[] {
  return [...text.matchAll(/(?:(?<=[^{$])\{)?[A-Za-z][\w-]{2,}/g)].map(({ index, 0: word }) => ({
    start: index,
    text: word,
  }));
}

/** Returns the word with each kind of slip at the place. */
function slipsOf(word: string, at: number): readonly string[] {
  if (word.startsWith("{"))
    return [
      `$${word}`,
      `{${word}}`,
      `{$${word}}`,
      ...slipsOf(word.slice(1), at % (word.length - 1)).map((slip) => `{${slip}`),
    ];
  return [
    word.slice(0, at) + word.slice(at + 1),
    `${word.slice(0, at)}${word[at + 1] ?? ""}${word[at] ?? ""}${word.slice(at + 2)}`,
    `${word.slice(0, at)}x${word.slice(at)}`,
    `${word}s`,
    `${word}-any`,
    `${word} of all`,
    `${word}2`,
    word.toUpperCase(),
  ].filter((slip) => slip !== word);
}

test("a slip is repaired to what was meant, or left", () => {
  const rows = bases.flatMap((base) =>
    wordsOf(base).flatMap((word, nth) =>
      slipsOf(word.text, nth % word.text.length).map((slip) => ({ base, word, slip })),
    ),
  );
  const meanings = new Map(bases.map((base) => [base, meaningOf(base).meaning]));
  assert.equal(
    bases
      .flatMap((base) => analyzeToolFile(parseToolFile({ path: "tool.tool", text: base })).diagnostics)
      .map(({ severity, message }) => `${severity}: ${message}`),
    ["warning: unused parameter `mode`"],
  );
  let repaired = 0;
  const wrong = someOf(rows, 6).flatMap(({ base, word, slip }) => {
    const slipped = base.slice(0, word.start) + slip + base.slice(word.start + word.text.length);
    const after = fixed(slipped);
    if (after === slipped) return [];
    const { meaning, isClean } = meaningOf(after);
    if (!isClean) return [];
    repaired++;
    // What is words for people, or of the author's own choice, may differ by the slip itself.
    const asWritten = meaningOf(slipped).meaning;
    // A name in its declaration is the author's: the places that name it follow.
    const bare = (text: string): string => text.replace("{", "");
    const named = new RegExp(`(?<=[{ ])${bare(word.text)}(?=[}. ])`, "g");
    const asDeclared = meaningOf(base.replaceAll(named, bare(slip))).meaning;
    // A name in words is one with underscores.
    const asName = meaningOf(slipped.replace(/(?<=^@name ).*$/m, (words) => words.replaceAll(" ", "_"))).meaning;
    return [meanings.get(base), asWritten, asDeclared, asName].includes(meaning)
      ? []
      : [`${word.text} -> ${slip}:\n${after}`];
  });
  assert.equal(wrong, []);
  assert.ok(repaired > 20, `${repaired}`);
});

test("sureName takes a slip of two letters, the only one as near, with the same numbers", () => {
  assert.equal(
    [
      sureName("flie", ["file", "fly"]),
      sureName("output-contains-any", ["output-contains", "output-matches"]),
      sureName("path3", ["path1", "path2"]),
      sureName("path3", ["path1"]),
      sureName("fron", ["from", "font"]),
      sureName("frm", ["from", "form"]),
      ...known.map((name) => sureName(`${name}`, known)),
    ],
    ["file", undefined, undefined, undefined, "from", undefined, ...known],
  );
});

interface Row {
  readonly lines: string;
  readonly said: readonly string[];
  /** The lines after all fixes, if they differ. */
  readonly fixed?: string;
}

const wrap = "@wrapped run_command\n";
const rows: readonly Row[] = [
  {
    lines: `${wrap}@command echo \${text} a\n@param text {string} [required] T`,
    said: ["error needs-shell"],
  },
  {
    lines: `${wrap}@shell sh\n@command echo "\${text}" | sort\n@param text {string} [required] T`,
    said: ["error undeclared-variable"],
    fixed: `${wrap}@shell sh\n@command echo "{text}" | sort\n@param text {string} [required] T`,
  },
  {
    lines: `${wrap}@shell sh\n@command text=1; echo "\${text}"\n@param text {string} [required] T`,
    said: ["warning unused-parameter"],
  },
  {
    lines: `${wrap}@shell sh\n@command echo "\${text}"\n@env text=x\n@param text {string} [required] T`,
    said: ["warning unused-parameter"],
  },
  {
    lines: `${wrap}@command git log -n {number of commits}\n@param number {integer} [default=3] N`,
    said: ["error unknown-placeholder"],
  },
  {
    lines: `${wrap}@command git log -n {commit count}\n@param commit_count {integer} [default=3] N`,
    said: ["error unknown-placeholder"],
  },
  {
    lines: `${wrap}@command docker exec box {args...} {...more} {rest[]}\n@param args {array<string>} A\n@param more {array<string>} M\n@param rest {array<string>} R`,
    said: ["error unknown-placeholder", "error unknown-placeholder", "error unknown-placeholder"],
    fixed: `${wrap}@command docker exec box {args} {more} {rest}\n@param args {array<string>} A\n@param more {array<string>} M\n@param rest {array<string>} R`,
  },
  {
    lines: `${wrap}@command echo {b:lowercase} "{b|lower}"\n@param b {string} [required] B`,
    said: ["error unknown-placeholder", "error unknown-placeholder"],
  },
  { lines: `${wrap}@command echo {{b:lowercase}} {b} '{b:x}'\n@param b {string} [required] B`, said: [] },
  {
    lines: `${wrap}@command echo {a} {b}\n@param b {string} [required] B\n@param a {string} [default=./x/{b}] A`,
    said: ["warning default-mismatch"],
  },
  { lines: `${wrap}@command echo {a}\n@param a {integer} [required, transform="value + 1"] A`, said: [] },
  {
    lines: `${wrap}@command echo {a}\n@param a {string} A\n@test one\n    with {"q": 1}\n    expect exit-code 0`,
    said: ["warning test-malformed"],
  },
  {
    lines: `${wrap}@command echo {a}\n@param a {string} A\n@test one\n    with {"q": 1}\n    expect error-contains q`,
    said: [],
  },
  {
    lines: `${wrap}@command echo {a}\n@param a {string} A\n@test one\n    expect output-contains-any a b`,
    said: ["error test-malformed"],
  },
  {
    lines: "@command\nmake build\n@timeout 5s",
    said: [],
  },
  {
    lines: "@command\nls -la\n@x-team core",
    said: [],
  },
  {
    lines: "@command\nls -la\n\nSome notes.",
    said: ["error stray-text"],
  },
  {
    lines: "@shell sh\n@script\n# to {dev|prod}\necho usage: svc {start|stop}",
    said: [],
  },
  {
    lines: "@command printenv\n@env NODE_ENV production",
    said: ["error malformed-annotation"],
  },
  {
    lines: "@command printenv\n@env NODE_ENV API_URL",
    said: ["error malformed-annotation"],
    fixed: "@command printenv\n@env NODE_ENV\n@env API_URL",
  },
  {
    lines: "@command echo {n}\n@param n {10-20} N",
    said: ["error malformed-annotation"],
    fixed: "@command echo {n}\n@param n {integer} [min=10, max=20] N",
  },
  {
    lines: "@command echo {n}\n@param n {file/folder} N",
    said: ["error malformed-annotation"],
  },
  {
    lines: "@command echo {n}\n@param n {string|File} N",
    said: ["error malformed-annotation"],
  },
  {
    lines: "@command echo {n}\n@param n {list of addresses} N",
    said: ["error malformed-annotation"],
  },
  {
    lines: "@command echo {n}\n@param n {integer} [min=1,max=9] Number of rows, max 9",
    said: [],
  },
  {
    lines: "@type secret {object} S\n@property secret.a {string} A\n@command echo {s}\n@param s {secret} [required] S",
    said: [],
  },
  {
    lines: "@command gh pr list --template '{{range .}}{{.title}}{{\"\\n\"}}{{end}}'",
    said: ["error unknown-placeholder"],
    fixed: "@command gh pr list --template '{{{{range .}}}}{{{{.title}}}}{{{{\"\\n\"}}}}{{{{end}}}}'",
  },
  {
    lines: "@command ssh {host} ls ~/logs\n@param host {string} [required] H",
    said: [],
  },
  {
    lines: "@command cat ~/notes.txt",
    said: ["error needs-shell"],
    fixed: '@shell sh\n@command cat "$HOME"/notes.txt',
  },
  {
    lines: '@command git commit -m "use --force here"\n@param force {boolean} F',
    said: ["warning unused-parameter"],
  },
  {
    lines: "@command tar --verbose -cf x.tar .\n@param verbose {boolean} F",
    said: ["error unused-parameter"],
    fixed: '@command tar {verbose} -cf x.tar .\n@param verbose {boolean} [flag="--verbose"] F',
  },
  {
    lines: "@command rsync {--dry-run} a b\n@param dry-run {boolean} F",
    said: ["error unknown-placeholder"],
    fixed: '@command rsync {dry-run} a b\n@param dry-run {boolean} [flag="--dry-run"] F',
  },
  {
    lines: "@command drain {force?--force} a\n@param force {boolean} F",
    said: ["error unknown-placeholder"],
    fixed: '@command drain {force} a\n@param force {boolean} [flag="--force"] F',
  },
  {
    lines: "@wrapped bash\n@command ls | wc -l",
    said: ["error unknown-base-tool"],
    fixed: "@shell bash\n@command ls | wc -l",
  },
];

test("what would be plain text is said, and repaired where that is certain", () => {
  const found = rows.map(({ lines }): Row => {
    const text = `${head}${lines}\n`;
    const { diagnostics } = analyzeToolFile(parseToolFile({ path: "tool.tool", text }));
    const said = diagnostics.map(({ severity, code }) => `${severity} ${code}`).sort();
    const after = fixed(text).slice(head.length).trimEnd();
    return { lines, said, ...(after === lines ? {} : { fixed: after }) };
  });
  assert.equal(
    found,
    rows.map((row) => ({ ...row, said: row.said.toSorted() })),
  );
});

test("a script of another program without an indent has lines that begin with `@`", () => {
  const text = `${head}@script\n#!/usr/bin/env python3\nimport app\n@app.get("/")\n@test\ndef g(): pass\n\nprint(1)\n@tags run\n`;
  const { annotations } = parseToolFile({ path: "tool.tool", text });
  assert.equal(
    annotations.slice(-2).map(({ keyword, body, text: words }) => [keyword, body?.text ?? words.text]),
    [
      ["script", '#!/usr/bin/env python3\nimport app\n@app.get("/")\n@test\ndef g(): pass\n\nprint(1)'],
      ["tags", "run"],
    ],
  );
});

test.run();
