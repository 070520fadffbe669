// `dottool list`: its words.
import { needPart } from "../../../core/tool/feature.ts";
import type { WordsCommand } from "../../../cli/command.ts";

export const listCommand: WordsCommand = {
  kind: "words",
  usage: ["list [QUERY…] [--bundled|--all] [--tags TAGS] [--tokens] [--json]", "list --packages [--json]"],
  about:
    "Lists your own tools, from `--tools`, the project, the user and the machine: where each comes from, what it may do, and what it is for. `--all`, a query, `--tags`, `--tokens` and `--json` also list those that come with dottool, after your own. With a query, the best matches come first, and tools that only run a program of that name last. " +
    "Definitions that are not used are listed below, with the reason.",
  options: [
    { name: "bundled", does: "only the tools that come with dottool" },
    { name: "all", does: "your own tools and those that come with dottool" },
    { name: "mine", does: "only your own tools, also with a query, `--tags`, `--tokens` or `--json`" },
    { name: "tags", value: "TAGS", does: "only tools with all of these effects and tags, separated by commas" },
    { name: "packages", does: "list packages instead: where each comes from, and what its tools may do" },
    { name: "tokens", does: "estimate the tokens of each tool's declaration" },
    { name: "json", does: "print as JSON" },
  ],
  words: [0, 100],
  examples: [
    ["dottool list", "your own tools"],
    ["dottool list --bundled", "those that come with dottool"],
    ["dottool list find files", "the best matches for a job"],
    ["dottool list --tags read --tokens", "tools that only read, and what they cost a model"],
  ],
  run: async (input, context) => {
    if (input.has("packages")) return (await needPart("listPackages"))(input, context);
    return (await import("./list-tools.ts")).listTools(input, context);
  },
};
