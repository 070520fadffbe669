// Matching patterns: those that run in V8, and those in linear time, beside V8 where it finishes.
import { patternMatch } from "../../src/core/schema/pattern-match.ts";
import { takeTurns } from "./take-turns.mjs";

const ROUNDS = 20;
const TEXT = "lorem ipsum dolor 42 sit amet, consectetur\n".repeat(25_000);
const SIMPLE = { source: "\\d\\d-\\d\\d", flags: "" };
const LINEAR = { source: "(foo|bar)+baz", flags: "" };
/** A pattern on which V8 never finishes. */
const BOMB = { source: "^(?:(a|a)*b)$", flags: "" };
const A100000 = "a".repeat(100_000);

export async function benchPatterns() {
  const native = ({ source, flags }) => new RegExp(source, flags);
  const [simple, linear, bomb] = [SIMPLE, LINEAR, BOMB].map(patternMatch);
  const [simpleBare, linearBare] = [SIMPLE, LINEAR].map(native);
  const ms = await takeTurns(ROUNDS, {
    simple: async () => simple.isIn(TEXT),
    simpleBare: async () => simpleBare.test(TEXT),
    linear: async () => linear.isIn(TEXT),
    linearBare: async () => linearBare.test(TEXT),
    bomb: async () => bomb.isIn(A100000),
  });
  return [
    { name: "a simple pattern, 1 MB of text", value: ms.simple, unit: "ms", reference: ms.simpleBare, of: "RegExp" },
    { name: "a pattern in linear time, 1 MB", value: ms.linear, unit: "ms", reference: ms.linearBare, of: "RegExp" },
    { name: "(a|a)*b, 100 kB of a", value: ms.bomb, unit: "ms" },
  ];
}
