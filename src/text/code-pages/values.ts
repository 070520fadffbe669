// Pages about values with a special form.
import { type CodePage, lines, wrap } from "./page.ts";

export const valuePages = {
  "bad-regex": {
    title: "this is not a valid regular expression",
    explanation:
      "Write a JavaScript regular expression between slashes. The flags are i, m, s, u and v. Write a slash inside one as `\\/` or `[/]`.",
    bad: wrap("@command head -n 1 {file}", "@param file {path} [pattern=/(.*\\.txt/] Which file"),
    good: wrap("@command head -n 1 {file}", "@param file {path} [pattern=/(.*)\\.txt/] Which file"),
  },
  "slow-pattern": {
    title: "this pattern may be slow, and is stopped when it takes too long",
    explanation:
      "Patterns are matched in linear time: however they repeat, a text twice as long takes twice as long. This is impossible if a pattern has a back-reference (`\\1`, `\\k<name>`), changes its flags in the middle, or repeats a repetition thousands of times. Such a pattern runs with a time limit, and the call fails if it takes longer.",
    bad: wrap("@command head -n 1 {file}", "@param file {path} [pattern=/(a|b)+\\1\\.txt/] Which file"),
    good: wrap("@command head -n 1 {file}", "@param file {path} [pattern=/[ab]+\\.txt/] Which file"),
  },
  "bad-duration": {
    title: "this is not a valid duration",
    explanation: "Write a number and a unit: `250ms`, `60s`, `1.5m`, `2h`. There is no default unit.",
    bad: lines("@name webFetch", "@wrapped web_fetch", "@timeout 60"),
    good: lines("@name webFetch", "@wrapped web_fetch", "@timeout 60s"),
  },
  "bad-size": {
    title: "this is not a valid size",
    explanation:
      "Write a number and a unit: `512B`, `10KB`, `10MB` and `1GB` are in powers of 1,000; `KiB`, `MiB` and `GiB` are in powers of 1,024.",
    bad: lines("@name webFetch", "@wrapped web_fetch", "@limit output=10mb"),
    good: lines("@name webFetch", "@wrapped web_fetch", "@limit output=10MB"),
  },
  "bad-condition": {
    title: "this is not a valid condition",
    explanation:
      'A condition compares values: `{clone.exit-code} == 0 && {url} contains "https"`. References are in braces, texts in quotes; the operators are `==`, `!=`, `<`, `<=`, `>`, `>=`, `contains`, `matches /…/`, `&&`, `||`, `!` and parentheses.',
    bad: lines(
      "Fetch a page and count its lines.",
      "",
      "@title Count Lines",
      "@name count_lines",
      "@param url {url} [required] Which page",
      "@step page uses web_fetch",
      "    url = {url}",
      "@step count sh [when=page.ok and {page.output} != none]",
      "    printf %s {page.output} | wc -l",
      "@tags network run",
    ),
    good: lines(
      "Fetch a page and count its lines.",
      "",
      "@title Count Lines",
      "@name count_lines",
      "@param url {url} [required] Which page",
      "@step page uses web_fetch",
      "    url = {url}",
      '@step count sh [when={page.ok} && {page.output} != "none"]',
      "    printf %s {page.output} | wc -l",
      "@tags network run",
    ),
  },
} satisfies Readonly<Record<string, CodePage>>;
