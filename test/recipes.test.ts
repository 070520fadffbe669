// The recipes of src/README.md, done in a copy of the sources: the files that a recipe names are all that its change
// touches, and the program then does the new thing.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";

const root = fileURLToPath(new URL("..", import.meta.url));
const readme = readFileSync(join(root, "src/README.md"), "utf8");

interface Recipe {
  /** The words of src/README.md: "a base tool". */
  readonly adds: string;
  /** New texts of files below src/, from the old ones: empty where there is none. */
  readonly changes: Readonly<Record<string, (text: string) => string>>;
  readonly words: readonly string[];
  readonly input?: unknown;
  readonly shows: RegExp;
}

/** Adds a text behind the one place that matches. */
function behind(place: RegExp, added: string): (text: string) => string {
  return (text) => {
    const found = place.exec(text);
    assert.ok(found, `${place} is not there`);
    const at = found.index + found[0].length;
    return text.slice(0, at) + added + text.slice(at);
  };
}

function inTurn(...changes: readonly ((text: string) => string)[]): (text: string) => string {
  return (text) => changes.reduce((changed, change) => change(changed), text);
}

const recipes: readonly Recipe[] = [
  {
    adds: "a base tool",
    changes: {
      "base/count-words.ts": () => `import { string } from "../schema/declare.ts";
import { baseTool, okText } from "../tool/base-tool.ts";

export const countWords = baseTool({
  name: "count_words",
  title: "Count words",
  description: "Count the words of a text.",
  parameters: { text: string("The text", { example: "a b" }) },
  effects: [],
  execute: ({ text }) => Promise.resolve(okText(String(text.split(" ").length))),
});
`,
      "base/all.ts": inTurn(
        behind(/^import .*\n/m, 'import { countWords } from "./count-words.ts";\n'),
        behind(/baseTools.* = \[\n/, "  countWords,\n"),
      ),
      "base/base-tool-names.ts": behind(/baseToolNames.* = \[\n/, '  "count_words",\n'),
    },
    words: ["call", "count_words", "--text", "one two three"],
    shows: /^3$/m,
  },
  {
    adds: "a command",
    changes: {
      "cli/commands.ts": behind(/export const commands = \[\n/, '  { name: "greet", summary: "say hello" },\n'),
      "cli/greet.ts": () => `import { exitCodes } from "../run/exit-code.ts";
import type { WordsCommand } from "./command.ts";

export const greetCommand: WordsCommand = {
  kind: "words",
  usage: ["greet [NAME]"],
  about: "Says hello.",
  options: [],
  words: [0, 1],
  run: ({ words }, { terminal }) => {
    terminal.output.write(\`hello \${words[0] ?? "world"}\\n\`);
    return Promise.resolve(exitCodes.done);
  },
};
`,
      "cli/program.ts": behind(
        /loadCommand: .* = \{\n/,
        '  greet: async () => (await import("./greet.ts")).greetCommand,\n',
      ),
    },
    words: ["greet", "Ana"],
    shows: /^hello Ana$/m,
  },
  {
    adds: "a diagnostic",
    changes: {
      "text/codes.ts": behind(/diagnosticCodes = \[\n/, '  "silly-name",\n'),
      "text/code-pages/names.ts": behind(
        /namePages = \{\n/,
        `  "silly-name": {
    title: "the name is silly",
    explanation: "Nobody would look for it.",
    bad: lines("@name blah"),
    good: lines("@name count_lines"),
  },
`,
      ),
    },
    words: ["explain-code", "silly-name"],
    shows: /^The name is silly/,
  },
  {
    adds: "a model API",
    changes: {
      "dialects/acme.ts": () => `import { gemini } from "./gemini.ts";
import type { ApiDialect } from "./dialect.ts";

export const acme: ApiDialect = {
  ...gemini,
  name: "acme",
  declarations: (tools) => tools.map((tool) => ({ acme: tool.definition.name.value })),
};
`,
      "dialects/dialect.ts": behind(/apiDialectNames = \[/, '"acme", '),
      "dialects/dialects.ts": behind(
        /loadDialect: .* = \{\n/,
        '  acme: async () => (await import("./acme.ts")).acme,\n',
      ),
    },
    words: ["schema", "glob", "--for", "acme"],
    shows: /"acme": "glob"/,
  },
  {
    adds: "what other agents call a tool",
    changes: { "run/foreign-names.ts": behind(/run_command: \[\n/, '    "acme_shell",\n') },
    words: ["exec"],
    input: { tool_calls: [{ id: "1", function: { name: "acme_shell", arguments: { command: "true" } } }] },
    shows: /did you mean `run_command`/,
  },
  {
    adds: "something that other agents are asked about",
    changes: {
      "policy/hook-policy.ts": behind(
        /dangerRows: .* = \[\n/,
        '  { programs: "frobnicate", why: "wipes the frobs" },\n',
      ),
    },
    words: ["hook", "claude"],
    input: { cwd: tmpdir(), tool_name: "Bash", tool_input: { command: "frobnicate now" } },
    shows: /`frobnicate` wipes the frobs/,
  },
  {
    adds: "a file that models are asked about",
    changes: {
      "policy/executed-files.ts": behind(
        /executedFiles: .* = \[\n/,
        '  { why: "acme runs it", source: "the manual of acme", names: "acme.run" },\n',
      ),
    },
    words: ["hook", "claude"],
    input: { cwd: tmpdir(), tool_name: "Write", tool_input: { file_path: "acme.run", content: "x" } },
    shows: /acme runs it/,
  },
];

const test = suite("recipes of src/README.md");

/** All recipes are done in one copy: each is on its own, and a copy of the sources takes a second. */
const copy = mkdtempSync(join(tmpdir(), "dottool-recipes-"));
test.after(() => rmSync(copy, { recursive: true, force: true }));

test("each names the files that its change touches", () => {
  for (const { adds, changes } of recipes) {
    const [recipe] = new RegExp(`^- \\*\\*${adds}\\*\\*[^]*?(?=^- \\*\\*|^$)`, "m").exec(readme) ?? [];
    assert.ok(recipe, `src/README.md has no recipe for ${adds}`);
    for (const file of Object.keys(changes)) {
      const folder = file.slice(0, file.lastIndexOf("/") + 1);
      const isNamed = [file, `${folder}NAME.ts`, folder].some((path) => new RegExp(`[ (]${path}[,;. ]`).test(recipe));
      assert.ok(isNamed, `the recipe for ${adds} does not name ${file}`);
    }
  }
});

test("what they name suffices", () => {
  for (const name of ["src", "grammar", "wrapped-tools", "package.json"])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  for (const { changes } of recipes)
    for (const [file, change] of Object.entries(changes)) {
      const path = join(copy, "src", file);
      writeFileSync(path, change(readOrEmpty(path)));
    }
  for (const { adds, words, input, shows } of recipes) {
    const output = execFileSync(process.execPath, [join(copy, "src/main.ts"), ...words], {
      cwd: copy,
      encoding: "utf8",
      input: input === undefined ? "" : JSON.stringify(input),
      env: { PATH: process.env["PATH"], HOME: join(copy, "home"), NODE_COMPILE_CACHE: join(copy, "compiled") },
    });
    assert.match(output, shows, `${adds}: ${output}`);
  }
});

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

test.run();
