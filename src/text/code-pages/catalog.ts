// Pages about tools that meet other tools, and files that cannot be read at all.
import { type CodePage, lines, wrap } from "./page.ts";

export const catalogPages = {
  "unknown-base-tool": {
    title: "there is no tool to wrap by that name",
    explanation:
      "`@wrapped` names a base tool or another tool; `dottool list` shows them. A tool whose own definition has errors is not there either.",
    bad: lines("@name webFetch", "@wrapped web_fecth"),
    good: lines("@name webFetch", "@wrapped web_fetch"),
  },
  "unknown-server": {
    title: "there is no such MCP server",
    explanation:
      "`mcp:SERVER/TOOL` is a tool of a server that your own `config.yaml` names below `mcp_servers:`, with `command:` and `args:` or with `url:`. It is a warning, because the definition may be right and only this machine not set up for it.",
    bad: lines("@name search", "@wrapped mcp:gihtub/search_issues"),
    good: lines("@name search", "@wrapped mcp:github/search_issues"),
  },
  "unasked-server": {
    title: "an MCP server was not asked yet what its tool takes",
    explanation:
      "Nothing that lists, shows or checks starts a server. `dottool pin SERVER/TOOL` asks it once and keeps what it says; a call by a person does so too.",
    bad: lines("@name search", "@wrapped mcp:github/search_isues"),
    good: lines("@name search", "@wrapped mcp:github/search_issues"),
  },
  "not-wrappable": {
    title: "`@command` cannot sit on top of this tool",
    explanation:
      "Only tools that run commands take a `@command` or `@script`. Parameters of any other tool are set with `@with`.",
    bad: lines(
      "Fetch a page as text.",
      "",
      "@title Page",
      "@name page",
      "@wrapped web_fetch",
      "@command curl {address}",
      "@param address {url} Which page",
    ),
    good: lines(
      "Fetch a page as text.",
      "",
      "@title Page",
      "@name page",
      "@wrapped web_fetch",
      "@with url = {address}",
      "@param address {url} Which page",
    ),
  },
  "wrap-cycle": {
    title: "tools are made from each other in a circle",
    explanation: "Follow `@wrapped` from file to file: it must end at a base tool.",
    bad: lines("@name one", "@wrapped two", "# and in the other file", "@name two", "@wrapped one"),
    good: lines("@name one", "@wrapped web_fetch"),
  },
  "unknown-base-parameter": {
    title: "the wrapped tool has no such parameter",
    explanation:
      "`@with` and `@default` set parameters of the tool that is wrapped, and without a `@command` every `@param` is one of them, or a placeholder in a `@with`; `dottool show TOOL` lists them.",
    bad: lines("Fetch a page as text.", "", "@title Page", "@name page", "@wrapped web_fetch", "@with fromat = text"),
    good: lines("Fetch a page as text.", "", "@title Page", "@name page", "@wrapped web_fetch", "@with format = text"),
  },
  "missing-base-parameter": {
    title: "the wrapped tool needs a parameter that nobody gives",
    explanation:
      "A wrap shows callers only what it declares. What the wrapped tool requires is set with `@with`, or declared with `@param` under the same name.",
    bad: lines(
      "Fetch a page as text.",
      "",
      "@title Page",
      "@name page",
      "@wrapped web_fetch",
      "@param format {string} How it comes back",
    ),
    good: lines(
      "Fetch a page as text.",
      "",
      "@title Page",
      "@name page",
      "@wrapped web_fetch",
      "@param url {url} [required] Which page",
    ),
  },
  "parameter-mismatch": {
    title: "a declared parameter has another type than the wrapped tool's",
    explanation:
      "Without a `@command`, a parameter is passed on under its name, so its values must be what the wrapped tool takes. To turn a value into another, write it as a placeholder in a `@with`.",
    bad: lines(
      "Read a file.",
      "",
      "@title Read",
      "@name read",
      "@wrapped read_file",
      "@param file_path {integer} [required] Which file",
    ),
    good: lines(
      "Read a file.",
      "",
      "@title Read",
      "@name read",
      "@wrapped read_file",
      "@param file_path {path} [required] Which file",
    ),
  },
  "duplicate-tool": {
    title: "two files of one folder define the same tool",
    explanation:
      "Both places are shown; the first in the order of the alphabet is used. Rename one, or move it to a sub-folder, which gives it an owner.",
    bad: lines(
      "@name webFetch",
      "@wrapped web_fetch",
      "# and in another file of the folder",
      "@name webFetch",
      "@wrapped read_file",
    ),
    good: lines(
      "@name webFetch",
      "@wrapped web_fetch",
      "# and in another file of the folder",
      "@name readFile",
      "@wrapped read_file",
    ),
  },
  "shadowed-tool": {
    title: "a nearer definition has taken the name",
    explanation:
      "Folders are searched from the nearest to the farthest: given, project, user, global, built in. The nearest definition of a name is used. A project that takes the name of a tool of yours is not used until you trust the folder.",
    bad: lines("@name glob", "@wrapped find_files"),
    good: lines("@name project_glob", "@wrapped find_files"),
  },
  "bad-code": {
    title: "this JavaScript cannot be read",
    explanation:
      "`check` reads the code of a definition as the sandbox would, and runs nothing of it. Types of TypeScript are taken out; an enum or a namespace is more than a type.",
    bad: lines(
      "Doubles.",
      "",
      "@title Double",
      "@name double",
      "@param n {integer} [required] What",
      "@code",
      "    return (n * 2;",
    ),
    good: lines(
      "Doubles.",
      "",
      "@title Double",
      "@name double",
      "@param n {integer} [required] What",
      "@code",
      "    return n * 2;",
    ),
  },
  "missing-dependency": {
    title: "what a definition needs beside it is not there",
    explanation:
      "A tool that `@depends` names is missing, or the program in the definition's own folder is missing or not marked as one. The tool would fail with this reason when it is called. Add the definition that is missing, or one in a version that will do, to any tool folder.",
    bad: lines("@name webFetch", "@wrapped web_fetch", "@depends official/clean@^2.0.0"),
    good: lines(
      "@name webFetch",
      "@wrapped web_fetch",
      "@depends official/clean@^2.0.0",
      "# and in official/clean.tool",
      "@version 2.1.0",
    ),
  },
  "unreadable-file": {
    title: "a file or folder cannot be read",
    explanation:
      "Its permissions do not allow it, the link leads nowhere, or it is not a file. The other tools are there all the same.",
    bad: "chmod 000 .tools/glob.tool\n",
    good: "chmod 644 .tools/glob.tool\n",
  },
  "not-text": {
    title: "this is not text",
    explanation: "Definitions are UTF-8 without NUL characters. The position is that of the first byte that is not.",
    bad: "file: glob.tool: data\n",
    good: "file: glob.tool: UTF-8 Unicode text\n",
  },
  "broken-plugin": {
    title: "a plugin did not load",
    explanation:
      "It did not compile, it threw, or what it contributes does not fit. The message has the place in the plugin's own source. The other plugins and tools are there all the same.",
    bad: 'throw new Error("not today");\n',
    good: 'import { definePlugin } from "dottool";\nexport default definePlugin({ name: "empty" });\n',
  },
  "untrusted-plugin": {
    title: "a plugin is not loaded, because nobody has trusted it",
    explanation:
      "A plugin is a program. Those of a project load once a person has looked at the project's tool folder and trusted it as it is; after a change they load when somebody has looked at the change. Those of the user's own folder load where nobody else can write to it.",
    bad: "dottool list\n",
    good: "dottool trust\n",
  },
} satisfies Readonly<Record<string, CodePage>>;
