// `tests`: the promises of a definition about itself.
import type { Span } from "../../../core/text/source.ts";
import type { Expectation, ToolTest } from "../../../core/tool/definition.ts";
import type { Fields } from "../fields.ts";
import { unknownInputs } from "../../../core/language/fields/tests.ts";
import { expectationKeys, readExpectation } from "./extension-keys.ts";
import { EXTENSION } from "../described-keys.ts";
import { testKeys } from "./keys.ts";

const TESTS_MAX = 1_000;

/** `known` are the names of the parameters, or undefined if they are not known here. */
export function readTests(tool: Fields, known: readonly string[] | undefined): readonly ToolTest[] {
  const next = tool.list("tests")[TESTS_MAX];
  if (next)
    tool.findings.error("too-large", `a tool has at most ${TESTS_MAX} tests`, {
      at: { ...next.span, end: next.span.start + 1 },
      label: "the rest is not read",
    });
  const names = new Map<string, Span>();
  return tool.maps("tests", TESTS_MAX).map((fields) => readTest(fields, names, known));
}

function readTest(fields: Fields, names: Map<string, Span>, parameters: readonly string[] | undefined): ToolTest {
  const { findings } = fields;
  const name = fields.text("name");
  const known = name && names.get(name.text);
  if (known)
    findings.error("test-malformed", "duplicate test name", {
      at: name.span,
      related: [{ span: known, text: "first used here" }],
    });
  else if (name) names.set(name.text, fields.map.span);
  else if (!fields.has("name"))
    findings.error("test-malformed", "this test has no name", { at: fields.start, help: ["add `name:`"] });
  const more = fields.fields(EXTENSION);
  const expectations = [...readExpected(fields), ...(more ? readMoreExpected(more) : [])];
  if (expectations.length === 0)
    findings.error("test-malformed", `the test \`${name?.text ?? ""}\` expects nothing, so it could never fail`, {
      at: name?.span ?? fields.place("expected"),
      help: ["add `expected:` with `exit-code: 0`"],
    });
  const said = { arguments: {}, setup: [], cleanup: [], ...testKeys.read(fields) };
  for (const unknown of unknownInputs(said.arguments, expectations, parameters))
    findings.warn("test-malformed", `no parameter takes \`${unknown}\``, {
      at: fields.entries("parameters").find(({ key }) => key === unknown)?.keySpan ?? fields.place("parameters"),
      help: [`the parameters are ${(parameters ?? []).map((one) => `\`${one}\``).join(", ") || "none"}`],
    });
  return { folder: "temporary", ...said, name: name?.text ?? "", expectations };
}

function readExpected(owner: Fields): readonly Expectation[] {
  const fields = owner.fields("expected");
  if (!fields) return [];
  return [
    ...[readExpectation(fields, "exit-code") ?? []].flat(),
    ...fields.texts("output-contains").map(({ text }) => ({ kind: "output-contains", text }) as const),
    ...fields.texts("file-exists").map(({ text }) => ({ kind: "file-exists", path: text }) as const),
  ];
}

/** Reads further expectations, one a map, in the order written. Texts may end with line breaks. */
function readMoreExpected(owner: Fields): readonly Expectation[] {
  return owner.maps("expected").flatMap((fields) => {
    const kind = fields.oneOf(
      expectationKeys.keys,
      (first, other) => `an entry has one expectation, and this has \`${first}\` and \`${other}\``,
      ["split it into two entries"],
    ) as Expectation["kind"] | undefined;
    return (kind && readExpectation(fields, kind)) ?? [];
  });
}
