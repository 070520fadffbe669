// Pages about what a tool is called and what is said of it.
import { type CodePage, lines, wrap } from "./page.ts";

export const namePages = {
  "missing-name": {
    title: "the file names no tool",
    explanation:
      "`@name` is the name that people and models call. The file's own name is not taken for it, so that a renamed file stays the same tool.",
    bad: lines("@wrapped web_fetch"),
    good: lines("@name webFetch", "@wrapped web_fetch"),
  },
  "missing-wrapped": {
    title: "the file does not say which tool it is made from",
    explanation:
      "`@wrapped run_command` runs a command; any other tool can be wrapped or given another name in the same way.",
    bad: lines("Count lines.", "", "@title Count Lines", "@name count_lines", "@command wc -l"),
    good: lines(
      "Count lines.",
      "",
      "@title Count Lines",
      "@name count_lines",
      "@wrapped run_command",
      "@command wc -l",
    ),
  },
  "missing-title": {
    title: "a wrap has no title",
    explanation:
      "Lists show the title to people. Without one it is made from the name. An alias needs none: it has its base tool's.",
    bad: lines("Count lines.", "", "@name count_lines", "@wrapped run_command", "@command wc -l"),
    good: lines(
      "Count lines.",
      "",
      "@title Count Lines",
      "@name count_lines",
      "@wrapped run_command",
      "@command wc -l",
    ),
  },
  "missing-description": {
    title: "a wrap has no description",
    explanation:
      "The description is the text before the first annotation. It is all that a model knows of a tool: what it does, when to use it, what its words mean.",
    bad: lines("@title Count Lines", "@name count_lines", "@wrapped run_command", "@command wc -l"),
    good: lines(
      "Count the lines of standard input.",
      "",
      "@title Count Lines",
      "@name count_lines",
      "@wrapped run_command",
      "@command wc -l",
    ),
  },
  "missing-command": {
    title: "a wrap says nothing of what to run",
    explanation: "A wrap of `run_command` needs a `@command` or a `@script`; its parameters would reach nothing.",
    bad: wrap("@param pattern {string} What to look for"),
    good: wrap("@command grep -rn -- {pattern} .", "@param pattern {string} What to look for"),
  },
  "invalid-name": {
    title: "nothing can be called that",
    explanation:
      "Names are letters, digits, `_` and `-`, begin with a letter or `_`, and have at most 64 characters. They go into command lines and model APIs, which take no others. An owner such as `official/` is given by the sub-folder that the file lies in.",
    bad: lines("@name web fetch", "@wrapped web_fetch"),
    good: lines("@name webFetch", "@wrapped web_fetch"),
  },
  "file-name-differs": {
    title: "file and tool are called differently",
    explanation: "People look for the tool `fetch` in `fetch.tool`. Case does not matter.",
    bad: lines("@name fetch", "@wrapped web_fetch"),
    good: lines("@name page", "@wrapped web_fetch"),
  },
  "reserved-name": {
    title: "the name is taken by dottool itself",
    explanation:
      "`task_completion`, `ask_question` and `converse` end an agent's turn. An agent must be able to rely on that, so no definition can take their names. Nor can a parameter or a step be called what every tool of steps has: `WORKSPACE`, `TEMP_DIR` and `TOOL_NAME`, and beside a `for-each` also `item` and `index`. The names of dottool's own commands, such as `list`, are a warning: `dottool list` reaches the command, and `dottool call list` the tool.",
    bad: lines("@name converse", "@wrapped web_fetch"),
    good: lines("@name chat", "@wrapped web_fetch"),
  },
  "bad-version": {
    title: "this is no version, or no range of versions",
    explanation:
      "Versions are three numbers as in semver.org; ranges are written as npm does: `>= 13`, `^1.2.0`, `1.x`.",
    bad: lines("@name webFetch", "@wrapped web_fetch", "@version 1.0"),
    good: lines("@name webFetch", "@wrapped web_fetch", "@version 1.0.0"),
  },
  "unknown-platform": {
    title: "there is no such platform",
    explanation:
      "Platforms are `linux`, `macos` and `windows`; `@command`, `@script` and `@shell` also take `unix` for the first two.",
    bad: lines("@name webFetch", "@wrapped web_fetch", "@platforms linux mac"),
    good: lines("@name webFetch", "@wrapped web_fetch", "@platforms linux macos"),
  },
  "test-malformed": {
    title: "a test cannot be read, or could never fail",
    explanation:
      "Below `@test NAME` stand indented lines: `with {JSON}`, `expect …`, `setup COMMAND`, `cleanup COMMAND`. A test needs at least one `expect`.",
    bad: wrap("@command grep -c x", "@stdin x", "@test counts", "    expects exit-code 0"),
    good: wrap("@command grep -c x", "@stdin x", "@test counts", "    expect exit-code 0"),
  },
} satisfies Readonly<Record<string, CodePage>>;
