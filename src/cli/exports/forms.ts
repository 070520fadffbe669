// The forms of `dottool export`: the files beside the tools that each client reads.
import { Buffer } from "node:buffer";
import { quoteWord } from "../../base/quote.ts";
import type { UnpackedFile } from "../../tool/host-bundle.ts";
import type { ExportFacts } from "./facts.ts";
import { skillFiles, toolTable } from "./skill.ts";

export const formNames = ["agent-plugin", "claude-plugin", "gemini-extension", "skill"] as const;
export type FormName = (typeof formNames)[number];

export interface Form {
  /** With its article. */
  readonly does: string;
  /** Returns the line that installs `output`, a path. */
  readonly next: (output: string) => string;
  readonly files: (facts: ExportFacts, offered: Offered) => readonly UnpackedFile[];
}

export interface Offered {
  /** The tools that the server is limited to; empty: all that it finds. */
  readonly toolNames: readonly string[];
}

/** https://agent-plugins.org, specification 1.0.0. Other keys than those here would be refused. */
const AGENT_PLUGINS = "https://agent-plugins.org/schemas/1.0.0";

export const forms: Readonly<Record<FormName, Form>> = {
  "agent-plugin": {
    does: "a plugin of the Agent Plugins standard (1.0), for Cursor, VS Code, Codex and others",
    next: (output) => `install ${quoteWord(output)} as your client installs plugins`,
    files: (facts, offered) => [
      json("plugin.json", { $schema: `${AGENT_PLUGINS}/plugin.schema.json`, ...about(facts) }),
      json("mcp.json", {
        $schema: `${AGENT_PLUGINS}/mcp.schema.json`,
        mcpServers: { [facts.name]: { type: "stdio", ...launch("${PLUGIN_ROOT}", offered) } },
      }),
      ...readmeAndSkill(facts),
    ],
  },
  // https://code.claude.com/docs/en/plugins-reference
  "claude-plugin": {
    does: "a plugin for Claude Code",
    next: (output) => `try it: claude --plugin-dir ${quoteWord(output)}`,
    files: (facts, offered) => [
      json(".claude-plugin/plugin.json", about(facts)),
      json(".mcp.json", { mcpServers: { [facts.name]: launch("${CLAUDE_PLUGIN_ROOT}", offered) } }),
      ...readmeAndSkill(facts),
    ],
  },
  // https://github.com/google-gemini/gemini-cli/blob/main/docs/extensions/reference.md
  "gemini-extension": {
    does: "an extension for Gemini CLI",
    next: (output) => `install it: gemini extensions install ${quoteWord(output)}`,
    files: (facts, offered) => [
      json("gemini-extension.json", {
        name: facts.name,
        version: facts.version,
        description: facts.description,
        mcpServers: { [facts.name]: { ...launch("${extensionPath}", offered), cwd: "${workspacePath}" } },
      }),
      ...readmeAndSkill(facts),
    ],
  },
  skill: {
    does: "a folder with SKILL.md, for agents that run commands",
    next: () => "put it where your agent looks for skills, such as `.claude/skills` or `.agents/skills`",
    files: (facts) => skillFiles(facts, ""),
  },
};

function readmeAndSkill(facts: ExportFacts): readonly UnpackedFile[] {
  const { name, description, version } = facts;
  const readme = `# ${name}

${description}

${toolTable(facts, `skills/${name}/`)}

The tools are in \`tools/\`, as definitions that \`dottool\` runs. It has to be installed and on PATH. The client starts it
as a server of the Model Context Protocol, and the skill in \`skills/${name}\` teaches agents to call the tools from a
shell. \`dottool --tools tools list\` shows the tools, and \`dottool --tools tools show NAME\` all that one does and may do.

Version ${version}. Written by \`dottool export\`: change the definitions that it was made of, and export them again.
`;
  return [
    { path: "README.md", bytes: Buffer.from(readme), isExecutable: false },
    ...skillFiles(facts, `skills/${name}/`),
  ];
}

function about({ tools: _tools, ...manifest }: ExportFacts): object {
  return manifest;
}

/** Reads on where a long result was cut. */
const COMPANION = "read_output";

/** Returns the words with which the server offers these tools, and none of those that it finds on the way. */
export function serverWords({ toolNames }: Offered): readonly string[] {
  return ["mcp", ...(toolNames.length === 0 ? [] : [...toolNames, COMPANION].flatMap((name) => ["--only", name]))];
}

/** Returns how the client starts the server. `root` is the client's word for its copy of the folder. */
function launch(root: string, offered: Offered): { readonly command: string; readonly args: readonly string[] } {
  return { command: "dottool", args: ["--tools", `${root}/tools`, ...serverWords(offered)] };
}

function json(path: string, value: object): UnpackedFile {
  return { path, bytes: Buffer.from(`${JSON.stringify(value, undefined, 2)}\n`), isExecutable: false };
}
