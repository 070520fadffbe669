// Pages about lines: annotations that do not exist, cannot be read, or stand where they mean nothing.
import { type CodePage, lines, wrap } from "./page.ts";

export const annotationPages = {
  "unknown-annotation": {
    title: "there is no such annotation",
    explanation:
      "An annotation that is not known is never passed over, because a mistyped one would silently mean nothing. Names that begin with `x-` are free for other programs.",
    bad: lines("@name webFetch", "@wraped web_fetch"),
    good: lines("@name webFetch", "@wrapped web_fetch", "@x-owner team-a"),
  },
  "malformed-annotation": {
    title: "an annotation does not read as it should",
    explanation:
      "Every annotation has one form, which the message shows; the marker stands where the text stops following it.",
    bad: wrap("@command grep -rn {pattern} .", "@param {string} pattern What to look for"),
    good: wrap("@command grep -rn -- {pattern} .", "@param pattern {string} What to look for"),
  },
  "stray-text": {
    title: "text belongs to no annotation",
    explanation:
      "A blank line or a body ends an annotation. Text after that is neither description nor continuation, so it is reported rather than dropped. Remove the blank line, or move the text before the first annotation.",
    bad: lines("@name webFetch", "@wrapped web_fetch", "", "Fetches a page."),
    good: lines("Fetches a page.", "", "@name webFetch", "@wrapped web_fetch"),
  },
  "duplicate-annotation": {
    title: "an annotation stands twice",
    explanation:
      "Where only one can hold, none is chosen for you. `@command`, `@script` and `@shell` may stand once for each platform; `@with` and `@default` once for each parameter; `@env` once for each variable.",
    bad: lines("@name webFetch", "@name fetch", "@wrapped web_fetch"),
    good: lines("@name fetch", "@wrapped web_fetch"),
  },
  "misplaced-annotation": {
    title: "an annotation does nothing where it stands",
    explanation:
      "Either it needs a `@command` that is not there, or it is indented deeper than a `@command` or `@test` above it and so is a line of that one's body. Or it limits the memory or processor time of a tool that starts no process.",
    bad: wrap("@command grep -rn {pattern} .", "    @param pattern {string} What to look for"),
    good: wrap("@command grep -rn -- {pattern} .", "@param pattern {string} What to look for"),
  },
  "option-in-body": {
    title: "an option stands among the lines of a command",
    explanation:
      "A line such as `timeout: 3s` is no line of the language: below a `@step`, `@command` or `@script` it would be run. Options of a step stand in brackets behind its kind, as `[retry=3 timeout=1m]`; what holds for a tool is an annotation of its own. `fallback:` is a line of a step that has the option `fallback`. It is an error where nothing else can be meant, and a warning where it may be a word for a program; then put it in quotes. In prompts and here-documents it is text.",
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
    title: "this part of the language is not there yet",
    explanation:
      "The annotation is known and reserved, and this version does not do it. A tool that asks for it does not load, because running it without would be something else than was asked for. So is a script of several lines for cmd.exe, which would run the first of them alone: join them with `&&`.",
    bad: wrap("@command sort -- {file}", "@param file {path} What to sort", "@sandbox strict"),
    good: wrap("@command sort -- {file}", "@param file {path} What to sort"),
  },
  "too-large": {
    title: "something is larger than any tool needs to be",
    explanation:
      "Definitions are a page or two of text. Limits keep a hostile or broken file from taking the time and memory of everyone else's: 1 MiB a file, 5,000 annotations with 131,072 characters, 2,000 lines of tests, 65,536 characters in a line that has structure, 4,096 in a condition, 2,000 properties in a type with those of the types in it counted.",
    bad: lines("@name webFetch", "@wrapped web_fetch", "# … and a mebibyte of text"),
    good: lines("@name webFetch", "@wrapped web_fetch"),
  },
  "too-deep": {
    title: "brackets or types nest too deep",
    explanation:
      "Brackets may nest 64 deep in a line, named types 16 deep. Nobody reads more, and no model can fill it in.",
    bad: wrap("@command sort {rows}", `@param rows {${"array<".repeat(65)}string${">".repeat(65)}} Rows`),
    good: wrap("@command sort -- {rows}", "@param rows {array<string>} Rows"),
  },
  "too-many": {
    title: "there are more diagnostics than are shown",
    explanation: "The first 50 of a file are shown. Repair those and check again.",
    bad: lines(
      "@name webFetch",
      "@wrapped web_fetch",
      ...Array.from({ length: 51 }, (_, index) => `@colour${index} red`),
    ),
    good: lines("@name webFetch", "@wrapped web_fetch"),
  },
} satisfies Readonly<Record<string, CodePage>>;
