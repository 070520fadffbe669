// Values in the places of `@with`: in a path, in an address, in a secret.
import { createToolBuilder } from "../../src/core/builder/tool-builder.ts";
import { analyzeToolFile } from "../../src/core/language/analyze.ts";
import { parseToolFile } from "../../src/core/language/syntax/parse.ts";
import { array, object, path, string, url } from "../../src/core/schema/declare.ts";
import type { JsonObject } from "../../src/core/schema/json.ts";
import type { Parameter } from "../../src/core/schema/parameter.ts";
import type { Checked } from "../../src/core/text/diagnostic.ts";
import { baseTool } from "../../src/core/tool/base-tool.ts";
import type { ToolDefinition } from "../../src/core/tool/definition.ts";
import type { BaseTool, Tool } from "../../src/core/tool/tool.ts";
import { assert, suite } from "../harness.ts";

const test = suite("presets");

const readers = baseTool({
  name: "fetch",
  title: "Fetch",
  description: "Gives back what it got.",
  effects: [],
  parameters: {
    url: url("Where"),
    urls: array(url("Where"), "Where"),
    file: path("File"),
    files: array(path("File"), "Files"),
    token: string("Key"),
    logins: array(object({ password: string("Password") }, "Login"), "Logins"),
  },
  execute: async (args) => ({ status: "ok", content: [{ type: "json", value: args as JsonObject }] }),
});
const secret = (parameter: Parameter): Parameter => ({ ...parameter, secret: true });
const withSecrets = readers.parameters.map((parameter): Parameter => {
  if (parameter.name === "token") return secret(parameter);
  const { schema } = parameter;
  return parameter.name === "logins" && schema.type === "array" && schema.items.type === "object"
    ? {
        ...parameter,
        schema: { ...schema, items: { ...schema.items, properties: schema.items.properties.map(secret) } },
      }
    : parameter;
});
const base: BaseTool = { ...readers, parameters: withSecrets };

const head = "Does it.\n\n@title Title\n@name tool\n@wrapped fetch\n";

function build(...texts: readonly string[]): Checked<Tool> {
  const definitions = texts.map((text, index): ToolDefinition => {
    const { value, diagnostics } = analyzeToolFile(parseToolFile({ path: `tool${index}.tool`, text }));
    if (!value) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
    return value;
  });
  const definition = (name: string): ToolDefinition | undefined => definitions.find((one) => one.name.value === name);
  const builder = createToolBuilder({
    platform: "linux",
    definition,
    baseTool: (name) => (name === "fetch" ? base : undefined),
    names: () => ["fetch"],
  });
  const last = definitions.at(-1);
  return last ? builder.build(last) : { diagnostics: [] };
}

function built(lines: string): Tool {
  const { value, diagnostics } = build(`${head}${lines}\n`);
  if (!value) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return value;
}

function refused(tool: Tool, args: JsonObject): readonly string[] {
  return (tool.check?.(args) ?? []).map(({ path: name, message }) => `${name} ${message}`);
}

const leads = "which would lead out of the path around it";

test("a name in a path stays a name", () => {
  const tool = built("@with file = notes/{n}.txt\n@param n {string} [required] Name");
  assert.equal(refused(tool, { n: "a..b" }), []);
  for (const n of ["../../etc/passwd", "a/b", "/etc", "..\\x"])
    assert.equal(refused(tool, { n }), [`n expected a name, got the string ${JSON.stringify(n)}, ${leads}`]);
  assert.equal(refused(built("@with file = notes/{n}\n@param n {string} [required] Name"), { n: ".." }), [
    `n expected a name, got the string "..", ${leads}`,
  ]);
});

test("a path in a path goes down only, and two values cannot climb together", () => {
  const tool = built("@with file = notes/{p}\n@param p {path} [required] Path");
  assert.equal(
    [refused(tool, { p: "a/b/c.txt" }), refused(tool, { p: "a/../../b" })],
    [[], [`p expected a path below the folder before it, got the string "a/../../b", ${leads}`]],
  );
  const two = built("@with file = ../notes/{a}{b}\n@param a {string} [required] A\n@param b {string} [required] B");
  assert.equal(
    [refused(two, { a: "x", b: "." }), refused(two, { a: ".", b: "." })],
    [[], [`a expected a name, got the string ".", ${leads}`, `b expected a name, got the string ".", ${leads}`]],
  );
});

test("a path that begins with a `path` begins where the caller says; items of arrays are held as well", () => {
  const tool = built(
    '@with file = {dir}/{n}.txt\n@with files = ["notes/{n}", "{n}"]\n@param dir {path} [required] Folder\n@param n {string} [required] Name',
  );
  assert.equal(
    [refused(tool, { dir: "../other/", n: "a" }), refused(tool, { dir: ".", n: "../a" })],
    [[], [`n expected a name, got the string "../a", ${leads}`]],
  );
});

test("an array or object in an address or a path is an error of the definition", () => {
  const problems = (lines: string): readonly string[] =>
    build(`${head}${lines}\n`).diagnostics.map(({ code, message }) => `${code}: ${message}`);
  const list = "@param list {array<string>} [required] List";
  assert.equal(problems(`@with url = https://a.example/?q={list}\n${list}`), [
    "parameter-mismatch: `list` is declared as array<string>, but an address takes one value",
  ]);
  assert.equal(problems(`@with url = {list}\n${list}`), [
    "parameter-mismatch: `list` is declared as array<string>, but an address takes one value",
  ]);
  assert.equal(problems(`@with file = notes/{list}\n${list}`), [
    "parameter-mismatch: `list` is declared as array<string>, but a path takes one value",
  ]);
  assert.equal(problems(`@with files = ["notes/{list}"]\n${list}`), [
    "parameter-mismatch: `list` is declared as array<string>, but a path takes one value",
  ]);
  assert.equal(problems(`@with files = ["{list}"]\n@with urls = {list}\n${list}`), []);
});

test("values are encoded in the addresses of an array too", () => {
  assert.equal(
    built('@with urls = ["https://a.example/{q}"]\n@param q {string} [required] Query').expand?.({ q: "a/b" })
      .arguments,
    { urls: ["https://a.example/a%2Fb"] },
  );
});

test("what feeds a secret is one", () => {
  const secrets = (tool: Tool | undefined): readonly string[] =>
    (tool?.parameters ?? []).filter((parameter) => parameter.secret).map(({ name }) => name);
  assert.equal(secrets(built("@param token {string} Key\n@param file {path} File")), ["token"]);
  assert.equal(
    secrets(
      built("@with token = Bearer {key}\n@with file = {key2}\n@param key {string} Key\n@param key2 {string} Other"),
    ),
    ["key"],
  );
  assert.equal(secrets(built('@with logins = [{"password": "{key}"}]\n@param key {string} Key')), ["key"]);
  const middle =
    "Does it.\n\n@title Title\n@name middle\n@wrapped fetch\n@with token = {key}\n@param key {string} Key\n";
  assert.equal(
    secrets(
      build(
        middle,
        "Does it.\n\n@title Title\n@name outer\n@wrapped middle\n@with key = {mine}\n@param mine {string} Mine\n",
      ).value,
    ),
    ["mine"],
  );
  assert.equal(
    built("@with token = {key}\n@param key {string} Key").definition.parameters.map((parameter) => parameter.secret),
    [true],
  );
});

test.run();
