// `tests`: what a definition promises about itself.
import { isJsonObject, type JsonObject } from "../../schema/json.ts";
import type { Expectation, ToolTest } from "../../tool/definition.ts";
import type { Fields } from "../yaml/fields.ts";
import type { YamlNode } from "../yaml/node.ts";
import { expectedKeys, testKeys } from "./keys.ts";

const TESTS_MAX = 1_000;

export function readTests(tool: Fields): readonly ToolTest[] {
  const items = tool.list("tests");
  const next = items[TESTS_MAX];
  if (next) tool.findings.error("too-large", `a tool has at most ${TESTS_MAX} tests`, { at: { ...next.span, end: next.span.start + 1 }, label: "not read from here on" });
  const names = new Map<string, YamlNode>();
  return items.slice(0, TESTS_MAX).flatMap((item) => readTest(item, names, tool) ?? []);
}

function readTest(item: YamlNode, names: Map<string, YamlNode>, tool: Fields): ToolTest | undefined {
  const fields = tool.fieldsOf(item, "tests", testKeys);
  if (!fields) return undefined;
  const name = fields.text("name");
  const known = name && names.get(name.text);
  if (known) tool.findings.error("test-malformed", "two tests have one name", { at: name.span, related: [{ span: known.span, text: "the first one is here" }] });
  else if (name) names.set(name.text, item);
  else if (!fields.has("name")) tool.findings.error("test-malformed", "this test has no name", { at: { ...item.span, end: item.span.start + 1 }, help: ["add `name:`"] });
  const expectations = readExpected(fields);
  if (expectations.length === 0) tool.findings.error("test-malformed", `the test \`${name?.text ?? ""}\` expects nothing, so it could never fail`, { at: name?.span ?? fields.place("expected"), help: ["add `expected:` with `exit-code: 0`"] });
  const description = fields.text("description")?.text;
  return {
    name: name?.text ?? "",
    ...(description === undefined ? {} : { description }),
    folder: "temporary",
    arguments: readArguments(fields),
    expectations,
    setup: [],
    cleanup: fields.texts("cleanup").map(({ text }) => text),
  };
}

function readArguments(fields: Fields): JsonObject {
  const value = fields.entry("parameters")?.value;
  const json = fields.json("parameters");
  if (value && value.kind !== "map") fields.wrong(value, "parameters", "a map of keys and values");
  return isJsonObject(json) ? json : {};
}

function readExpected(owner: Fields): readonly Expectation[] {
  const fields = owner.fields("expected", expectedKeys);
  if (!fields) return [];
  const exitCode = fields.number("exit-code", { least: 0, most: 255, isWhole: true });
  return [
    ...(exitCode === undefined ? [] : [{ kind: "exit-code", exitCode } as const]),
    ...fields.texts("output-contains").map(({ text }) => ({ kind: "output-contains", text }) as const),
    ...fields.texts("file-exists").map(({ text }) => ({ kind: "file-exists", path: text }) as const),
  ];
}
