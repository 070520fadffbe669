// Words in `.tool` files that came with the YAML formats: rights, answers, schemas, and more about a parameter.
import { commandWrap } from "../../src/core/base/bind-command.ts";
import { analyzeToolFile } from "../../src/core/language/analyze.ts";
import { parseToolFile } from "../../src/core/language/syntax/parse.ts";
import { hasErrors } from "../../src/core/text/diagnostic.ts";
import type { ToolDefinition } from "../../src/core/tool/definition.ts";
import { assert, suite } from "../harness.ts";

const test = suite("annotations for what a tool asks");

function read(...lines: readonly string[]): ReturnType<typeof analyzeToolFile> {
  return analyzeToolFile(
    parseToolFile({
      path: "t.tool",
      text: ["Does it.", "", "@title T", "@name t", "@wrapped run_command", "@command echo", ...lines, ""].join("\n"),
    }),
  );
}

function definitionOf(...lines: readonly string[]): ToolDefinition {
  const { value, diagnostics } = read(...lines);
  if (!value || hasErrors(diagnostics)) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return value;
}

function saidOf(...lines: readonly string[]): readonly string[] {
  return read(...lines).diagnostics.map(({ code, message }) => `${code}: ${message}`);
}

test("@privilege, @isolation, @permissions and @justification", () => {
  assert.equal(
    definitionOf(
      "@privilege reduced",
      "@isolation container",
      "@permissions filesystem:write:out network:external:example.com",
      "@justification It fetches.",
    ).security,
    {
      privilege: "reduced",
      isolation: "container",
      permissions: ["filesystem:write:out", "network:external:example.com"],
      justification: "It fetches.",
    },
  );
  assert.is(definitionOf().security, undefined);
  assert.equal(saidOf("@privilege root", "@isolation", "@permissions disk"), [
    "malformed-annotation: `@privilege` must be same-as-user, reduced or elevated",
    "malformed-annotation: `@isolation` must be none, process or container",
    "malformed-annotation: `disk` is not a permission",
  ]);
});

test("@schema-omits", () => {
  assert.equal(definitionOf("@schema-omits examples, descriptions").schemaOmits, ["descriptions", "examples"]);
  assert.equal(saidOf("@schema-omits defalts"), [
    "malformed-annotation: a schema can leave out `descriptions`, `defaults` and `examples`",
  ]);
});

test("@cycod-version", () => {
  assert.is(definitionOf("@cycod-version 1.2.0").cycodVersion, "1.2.0");
  assert.equal(saidOf("@cycod-version new"), ["bad-version: `new` is not a valid version"]);
});

test("@interactive", () => {
  const interaction = (...lines: readonly string[]): unknown => {
    const definition = definitionOf(...lines);
    return definition.kind === "wrapped" && definition.surroundings.interaction;
  };
  assert.equal(
    [
      interaction("@interactive"),
      interaction("@interactive timeout=30s"),
      interaction("@interactive timeout=1m yes please"),
      interaction("@interactive y"),
      interaction('@interactive timeout=30s ""'),
    ],
    [
      {},
      { timeoutMs: 30_000 },
      { timeoutMs: 60_000, defaultResponse: "yes please" },
      { defaultResponse: "y" },
      { timeoutMs: 30_000, defaultResponse: "" },
    ],
  );
  assert.equal(saidOf("@interactive timeout=soon", "@stdin x"), [
    "bad-duration: a duration must be a number and a unit, such as `60s`; the longest is `576h`",
    "misplaced-annotation: an interactive tool reads answers from its input, so it cannot have a `@stdin`",
  ]);
});

test("@interactive is passed on to run_command", () => {
  const definition = definitionOf("@interactive timeout=1500ms y");
  const [command] = definition.kind === "wrapped" ? definition.commands : [];
  assert.equal(
    command &&
      definition.kind === "wrapped" &&
      commandWrap.bind({ command: command.command, parameters: [], surroundings: definition.surroundings }, {}),
    { argv: ["echo"], interactive: { timeout_s: 1.5, default: "y" } },
  );
});

test("a parameter has several examples, help and a transform", () => {
  const [parameter] = definitionOf(
    '@param a {integer} [example=1 example=2, example=3 help="More\\nof it" transform="value + 1" default=7, max=5] A',
  ).parameters;
  assert.equal(parameter, {
    name: "a",
    description: "A",
    schema: { type: "integer", maximum: 5 },
    required: false,
    default: 7,
    example: 1,
    otherExamples: [2, 3],
    help: "More\nof it",
    transform: "value + 1",
  });
  assert.equal(saidOf('@param a {string} [env=X transform="value"] A'), [
    "unused-parameter: unused parameter `a`",
    "malformed-option: `transform` cannot be used with `env`",
  ]);
});

test("a test says what it is about", () => {
  assert.equal(
    definitionOf("@test one", "    about What it shows", "    expect exit-code 0").tests.map(
      ({ description }) => description,
    ),
    ["What it shows"],
  );
  assert.equal(saidOf("@test one", "    about a", "    about b", "    expect exit-code 0"), [
    "test-malformed: a test can have only one `about`",
  ]);
});

test.run();
