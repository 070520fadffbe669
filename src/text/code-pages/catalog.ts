// Pages about tools that meet other tools, and files that cannot be read at all.
import { type CodePage, lines } from "./page.ts";

export const catalogPages = {
  "unknown-base-tool": {
    title: "there is no tool with this name to wrap",
    explanation:
      "`@wrapped` names a base tool or another tool; `dottool list` shows them. A tool whose definition has errors cannot be wrapped either.",
    bad: lines("@name webFetch", "@wrapped web_fecth"),
    good: lines("@name webFetch", "@wrapped web_fetch"),
  },
  "unknown-server": {
    title: "there is no such MCP server",
    explanation:
      "`mcp:SERVER/TOOL` is a tool of a server that your `config.yaml` lists below `mcp_servers:`, with `command:` and `args:` or with `url:`. This is a warning, because the definition may be right and only the configuration of this machine may be missing.",
    bad: lines("@name search", "@wrapped mcp:gihtub/search_issues"),
    good: lines("@name search", "@wrapped mcp:github/search_issues"),
  },
  "unasked-server": {
    title: "the parameters of an MCP tool are not known yet",
    explanation:
      "Listing, showing and checking tools never starts a server. `dottool pin SERVER/TOOL` asks the server once and stores the answer; so does a call by a person.",
    bad: lines("@name search", "@wrapped mcp:github/search_isues"),
    good: lines("@name search", "@wrapped mcp:github/search_issues"),
  },
  "not-wrappable": {
    title: "this tool cannot have a `@command`",
    explanation:
      "Only tools that run commands can have a `@command` or `@script`. Set the parameters of any other tool with `@with`.",
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
    title: "tools wrap each other in a circle",
    explanation: "Follow `@wrapped` from file to file: it must end at a base tool.",
    bad: lines("@name one", "@wrapped two", "# and in the other file", "@name two", "@wrapped one"),
    good: lines("@name one", "@wrapped web_fetch"),
  },
  "unknown-base-parameter": {
    title: "the wrapped tool has no such parameter",
    explanation:
      "`@with` and `@default` set parameters of the tool that is wrapped, and without a `@command`, every `@param` is one of these or a placeholder in a `@with`; `dottool show TOOL` lists them.",
    bad: lines("Fetch a page as text.", "", "@title Page", "@name page", "@wrapped web_fetch", "@with fromat = text"),
    good: lines("Fetch a page as text.", "", "@title Page", "@name page", "@wrapped web_fetch", "@with format = text"),
  },
  "missing-base-parameter": {
    title: "a required parameter of the wrapped tool is not set",
    explanation:
      "Callers of a wrap see only the parameters that it declares. Set what the wrapped tool requires with `@with`, or declare it with `@param` under the same name.",
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
    title: "the type of a parameter differs from the wrapped tool's",
    explanation:
      "Without a `@command`, a parameter is passed on under its name, so the wrapped tool must accept its values. To change a value, write it as a placeholder in a `@with`.",
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
    title: "two files in one folder define the same tool",
    explanation:
      "Both places are shown. The first one in alphabetical order is used. Rename one, or move it to a sub-folder, which gives it an owner.",
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
    title: "a nearer definition has the same name",
    explanation:
      "Folders are searched from the nearest to the farthest: `--tools`, project, user, global, built-in. The nearest definition of a name is used. A project's tool that has the name of one of your own is not used until you trust the folder.",
    bad: lines("@name glob", "@wrapped find_files"),
    good: lines("@name project_glob", "@wrapped find_files"),
  },
  "bad-code": {
    title: "this JavaScript cannot be read",
    explanation:
      "`check` parses the code of a definition as the sandbox would, and does not run it. TypeScript types are removed; enums and namespaces are not supported.",
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
    title: "something that a definition needs is missing",
    explanation:
      "A tool that `@depends` names is missing, or the program in the folder of the definition is missing or not executable. A call of the tool would fail for this reason. Add the missing definition, or one with a suitable version, to any tool folder.",
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
      "Its permissions do not allow it, it is a broken link, or it is not a file. The other tools are not affected.",
    bad: "chmod 000 .tools/glob.tool\n",
    good: "chmod 644 .tools/glob.tool\n",
  },
  "not-text": {
    title: "this is not text",
    explanation: "Definitions are UTF-8 without NUL characters. The position is that of the first invalid byte.",
    bad: "file: glob.tool: data\n",
    good: "file: glob.tool: UTF-8 Unicode text\n",
  },
  "broken-plugin": {
    title: "a plugin did not load",
    explanation:
      "It did not compile, it threw an error, or what it contributes is not valid. The message has the place in the source of the plugin. Other plugins and tools are not affected.",
    bad: 'throw new Error("not today");\n',
    good: 'import { definePlugin } from "dottool";\nexport default definePlugin({ name: "empty" });\n',
  },
  "untrusted-plugin": {
    title: "a plugin is not loaded, because it is not trusted",
    explanation:
      "A plugin is a program. The plugins of a project load after a person has reviewed and trusted the project's tool folder; after a change, they load again when a person has reviewed the change. The plugins of the user's own folder load if no other user can write to it.",
    bad: "dottool list\n",
    good: "dottool trust\n",
  },
} satisfies Readonly<Record<string, CodePage>>;
