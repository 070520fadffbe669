// Pages about commands, scripts and templates: where values go, and where they must not.
import { type CodePage, wrap } from "./page.ts";

const pattern = "@param pattern {string} What to look for";

export const commandPages = {
  "unknown-placeholder": {
    title: "a placeholder names no parameter",
    explanation:
      "`{word}` is replaced by the parameter `word`. Literal braces are written `{{` and `}}`; `{}` is literal already.",
    bad: wrap("@command grep -rn -- {patern} .", pattern),
    good: wrap("@command grep -rn -- {pattern} .", pattern),
  },
  "needs-shell": {
    title: "the command is written for a shell",
    explanation:
      "Without `@shell`, a command is split into words once and run as it is: `|`, `&`, `;`, `<`, `>`, `(`, `)`, `$` and backquotes would be passed to the program as text. Ask for a shell, or quote what is meant literally.",
    bad: wrap("@command grep -rn -- {pattern} . | sort", pattern),
    good: wrap("@shell sh", "@command grep -rn -- {pattern} . | sort", pattern),
  },
  "operator-in-word": {
    title: "a shell would cut the word in two",
    explanation:
      "`&`, `;`, `|`, `<`, `>` and brackets end a word in a shell, and without one they have no place in it. In an address they are a part of the text, so quote it; where a shell is meant, set them apart with blanks.",
    bad: wrap("@command grep -rn -- {pattern} a&b", pattern),
    good: wrap("@command grep -rn -- {pattern} 'a&b'", pattern),
  },
  "unsafe-placeholder": {
    title: "a value would become program text",
    explanation:
      "In backquotes, arithmetic, here-documents and after `eval`, a shell reads a value as commands, whatever its quotes. Put the value in a variable first, or pass it as an argument. This is told of the places that dottool knows; elsewhere a value that its program may run gives the tool the effect `run`.",
    bad: wrap("@shell sh", "@command eval grep -rn -- {pattern} .", pattern),
    good: wrap("@shell sh", "@command grep -rn -- {pattern} .", pattern),
  },
  "secret-in-words": {
    title: "a secret is a word of a process",
    explanation:
      "Everybody on a machine can see the words of its processes, with `ps` for example. The environment of a process and what it reads are seen by its user alone, so most programs take a token from a variable or a password from their input. In a script, a secret may stand where the shell itself reads it: behind `printf`, or in `NAME={token} program`. It is a warning, because some programs have no other way.",
    bad: wrap("@command gh api user --token {token}", "@param token {string} [required, secret] The token"),
    good: wrap("@command gh api user", "@env GH_TOKEN={token}", "@param token {string} [required, secret] The token"),
  },
  "parameter-as-program": {
    title: "a value would choose the program",
    explanation:
      "The first word of a command is literal. A caller that chooses the program can run anything, and nothing could be said of the tool. A program that is named elsewhere, such as in a variable, is not always seen: the tool then has the effect `run`.",
    bad: wrap("@command {program} --version", "@param program {string} Which program"),
    good: wrap("@command grep --version"),
  },
  "parameter-as-option": {
    title: "a part of a value could become an option",
    explanation:
      "A value that begins a word is refused in a call when it starts with `-`. That does not help where a part of it begins the word: what `basename` leaves of `a/-rf`, a line that `read` or `xargs` takes, `${x##*/}`. Put `--` before it, for the program that reads it; or `./` where it is a file.",
    bad: wrap("@shell sh", '@command cksum "$(basename {file})"', "@param file {path} [required] Which file"),
    good: wrap("@shell sh", '@command cksum -- "$(basename {file})"', "@param file {path} [required] Which file"),
  },
  "unquoted-value": {
    title: "a shell makes several words of a value",
    explanation:
      "A variable or `$(…)` outside of quotes is cut at its blanks, and what looks like a pattern becomes names of files: `a -rf b` is three words. Put it in double quotes. Several values are a list: `array<string>`.",
    bad: wrap("@shell sh", "@command text={text}; wc -l $text", "@param text {path} [required] Which file"),
    good: wrap("@shell sh", '@command text={text}; wc -l "$text"', "@param text {path} [required] Which file"),
  },
  "array-in-word": {
    title: "an array stands inside a word",
    explanation: "An array becomes several words, so it stands alone: `{names}`, not `--name={names}`.",
    bad: wrap("@command grep -rn --include={globs} TODO .", "@param globs {array<string>} Which files"),
    good: wrap("@command grep -rn TODO -- {files}", "@param files {array<path>} Which files"),
  },
  "unclosed-quote": {
    title: "a quote or a brace is not closed",
    explanation:
      "Quotes group words as in a POSIX shell: `'…'` literally, `\"…\"` with backslashes. A placeholder needs both of its braces: `{name` is text.",
    bad: wrap("@command grep -rn 'TODO ."),
    good: wrap("@command grep -rn 'TODO' ."),
  },
  "empty-command": {
    title: "a command holds nothing",
    explanation: "`@command` is followed by the command, on its line or on indented lines below.",
    bad: wrap("@command"),
    good: wrap("@command ls"),
  },
  "unknown-shell": {
    title: "there is no such shell",
    explanation: "Shells are `bash`, `sh`, `zsh`, `pwsh` and `cmd`; `none` runs the words themselves.",
    bad: wrap("@shell fish", "@command ls | sort"),
    good: wrap("@shell bash", "@command ls | sort"),
  },
} satisfies Readonly<Record<string, CodePage>>;
