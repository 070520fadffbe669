// The characters of a YAML scalar know their places.
import fc from "fast-check";
import { Findings } from "../../../src/core/language/findings.ts";
import { readYaml } from "../../../src/features/yaml/document.ts";
import { entryOf, type YamlScalar } from "../../../src/features/yaml/node.ts";
import { assert, suite } from "../../harness.ts";

const test = suite("scalarText");

/** Returns the value of the key `a`. */
function scalarOf(text: string): YamlScalar {
  const findings = new Findings({ path: "t.yaml", text });
  const root = readYaml(findings.source, findings);
  const value = root?.kind === "map" ? entryOf(root, "a")?.value : undefined;
  if (value?.kind !== "scalar")
    throw new Error(
      `no scalar: ${findings
        .diagnostics()
        .map(({ message }) => message)
        .join("; ")}`,
    );
  return value;
}

/** Returns the source at the place of each character except blanks. */
function placed(text: string): readonly [text: string, there: string] {
  const { text: mapped } = scalarOf(text);
  const solid = [...mapped.text].flatMap((_, index) => (/\s/.test(mapped.text[index] ?? " ") ? [] : [index]));
  return [
    solid.map((index) => mapped.text[index]).join(""),
    solid.map((index) => text[mapped.offsetAt(index)]).join(""),
  ];
}

for (const [what, text, value] of [
  ["plain", "a: echo {A}\n", "echo {A}"],
  ["plain over lines", "a: echo\n  {A}\n\n  {B}\n", "echo {A}\n{B}"],
  ["in single quotes", "a: 'echo {A}'\n", "echo {A}"],
  ["in double quotes", 'a: "echo {A}"\n', "echo {A}"],
  ["in quotes over lines", 'a: "echo\n   {A}\n\n   {B}"\n', "echo {A}\n{B}"],
  ["literal", "a: |\n   echo {A}\n     if {B}\n\n   done\nb: 1\n", "echo {A}\n  if {B}\n\ndone\n"],
  ["literal with its indent", "a: |2-\n    x {A}\n", "  x {A}"],
  ["folded", "a: >\n  echo {A}\n  and {B}\n\n  {C}\n    kept\n  end\n", "echo {A} and {B}\n{C}\n  kept\nend\n"],
  ["CRLF", "a: |\r\n  echo {A}\r\n  b\r\n", "echo {A}\nb\n"],
  ["CRLF with a further indent", "a: |\r\n  if x\r\n    echo {A}\r\n", "if x\n  echo {A}\n"],
] as const) {
  test(`scalarText: ${what}`, () => {
    assert.is(scalarOf(text).text.text, value);
    const [wanted, there] = placed(text);
    assert.is(there, wanted);
  });
}

test("scalarText: behind escapes, each character begins where its escape does", () => {
  const text = 'a: "x\\n\\x41\\u00e9 \\"{A}\\""\n';
  const { text: mapped } = scalarOf(text);
  assert.is(mapped.text, 'x\nAé "{A}"');
  assert.equal(
    [...mapped.text].map((_, index) => text.slice(mapped.offsetAt(index)).slice(0, 2)),
    ["x\\", "\\n", "\\x", "\\u", " \\", '\\"', "{A", "A}", "}\\", '\\"'],
  );
  const single = "a: 'it''s {A}'\n";
  assert.is(single.slice(scalarOf(single).text.offsetAt(5)), "{A}'\n");
});

test("scalarText: whatever is in a literal block, each character is where it says", () => {
  fc.assert(
    fc.property(
      fc.array(fc.stringMatching(/^[ -~]{0,12}$/), { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 4 }),
      (lines, indent) => {
        const text = `a: |${indent}\n${lines.map((line) => " ".repeat(indent) + line).join("\n")}\n`;
        const { text: mapped } = scalarOf(text);
        for (let index = 0; index < mapped.text.length; index++)
          assert.is(text[mapped.offsetAt(index)], mapped.text[index]);
      },
    ),
    { numRuns: 200 },
  );
});

test("scalarText: the places of a text never go back", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z{} \\"']{1,20}$/), fc.constantFrom('"', "'"), (text, quote) => {
      const body = quote === '"' ? JSON.stringify(text) : `'${text.replaceAll("'", "''")}'`;
      const { text: mapped } = scalarOf(`a: ${body}\n`);
      assert.is(mapped.text, text);
      const places = Array.from({ length: text.length + 1 }, (_, index) => mapped.offsetAt(index));
      assert.equal(
        places,
        places.toSorted((one, other) => one - other),
      );
    }),
    { numRuns: 200 },
  );
});

test.run();
