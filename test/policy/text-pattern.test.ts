import { textPattern } from "../../src/core/policy/text-pattern.ts";
import { assert, suite } from "../harness.ts";

const test = suite("textPattern");

test("a pattern that refuses matches other forms of its characters, and one that allows does not", () => {
  const pattern = textPattern("delete*");
  const texts = ["delete x", "\uff44\uff45\uff4c\uff45\uff54\uff45 x", "DELETE x", "de\u200blete x", "other"];
  assert.equal(
    texts.map((text) => [pattern.matches(text, "loosely"), pattern.matches(text, "exactly")]),
    [
      [true, true],
      [true, false],
      [true, false],
      [true, false],
      [false, false],
    ],
  );
});

test.run();
