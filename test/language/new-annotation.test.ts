// The recipe of src/README.md for annotations that are a text or words, done in a copy of the sources: the compiler
// names the files, five change, and everything that an annotation has follows from them.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
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
import { assert } from "../harness.ts";

const test = suite("a new annotation");
const root = fileURLToPath(new URL("../..", import.meta.url));
const copy = mkdtempSync(join(tmpdir(), "dottool-annotation-"));
test.after(() => rmSync(copy, { recursive: true, force: true }));

for (const name of ["src", "grammar", "wrapped-tools", "plugins", "scripts", "package.json", "tsconfig.json"])
  cpSync(join(root, name), join(copy, name), { recursive: true });
symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));

/** Adds a text behind the one place that matches. */
function addBehind(path: string, place: RegExp, added: string): void {
  const text = readFileSync(join(copy, path), "utf8");
  const found = place.exec(text);
  if (!found) throw new Error(`${place} is not in ${path}`);
  const at = found.index + found[0].length;
  writeFileSync(join(copy, path), text.slice(0, at) + added + text.slice(at));
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(copy, path)), { recursive: true });
  writeFileSync(join(copy, path), text);
}

function run(...words: readonly string[]): string {
  return execFileSync(process.execPath, words, {
    cwd: copy,
    encoding: "utf8",
    env: { PATH: process.env["PATH"], HOME: join(copy, "home"), NODE_COMPILE_CACHE: join(copy, "compiled") },
  });
}

/** Returns the checksums of the files that are in the repository. */
function checksums(): ReadonlyMap<string, string> {
  const paths = ["src", "grammar", "scripts"].flatMap((folder) =>
    readdirSync(join(copy, folder), { recursive: true, encoding: "utf8" }).map((path) => `${folder}/${path}`),
  );
  const files = paths.filter((path) => !path.startsWith("src/generated/") && statSync(join(copy, path)).isFile());
  return new Map(
    files.map((path) => [
      path,
      createHash("sha1")
        .update(readFileSync(join(copy, path)))
        .digest("hex"),
    ]),
  );
}

const before = checksums();

test("the compiler names the files that lack a new field", () => {
  addBehind(
    "src/core/tool/definition.ts",
    /readonly deprecated\?: string;\n/,
    "  readonly owner?: string;\n  readonly areas?: readonly string[];\n",
  );
  const files = ["src/core/tool/definition-fields.ts", "src/core/language/text-fields.ts"];
  write("tsconfig.fields.json", JSON.stringify({ extends: "./tsconfig.json", include: [], files }));
  const { stdout } = spawnSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.fields.json"], {
    cwd: copy,
    encoding: "utf8",
  });
  assert.equal([...stdout.matchAll(/^(src\S+)\(/gm)].map(([, path]) => path).sort(), files.toSorted());
  assert.match(stdout, "owner");
});

test("a new annotation changes five files, two of them generated", () => {
  addBehind("src/core/tool/definition-fields.ts", /deprecated: "apart",\n/, '  owner: "apart",\n  areas: "acts",\n');
  addBehind(
    "src/core/language/text-fields.ts",
    /export const textFields = \{\n/,
    `  owner: {
    keyword: "owner",
    form: "NAME",
    key: "x-dottool.owner",
    does: "who answers questions about it",
    shownAs: "owner",
  },
  areas: { keyword: "areas", form: "words", rule: "words", repeats: true, key: "x-dottool.areas", does: "what it is for" },
`,
  );
  run("scripts/generate.mjs");
  const after = checksums();
  assert.equal([...after].flatMap(([path, sum]) => (before.get(path) === sum ? [] : [path])).sort(), [
    "grammar/annotations.md",
    "grammar/tools.schema.json",
    "src/core/language/text-fields.ts",
    "src/core/tool/definition-fields.ts",
    "src/core/tool/definition.ts",
  ]);
  assert.match(
    readFileSync(join(copy, "grammar/annotations.md"), "utf8"),
    "| `@owner NAME` | `x-dottool.owner` | who answers questions about it |",
  );
});

const tool =
  'Greet.\n\n@title Greet\n@name greet\n@wrapped run_command\n@command echo hello\n@owner   Ana\n@areas  a,  "b c"\n';

const look = `
import { runCommand } from "./src/core/base/run-command.ts";
import { createToolBuilder } from "./src/core/builder/tool-builder.ts";
import { reviveDefinition, storeDefinition } from "./src/core/catalog/stored-definition.ts";
import { createNodeHost } from "./src/core/host/node-host.ts";
import { analyzeToolFile } from "./src/core/language/analyze.ts";
import { formatToolFile } from "./src/core/language/syntax/format.ts";
import { parseToolFile } from "./src/core/language/syntax/parse.ts";
import { firstDifference } from "./src/core/language/write/same-definition.ts";
import { toolText } from "./src/core/language/write/tool-text.ts";
import { yamlText } from "./src/features/yaml/yaml-text.ts";
import { analyzeYamlFile } from "./src/features/yaml/analyze.ts";
import { contentOf } from "./src/core/policy/content.ts";

const text = ${JSON.stringify(tool)};
const fileOf = (written) => parseToolFile({ path: "greet.tool", text: written });
const read = (written) => analyzeToolFile(fileOf(written));
const definition = read(text).value;
const yaml = yamlText(definition);
const back = analyzeYamlFile({ path: "greet.yaml", text: yaml }).value;
const { source } = definition.origin;
const builder = createToolBuilder({
  platform: "linux",
  definition: () => undefined,
  baseTool: () => runCommand,
  names: () => [],
});
const host = createNodeHost();
const fingerprint = (written) => {
  const built = builder.build(read(written).value).value;
  const call = { call: { id: "1", tool: "greet", arguments: {} }, tool: built, arguments: {} };
  return contentOf(call, { host, cwd: "/" }).hash;
};
console.log(
  JSON.stringify({
    owner: definition.owner,
    formatted: formatToolFile(fileOf(text)),
    written: toolText(definition),
    yaml,
    back: [back.owner, back.areas, firstDifference(definition, back) ?? "same"],
    cached: reviveDefinition(storeDefinition(definition, source), source, "user").owner,
    approvalsSee: [text.replace("Ana", "Ben"), text.replace("b c", "d")].map((other) => fingerprint(other) !== fingerprint(text)),
    misspelled: read(text.replace("@owner", "@ownr")).diagnostics.map(({ at }) => at.text),
    empty: read(text.replace("Ana", "")).diagnostics.map(({ message }) => message),
  }),
);
`;

test("it is read, formatted, written in both languages, cached, and seen by approvals as its row says", () => {
  write("look.mjs", look);
  const formatted = tool.replace("@owner   Ana", "@owner Ana").replace('@areas  a,  "b c"', '@areas a "b c"');
  assert.equal(JSON.parse(run("look.mjs")), {
    owner: "Ana",
    formatted,
    written: formatted,
    yaml: "name: greet\ndescription: Greet.\nrun: echo hello\nx-dottool:\n  owner: Ana\n  areas: [a, b c]\n",
    back: ["Ana", ["a", "b c"], "same"],
    cached: "Ana",
    approvalsSee: [false, true],
    misspelled: ["did you mean `@owner`?"],
    empty: ["`@owner` is empty"],
  });
});

test("show has a row of it", () => {
  write(".tools/greet.tool", tool);
  assert.match(run("src/main.ts", "show", "greet"), /^owner +Ana$/m);
});

test.run();
