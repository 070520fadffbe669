// Pages about the name of a tool and the texts about it.
import { type CodePage, lines, wrap } from "./page.ts";

export const namePages = {
  "missing-name": {
    title: "the file does not name its tool",
    explanation:
      "`@name` is the name that people and models call. Without it, the tool is called as its file is, `fetch` in `fetch.tool`, but the name of this file cannot be the name of a tool: it has a blank or another character that such a name cannot have.",
    bad: lines("@wrapped web_fetch"),
    good: lines("@name webFetch", "@wrapped web_fetch"),
  },
  "missing-wrapped": {
    title: "the file does not say which tool it is made from",
    explanation:
      "`@command` or `@script` runs a command, as if `@wrapped run_command` were there; `@wrapped TOOL` gives another tool another name, or values.",
    bad: lines("Count lines.", "", "@title Count Lines", "@name count_lines"),
    good: lines("Count lines.", "", "@title Count Lines", "@name count_lines", "@command wc -l"),
  },
  "missing-description": {
    title: "a wrap has no description",
    explanation:
      "The description is the text before the first annotation, or in `@description`. Models see nothing else: say what the tool does, when to use it, and what its arguments mean.",
    bad: lines("@name count_lines", "@command wc -l"),
    good: lines("Count the lines of standard input.", "", "@name count_lines", "@command wc -l"),
  },
  "missing-command": {
    title: "a wrap has no command",
    explanation:
      "A wrap of `run_command` needs a `@command` or a `@script`; otherwise its parameters would not be used.",
    bad: wrap("@param pattern {string} What to look for"),
    good: wrap("@command grep -rn -- {pattern} .", "@param pattern {string} What to look for"),
  },
  "invalid-name": {
    title: "this name is not valid",
    explanation:
      "Names have letters, digits, `_` and `-`, begin with a letter or `_`, and have at most 64 characters. Command lines and model APIs do not accept others. An owner such as `official/` comes from the sub-folder of the file.",
    bad: lines("@name web fetch", "@wrapped web_fetch"),
    good: lines("@name webFetch", "@wrapped web_fetch"),
  },
  "file-name-differs": {
    title: "the file and its tool have different names",
    explanation: "People look for the tool `fetch` in `fetch.tool`. Case does not matter.",
    bad: lines("@name fetch", "@wrapped web_fetch"),
    good: lines("@name page", "@wrapped web_fetch"),
  },
  "reserved-name": {
    title: "the name is taken by dottool itself",
    explanation:
      "`task_completion`, `ask_question` and `converse` end an agent's turn. An agent must be able to rely on that, so no definition can use their names. Steps cannot use the names that every tool with steps has: `WORKSPACE`, `TEMP_DIR` and `TOOL_NAME`, and, if a step has `for-each`, `item` and `index`; a parameter with such a name hides what has it, which is a warning. The names of dottool's own commands, such as `list`, are a warning: `dottool list` reaches the command, and `dottool call list` the tool.",
    bad: lines("@name converse", "@wrapped web_fetch"),
    good: lines("@name chat", "@wrapped web_fetch"),
  },
  "bad-version": {
    title: "this is not a valid version or version range",
    explanation:
      "Versions are three numbers, as on semver.org. Ranges are written as in npm: `>= 13`, `^1.2.0`, `1.x`.",
    bad: lines("@name webFetch", "@wrapped web_fetch", "@version 1.0"),
    good: lines("@name webFetch", "@wrapped web_fetch", "@version 1.0.0"),
  },
  "unknown-platform": {
    title: "there is no such platform",
    explanation:
      "Platforms are `linux`, `macos` and `windows`; `@command`, `@script` and `@shell` also accept `unix` for the first two.",
    bad: lines("@name webFetch", "@wrapped web_fetch", "@platforms linux mac"),
    good: lines("@name webFetch", "@wrapped web_fetch", "@platforms linux macos"),
  },
  "test-malformed": {
    title: "a test cannot be read, or could never fail",
    explanation:
      "`@test NAME` is followed by indented lines: `with {JSON}`, `expect …`, `setup COMMAND`, `cleanup COMMAND`. A test needs at least one `expect`.",
    bad: wrap("@command grep -c x", "@stdin x", "@test counts", "    expects exit-code 0"),
    good: wrap("@command grep -c x", "@stdin x", "@test counts", "    expect exit-code 0"),
  },
} satisfies Readonly<Record<string, CodePage>>;
