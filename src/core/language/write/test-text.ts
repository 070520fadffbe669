// A test as the lines of `@test`.
import type { Expectation, ToolTest } from "../../tool/definition.ts";
import { CannotWrite } from "./cannot-write.ts";
import { patternText } from "./parameter-text.ts";
import { indented } from "./quantity-text.ts";
import { line, type Lines, linesOf, nothing } from "./tool-lines.ts";

const rows: Lines<ToolTest> = {
  // The name and the folder are on the line of the annotation.
  name: nothing,
  folder: nothing,
  description: ({ description }) => (description === undefined ? [] : [`about ${description}`]),
  setup: ({ setup }) => setup.map((text) => `setup ${text}`),
  arguments: (test) => (Object.keys(test.arguments).length === 0 ? [] : [`with ${JSON.stringify(test.arguments)}`]),
  expectations: ({ expectations }) =>
    expectations.map((expectation) => `expect ${expectation.kind} ${expectedText(expectation)}`),
  cleanup: ({ cleanup }) => cleanup.map((text) => `cleanup ${text}`),
};

export function testText(test: ToolTest): string {
  const lines = linesOf(rows, test);
  if (lines.some((row) => row.includes("\n"))) throw new CannotWrite(`line breaks in the test \`${test.name}\``);
  return `\n${line("test", `${test.name}${test.folder === "definition" ? " in ." : ""}`)}\n${indented(lines.join("\n"))}`;
}

function expectedText(expectation: Expectation): string {
  switch (expectation.kind) {
    case "exit-code":
      return String(expectation.exitCode);
    case "output-contains":
    case "output-equals":
    case "output-not-contains":
    case "error-contains":
      return plainOrQuoted(expectation.text);
    case "output-matches":
      return patternText(expectation);
    case "file-exists":
    case "directory-exists":
    case "not-file-exists":
      return plainOrQuoted(expectation.path);
    case "file-contains":
      return `${/^[^" \t\n]+$/.test(expectation.path) ? expectation.path : JSON.stringify(expectation.path)} ${plainOrQuoted(expectation.text)}`;
    case "result":
      return JSON.stringify(expectation.value);
  }
}

/** Returns a text, in quotes if it has blanks at its ends or line breaks. */
function plainOrQuoted(text: string): string {
  return text === "" || text !== text.trim() || /^"|[\n\r]/.test(text) ? JSON.stringify(text) : text;
}
