// The recipes of src/README.md, done in a copy of the sources: the files that a recipe names are all that its change
// touches, for the compiler too, and the program then does the new thing.
import { spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
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
  /** The user's `config.yaml`. */
  readonly config?: string;
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
      "core/base/count-words.ts": () => `import { string } from "../schema/declare.ts";
import { baseTool, failed, okText } from "../tool/base-tool.ts";

export const countWords = baseTool({
  name: "count_words",
  title: "Count words",
  description: "Count the words of a text.",
  parameters: { text: string("The text", { example: "a b" }) },
  effects: [],
  execute: async ({ text = "" }, { emit, span }) => {
    span?.begin({ kind: "count", unit: "words" }).end("skipped");
    await emit({ kind: "counting", unit: "words" });
    return text === "" ? failed({ kind: "empty", what: "text" }) : okText(String(text.split(" ").length));
  },
});
`,
      "core/base/all.ts": inTurn(
        behind(/^import .*\n/m, 'import { countWords } from "./count-words.ts";\n'),
        behind(/const own.* = \[/, "countWords, "),
      ),
      "core/tool/base-tool-names.ts": behind(/ownNames.* = \[/, '"count_words", '),
    },
    words: ["call", "count_words", "--text", "one two three"],
    shows: /^3$/m,
  },
  {
    adds: "a command",
    changes: {
      "features/index.ts": behind(
        /features: .* = \[\n/,
        '  {\n    name: "greet",\n    commands: [{ name: "greet", group: "use", summary: "say hello" }],\n    load: () => import("./greet/feature.ts"),\n  },\n',
      ),
      "features/greet/feature.ts": () => `import type { Feature } from "../../core/tool/feature.ts";
import type {} from "../../cli/commands.ts";

export const feature: Feature = {
  commands: { greet: async () => (await import("./commands/greet.ts")).greetCommand },
};
`,
      "features/greet/commands/greet.ts": () => `import { exitCodes } from "../../../core/run/exit-code.ts";
import type { WordsCommand } from "../../../cli/command.ts";

export const greetCommand: WordsCommand = {
  kind: "words",
  usage: ["greet [NAME]"],
  about: "Says hello.",
  options: [],
  words: [0, 1],
  examples: [],
  run: ({ words }, { terminal }) => {
    terminal.output.write(\`hello \${words[0] ?? "world"}\\n\`);
    return Promise.resolve(exitCodes.done);
  },
};
`,
    },
    words: ["greet", "Ana"],
    shows: /^hello Ana$/m,
  },
  {
    adds: "a key of a YAML format",
    changes: {
      "features/yaml/custom-tools/keys.ts": behind(
        /^ {2}"`metadata`",\n {2}\{\n/m,
        '    acme: says("keywords", texts("words that Acme finds it by", ["till"])),\n',
      ),
    },
    tools: { "till.yaml": "name: till\ndescription: Count.\nbash: echo\nmetadata:\n  acme: [coins]\n" },
    words: ["convert", "till.yaml", "--to", "tool"],
    shows: /^@keywords coins$/m,
  },
  {
    adds: "a default limit of calls",
    changes: {
      "core/run/limits.ts": behind(/timeoutMs: 60_000, outputBytesMax: 100 \* 1024/, " / 1024"),
    },
    tools: { "long.tool": "Print.\n\n@title Long\n@name long\n@wrapped run_command\n@command seq 1 99999\n" },
    words: ["--tools", ".", "long"],
    shows: /stopped at the limit of 102400 bytes/,
  },
  {
    adds: "a diagnostic",
    changes: {
      "core/text/codes.ts": behind(/diagnosticCodes = \[\n/, '  "silly-name",\n'),
      "../grammar/errors.md": behind(
        /^(?=## array-in-word)/m,
        "## silly-name\n\nThe name is silly. Nobody would look for it.\n\n    @name blah\n\nRepaired:\n\n    @name count_lines\n\n",
      ),
    },
    words: ["explain-code", "silly-name"],
    shows: /^The name is silly/,
  },
  {
    adds: "an importer",
    changes: {
      "features/import/acme.ts": () => `import type { ImportedSource, SourceText } from "./imported-tool.ts";

export function readAcme({ text }: SourceText): ImportedSource {
  const tools = text.trim().split("\\n").map((name) => ({
    name,
    candidates: [
      {
        name,
        description: \`Run \${name}.\`,
        parameters: [],
        runs: { kind: "command" as const, words: ["echo", name] },
        notes: [],
      },
    ],
  }));
  return { format: "an Acmefile", tools, notes: [] };
}
`,
      "features/import/formats.ts": behind(
        /importFormats: .* = \[\n/,
        `  {
    name: "Acmefile",
    fileNames: ["Acmefile"],
    recognizes: ({ fileName }) => fileName === "Acmefile",
    load: async () => (await import("./acme.ts")).readAcme,
  },
`,
      ),
    },
    tools: { Acmefile: "salute\n" },
    words: ["import", "Acmefile", "--print"],
    shows: /^@command echo salute$/m,
  },
  {
    adds: "an exporter",
    changes: {
      "features/export/forms.ts": inTurn(
        behind(/formNames = \[\n/, '  "acme",\n'),
        behind(
          /forms: .* = \{\n/,
          `  acme: {
    does: "a file for Acme",
    next: () => "give it to Acme",
    ending: ".acme",
    holds: "declarations",
    files: ({ facts }) => [textFile("", facts.tools.map(({ tool }) => tool.definition.name.value).join())],
  },
`,
        ),
      ),
    },
    tools: { "hail.tool": "Hail.\n\n@title Hail\n@name hail\n@wrapped run_command\n@command echo hail\n" },
    words: ["export", "acme", ".", "-o", "../out.acme", "--name", "acme"],
    shows: /wrote \.\.\/out\.acme[^]*give it to Acme/,
  },
  {
    adds: "a secret source",
    changes: {
      "core/base/secret-source.ts": inTurn(
        behind(/type SecretSource =\n/, '  | { readonly kind: "acme"; readonly name: string }\n'),
        behind(/= \/\^\(/, "acme|"),
        behind(/switch \(form\) \{\n/, '    case "acme":\n      return { kind: "acme", name: place };\n'),
        behind(/function sourceText[^]*?switch .*\n/, '    case "acme":\n      return `the safe ${source.name}`;\n'),
        behind(
          /function readSecret[^]*?switch .*\n/,
          '    case "acme":\n      return { kind: "secret", value: source.name };\n',
        ),
      ),
      "features/check/provider-findings.ts": behind(
        /switch \(source\.kind\) \{\n/,
        '    case "acme":\n      return { works: true, fact: `its key is in ${place}` };\n',
      ),
    },
    words: ["doctor"],
    config: 'providers:\n  one: {kind: openai, url: "http://127.0.0.1:9", model: m, key: "acme:blue"}\n',
    shows: /its key is in the safe blue/,
  },
  {
    adds: "a model API",
    changes: {
      "features/dialects/acme.ts": () => `import { gemini } from "./gemini.ts";
import type { ApiDialect } from "./dialect.ts";

export const acme: ApiDialect = {
  ...gemini,
  name: "acme",
  declarations: (tools) => tools.map((tool) => ({ acme: tool.definition.name.value })),
};
`,
      "features/dialects/dialect.ts": behind(/apiDialectNames = \[/, '"acme", '),
      "features/dialects/dialects.ts": behind(
        /loadDialect: .* = \{\n/,
        '  acme: async () => (await import("./acme.ts")).acme,\n',
      ),
    },
    words: ["schema", "glob", "--for", "acme"],
    shows: /"acme": "glob"/,
  },
  {
    adds: "what other agents call a tool",
    changes: { "features/repair/foreign-names.ts": behind(/run_command: `\n/, "    acme_shell ") },
    words: ["exec"],
    input: { tool_calls: [{ id: "1", function: { name: "acme_shell", arguments: { command: "true" } } }] },
    shows: /did you mean `run_command`/,
  },
  {
    adds: "what another agent must ask a person about",
    changes: {
      "../grammar/hook-policy.yaml": behind(/^rows:\n/m, "  - {programs: frobnicate, why: wipes the frobs}\n"),
    },
    words: ["hook", "claude"],
    input: { cwd: tmpdir(), tool_name: "Bash", tool_input: { command: "frobnicate now" } },
    shows: /`frobnicate` wipes the frobs/,
  },
  {
    adds: "a file that a model reaches only if a person approves",
    changes: {
      "../grammar/files.yaml": behind(
        /^executed:\n/m,
        "  - {why: acme runs it, source: the manual of acme, names: acme.run}\n",
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
      "features/yaml/acme/analyze.ts": () => `import { analyzeCustomTool } from "../custom-tools/analyze.ts";
import { entryOf } from "../node.ts";
import type { YamlFormat } from "../analyze.ts";

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
      "features/yaml/analyze.ts": inTurn(
        behind(/^import .*\n/m, 'import { acme } from "./acme/analyze.ts";\n'),
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
      "../grammar/programs.yaml": behind(
        /^data:\n/m,
        "  - {names: acmecat, from: acmecat(1), anywhere: true, input: true}\n",
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
      "../grammar/programs.yaml": behind(/^tools:\n/m, "  - {names: acmerun, code: -c, help: *command-help}\n"),
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
      "features/hook/formats.ts": inTurn(
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
      "features/hook/settings.ts": behind(
        /switch \(client\) \{\n/,
        '    case "acme":\n      return listed(join(home, ".acme"), "BeforeTool", { matcher: "*", hooks: [{ command: line }] });\n',
      ),
      "features/hook/known-clients.ts": behind(
        /knownClients: .* = \{\n/,
        '  acme: { call: toolInput("Bash"), obeys: "a refusal holds" },\n',
      ),
    },
    words: ["hook", "acme"],
    input: { cwd: tmpdir(), tool_name: "Bash", tool_input: { command: "git push --force" } },
    shows: /"acme":"ask"/,
  },
  {
    adds: "a way to fail",
    changes: {
      "core/tool/failure.ts": behind(
        /export type Failure =\n/,
        '  | { readonly kind: "empty"; readonly what: string }\n',
      ),
      "core/run/failure-text.ts": behind(
        /switch \(failure\.kind\) \{\n/,
        '    case "empty":\n      return just(`the ${failure.what} is empty`);\n',
      ),
      "core/run/exit-code.ts": behind(
        /switch \(failure\.kind\) \{\n/,
        '    case "empty":\n      return exitCodes.usage;\n',
      ),
      "core/run/mask.ts": behind(/switch \(failure\.kind\) \{\n/, '    case "empty":\n      return failure;\n'),
      "features/forge/uses.ts": behind(/switch \(failure\.kind\) \{\n/, '    case "empty":\n      return false;\n'),
    },
    words: ["call", "count_words", "--text", ""],
    shows: /^failed\[empty\]: the text is empty$/m,
  },
  {
    adds: "something to show while a tool runs",
    changes: {
      "core/tool/tool.ts": behind(
        /export type ToolEvent =\n/,
        '  | { readonly kind: "counting"; readonly unit: string }\n',
      ),
      "cli/view/waiting-line.ts": behind(
        /switch \(event\.kind\) \{\n/,
        '      case "counting":\n        return this.#terminal.errors.write(`counting ${event.unit}\\n`);\n',
      ),
      "core/steps/run-steps.ts": behind(/if \((?=event\.kind === "log")/, 'event.kind === "counting" || '),
      "core/tool/span.ts": behind(
        /export type TracedWork =\n/,
        '  | { readonly kind: "count"; readonly unit: string }\n',
      ),
      "features/trace/trace.ts": (text) =>
        text
          .replace(/(switch \(work\.kind\) \{\n)/, '$1    case "count":\n      return `count ${work.unit}`;\n')
          .replace(/(switch \(work\.kind\) \{\n)(?! {4}case "count")/, '$1    case "count":\n      return [];\n'),
    },
    words: ["call", "count_words", "--text", "a b"],
    // It is drawn at a terminal alone; here the check of types says that nothing is missing.
    shows: /^2$/m,
  },
  {
    adds: "what they call its parameters",
    changes: { "features/repair/repair-names.ts": behind(/otherWords = \[\n/, '  "command | acmeline",\n') },
    words: ["exec"],
    input: { tool_calls: [{ id: "1", function: { name: "run_command", arguments: { acmeline: "make" } } }] },
    shows: /\{\\*"command\\*":\\*"make\\*"\}/,
  },
  {
    adds: "what they send in another form",
    changes: {
      "features/repair/foreign-shapes.ts": inTurn(
        behind(/^const reshapes: .* = \[\n/m, "  joinedLines,\n"),
        behind(
          /^(?=const reshapes: )/m,
          `const joinedLines: Reshape = (given) =>
  Array.isArray(given["acmelines"])
    ? { from: ["acmelines"], to: { command: given["acmelines"].join("; ") } }
    : undefined;

`,
        ),
      ),
    },
    words: ["exec"],
    input: { tool_calls: [{ id: "1", function: { name: "run_command", arguments: { acmelines: ["a", "b"] } } }] },
    shows: /\{\\*"command\\*":\\*"a; b\\*"\}/,
  },
  {
    adds: "a key of a rule",
    changes: {
      "core/policy/rule.ts": behind(/interface ConfiguredRule \{\n/, "  readonly argumentsMax?: number | undefined;\n"),
      "core/policy/read-rules.ts": inTurn(
        behind(/KEYS = \[\n/, '  "arguments_max",\n'),
        behind(
          /const rule: ConfiguredRule = \{\n/,
          '    ...(fields.names.includes("arguments_max") ? { argumentsMax: Number(fields.json("arguments_max")) } : {}),\n',
        ),
      ),
      "core/policy/match-rule.ts": behind(
        /export function refuses\([^]*?boolean \{\n/,
        "  if (Object.keys(views[0]?.arguments ?? {}).length <= (rule.argumentsMax ?? -1)) return false;\n",
      ),
    },
    config: "policy:\n  - {tool: run_command, arguments_max: 1, decision: deny, reason: too many words}\n",
    words: ["call", "run_command", "--command", "true", "--working_dir", "."],
    shows: /too many words/,
  },
  {
    adds: "a program that runs files of its folder",
    changes: {
      "../grammar/files.yaml": behind(
        /^runners:\n/m,
        "  - {names: acmemake, files: Acmefile, rest: what the Acmefile includes}\n",
      ),
    },
    tools: { "acme.tool": "Build.\n\n@title Build\n@name build\n@wrapped run_command\n@command acmemake\n" },
    words: ["--tools", ".", "allow", "build"],
    shows: /later changes of what the Acmefile includes/,
  },
  {
    adds: "a program that does not know `--`, or passes words on behind its own",
    changes: {
      "../grammar/programs.yaml": behind(
        /^ignore-dashes:\n/m,
        '  - names: acmeold\n    from: "acmeold(1)"\n    instead: after `--word`\n',
      ),
    },
    tools: {
      "old.tool":
        "Old.\n\n@title Old\n@name old\n@wrapped run_command\n@command acmeold {text}\n" +
        "@param text {string} [required] The text\n",
    },
    words: ["--tools", ".", "old", "--text", "-x"],
    shows: /after `--word`/,
  },
  {
    adds: "a limit of the sandbox for commands",
    changes: {
      "core/tool/confinement.ts": behind(/interface Confinement \{\n/, "  readonly hostname?: string;\n"),
      "features/confinement/confine.ts": behind(/const asked: Confinement = \{\n/, '    hostname: "acme-box",\n'),
      "features/confinement/host/bwrap-words.ts": inTurn(
        behind(/interface BwrapPlan \{\n/, "  readonly hostname: string | undefined;\n"),
        behind(
          /bwrapWords\(.*\n.*\[\n/,
          '    ...(plan.hostname === undefined ? [] : ["--hostname", plan.hostname]),\n',
        ),
      ),
      "features/confinement/host/bubblewrap.ts": behind(
        /= bwrapWords\(\{\n/,
        "      hostname: confinement.hostname,\n",
      ),
    },
    tools: {
      "held.tool":
        "Say the name.\n\n@title Held\n@name held\n@wrapped run_command\n@command uname -n\n@sandbox strict\n",
    },
    words: ["--tools", ".", "held"],
    shows: /^acme-box$/m,
  },
  {
    adds: "an annotation",
    changes: {
      "core/tool/definition.ts": behind(/readonly deprecated\?: string;\n/, "  readonly stars?: number;\n"),
      "core/tool/definition-fields.ts": behind(/deprecated: "apart",\n/, '  stars: "apart",\n'),
      "core/language/text-fields.ts": behind(
        /partsFields = \{\n/,
        '  stars: { keyword: "stars", form: "NUMBER", key: "x-dottool.stars", does: "how good it is", shownAs: "stars" },\n',
      ),
      "core/language/fields/parts.ts": behind(
        /export const partsReaders: .*\{\n/,
        "  stars: { read: ({ text }) => [Number(text)], write: String },\n",
      ),
    },
    tools: { "good.yaml": "name: good\ndescription: Good.\nbash: echo\nx-dottool:\n  stars: 3\n" },
    words: ["convert", "good.yaml", "--to", "tool"],
    shows: /^@stars 3$/m,
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
        path.replaceAll(/acme|greet/g, "NAME"),
        dirname(path),
      ].some((one) => new RegExp(`[ (]${one}/?[,;.) ]`).test(recipe));
      assert.ok(isNamed, `the recipe for ${adds} does not name ${file}`);
    }
  }
});

test("none is left out", () => {
  const page = readme.slice(readme.indexOf("## How do I add"));
  const all = [...page.matchAll(/^- \*\*([^*]+)\*\*/gm)].map(([, adds]) => adds);
  assert.equal(all.toSorted(), recipes.map(({ adds }) => adds).toSorted());
});

test.before(() => {
  for (const name of ["src", "grammar", "scripts", "wrapped-tools", "plugins", "package.json", "tsconfig.json"])
    cpSync(join(root, name), join(copy, name), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
});

test("few files are changed by hand for a base tool, a model API, a key, a default limit and an annotation", () => {
  const counts = [
    "a base tool",
    "a model API",
    "a key of a YAML format",
    "a default limit of calls",
    "an annotation",
  ].map((name) => Object.keys(recipes.find(({ adds }) => adds === name)?.changes ?? {}).length);
  assert.equal(counts, [3, 3, 1, 1, 4]);
});

/** What generating makes of all changes. */
const generated = ["grammar/annotations.md", "grammar/programs.md", "grammar/tools.schema.json"];

/** Returns the texts of the files that are in the repository. */
function filesOfCopy(): ReadonlyMap<string, string> {
  const paths = ["src", "grammar", "scripts", "wrapped-tools"].flatMap((folder) =>
    readdirSync(join(copy, folder), { recursive: true, encoding: "utf8" }).map((path) => join(folder, path)),
  );
  const files = paths.filter((path) => !path.startsWith("src/generated") && statSync(join(copy, path)).isFile());
  return new Map(files.map((path) => [path, readFileSync(join(copy, path), "utf8")]));
}

function make(changes: Recipe["changes"]): void {
  for (const [file, change] of Object.entries(changes)) {
    const path = join(copy, "src", file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, change(readOrEmpty(path)));
  }
}

test("what they name suffices, and nothing else changes but what is generated", () => {
  const before = filesOfCopy();
  for (const { changes } of recipes) make(changes);
  assert.is(ran(["scripts/generate.mjs"], copy), "");
  const after = filesOfCopy();
  const named = recipes.flatMap(({ changes }) => Object.keys(changes).map((file) => join("src", file)));
  const changed = [...after.keys()].filter((path) => after.get(path) !== before.get(path));
  assert.equal(changed.toSorted(), [...new Set([...named, ...generated])].toSorted());
  // One check of types for all changes, because it takes seconds.
  writeFileSync(join(copy, "tsconfig.src.json"), JSON.stringify({ extends: "./tsconfig.json", include: ["src"] }));
  assert.is(ran(["node_modules/typescript/bin/tsc", "-p", "tsconfig.src.json", "--checkers", "1"], copy), "");
  const config = join(copy, "home/.config/dottool/config.yaml");
  mkdirSync(dirname(config), { recursive: true });
  for (const [index, { adds, words, input, tools = {}, config: rules = "", shows }] of recipes.entries()) {
    const folder = join(copy, "work", String(index));
    mkdirSync(folder, { recursive: true });
    writeFileSync(config, rules);
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
