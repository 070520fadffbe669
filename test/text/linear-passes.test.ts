// Passes over untrusted texts take linear time. Each text is so long that a quadratic pass takes minutes, and the
// runner's limit ends it.
import { readYaml } from "../../src/features/yaml/document.ts";
import { Findings } from "../../src/core/language/findings.ts";
import { formatToolFile } from "../../src/core/language/syntax/format.ts";
import { plainTransforms } from "../../src/features/yaml/custom-tools/parameters.ts";
import { oneLine } from "../../src/features/yaml/key-values.ts";
import { parseToolFile } from "../../src/core/language/syntax/parse.ts";
import { analyzeToolFile } from "../../src/core/language/analyze.ts";
import { AnswerText } from "../../src/features/models/model-answer.ts";
import { readCallBody } from "../../src/features/dialects/text-call.ts";
import { parseTextCalls } from "../../src/features/dialects/text-reader.ts";
import { textResults } from "../../src/features/dialects/text.ts";
import { hasSyntaxToTransform } from "../../src/features/javascript/host/transform-typescript.ts";
import { commandPattern } from "../../src/core/policy/command-pattern.ts";
import { moduleFiles } from "../../src/core/policy/content.ts";
import { componentsOf } from "../../src/core/policy/name-pattern.ts";
import { convertText } from "../../src/core/schema/convert-text.ts";
import { assert, suite } from "../harness.ts";
import { memoryHost } from "../memory-host.ts";

const test = suite("linear passes");

const MANY = 2_000_000;
/** The longest annotation. */
const ANNOTATION = 130_000;
const many = (unit: string): string => unit.repeat(MANY / unit.length);

async function answerOf(text: string): Promise<string> {
  const answer = new AnswerText({ emit: () => undefined });
  await answer.add(text);
  return answer.end();
}

function importsOf(code: string): number {
  const host = memoryHost();
  return moduleFiles("/plugin.ts", 10, {
    ...host,
    instant: { ...host.instant, readBytes: () => new TextEncoder().encode(code) },
  }).length;
}

function codesOf(text: string): readonly string[] {
  const file = parseToolFile({ path: "a.tool", text });
  formatToolFile(file);
  return analyzeToolFile(file).diagnostics.map(({ code }) => code);
}

const passes: Readonly<Record<string, () => unknown>> = {
  "a number of digits alone": () => assert.is(convertText({ type: "number" }, `${many("1")}!`).value, undefined),
  "an answer with line ends within": async () => assert.is((await answerOf(`a${many("\n")}b\n\n`)).length, MANY + 2),
  "a call without a name, but with blanks": () =>
    assert.is(readCallBody(`<tool_name>${many("\n")}!<`, true).call.kind, "faulty"),
  "a call with blanks around its name": () =>
    assert.equal(readCallBody(`<tool_name>${many(" ")}a b${many(" ")}</tool_name><`, true).call.name, "a b"),
  "a result with blanks behind `<`": () =>
    assert.is(
      textResults([
        {
          call: { kind: "sound", name: "a", arguments: {} },
          text: `<${many(" ")}/${many(" ")}`,
          content: [],
          isError: false,
        } as never,
      ]).includes("&lt;"),
      false,
    ),
  "backquotes in a reply": () => assert.is(parseTextCalls(many("`")).text, many("`")),
  "tildes in a reply": () => assert.is(parseTextCalls(many("~")).text, many("~")),
  "`<tool>` and no call behind it": () => assert.is(parseTextCalls(`<tool>${many("x")}`).text, `<tool>${many("x")}`),
  "`<tool>` and blanks in a code block": () =>
    assert.is(parseTextCalls(`<tool>\`\`\`json\n${many(" ")}`).text.length, MANY + 14),
  "a program in a folder without a name": () => assert.is(commandPattern("rm *").occursIn([`${many("a")}/`]), false),
  "a name with dots within": () => assert.equal(componentsOf(`${many(".")}a..`, true), [`${many(".")}a`]),
  "blanks behind `from`": () => assert.is(importsOf(`from${many("\t\n")}.`), 1),
  "a plugin of carriage returns": () => assert.is(hasSyntaxToTransform(many("\r")), false),
  "a text with blanks in one line": () => assert.is(oneLine(`a${many(" ")}b \n c`), `a${many(" ")}b c`),
  "a chain with blanks behind it": () => assert.is(plainTransforms(`value.trim()${many(" ")}!`), undefined),
};

for (const [what, pass] of Object.entries(passes)) test(what, async () => void (await pass()));

test("what an annotation may hold", () => {
  for (const text of [`@<-`.repeat(ANNOTATION / 3), ` ${" ".repeat(ANNOTATION - 2)}x`]) {
    for (const annotation of ["depends", "tags", "description", "category", "title"])
      for (let time = 0; time < 3; time++) codesOf(`D\n@name a\n@${annotation} x${text}\n`);
  }
});

test("lines of YAML with mistakes", () => {
  for (const line of [
    `a: "b${" ".repeat(90_000)}x`,
    `${"- ".repeat(40_000)}a: @b\v`,
    `a: @b${" ".repeat(90_000)}c\v`,
    `a: [${"\t".repeat(90_000)}`,
  ]) {
    for (let time = 0; time < 3; time++)
      readYaml({ path: "a.yaml", text: `${line}\n` }, new Findings({ path: "a.yaml", text: line } as never));
  }
});

test.run();
