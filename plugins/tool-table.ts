// A form of `dottool export` that a team may want: one page about its tools, for a handbook or a wiki.
//
//     dottool export tool-table -o handbook/tools.md
import { definePlugin } from "dottool";

/** A cell of a table of Markdown has one line, and no bar. */
function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ").trim();
}

export default definePlugin({
  name: "tool-table",
  exporters: [
    {
      name: "tool-table",
      does: "a page of Markdown with a table of the tools",
      files: ({ name, version, tools }) => {
        const rows = tools.map((tool) => {
          const { properties = {} } = tool.inputSchema;
          const takes = Object.keys(properties as object).map((parameter) => `\`${parameter}\``);
          return `| \`${tool.name}\` | ${cell(tool.description)} | ${takes.join(", ")} | ${tool.effects.join(", ")} |`;
        });
        const head = ["| tool | what it does | parameters | effects |", "| --- | --- | --- | --- |"];
        return { "": `# ${name} ${version}\n\n${[...head, ...rows].join("\n")}\n` };
      },
    },
  ],
});
