import type { Parameter, ParameterSchema } from "../../src/core/schema/parameter.ts";
import { validateArguments } from "../../src/core/schema/validate.ts";
import { convertText } from "../../src/core/schema/convert-text.ts";
import { assert, suite } from "../harness.ts";

const test = suite("validate");

function parameter(name: string, schema: ParameterSchema, more: Partial<Parameter> = {}): Parameter {
  return { name, description: "", schema, required: false, ...more };
}

function check(parameters: readonly Parameter[], value: unknown, environment: Readonly<Record<string, string>> = {}) {
  return validateArguments(parameters, value, { owner: "tool", environment: (name) => environment[name] });
}

function messages(parameters: readonly Parameter[], value: unknown): readonly string[] {
  return check(parameters, value).issues.map((issue) => `${issue.path}: ${issue.message}`);
}

const text = parameter("text", { type: "string" });
const count = parameter("count", { type: "integer", minimum: 1, maximum: 10 });

test("validateArguments takes what fits and leaves absent optional ones out", () => {
  assert.equal(check([text, count], { count: 3 }), { arguments: { count: 3 }, issues: [] });
});

test("validateArguments reports every problem together, in the order of the parameters", () => {
  const words = parameter("words", { type: "array", items: { type: "string" } }, { required: true });
  assert.equal(messages([words, count, text], { count: 99, text: 5, nope: 1 }), [
    "words: expected array<string>, got nothing",
    "count: expected at most 10, got 99",
    "text: expected string, got the number 5",
    "nope: `tool` has no such parameter; it has `words`, `count`, `text`",
  ]);
});

test("validateArguments suggests the nearest name for an unknown one", () => {
  assert.equal(messages([text], { txet: "a" }), ["txet: `tool` has no such parameter; did you mean `text`?"]);
});

test("validateArguments guesses no types", () => {
  assert.equal(messages([count], { count: "3" }), ['count: expected integer, got the string "3"']);
  assert.equal(messages([text], { text: null }), ["text: expected string, got null"]);
  assert.equal(messages([parameter("on", { type: "boolean" })], { on: "true" }), [
    'on: expected boolean, got the string "true"',
  ]);
});

test("validateArguments takes any JSON value, and no text that a program cannot get", () => {
  const any = parameter("any", { type: "string", format: "any" });
  for (const value of ["text", 1.5, false, null, [1, [null]], { a: { b: "c" } }])
    assert.equal(check([any], { any: value }), { arguments: { any: value }, issues: [] });
  assert.equal(messages([any], { any: { a: ["x\0"] } }), [
    "any.a[0]: contains a NUL character, which cannot be passed to a program",
  ]);
  assert.equal(
    ["5", '"5"', "[1]", "null", "-x", "a b"].map((text) => convertText(any.schema, text).value),
    [5, "5", [1], null, "-x", "a b"],
  );
});

test("validateArguments takes only the numbers of a choice", () => {
  const level = parameter("level", { type: "integer", choices: [1, 2, 3] });
  const rate = parameter("rate", { type: "number", choices: [0.5, 1] });
  assert.equal(check([level, rate], { level: 2, rate: 0.5 }), { arguments: { level: 2, rate: 0.5 }, issues: [] });
  assert.equal(messages([level, rate], { level: 4, rate: 0.7 }), [
    "level: expected 1|2|3, got the number 4",
    "rate: expected 0.5|1, got the number 0.7",
  ]);
  assert.equal(messages([level], { level: "1" }), ['level: expected 1|2|3, got the string "1"']);
  assert.equal(convertText(level.schema, "3"), { value: 3 });
  assert.equal(convertText(level.schema, "three"), { message: 'expected 1|2|3, got "three"' });
});

test("validateArguments refuses numbers that lose digits", () => {
  assert.equal(messages([parameter("n", { type: "integer" })], { n: 9007199254740992 }), [
    "n: expected an integer between -9007199254740991 and 9007199254740991",
  ]);
  assert.equal(messages([parameter("n", { type: "integer" })], { n: "9007199254740993" }), [
    "n: expected an integer between -9007199254740991 and 9007199254740991",
  ]);
  assert.equal(messages([parameter("n", { type: "number" })], { n: Infinity }), [
    "n: expected number, got the number Infinity",
  ]);
});

