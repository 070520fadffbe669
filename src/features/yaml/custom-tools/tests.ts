// `tests`: the promises of a definition about itself.
import { isJsonObject, type JsonObject } from "../../../core/schema/json.ts";
import type { Expectation, ToolTest } from "../../../core/tool/definition.ts";
import type { Fields } from "../fields.ts";
import type { YamlNode } from "../node.ts";
import { readSlashed } from "./parameter-schema.ts";
import { unknownInputs } from "../../../core/language/checks/silent-literals.ts";
import { expectationKeys, fileContainsKeys, testExtensionKeys } from "./extension-keys.ts";
import { EXTENSION } from "../described-keys.ts";
import { expectedKeys, testKeys } from "./keys.ts";

const TESTS_MAX = 1_000;

/** `known` are the names of the parameters, or undefined if they are not known here. */
export function readTests(tool: Fields, known: readonly string[] | undefined): readonly ToolTest[] {
  const items = tool.list("tests");
  const next = items[TESTS_MAX];
  if (next)
    tool.findings.error("too-large", `a tool has at most ${TESTS_MAX} tests`, {
      at: { ...next.span, end: next.span.start + 1 },
      label: "the rest is not read",
    });
  const names = new Map<string, YamlNode>();
  return items.slice(0, TESTS_MAX).flatMap((item) => readTest(item, names, { tool, known }) ?? []);
}

function readTest(
  item: YamlNode,
  names: Map<string, YamlNode>,
  { tool, known: parameters }: { readonly tool: Fields; readonly known: readonly string[] | undefined },
): ToolTest | undefined {
  const fields = tool.fieldsOf(item, "tests", testKeys);
  if (!fields) return undefined;
  const name = fields.text("name");
  const known = name && names.get(name.text);
  if (known)
    tool.findings.error("test-malformed", "duplicate test name", {
      at: name.span,
      related: [{ span: known.span, text: "first used here" }],
    });
  else if (name) names.set(name.text, item);
  else if (!fields.has("name"))
    tool.findings.error("test-malformed", "this test has no name", {
      at: { ...item.span, end: item.span.start + 1 },
      help: ["add `name:`"],
    });
  const more = fields.fields(EXTENSION, testExtensionKeys);
  const expectations = [...readExpected(fields), ...(more ? readMoreExpected(more) : [])];
  if (expectations.length === 0)
    tool.findings.error("test-malformed", `the test \`${name?.text ?? ""}\` expects nothing, so it could never fail`, {
      at: name?.span ?? fields.place("expected"),
      help: ["add `expected:` with `exit-code: 0`"],
    });
  const description = fields.text("description")?.text;
  const given = readArguments(fields);
  const inputs = fields.entries("parameters");
  for (const unknown of unknownInputs(given, expectations, parameters))
    tool.findings.warn("test-malformed", `no parameter takes \`${unknown}\``, {
      at: inputs.find(({ key }) => key === unknown)?.keySpan ?? fields.place("parameters"),
      help: [`the parameters are ${(parameters ?? []).map((one) => `\`${one}\``).join(", ") || "none"}`],
    });
  return {
    name: name?.text ?? "",
    ...(description === undefined ? {} : { description }),
    folder: more?.choice("folder", ["temporary", "definition"]) ?? "temporary",
    arguments: given,
    expectations,
    setup: more?.texts("setup").map(({ text }) => text) ?? [],
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

/** Reads further expectations, one a map, in the order written. Texts may end with line breaks. */
function readMoreExpected(owner: Fields): readonly Expectation[] {
  return owner.list("expected").flatMap((item) => {
    const fields = owner.fieldsOf(item, "expected", expectationKeys);
    const kind = fields?.oneOf(
      expectationKeys.keys,
      (first, other) => `an entry has one expectation, and this has \`${first}\` and \`${other}\``,
      ["split it into two entries"],
    ) as Expectation["kind"] | undefined;
    return (fields && kind && readExpectation(fields, kind)) ?? [];
  });
}

function readExpectation(fields: Fields, kind: Expectation["kind"]): Expectation | undefined {
  switch (kind) {
    case "exit-code": {
      const exitCode = fields.number(kind, { least: 0, most: 255, isWhole: true });
      return exitCode === undefined ? undefined : { kind, exitCode };
    }
    case "output-contains":
    case "output-equals":
    case "output-not-contains":
    case "error-contains": {
      const scalar = fields.scalar(kind, "text");
      return scalar && { kind, text: scalar.text.text };
    }
    case "output-matches": {
      const pattern = readSlashed(fields, kind);
      return pattern && { kind, ...pattern };
    }
    case "file-exists":
    case "directory-exists":
    case "not-file-exists": {
      const scalar = fields.scalar(kind, "a path");
      return scalar && { kind, path: scalar.text.text };
    }
    case "file-contains": {
      const inner = fields.fields(kind, fileContainsKeys);
      const [path, text] = [inner?.scalar("path", "a path"), inner?.scalar("text", "text")];
      if (inner && !(path && text))
        fields.findings.error("test-malformed", "`file-contains` needs a `path` and a `text`", {
          at: fields.place(kind),
        });
      return path && text && { kind, path: path.text.text, text: text.text.text };
    }
    case "result": {
      const value = fields.json(kind);
      return value === undefined ? undefined : { kind, value };
    }
  }
}
