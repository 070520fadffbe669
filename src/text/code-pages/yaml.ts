// Pages about definitions in YAML: what breaks the text, and keys that mean nothing.
import { type CodePage, lines } from "./page.ts";

function yaml(...rows: readonly string[]): string {
  return lines("name: find_lines", "description: Find lines in files", ...rows);
}

const pattern = ["parameters:", "  PATTERN:", "    type: string", "    description: What to look for"] as const;

export const yamlPages = {
  "broken-yaml": {
    title: "the text is no YAML",
    explanation:
      "The commonest slip is `: ` within a text that has no quotes: YAML reads a key and its value there. Put such a text in quotes, and commands of several lines below `|`.",
    bad: lines("name: find_lines", "description: Find lines: all of them", "bash: grep -rn {PATTERN} .", ...pattern),
    good: lines("name: find_lines", 'description: "Find lines: all of them"', "bash: grep -rn {PATTERN} .", ...pattern),
  },
  "unknown-key": {
    title: "there is no such key here",
    explanation: "A key that nobody reads would look as if it did something, so each one is known or an error.",
    bad: yaml("bash: grep -rn {PATTERN} .", "paramters:", ...pattern.slice(1)),
    good: yaml("bash: grep -rn {PATTERN} .", ...pattern),
  },
  "duplicate-key": {
    title: "a key stands twice in one map",
    explanation: "One of the two would be lost.",
    bad: yaml("bash: grep -rn {PATTERN} .", "timeout: 1000", "timeout: 2000", ...pattern),
    good: yaml("bash: grep -rn {PATTERN} .", "timeout: 2000", ...pattern),
  },
  "conflicting-keys": {
    title: "two keys do not go together",
    explanation: "A tool or a step does one thing, and what says how it runs stands once. The message names both keys.",
    bad: yaml("bash: grep -rn {PATTERN} .", "run: grep -rn {PATTERN} .", ...pattern),
    good: yaml("run: grep -rn {PATTERN} .", ...pattern),
  },
  "wrong-value": {
    title: "a key has a value that it does not take",
    explanation:
      'Each key takes one type of value. A text that YAML would read as something else is put in quotes: `"{DIRECTORY}"`, `"1.0"`, `"yes"`.',
    bad: yaml("bash: grep -rn {PATTERN} .", "timeout: soon", "ignore-errors: yes", ...pattern),
    good: yaml("bash: grep -rn {PATTERN} .", "timeout: 1000", "ignore-errors: true", ...pattern),
  },
} satisfies Readonly<Record<string, CodePage>>;
