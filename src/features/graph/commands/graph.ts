// `dottool graph`: draws the steps or the dependencies of a tool. Runs nothing.
import { rowOf } from "../../../core/text/row-of.ts";
import { extname, resolve } from "node:path";
import { exitCodes } from "../../../core/run/exit-code.ts";
import { codeOf } from "../../../core/tool/error-code.ts";
import { type CommandContext, reportUsage, type WordsCommand } from "../../../cli/command.ts";
import { findTools } from "../../../cli/words/find-tools.ts";
import { jsonText } from "../../../cli/view/json-text.ts";
import { printable } from "../../../core/text/display.ts";
import { textColumns } from "../../../cli/view/layout.ts";
import type { OpenedSession } from "../../../core/session/assemble.ts";
import { openSession } from "../../../cli/session/open-session.ts";
import { graphOf, type ToolGraph } from "../tool-graph.ts";
import { unwrittenText } from "../../../cli/view/write-or-tell.ts";

const formats = ["text", "mermaid", "dot", "svg"] as const;
type Format = (typeof formats)[number] | "json";

/** The format by the extension of the file. */
const endings: Readonly<Record<string, Format>> = {
  ".txt": "text",
  ".svg": "svg",
  ".dot": "dot",
  ".gv": "dot",
  ".mmd": "mermaid",
  ".mermaid": "mermaid",
  ".json": "json",
};

export const graphCommand: WordsCommand = {
  kind: "words",
  usage: ["graph NAME [--format FORMAT] [--deep] [-o FILE [--force]]", "graph NAME --json"],
  about:
    "Draws the steps of a tool, their order, and what each step declares. Draws the dependencies of a tool without steps. Runs nothing. " +
    "`mermaid` is for Markdown pages, `dot` is Graphviz's language, `svg` is a picture.",
  options: [
    {
      name: "format",
      value: "FORMAT",
      choices: formats,
      does: "text (the default), mermaid, dot or svg; otherwise the extension of FILE decides",
    },
    { name: "deep", does: "include the steps of tools that steps use" },
    { name: "output", short: "o", value: "FILE", does: "write to FILE" },
    { name: "force", does: "replace an existing file" },
    { name: "json", does: "print as JSON" },
  ],
  words: [1, 1],
  completes: "tools",
  examples: [
    ["dottool graph glob", "the dependencies of `glob`"],
    ["dottool graph glob -o glob.svg", "the same as a picture"],
  ],
  run: async (input, context) => {
    const given = input.value("format");
    const file = input.value("output");
    if (input.has("json") && given !== undefined)
      return reportUsage(context.terminal, "`--json` and `--format` cannot be combined; give one of them", "graph");
    const ending = extname(file ?? "").toLowerCase();
    if (!input.has("json") && given === undefined && ending !== "" && rowOf(endings, ending) === undefined)
      return reportUsage(
        context.terminal,
        `unknown extension \`${printable(ending)}\`; use ${Object.keys(endings).join(", ")}, or give \`--format\``,
        "graph",
      );
    const format: Format = input.has("json")
      ? "json"
      : (formats.find((known) => known === given) ?? rowOf(endings, ending) ?? "text");
    const opened = await openSession(context);
    if (typeof opened === "number") return opened;
    if (file !== undefined && opened.host.instant.stat(resolve(opened.cwd, file)) && !input.has("force")) {
      context.terminal.errors.write(
        `failed[exists]: \`${printable(file)}\` already exists\n  = \`--force\` replaces it\n`,
      );
      return exitCodes.failed;
    }
    const found = await findTools(input.words, opened, { ...context, isJson: format === "json" });
    if (typeof found === "number") return found;
    const [first] = found;
    if (!first) return exitCodes.missing;
    const graph = await graphOf(first.name, first.tool, { isDeep: input.has("deep"), session: opened.session });
    const text = await drawn(graph, format, context);
    if (file !== undefined) return writeFile(file, text, { opened, context });
    context.terminal.output.write(text);
    return exitCodes.done;
  },
};

async function drawn(graph: ToolGraph, format: Format, { terminal }: CommandContext): Promise<string> {
  switch (format) {
    case "json":
      return `${jsonText(graph)}\n`;
    case "text":
      return (await import("../graph-text.ts")).graphText(
        graph,
        terminal.output.isTerminal ? textColumns(terminal.output.columns) : Number.POSITIVE_INFINITY,
      );
    case "mermaid":
      return (await import("../graph-markup.ts")).graphMermaid(graph);
    case "dot":
      return (await import("../graph-markup.ts")).graphDot(graph);
    case "svg": {
      // Loads 1.2 MB of Graphviz (WebAssembly in JavaScript), which nothing else needs.
      const [{ graphDot }, { instance }] = await Promise.all([import("../graph-markup.ts"), import("@viz-js/viz")]);
      return (await instance()).renderString(graphDot(graph), { format: "svg" });
    }
  }
}

interface WriteOptions {
  readonly opened: OpenedSession;
  readonly context: CommandContext;
}

async function writeFile(path: string, text: string, { opened, context }: WriteOptions): Promise<number> {
  try {
    await opened.host.files.write(resolve(opened.cwd, path), text);
    return exitCodes.done;
  } catch (error) {
    context.terminal.errors.write(unwrittenText("file", path, error));
    return codeOf(error) === "ENOENT" ? exitCodes.missing : exitCodes.failed;
  }
}
