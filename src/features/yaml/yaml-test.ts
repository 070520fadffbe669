// Tests as maps of the custom-tools YAML. Parts that the format itself expects come first, in its order; the rest
// follow below `x-dottool`.
import type { Expectation, ToolTest } from "../../core/tool/definition.ts";
import { EXTENSION } from "./described-keys.ts";
import { testKeys } from "./custom-tools/keys.ts";
import { expectationRecord } from "./custom-tools/extension-keys.ts";
import { listed, merged, type YamlData, type YamlRecord } from "./yaml-data.ts";

export function testRecord(test: ToolTest): YamlRecord {
  const { expectations } = test;
  const count = plainCount(expectations);
  return merged([
    testKeys.write(test),
    {
      expected: expectedRecord(expectations.slice(0, count)),
      [EXTENSION]: { expected: listed(expectations.slice(count).map(expectationRecord)) },
    },
  ]);
}

const order: readonly Expectation["kind"][] = ["exit-code", "output-contains", "file-exists"];

/** Returns how many are in the order in which the keys of the format are read. */
function plainCount(expectations: readonly Expectation[]): number {
  let last = 0;
  const end = expectations.findIndex((expectation, index) => {
    const place = order.indexOf(expectation.kind);
    const isAgain = expectation.kind === "exit-code" && index > 0;
    if (place < last || isAgain || !isPlainText(expectation)) return true;
    last = place;
    return false;
  });
  return end === -1 ? expectations.length : end;
}

/** Whether the format's lists can hold the text: it is not empty, and has no line break at its end. */
function isPlainText(expectation: Expectation): boolean {
  const text = "text" in expectation ? expectation.text : "path" in expectation ? expectation.path : "0";
  return text.trim() !== "" && !text.endsWith("\n");
}

function expectedRecord(expectations: readonly Expectation[]): YamlRecord | undefined {
  if (expectations.length === 0) return undefined;
  const [code] = expectations.flatMap((one) => (one.kind === "exit-code" ? [one.exitCode] : []));
  const texts = expectations.flatMap((one) => (one.kind === "output-contains" ? [one.text] : []));
  const files = expectations.flatMap((one) => (one.kind === "file-exists" ? [one.path] : []));
  return { "exit-code": code, "output-contains": oneOrMore(texts), "file-exists": oneOrMore(files) };
}

function oneOrMore(texts: readonly string[]): YamlData | undefined {
  return texts.length === 1 ? texts[0] : listed(texts);
}
