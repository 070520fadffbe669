import { createHash } from "node:crypto";
import { estimateTokens } from "../../src/core/text/tokens.ts";
import { assert, assertLinear, suite } from "../harness.ts";

const test = suite("text/tokens");
const bytes = createHash("shake256", { outputLength: 6_000 }).update("dottool").digest();

/** The counts are the larger of those of o200k_base and cl100k_base, by gpt-tokenizer 3. */
const counted: readonly (readonly [kind: string, text: string, tokens: number])[] = [
  [
    "prose",
    "A call that is refused says which call would be accepted, and a person who follows it gets the right result. ".repeat(
      40,
    ),
    921,
  ],
  [
    "code",
    "export function sizeOf(text: string): number {\n  return new TextEncoder().encode(text).length;\n}\n".repeat(40),
    880,
  ],
  [
    "JSON Schema",
    '{"type":"object","properties":{"path":{"description":"The folder to look in","type":"string","default":"."},"hidden":{"description":"Also find names that begin with a dot","type":"boolean"},"max_paths":{"description":"The largest number of paths to return","type":"integer","minimum":1,"default":1000}},"required":["path"],"additionalProperties":false}'.repeat(
      10,
    ),
    800,
  ],
  ["base64", bytes.toString("base64"), 5_751],
  ["hexadecimal digits", bytes.toString("hex"), 6_838],
  ["Japanese", "今日は天気がとても良いので、散歩に行きましょう。".repeat(40), 1_120],
  ["Russian", "Сегодня хорошая погода, поэтому пойдём гулять по городу. ".repeat(40), 1_281],
];

for (const [kind, text, tokens] of counted)
  test(`estimateTokens is within a quarter of what tokenizers count in ${kind}`, () => {
    const share = estimateTokens(text) / tokens;
    assert.ok(share > 0.9 && share < 1.25, `${estimateTokens(text)}, not ${tokens}`);
  });

test("estimateTokens takes time linear to a text", () => {
  assertLinear("one text", 2 ** 18, (length) => void estimateTokens("aB3".repeat(length / 3)));
});

test.run();