test("validateArguments sees own properties only", () => {
  assert.equal(messages([text], Object.create({ text: "inherited" })), []);
  assert.equal(messages([text], { constructor: "x" }), ["constructor: `tool` has no such parameter; it has `text`"]);
  assert.equal(messages([text], JSON.parse('{"__proto__": "x"}')), [
    "__proto__: `tool` has no such parameter; it has `text`",
  ]);
});

test("validateArguments refuses NUL and lone surrogates in any string", () => {
  assert.equal(messages([text], { text: "a\0b" }), [
    "text: contains a NUL character, which cannot be passed to a program",
  ]);
  const open = parameter("open", { type: "object", properties: [], open: true });
  assert.equal(messages([open], { open: { a: ["\ud800"] } }), [
    "open.a[0]: contains a lone surrogate; send well-formed Unicode",
  ]);
});

test("validateArguments transforms before it checks", () => {
  const name = parameter("name", { type: "string", transforms: ["trim", "lower"], choices: ["json", "text"] });
  assert.equal(check([name], { name: "  JSON " }).arguments, { name: "json" });
  assert.equal(messages([name], { name: "xml" }), ['name: expected "json"|"text", got the string "xml"']);
});

test("validateArguments fits `pattern` to the whole value and `reject` to any part", () => {
  const name = parameter("name", {
    type: "string",
    pattern: { source: "a|b", flags: "" },
    reject: { source: "^b", flags: "" },
  });
  assert.equal(check([name], { name: "a" }).arguments, { name: "a" });
  assert.equal(messages([name], { name: "aa" }), ['name: expected text that matches /a|b/, got the string "aa"']);
  assert.equal(messages([name], { name: "b" }), ['name: the string "b" is not accepted here (it matches /^b/)']);
  assert.equal(messages([name], { name: "a\n" }).length, 1);
});

test("validateArguments says what `help` says of a value that no pattern accepts", () => {
  const help = "a version, such as 1.2\nMore of it";
  const words: ParameterSchema = {
    type: "string",
    pattern: { source: "[\\d.]+", flags: "" },
    reject: { source: "^0", flags: "" },
  };
  assert.equal(messages([{ ...parameter("to", words), help }], { to: "x" }), [
    'to: expected text that matches /[\\d.]+/, got the string "x"; a version, such as 1.2',
  ]);
  assert.equal(messages([{ ...parameter("to", words), help }], { to: "0" }), [
    'to: the string "0" is not accepted here (it matches /^0/); a version, such as 1.2',
  ]);
  const inner = parameter("to", {
    type: "object",
    open: false,
    properties: [parameter("a", words), { ...parameter("b", words), help }],
  });
  assert.equal(messages([{ ...inner, help: "an object" }], { to: { a: "0", b: "0" } }), [
    'to.a: the string "0" is not accepted here (it matches /^0/)',
    'to.b: the string "0" is not accepted here (it matches /^0/); a version, such as 1.2',
  ]);
});

test("validateArguments counts characters, not UTF-16 units", () => {
  const name = parameter("name", { type: "string", maximumLength: 1 });
  assert.equal(check([name], { name: "🦜" }).arguments, { name: "🦜" });
});

test("validateArguments takes only http and https addresses for a url", () => {
  const address = parameter("address", { type: "string", format: "url" });
  assert.equal(check([address], { address: "https://example.com/a" }).arguments, { address: "https://example.com/a" });
  assert.equal(messages([address], { address: "file:///etc/passwd" }), [
    'address: expected an http or https address, got the string "file:///etc/passwd"',
  ]);
});

test("validateArguments checks items and properties at their paths", () => {
  const range = { type: "array", items: { type: "integer" }, minimumItems: 2, maximumItems: 2 } as const;
  const edits = parameter("edits", {
    type: "array",
    items: {
      type: "object",
      typeName: "Edit",
      open: false,
      properties: [parameter("range", range, { required: true })],
    },
  });
  assert.equal(messages([edits], { edits: [{ range: [1] }, { rnage: [] }, 3] }), [
    "edits[0].range: expected at least 2 items, got 1",
    "edits[1].range: expected array<integer>, got nothing",
    "edits[1].rnage: `edits[1]` has no such parameter; did you mean `range`?",
    "edits[2]: expected Edit, got the number 3",
  ]);
});

