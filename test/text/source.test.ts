import fc from "fast-check";
import { positionOf } from "../../src/core/text/source.ts";
import { assert, suite } from "../harness.ts";

const test = suite("positionOf");

test("positionOf tells line, column and text, whatever was asked before", () => {
  const source = { path: "a.tool", text: "one\r\ntwo\n\nlast" };
  assert.equal(
    [14, 0, 3, 5, 9, 10].map((offset) => Object.values(positionOf(source, offset))),
    [
      [4, 5, "last"],
      [1, 1, "one"],
      [1, 4, "one"],
      [2, 1, "two"],
      [3, 1, ""],
      [4, 1, "last"],
    ],
  );
});

test("positionOf agrees with counting line ends", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom("a", "\n", "\r\n", "bc")),
      fc.array(fc.nat(60), { minLength: 1 }),
      (parts, offsets) => {
        const source = { path: "a.tool", text: parts.join("") };
        for (const offset of offsets.map((one) => Math.min(one, source.text.length))) {
          const before = source.text.slice(0, offset).split("\n");
          const { line, column } = positionOf(source, offset);
          assert.equal([line, column], [before.length, (before.at(-1) ?? "").length + 1]);
        }
      },
    ),
  );
});

test.run();
