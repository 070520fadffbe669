// A file full of unknown names costs no more than a person would read of it.
import { nearName, unknownPlaceholder } from "../../src/core/language/kinds/command-problems.ts";
import { nearestNames } from "../../src/core/text/suggest.ts";
import { assert, suite } from "../harness.ts";

const test = suite("near names");

const source = { path: "tool.tool", text: "{word}" };
const text = { text: source.text, span: { source, start: 0, end: 6 }, offsetAt: (index: number) => index };

test("nearName stops searching after 100 names of one tool, and knows those it has found", () => {
  const declarations = Array.from({ length: 30 }, (_, index) => `folder_${index}`);
  const found = Array.from({ length: 101 }, (_, index) =>
    nearName({ text, declarations }, `foldr_${index % 30}${"x".repeat(Math.floor(index / 30))}`),
  );
  assert.equal([found[0], found[29], found[100]], ["folder_0", "folder_29", undefined]);
  assert.equal(
    [nearName({ text, declarations }, "foldr_0"), nearName({ text, declarations: [...declarations] }, "foldr_new_0")],
    ["folder_0", "folder_0"],
  );
});

test("unknownPlaceholder lists twenty names and counts the others", () => {
  const declarations = Array.from({ length: 23 }, (_, index) => `some_${index}`);
  assert.is(
    unknownPlaceholder({ text, declarations }, { name: "word", start: 0 }).help[0],
    `the tool has ${declarations
      .slice(0, 20)
      .map((name) => `\`${name}\``)
      .join(", ")} and 3 more`,
  );
});

test("nearestNames counts letters in another order as one slip, and dashes as none", () => {
  assert.equal(nearestNames("flie", ["file", "fly", "profile"]), ["file"]);
  assert.equal(nearestNames("a-b-c-d-e-f", ["abcdef", "abc"]), ["abcdef"]);
});

test.run();
