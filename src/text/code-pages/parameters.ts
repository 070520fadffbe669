// Pages about parameters and types.
import { type CodePage, wrap } from "./page.ts";

export const parameterPages = {
  "duplicate-parameter": {
    title: "two parameters, or two properties of a type, have the same name",
    explanation: "A caller could give only one of them.",
    bad: wrap(
      "@command grep -rn -- {pattern} .",
      "@param pattern {string} What to look for",
      "@param pattern {string} Where to look",
    ),
    good: wrap(
      "@command grep -rn -- {pattern} {folder}",
      "@param pattern {string} What to look for",
      "@param folder {path} Where to look",
    ),
  },
  "unknown-type": {
    title: "there is no such type",
    explanation:
      'Types are `string`, `integer`, `number`, `boolean`, `object`, `path`, `url`, `any`, `array<TYPE>`, choices such as `"a"|"b"` and `1|2|3`, and the names of `@type` in the same file.',
    bad: wrap("@command head -n {count} notes.txt", "@param count {int} How many lines"),
    good: wrap("@command head -n {count} notes.txt", "@param count {integer} How many lines"),
  },
  "duplicate-type": {
    title: "the name of a type is already used",
    explanation: "Two `@type` lines declare it, or it is a built-in type.",
    bad: wrap(
      "@command ls -- {edits}",
      "@param edits {array<string>} Edits",
      "@type Edit {object} One edit",
      "@type Edit {object} Another",
    ),
    good: wrap("@command ls -- {edits}", "@param edits {array<string>} Edits", "@type Edit {object} One edit"),
  },
  "type-cycle": {
    title: "a type contains itself",
    explanation:
      "A value of such a type would be infinite, and the schemas of model APIs cannot express it. `{object}` accepts any properties.",
    bad: wrap("@command ls", "@type Node {object} A node", "@property Node.next {Node} The next one"),
    good: wrap("@command ls", "@type Node {object} A node", "@property Node.next {object} [optional] The next one"),
  },
  "malformed-option": {
    title: "an option of a parameter, or a limit, does not exist or does not fit",
    explanation:
      'Options are `required optional default=V min= max= pattern=/…/ reject=/…/ flags flag="--x {value}" secret lower upper trim env=NAME hidden example=V unique`. `min` and `max` limit numbers, the length of strings and the number of items in arrays. Transforms and regular expressions are for strings and arrays of strings.',
    bad: wrap("@command head -n {count} notes.txt", "@param count {integer} [minimum=1] How many lines"),
    good: wrap("@command head -n {count} notes.txt", "@param count {integer} [min=1] How many lines"),
  },
  "default-mismatch": {
    title: "a default does not fit its parameter",
    explanation: "A default must be a value that a caller could give: of the declared type, within its limits.",
    bad: wrap("@command head -n {count} notes.txt", "@param count {integer} [default=ten] How many lines"),
    good: wrap("@command head -n {count} notes.txt", "@param count {integer} [default=10] How many lines"),
  },
  "example-mismatch": {
    title: "an example would not work",
    explanation: "People and models copy examples, so each one is checked like a call: names, types and limits.",
    bad: wrap(
      "@command head -n {count} notes.txt",
      "@param count {integer} How many lines",
      '@example {"count": "ten"}',
    ),
    good: wrap("@command head -n {count} notes.txt", "@param count {integer} How many lines", '@example {"count": 10}'),
  },
  "unused-parameter": {
    title: "a parameter is not used",
    explanation:
      "Callers would be asked for a value that has no effect. Write `{NAME}` where it goes, or remove the line.",
    bad: wrap("@command grep -rn TODO .", "@param folder {path} Where to look"),
    good: wrap("@command grep -rn TODO {folder}", "@param folder {path} Where to look"),
  },
  "flags-need-reject": {
    title: "a tool that only reads accepts any option of its program",
    explanation:
      "`[flags]` allows values that start with `-`, so a caller could pass `-delete`, `-exec` or `--output`. A tool tagged `read` must refuse options that write or run, with `reject`, or be tagged `run`. dottool knows only for a few programs whether a `reject` is enough; with others, the tool counts as one that runs programs.",
    bad: wrap("@command find {words} -type f", "@param words {array<string>} [flags] Arguments for find", "@tags read"),
    good: wrap(
      "@command find {words} -type f",
      "@param words {array<string>} [flags, reject=/^-(delete|exec|execdir|ok|okdir|fls|fprint.*)$/] Arguments for find",
      "@tags read",
    ),
  },
  "counts-as-run": {
    title: "a tool that says that it only reads may run its arguments",
    explanation:
      "Programs can run an argument, load it, or read it as the location of a program. So a value that may be any text must be in a place where the program only reads data; dottool knows these places from the manuals of programs that read. Anywhere else, the tool counts as one that runs programs, whatever its tags say, and a model's call of it needs approval. Declare choices or a pattern of plain words for the value, put it where the program reads data, or tag the tool `run` as well. `dottool show NAME` says which value it is.",
    bad: wrap("@command git {words} --stat", "@param words {string} [required] What to ask git for", "@tags read"),
    good: wrap(
      "@command git log --stat {revision}",
      "@param revision {string} [required] Commit or branch",
      "@tags read",
    ),
  },
} satisfies Readonly<Record<string, CodePage>>;
