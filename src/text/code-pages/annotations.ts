// Pages about lines: annotations that do not exist, have the wrong form, or have no effect in their place.
import { type CodePage, lines, wrap } from "./page.ts";

export const annotationPages = {
  "unknown-annotation": {
    title: "there is no such annotation",
    explanation:
      "An unknown annotation is never ignored, because a misspelled one would silently have no effect. Names that begin with `x-` are free for other programs.",
    bad: lines("@name webFetch", "@wraped web_fetch"),
    good: lines("@name webFetch", "@wrapped web_fetch", "@x-owner team-a"),
  },
  "malformed-annotation": {
    title: "an annotation has the wrong form",
    explanation:
      "Every annotation has one form, which the message shows. The marker shows where the text departs from it.",
    bad: wrap("@command grep -rn {pattern} .", "@param [required] pattern {string} What to look for"),
    good: wrap("@command grep -rn -- {pattern} .", "@param pattern {string} [required] What to look for"),
  },
  "stray-text": {
    title: "text does not belong to any annotation",
    explanation:
      "A blank line or a body ends an annotation. Text after that is neither a description nor a continuation, so it is reported instead of ignored. Remove the blank line, or move the text before the first annotation.",
    bad: lines("@name webFetch", "@wrapped web_fetch", "", "Fetches a page."),
    good: lines("Fetches a page.", "", "@name webFetch", "@wrapped web_fetch"),
  },
  "duplicate-annotation": {
    title: "an annotation is given twice",
    explanation:
      "If only one can apply, dottool does not choose for you. `@command`, `@script` and `@shell` may be given once for each platform, `@with` and `@default` once for each parameter, `@env` once for each variable.",
    bad: lines("@name webFetch", "@name fetch", "@wrapped web_fetch"),
    good: lines("@name fetch", "@wrapped web_fetch"),
  },
  "misplaced-annotation": {
    title: "an annotation has no effect here",
    explanation:
      "It needs a `@command` that is missing; or it is indented deeper than a `@command` or `@test` above it, and so is a line of its body; or it limits the memory, processor time or processes of a tool that does not start a process.",
    bad: wrap("@command grep -rn {pattern} .", "    @param pattern {string} What to look for"),
    good: wrap("@command grep -rn -- {pattern} .", "@param pattern {string} [required] What to look for"),
  },
  "option-in-body": {
    title: "an option is written as a line of a command",
    explanation:
      "A line such as `timeout: 3s` below a `@step`, `@command` or `@script` would be run as a command. Options of a step are in brackets after its kind, as in `[retry=3 timeout=1m]`; options of a tool are annotations. `fallback:` is a line of a step that has the option `fallback`. The line is an error if it can only be an option, and a warning if it may be an argument of a program; in that case put it in quotes. In prompts and here-documents it is text.",
    bad: lines(
      "Fetch.",
      "",
      "@title Fetch",
      "@name fetch",
      "@tags run",
      "@step fetch sh",
      "    git fetch",
      "    retry: 3",
    ),
    good: lines("Fetch.", "", "@title Fetch", "@name fetch", "@tags run", "@step fetch sh [retry=3]", "    git fetch"),
  },
  "unsupported-yet": {
    title: "this part of the language is not supported yet",
    explanation:
      "A tool that asks for it does not load, because it would not do what its author asked for. A script of several lines for cmd.exe would run only the first line: join the lines with `&&`.",
    bad: wrap("@shell cmd", "@script", "    cd build", "    dir"),
    good: wrap("@shell cmd", "@command cd build && dir"),
  },
  "too-large": {
    title: "something is too large",
    explanation:
      "Definitions are a page or two of text. Limits keep a hostile or broken file from using up time and memory: 1 MiB a file, 5,000 annotations with 131,072 characters, 2,000 lines of tests, 65,536 characters in a line that has structure, 4,096 in a condition, 2,000 properties in a type, counting those of the types in it.",
    bad: lines("@name webFetch", "@wrapped web_fetch", "# … and a mebibyte of text"),
    good: lines("@name webFetch", "@wrapped web_fetch"),
  },
  "too-deep": {
    title: "brackets or types are nested too deep",
    explanation:
      "Brackets may be nested 64 levels deep in a line, and named types 16 levels. Deeper values are hard to read, and models cannot fill them in.",
    bad: wrap("@command sort {rows}", `@param rows {${"array<".repeat(65)}string${">".repeat(65)}} Rows`),
    good: wrap("@command sort -- {rows}", "@param rows {array<string>} Rows"),
  },
  "too-many": {
    title: "there are more diagnostics than are shown",
    explanation: "Only the first 50 of a file are shown. Fix those and check again.",
    bad: lines(
      "@name webFetch",
      "@wrapped web_fetch",
      ...Array.from({ length: 51 }, (_, index) => `@colour${index} red`),
    ),
    good: lines("@name webFetch", "@wrapped web_fetch"),
  },
} satisfies Readonly<Record<string, CodePage>>;
