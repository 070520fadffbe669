// The forms of `dottool export`: the files beside the tools that each client reads.
import { quoteWord } from "../../core/base/quote.ts";
import { argumentsSchema } from "../../core/schema/json-schema.ts";
import { toMcpTool } from "../dialects/mcp.ts";
import { toOpenApi } from "../dialects/openapi.ts";
import type { UnpackedFile } from "../../core/tool/host-bundle.ts";
import type { ExporterSpec } from "../../core/tool/plugin-offers.ts";
import { typeFiles } from "./client-types.ts";
import { dockerFault, dockerFiles } from "./docker.ts";
import type { ExportFacts } from "./facts.ts";
import { jsonFile, type Making, textFile } from "./making.ts";
import { registryFault, registryFiles } from "./mcp-registry.ts";
import { npxFault, npxFiles } from "./npx.ts";
import { skillFiles, toolTable } from "./skill.ts";

export const formNames = [
  "agent-plugin",
  "claude-plugin",
  "gemini-extension",
  "skill",
  "npx",
  "mcp-registry",
  "docker",
  "openapi",
  "typescript",
  "mcpb",
] as const;
export type FormName = (typeof formNames)[number];

export interface Form {
  /** What the form makes, with its article. */
  readonly does: string;
  /** Returns the line that installs `output`, a path. */
  readonly next: (output: string, facts: ExportFacts, folder: string | undefined) => string;
  /** The ending of the file that `-o` names; if absent, `-o` names a folder. */
  readonly ending?: string;
  /** What stands in the output for the tools; by default their definitions, in `tools/`. */
  readonly holds?: "executable" | "declarations";
  /** Returns why it cannot be made, in the words of a usage error. */
  readonly fault?: (making: Making) => string | undefined;
  readonly files: (making: Making) => Promise<readonly UnpackedFile[]> | readonly UnpackedFile[];
}

/** https://agent-plugins.org, specification 1.0.0. Other keys than those here would be refused. */
const AGENT_PLUGINS = "https://agent-plugins.org/schemas/1.0.0";

