// The examples in the grammars: `//+` and `//-` list texts that the next rule must and must not match.
import { existsSync, readFileSync } from "node:fs";
import { grammar } from "ohm-js";
import { assert, suite } from "../harness.ts";

const test = suite("grammar");

interface Example {
  readonly rule: string;
  readonly text: string;
  readonly matches: boolean;
}

function examplesIn(source: string): readonly Example[] {
  const examples: Example[] = [];
  let waiting: Omit<Example, "rule">[] = [];
  for (const line of source.split("\n")) {
    const marked = /^\s*\/\/([+-]) (.*)$/.exec(line);
    const rule = /^\s*(\w+)\s*(\([^)]*\)\s*)?=/.exec(line);
    if (marked) {
      const texts: string[] = JSON.parse(`[${marked[2]}]`);
      waiting.push(...texts.map((text) => ({ text, matches: marked[1] === "+" })));
    } else if (rule?.[1] !== undefined) {
      for (const example of waiting) examples.push({ rule: rule[1], ...example });
      waiting = [];
    }
  }
  return examples;
}

for (const name of ["tool", "command", "condition"]) {
  const path = new URL(`../../grammar/${name}.ohm`, import.meta.url);
  if (!existsSync(path)) continue;
  const source = readFileSync(path, "utf8");
  const compiled = grammar(source);
  const examples = examplesIn(source);

  test(`${name}.ohm matches what its examples say (${examples.length})`, () => {
    assert.ok(examples.length > 10);
    const wrong = examples.filter(
      (example) => compiled.match(example.text, example.rule).succeeded() !== example.matches,
    );
    assert.equal(wrong, []);
  });
}

test.run();
