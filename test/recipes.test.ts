// The recipes of src/README.md, done in a copy of the sources: the files that a recipe names are all that its change
// touches, and the program then does the new thing.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { suite } from "uvu";
import * as assert from "uvu/assert";

const root = fileURLToPath(new URL("..", import.meta.url));
const readme = readFileSync(join(root, "src/README.md"), "utf8");

interface Recipe {
  /** The words of src/README.md: "a base tool". */
  readonly adds: string;
  /** New texts of files below src/, or with `../` beside it, from the old ones: empty where there is none. */
  readonly changes: Readonly<Record<string, (text: string) => string>>;
  /** What dottool is called with, in a folder that has `tools`. */
  readonly words: readonly string[];
  readonly tools?: Readonly<Record<string, string>>;
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
      "cli/commands/greet.ts": () => `import { exitCodes } from "../../run/exit-code.ts";
import type { WordsCommand } from "../command.ts";

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
        '  greet: async () => (await import("./commands/greet.ts")).greetCommand,\n',
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
  {
    adds: "a bundled tool",
    changes: {
      "../wrapped-tools/shout.tool": () =>
        "Say a text.\n\n@title Shout\n@name shout\n@wrapped run_command\n@command echo {text}!\n" +
        '@param text {string} [required] The text\n\n@test says it\n    with {"text": "a"}\n    expect output-contains a!\n',
    },
    words: ["test", "shout"],
    shows: /^1 passed, 0 failed$/m,
  },
  {
    adds: "a YAML format",
    changes: {
      "language/acme/analyze.ts": () => `import { analyzeCustomTool } from "../custom-tools/analyze.ts";
import { entryOf } from "../yaml/node.ts";
import type { YamlFormat } from "../yaml/analyze.ts";

const KEY = "acme";

/** The whole definition is under one key. */
export const acme: YamlFormat = {
  name: "acme",
  recognizes: (root) => entryOf(root, KEY) !== undefined,
  analyze: (root, options, findings) => {
    const inner = entryOf(root, KEY)?.value;
    return inner?.kind === "map" ? analyzeCustomTool(inner, options, findings) : undefined;
  },
};
`,
      "language/yaml/analyze.ts": inTurn(
        behind(/^import .*\n/m, 'import { acme } from "../acme/analyze.ts";\n'),
        behind(/formats: .* = \[\n/, "  acme,\n"),
      ),
    },
    tools: { "inner.yaml": "acme:\n  name: inner\n  description: From within.\n  bash: echo from within\n" },
    words: ["--tools", ".", "inner"],
    shows: /^from within$/m,
  },
  {
    adds: "a program whose arguments are data",
    changes: {
      "shell/data-rows.ts": behind(
        /dataRows: .* = \[\n/,
        '  { names: "acmecat", from: "acmecat(1)", anywhere: true, input: true },\n',
      ),
    },
    tools: {
      "acme.tool":
        "Show a text.\n\n@title Acme\n@name acme\n@wrapped run_command\n@command acmecat {text}\n@tags read\n" +
        "@param text {string} [required] The text\n",
    },
    words: ["--tools", ".", "show", "acme"],
    shows: /^effects +read$/m,
  },
  {
    adds: "a program that runs others, or text",
    changes: {
      "shell/tools.ts": behind(/tools: .* = each\(\[\n/, '  { names: "acmerun", code: "-c", help: commandHelp },\n'),
    },
    tools: {
      "runs.tool":
        "Run it.\n\n@title Runs\n@name runs\n@wrapped run_command\n@command acmerun -c {text}\n" +
        "@param text {string} [required] The text\n",
    },
    words: ["check", "runs.tool"],
    shows: /`acmerun -c` reads this as a program/,
  },
  {
    adds: "a program that reads a file where a value begins with a sign",
    changes: {
      "../grammar/programs.yaml": behind(
        /^files:\n/m,
        '  - names: acmepost\n    from: "acmepost(1)"\n    options: -d\n    starts: "@"\n    instead: with `--plain`\n',
      ),
    },
    tools: {
      "posts.tool":
        "Post it.\n\n@title Posts\n@name posts\n@wrapped run_command\n@command acmepost -d {text}\n" +
        "@param text {string} [required] The text\n",
    },
    words: ["--tools", ".", "posts", "--text", "@secret"],
    shows: /@.*--plain/s,
  },
  {
    adds: "another agent",
    changes: {
      "hook/formats.ts": inTurn(
        behind(/clientNames = \[/, '"acme", '),
        behind(
          /hookFormats: .* = \{\n/,
          `  acme: {
    title: "Acme",
    version: "1",
    read: readToolInput,
    answer: ({ decision, reason }) => answered({ acme: decision, reason }),
  },
`,
        ),
      ),
      "hook/settings.ts": behind(
        /switch \(client\) \{\n/,
        '    case "acme":\n      return listed(join(home, ".acme"), "BeforeTool", { command: lineOf(client) });\n',
      ),
    },
    words: ["hook", "acme"],
    input: { cwd: tmpdir(), tool_name: "Bash", tool_input: { command: "git push --force" } },
    shows: /"acme":"ask"/,
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
      const path = file.replace("../", "");
      const isNamed = [
        path,
        path.replace(/[\w-]+(?=\.\w+$)/, "NAME"),
        path.replace("acme", "NAME"),
        dirname(path),
      ].some((one) => new RegExp(`[ (]${one}/?[,;. ]`).test(recipe));
      assert.ok(isNamed, `the recipe for ${adds} does not name ${file}`);
    }
  }
});

test("what they name suffices", () => {
  for (const name of ["src", "grammar", "scripts", "wrapped-tools", "package.json"])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  for (const { changes } of recipes)
    for (const [file, change] of Object.entries(changes)) {
      const path = join(copy, "src", file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, change(readOrEmpty(path)));
    }
  assert.is(ran(["scripts/generate.mjs"], copy), "");
  for (const [index, { adds, words, input, tools = {}, shows }] of recipes.entries()) {
    const folder = join(copy, "work", String(index));
    mkdirSync(folder, { recursive: true });
    for (const [name, text] of Object.entries(tools)) writeFileSync(join(folder, name), text);
    const output = ran([join(copy, "src/main.ts"), ...words], folder, input);
    assert.match(output, shows, `${adds}: ${output}`);
  }
});

/** Returns what Node prints, to both streams. */
function ran(words: readonly string[], cwd: string, input?: unknown): string {
  const { stdout, stderr } = spawnSync(process.execPath, words, {
    cwd,
    encoding: "utf8",
    input: input === undefined ? "" : JSON.stringify(input),
    env: { PATH: process.env["PATH"], HOME: join(copy, "home"), NODE_COMPILE_CACHE: join(copy, "compiled") },
  });
  return stdout + stderr;
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

test.run();
