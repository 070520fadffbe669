import { parseTemplate, parseValueTemplate } from "../../src/core/language/syntax/template.ts";
import type { ParameterSchema } from "../../src/core/schema/parameter.ts";
import { assert, suite } from "../harness.ts";
import { parameter, textOf } from "./command-fixture.ts";

const test = suite("template");

const names = ["a", "count"];

test("parseTemplate splits text at its placeholders", () => {
  assert.equal(parseTemplate(textOf("x {a}/{count} $HOME 'y'"), names), {
    value: { parts: ["x ", { placeholder: "a" }, "/", { placeholder: "count" }, " $HOME 'y'"] },
    diagnostics: [],
  });
  assert.equal(parseTemplate(textOf(""), names).value, { parts: [""] });
  assert.equal(parseTemplate(textOf("{a}"), names).value, { parts: [{ placeholder: "a" }] });
});

test("parseTemplate reads {{, }} and {} as literal braces", () => {
  assert.equal(parseTemplate(textOf('{{a}} {} {"x": 1} {{{a}}} { }'), names).value, {
    parts: ['{a} {} {"x": 1} {', { placeholder: "a" }, "} { }"],
  });
  assert.equal(parseTemplate(textOf('{"x": {"y": 1}} {{{"z": {a}}}}'), names).value, {
    parts: ['{"x": {"y": 1}} {{"z": ', { placeholder: "a" }, "}}"],
  });
});

test("parseTemplate points at every unknown name, and at the declaration of the nearest", () => {
  const text = textOf("{cuont} {zzzzzz}");
  const declaration = { parameter: parameter("count"), span: { ...text.span, end: text.span.start } };
  const { diagnostics } = parseTemplate(text, [declaration]);
  assert.equal(
    diagnostics.map(({ code, at, related }) => [code, at?.span.start, at?.span.end, at?.text, related.length]),
    [
      ["unknown-placeholder", 10, 15, "did you mean `count`?", 1],
      ["unknown-placeholder", 18, 24, "", 0],
    ],
  );
});

function value(text: string, schema: ParameterSchema): unknown {
  const span = textOf(text).span;
  const { value: template, diagnostics } = parseValueTemplate({ value: text, span }, schema, names);
  return template ?? diagnostics.map(({ code, message, at }) => `${code} ${at?.span.start}-${at?.span.end} ${message}`);
}

const string: ParameterSchema = { type: "string" };
const integer: ParameterSchema = { type: "integer" };
const items: ParameterSchema = { type: "array", items: { type: "object", properties: [], open: true } };
const literal = (parts: readonly unknown[]): unknown => ({ kind: "text", text: { parts } });

test("parseValueTemplate takes text for a string, in JSON quotes or without", () => {
  assert.equal(value("https://x/{a}", string), literal(["https://x/", { placeholder: "a" }]));
  assert.equal(value('"a \\"b\\" {a}\\n"', string), literal(['a "b" ', { placeholder: "a" }, "\n"]));
  assert.equal(value('"a" and "b"', string), literal(['"a" and "b"']));
  assert.equal(value("5", string), literal(["5"]));
});

test("parseValueTemplate takes JSON for other types, with templates in its strings", () => {
  assert.equal(value("5", integer), { kind: "literal", value: 5 });
  assert.equal(value("{count}", integer), literal([{ placeholder: "count" }]));
  assert.equal(value('[{"s": "<{a}>", "n": "{count}", "t": true}]', items), {
    kind: "array",
    items: [
      {
        kind: "object",
        entries: [
          ["s", literal(["<", { placeholder: "a" }, ">"])],
          ["n", literal([{ placeholder: "count" }])],
          ["t", { kind: "literal", value: true }],
        ],
      },
    ],
  });
});

test("parseValueTemplate refuses values that cannot fit", () => {
  assert.equal(value("many", integer), [
    "default-mismatch 9-13 this value does not fit the parameter: expected integer as JSON, or one placeholder",
  ]);
  assert.equal(value("1.5", integer), [
    "default-mismatch 9-12 this value does not fit the parameter: expected integer, got the number 1.5",
  ]);
  assert.equal(value("markdwn", { type: "string", choices: ["markdown", "text"] }), [
    'default-mismatch 9-16 this value does not fit the parameter: expected "markdown"|"text", got the string "markdwn"',
  ]);
  assert.equal(value("x{cuont}", string), ["unknown-placeholder 11-16 cannot find `cuont` in this tool"]);
  assert.equal(value("[".repeat(5_000) + "]".repeat(5_000), items), [
    "too-deep 9-10009 this value does not fit the parameter: nested deeper than 100 levels",
  ]);
});

test.run();
