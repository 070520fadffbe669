// Pages about commands, scripts and templates: where values go, and where they must not.
import { type CodePage, wrap } from "./page.ts";

const pattern = "@param pattern {string} What to look for";

export const commandPages = {
  "unknown-placeholder": {
    title: "a placeholder does not name a parameter",
    explanation:
      "`{word}` is replaced by the value of the parameter `word`. Write literal braces as `{{` and `}}`; `{}` is literal.",
    bad: wrap("@command grep -rn -- {patern} .", pattern),
    good: wrap("@command grep -rn -- {pattern} .", pattern),
  },
  "needs-shell": {
    title: "the command is written for a shell",
    explanation:
      "Without `@shell`, a command is split into words once and run without a shell: `|`, `&`, `;`, `<`, `>`, `(`, `)`, `$` and backquotes would be passed to the program as text. Add `@shell`, or quote characters that are meant literally.",
    bad: wrap("@command grep -rn -- {pattern} . | sort", pattern),
    good: wrap("@shell sh", "@command grep -rn -- {pattern} . | sort", pattern),
  },
  "operator-in-word": {
    title: "a shell would split the word",
    explanation:
      "`&`, `;`, `|`, `<`, `>` and brackets end a word in a shell, and a command without a shell does not allow them. In an address they are part of the text, so quote it; if a shell is meant, put spaces around them.",
    bad: wrap("@command grep -rn -- {pattern} a&b", pattern),
    good: wrap("@command grep -rn -- {pattern} 'a&b'", pattern),
  },
  "unsafe-placeholder": {
    title: "a value would become program text",
    explanation:
      "In backquotes and arithmetic a shell reads a value as commands, even in quotes; `eval`, `sh -c`, `ssh`, `psql -c` and many other programs read it as a program. Assign the value to a variable first, or pass it as an argument. If the value is a program on purpose, declare it as `{code}`: a model's call is then asked about for each value. dottool reports this for the places that it knows; elsewhere, a value that its program may run gives the tool the effect `run`.",
    bad: wrap("@shell sh", "@command eval grep -rn -- {pattern} .", pattern),
    good: wrap("@shell sh", "@command grep -rn -- {pattern} .", pattern),
  },
  "secret-in-words": {
    title: "a secret is an argument of a process",
    explanation:
      "Every user of a machine can see the arguments of its processes, for example with `ps`. Only the user of a process can see its environment and its input, so most programs accept a token in a variable or a password as input. In a script, a secret is safe where the shell itself reads it: after `printf`, or in `NAME={token} program`. This is a warning, because some programs have no other way.",
    bad: wrap("@command gh api user --token {token}", "@param token {string} [required, secret] The token"),
    good: wrap("@command gh api user", "@env GH_TOKEN={token}", "@param token {string} [required, secret] The token"),
  },
  "text-in-json": {
    title: "a value stands in a string of a JSON text",
    explanation:
      'A value is put in as it is. A quote in it ends the string, and the rest of it is read as JSON: `x", "admin": true, "y": "` adds a key. A program that writes JSON, such as `jq -n --arg name {name}`, keeps it a text. Numbers, choices, and values whose pattern allows only plain text cannot do this. This is a warning, because a tool may get its values from you alone.',
    bad: wrap(
      `@command curl -d '{"name": "{name}"}' https://example.org/items`,
      "@param name {string} [required] The name",
    ),
    good: wrap(
      "@shell sh",
      "@script",
      `    jq -n --arg name {name} '{name: $name}' |`,
      "        curl --data-binary @- https://example.org/items",
      "@param name {string} [required] The name",
    ),
  },
  "parameter-as-program": {
    title: "a value would choose the program",
    explanation:
      "The first word of a command must be literal. A caller that chooses the program can run anything. If that is what the tool is for, declare the words as `{array<code>}`: a model's call is then asked about for each value. dottool does not always see a program that is named elsewhere, such as in a variable: the tool then has the effect `run`.",
    bad: wrap("@command {program} --version", "@param program {string} Which program"),
    good: wrap("@command grep --version"),
  },
  "parameter-as-option": {
    title: "a value, or a part of it, could become an option",
    explanation:
      "If a value begins a word, a call is refused when the value starts with `-`. That does not help if a part of the value begins the word: the output of `basename a/-rf`, a line read by `read` or `xargs`, `${x##*/}`. Put `--` before it, for the program that reads it; or `./` if it is a file. After a dash of the author's, as in `sort -{key}`, and as the first word of tar, which is options without a dash too, the value would choose the option: declare choices, or write the option out.",
    bad: wrap("@shell sh", '@command cksum "$(basename {file})"', "@param file {path} [required] Which file"),
    good: wrap("@shell sh", '@command cksum -- "$(basename {file})"', "@param file {path} [required] Which file"),
  },
  "unquoted-value": {
    title: "a shell splits a value into several words",
    explanation:
      "Outside of quotes, a shell splits a variable or `$(…)` at spaces, and expands patterns to file names: `a -rf b` becomes three words. Put it in double quotes. For several values, declare a list: `array<string>`.",
    bad: wrap("@shell sh", "@command text={text}; wc -l $text", "@param text {path} [required] Which file"),
    good: wrap("@shell sh", '@command text={text}; wc -l "$text"', "@param text {path} [required] Which file"),
  },
  "array-in-word": {
    title: "an array is part of a word",
    explanation: "An array becomes several words, so it must be a separate word: `{names}`, not `--name={names}`.",
    bad: wrap("@command grep -rn --include={globs} TODO .", "@param globs {array<string>} Which files"),
    good: wrap("@command grep -rn TODO -- {files}", "@param files {array<path>} Which files"),
  },
  "unclosed-quote": {
    title: "a quote or a brace is not closed",
    explanation:
      "Quotes group words as in a POSIX shell: `'…'` literally, `\"…\"` with backslashes. A placeholder needs both braces: `{name` is text.",
    bad: wrap("@command grep -rn 'TODO ."),
    good: wrap("@command grep -rn 'TODO' ."),
  },
  "empty-command": {
    title: "a command is empty",
    explanation: "Write the command after `@command`, or indented on the lines below.",
    bad: wrap("@command"),
    good: wrap("@command ls"),
  },
  "unknown-shell": {
    title: "there is no such shell",
    explanation: "Shells are `bash`, `sh`, `zsh`, `pwsh` and `cmd`; `none` runs the command without a shell.",
    bad: wrap("@shell fish", "@command ls | sort"),
    good: wrap("@shell bash", "@command ls | sort"),
  },
} satisfies Readonly<Record<string, CodePage>>;
