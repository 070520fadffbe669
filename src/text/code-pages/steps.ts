// Pages about the steps of a tool: their names and their order.
import { type CodePage, lines } from "./page.ts";

function steps(...rows: readonly string[]): string {
  return lines("Build and test.", "", "@title Build and Test", "@name build_and_test", "@tags run", ...rows);
}

export const stepPages = {
  "duplicate-step": {
    title: "two steps, or a step and a parameter, have the same name",
    explanation: "`{NAME}` must be unambiguous: steps and parameters of a tool share one namespace.",
    bad: steps("@step build runs", "    make", "@step build runs", "    make test"),
    good: steps("@step build runs", "    make", "@step test runs", "    make test"),
  },
  "unknown-step": {
    title: "there is no such step to wait for",
    explanation: "`wait-for` names steps of the same tool.",
    bad: steps("@step build runs", "    make", "@step test runs [wait-for=biuld]", "    make test"),
    good: steps("@step build runs", "    make", "@step test runs [wait-for=build]", "    make test"),
  },
  "step-cycle": {
    title: "steps wait for each other in a circle",
    explanation:
      "None of them could ever start. Without `wait-for`, a step waits for the one before it and for those that run in parallel with that one.",
    bad: steps("@step build runs [wait-for=test]", "    make", "@step test runs [wait-for=build]", "    make test"),
    good: steps("@step build runs", "    make", "@step test runs [wait-for=build]", "    make test"),
  },
  "reads-ahead": {
    title: "a step reads an output that may not exist yet",
    explanation:
      "Only steps that wait for a step, directly or through others, can read its output. A step that runs in parallel with it, or before it, would read nothing.",
    bad: steps("@step version runs", "    git describe", "@step build runs [parallel]", "    echo building {version}"),
    good: steps("@step version runs", "    git describe", "@step build runs", "    echo building {version}"),
  },
  "may-not-have-run": {
    title: "a step reads the output of a step that may be skipped",
    explanation:
      "A step whose `when` is false is skipped: its output is empty, its exit code is 0, and `ok` is false. Give a default, as in `{NAME:-none}`, or run the reading step only if the other one ran.",
    bad: steps(
      "@param tagged {boolean} Whether to look for a tag",
      "@step version runs [when={tagged}]",
      "    git describe",
      "@step build runs",
      "    echo building {version}",
    ),
    good: steps(
      "@param tagged {boolean} Whether to look for a tag",
      "@step version runs [when={tagged}]",
      "    git describe",
      "@step build runs",
      "    echo building {version:-none}",
    ),
  },
} satisfies Readonly<Record<string, CodePage>>;
