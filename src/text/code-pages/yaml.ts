// Pages about definitions in YAML: syntax errors, and keys without a meaning.
import { type CodePage, lines } from "./page.ts";

function yaml(...rows: readonly string[]): string {
  return lines("name: find_lines", "description: Find lines in files", ...rows);
}

const pattern = ["parameters:", "  PATTERN:", "    type: string", "    description: What to look for"] as const;

export const yamlPages = {
  "broken-yaml": {
    title: "the file is not valid YAML",
    explanation:
      "The most common mistake is `: ` in text without quotes: YAML reads it as a key and a value. Put such text in quotes, and commands of several lines below `|`.",
    bad: lines("name: find_lines", "description: Find lines: all of them", "bash: grep -rn {PATTERN} .", ...pattern),
    good: lines("name: find_lines", 'description: "Find lines: all of them"', "bash: grep -rn {PATTERN} .", ...pattern),
  },
  "unknown-key": {
    title: "this key is not known here",
    explanation: "A key that is not read would look as if it had an effect, so an unknown key is an error.",
    bad: yaml("bash: grep -rn {PATTERN} .", "paramters:", ...pattern.slice(1)),
    good: yaml("bash: grep -rn {PATTERN} .", ...pattern),
  },
  "duplicate-key": {
    title: "a map has a duplicate key",
    explanation: "One of the two values would be lost.",
    bad: yaml("bash: grep -rn {PATTERN} .", "timeout: 1000", "timeout: 2000", ...pattern),
    good: yaml("bash: grep -rn {PATTERN} .", "timeout: 2000", ...pattern),
  },
  "conflicting-keys": {
    title: "two keys cannot be used together",
    explanation:
      "A tool or a step has one action, and one key that determines how it runs. The message names both keys.",
    bad: yaml("bash: grep -rn {PATTERN} .", "run: grep -rn {PATTERN} .", ...pattern),
    good: yaml("run: grep -rn {PATTERN} .", ...pattern),
  },
  "wrong-value": {
    title: "a key has a value of the wrong type",
    explanation:
      'Each key accepts one type of value. Put text that YAML would read as something else in quotes: `"{DIRECTORY}"`, `"1.0"`, `"yes"`.',
    bad: yaml("bash: grep -rn {PATTERN} .", "timeout: soon", "ignore-errors: yes", ...pattern),
    good: yaml("bash: grep -rn {PATTERN} .", "timeout: 1000", "ignore-errors: true", ...pattern),
  },
} satisfies Readonly<Record<string, CodePage>>;
