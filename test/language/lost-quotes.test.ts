// JSON outside quotes in a command.
import { lostQuotes } from "../../src/core/language/checks/lost-characters.ts";
import { assert, assertLinear, suite } from "../harness.ts";

const test = suite("lostQuotes");

function found(text: string): readonly string[] {
  const source = { path: "a.tool", text };
  const span = { source, start: 0, end: text.length };
  return lostQuotes({ text, span, offsetAt: (index) => index }).map(({ at }) =>
    text.slice(at?.span.start, at?.span.end),
  );
}

test("lostQuotes finds JSON that a shell would not leave as it is", () => {
  for (const [word = "", place] of [
    ['{"a":1}', '{"a":'],
    ['-d{"a":"b c"}', '{"a":'],
    ['--data={"a": ["{x}", {n}]}', '{"a":'],
    ['B=[{"a":"\\"}"}]', '[{"a":'],
    ['["a","b"]', '["a",'],
    ['"{"a":1}"', '"{"a":'],
  ])
    assert.equal(found(`run ${word} x; b`), [place]);
});

test("lostQuotes leaves alone what is no JSON, or in quotes", () => {
  for (const word of [
    ...["'{\"a\":1}'", '"{\\"a\\":1}"', '{"a","b"}', '[ "a" ]', '{ "a"; }', "{x}", '.["a"]', 'x{"a":1}'],
    ...['\'run "{"a":1}" x\'', '# {"a":1}', 'cat <<E {"a":1}', 'case "$x" in ["abc"]) echo;; esac'],
  ])
    assert.equal(found(`run ${word} x`), [], word);
});

test("lostQuotes takes linear time", () => {
  for (const repeated of ['{"', "a", '"\\"', '{ "a" ', '["a" ', '[{"a":', "'", '-d="{"', "{ "])
    assertLinear(repeated, 2_000, (count) => lostQuotes(mapped(`run ${repeated.repeat(count)}`)));
});

function mapped(text: string): Parameters<typeof lostQuotes>[0] {
  return { text, span: { source: { path: "a.tool", text }, start: 0, end: text.length }, offsetAt: (index) => index };
}

test.run();