export const forms: Readonly<Record<FormName, Form>> = {
  "agent-plugin": {
    does: "a plugin of the Agent Plugins standard (1.0), for Cursor, VS Code, Codex and others",
    next: (output) => `install ${quoteWord(output)} as your client installs plugins`,
    files: ({ facts, words }) => [
      jsonFile("plugin.json", { $schema: `${AGENT_PLUGINS}/plugin.schema.json`, ...about(facts) }),
      jsonFile("mcp.json", {
        $schema: `${AGENT_PLUGINS}/mcp.schema.json`,
        mcpServers: { [facts.name]: { type: "stdio", ...launch("${PLUGIN_ROOT}", words) } },
      }),
      ...readmeAndSkill(facts),
    ],
  },
  // https://code.claude.com/docs/en/plugins-reference
  "claude-plugin": {
    does: "a plugin for Claude Code",
    next: (output) => `try it: claude --plugin-dir ${quoteWord(output)}`,
    files: ({ facts, words }) => [
      jsonFile(".claude-plugin/plugin.json", about(facts)),
      jsonFile(".mcp.json", { mcpServers: { [facts.name]: launch("${CLAUDE_PLUGIN_ROOT}", words) } }),
      ...readmeAndSkill(facts),
    ],
  },
  // https://github.com/google-gemini/gemini-cli/blob/main/docs/extensions/reference.md
  "gemini-extension": {
    does: "an extension for Gemini CLI",
    next: (output) => `install it: gemini extensions install ${quoteWord(output)}`,
    files: ({ facts, words }) => [
      jsonFile("gemini-extension.json", {
        name: facts.name,
        version: facts.version,
        description: facts.description,
        mcpServers: { [facts.name]: { ...launch("${extensionPath}", words), cwd: "${workspacePath}" } },
      }),
      ...readmeAndSkill(facts),
    ],
  },
  skill: {
    does: "a folder with SKILL.md, for agents that run commands",
    next: () => "put it where your agent looks for skills, such as `.claude/skills` or `.agents/skills`",
    files: ({ facts }) => skillFiles(facts, ""),
  },
  npx: {
    does: "a package for npm, with a program that runs the tools",
    next: (output) => `publish it: npm publish ${quoteWord(`./${output}`)}`,
    fault: npxFault,
    files: npxFiles,
  },
  "mcp-registry": {
    does: "that package with `server.json`, for the MCP registry",
    next: (output) => `publish it in ${quoteWord(output)}: npm publish, then mcp-publisher publish`,
    fault: registryFault,
    files: registryFiles,
  },
  docker: {
    does: "a folder for `docker build`, with the executable inside",
    next: (output, { name }) => `build it: docker build -t ${name} ${quoteWord(output)}`,
    holds: "executable",
    fault: dockerFault,
    files: dockerFiles,
  },
  openapi: {
    does: "an OpenAPI 3.1 document of what `dottool mcp --http` serves",
    next: (_output, _facts, folder) =>
      `serve it: dottool ${folder === undefined ? "" : `--tools ${quoteWord(folder)} `}${HTTP_WORDS}`,
    ending: ".json",
    holds: "declarations",
    files: ({ facts }) => [openApiDocument(facts)],
  },
  typescript: {
    does: "the types of the tools, for programs that embed dottool",
    next: () => "import the type `Tools` from it, for what `openTools` returns",
    ending: ".ts",
    holds: "declarations",
    files: typeFiles,
  },
  mcpb: {
    does: "a file for Claude Desktop and others, with the executable inside",
    next: () => "open it with Claude Desktop or another client of MCP bundles",
    ending: ".mcpb",
    holds: "executable",
    files: async (making) => (await import("./mcpb.ts")).mcpbFiles(making),
  },
};

/** A form that a plugin adds. */
export function pluginForm({ does, files }: ExporterSpec): Form {
  return {
    does,
    next: () => `it is ${does}`,
    holds: "declarations",
    files: async ({ facts: { name, version, description, tools } }) => {
      const described = tools.map(({ name: own, tool: { definition, effects, parameters } }) => ({
        ...{ name: own, title: definition.title, description: definition.description, effects },
        inputSchema: argumentsSchema(parameters),
      }));
      const written = await files({ name, version, description, tools: described });
      return Object.entries(written).map(([path, content]) =>
        typeof content === "string" ? textFile(path, content) : { path, bytes: content, isExecutable: false },
      );
    },
  };
}

const HTTP_PORT = 8765;
const HTTP_WORDS = `mcp --http ${HTTP_PORT}`;

function openApiDocument({ name, version, description, tools }: ExportFacts): UnpackedFile {
  const server = `http://127.0.0.1:${HTTP_PORT}`;
  const listed = tools.map(({ tool }) => toMcpTool(tool));
  return jsonFile("", toOpenApi(listed, { title: name, version, description, server, hasToken: true }));
}

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
  return [textFile("README.md", readme), ...skillFiles(facts, `skills/${name}/`)];
}

function about({ tools: _1, packageName: _2, registryName: _3, dependencies: _4, ...manifest }: ExportFacts): object {
  return manifest;
}

/** Reads on where a long result was cut. */
const COMPANION = "read_output";

/** Returns the words with which the server offers these tools, or all that it finds if there are none. */
export function serverWords(toolNames: readonly string[]): readonly string[] {
  return ["mcp", ...(toolNames.length === 0 ? [] : [...toolNames, COMPANION].flatMap((name) => ["--only", name]))];
}

/** Returns how the client starts the server. `root` is the client's word for its copy of the folder. */
function launch(
  root: string,
  words: readonly string[],
): { readonly command: string; readonly args: readonly string[] } {
  return { command: "dottool", args: ["--tools", `${root}/tools`, ...words] };
}
