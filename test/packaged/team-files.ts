// The project of a team whose bundle is run on other platforms: a tool and a plugin that need no program there.

export const teamFiles: Readonly<Record<string, string>> = {
  ".tools/notes.tool":
    'Lists notes.\n\n@title Notes\n@name notes\n@wrapped find_files\n@with patterns = ["*.txt"]\n@tags read\n',
  ".tools/plugins/shout.ts": `import { definePlugin, defineTool, string } from "dottool";
import { loud } from "../lib/loud.ts";
export default definePlugin({ name: "shout", tools: [defineTool({ name: "shout", description: "Shouts.", effects: ["read"], parameters: { text: string("What") }, run: ({ text }) => loud(text) })] });
`,
  ".tools/lib/loud.ts": "export const loud = (text: string): string => text.toUpperCase();\n",
  ".tools/package.json": '{"name": "our-tools", "version": "1.2.0"}\n',
};