test("validateArguments takes defaults from the environment, then from the parameter", () => {
  const level = parameter("level", { type: "integer", minimum: 1 }, { environment: "LEVEL", default: 2 });
  assert.equal(check([level], {}).arguments, { level: 2 });
  assert.equal(check([level], {}, { LEVEL: "5" }).arguments, { level: 5 });
  assert.equal(check([level], {}, { LEVEL: "x" }).issues, [
    { path: "level", message: "expected integer in the environment variable `LEVEL`" },
  ]);
});

test("validateArguments bounds the depth of open objects", () => {
  let deep: unknown = 1;
  for (let level = 0; level < 5000; level++) deep = { deeper: deep };
  const issues = messages([parameter("open", { type: "object", properties: [], open: true })], { open: deep });
  assert.is(issues.length, 1);
  assert.ok(issues[0]?.endsWith("nested deeper than 100 levels"));
});

test("convertText follows the declared type only", () => {
  assert.equal(convertText({ type: "string" }, "00501"), { value: "00501" });
  assert.equal(convertText({ type: "integer" }, "-7"), { value: -7 });
  assert.equal(convertText({ type: "integer" }, "1e3"), { message: 'expected integer, got "1e3"' });
  assert.equal(convertText({ type: "number" }, ".5"), { value: 0.5 });
  assert.equal(convertText({ type: "boolean" }, "yes"), { message: 'expected boolean, got "yes"' });
  assert.equal(convertText({ type: "array", items: { type: "integer" } }, "[1, 2]"), { value: [1, 2] });
  assert.equal(convertText({ type: "array", items: { type: "string" } }, "[ab"), { value: ["[ab"] });
  assert.equal(convertText({ type: "object", properties: [], open: true }, "{"), {
    message: 'expected an object as JSON, got "{"',
  });
});

test("validateArguments counts in the singular where there is one", () => {
  const words = parameter("words", { type: "array", items: { type: "string", minimumLength: 1 }, minimumItems: 1 });
  assert.equal(
    [...messages([words], { words: [] }), ...messages([words], { words: [""] })],
    ["words: expected at least 1 item, got 0", "words[0]: expected at least 1 character, got 0"],
  );
});

test("validateArguments quotes no secret, whatever is wrong with it, nor what is in one", () => {
  const inner = parameter("pin", { type: "integer", maximum: 9 }, { secret: true });
  const secrets = [
    parameter("choice", { type: "string", choices: ["a"] }, { secret: true }),
    parameter("number", { type: "integer", maximum: 9 }, { secret: true }),
    parameter("list", { type: "array", items: { type: "integer" } }, { secret: true }),
    parameter("open", { type: "object", open: false, properties: [inner] }),
  ];
  assert.equal(messages(secrets, { choice: "SECRET1", number: 12345, list: ["SECRET2"], open: { pin: 54321 } }), [
    'choice: expected "a", got •••',
    "number: expected at most 9, got •••",
    "list[0]: expected integer, got •••",
    "open.pin: expected at most 9, got •••",
  ]);
});

test("validateArguments says that an item is there twice only where it is", () => {
  const list = parameter("list", { type: "array", items: { type: "string", choices: ["a", "b"] }, unique: true });
  assert.equal(
    check([list], { list: ["A", "B"] }).issues.map(({ path }) => path),
    ["list[0]", "list[1]"],
  );
  assert.equal(check([list], { list: ["a", "a"] }).issues, [{ path: "list", message: "expected no duplicate items" }]);
});

test("validateArguments finds one problem in a bad value from the environment, and names the variable where it is missing", () => {
  const port = parameter("port", { type: "integer", maximum: 9 }, { required: true, environment: "PORT" });
  assert.equal(check([port], {}, { PORT: "10" }).issues, [{ path: "port", message: "expected at most 9, got 10" }]);
  assert.equal(check([port], {}, { PORT: "ten" }).issues, [
    { path: "port", message: "expected integer in the environment variable `PORT`" },
  ]);
  assert.equal(check([port], {}).issues, [
    { path: "port", message: "expected integer, got nothing; give it, or set PORT" },
  ]);
});

test("convertText converts no number that would become another", () => {
  assert.is(
    convertText({ type: "integer" }, "99999999999999999999").message,
    'expected integer, got "99999999999999999999"',
  );
  assert.is(convertText({ type: "number" }, "1e999").message, 'expected number, got "1e999"');
});

test.run();
