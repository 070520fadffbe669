// Which format a file has, told by its name and, where names are free, by its content.
import { MISE_FILE, type SourceReader, type SourceText } from "./imported-tool.ts";

interface ImportFormat {
  readonly name: string;
  /** The files of a folder that have it, the most usual first. */
  readonly fileNames: readonly string[];
  /** Folders of a project below which files have it, and which files: by their paths. */
  readonly folders?: { readonly paths: readonly string[]; readonly files: RegExp };
  /** Set if its tools run in the folder of the call, wherever the file is. */
  readonly isAnywhere?: true;
  recognizes(source: SourceText): boolean;
  load(): Promise<SourceReader>;
}

export const importFormats: readonly ImportFormat[] = [
  {
    name: "npm scripts",
    fileNames: ["package.json"],
    recognizes: ({ fileName, text }) =>
      fileName === "package.json" ||
      (fileName.endsWith(".json") &&
        /"scripts"\s*:/.test(text) &&
        /"(?:dev)?[dD]ependencies"\s*:|"private"\s*:/.test(text)),
    load: async () => (await import("./npm-scripts.ts")).readNpmScripts,
  },
  {
    name: "justfile",
    fileNames: ["justfile", "Justfile", ".justfile"],
    recognizes: ({ fileName }) => /^\.?justfile$|\.just$/i.test(fileName),
    load: async () => (await import("./just-tools.ts")).readJustfile,
  },
  {
    name: "makefile",
    fileNames: ["GNUmakefile", "makefile", "Makefile"],
    recognizes: ({ fileName }) => /^(?:GNU)?makefile(?:\.\w+)?$|\.mk$/i.test(fileName),
    load: async () => (await import("./make-tools.ts")).readMakefile,
  },
  {
    name: "Taskfile",
    fileNames: ["Taskfile.yml", "taskfile.yml", "Taskfile.yaml", "taskfile.yaml", "Taskfile.dist.yml"],
    recognizes: ({ fileName, text }) =>
      /taskfile[\w.-]*\.ya?ml$/i.test(fileName) ||
      (isYaml(fileName) && /^version:\s*["']?3/m.test(text) && /^tasks:/m.test(text)),
    load: async () => (await import("./taskfile.ts")).readTaskfile,
  },
  {
    name: "mise",
    fileNames: ["mise.toml", ".mise.toml"],
    recognizes: ({ fileName }) => /^\.?mise(?:\.[\w-]+)?\.toml$/.test(fileName),
    load: async () => (await import("./mise-tasks.ts")).readMise,
  },
  {
    name: "mise file task",
    fileNames: [],
    folders: {
      paths: ["mise-tasks", ".mise-tasks", ".mise/tasks", "mise/tasks", ".config/mise/tasks"],
      files: /\/[^./][^/]*(?<!\.(?:toml|md|json))$/,
    },
    recognizes: ({ path = "" }) => MISE_FILE.test(path),
    load: async () => (await import("./mise-tasks.ts")).readMiseFile,
  },
  {
    name: "Deno tasks",
    fileNames: ["deno.json", "deno.jsonc"],
    recognizes: ({ fileName }) => /^deno\.jsonc?$/.test(fileName),
    load: async () => (await import("./task-runners.ts")).readDeno,
  },
  {
    name: "pyproject.toml",
    fileNames: ["pyproject.toml"],
    recognizes: ({ fileName }) => fileName === "pyproject.toml",
    load: async () => (await import("./task-runners.ts")).readPyproject,
  },
  {
    name: "tasks of poe",
    fileNames: ["poe_tasks.toml"],
    recognizes: ({ fileName }) => fileName === "poe_tasks.toml",
    load: async () => (await import("./task-runners.ts")).readPyproject,
  },
  {
    name: "argc script",
    fileNames: ["Argcfile.sh"],
    recognizes: ({ fileName, text }) =>
      fileName === "Argcfile.sh" ||
      (/argc\s+--argc-eval/.test(text) && /^#\s*@(?:cmd|arg|option|flag|describe)\b/m.test(text)),
    load: async () => (await import("./argc-script.ts")).readArgcScript,
  },
  {
    name: "usage specification",
    fileNames: ["usage.kdl"],
    isAnywhere: true,
    recognizes: ({ fileName }) => /(?:^|\.)usage\.kdl$/.test(fileName),
    load: async () => (await import("./usage-spec.ts")).readUsageSpec,
  },
  {
    name: "usage script",
    fileNames: [],
    recognizes: ({ text }) => text.startsWith("#!") && /^(?:#|\/\/|::)(?:USAGE| ?\[USAGE\])/m.test(text),
    load: async () => (await import("./usage-spec.ts")).readUsageSpec,
  },
  {
    name: "skill",
    fileNames: ["SKILL.md"],
    folders: { paths: [".claude/skills", ".agents/skills", "skills"], files: /\/SKILL\.md$/ },
    isAnywhere: true,
    recognizes: ({ fileName }) => fileName === "SKILL.md",
    load: async () => (await import("./skill-scripts.ts")).readSkill,
  },
  {
    name: "Claude Code command",
    fileNames: [],
    folders: { paths: [".claude/commands"], files: /\.md$/ },
    isAnywhere: true,
    recognizes: ({ fileName }) => fileName.endsWith(".md"),
    load: async () => (await import("./claude-command.ts")).readClaudeCommand,
  },
  {
    name: "OpenAPI",
    fileNames: ["openapi.yaml", "openapi.yml", "openapi.json"],
    isAnywhere: true,
    recognizes: ({ text }) => /^\s*\{?\s*["']?(?:openapi|swagger)["']?\s*:/m.test(text),
    load: async () => (await import("./openapi.ts")).readOpenApi,
  },
  {
    name: "MCP servers",
    fileNames: [".mcp.json"],
    recognizes: ({ fileName, text }) => fileName.endsWith(".json") && /"(?:mcpServers|servers)"\s*:/.test(text),
    load: async () => (await import("./mcp-servers.ts")).readMcpServers,
  },
];

function isYaml(fileName: string): boolean {
  return /\.ya?ml$/i.test(fileName);
}

export function formatOf(source: SourceText): ImportFormat | undefined {
  return importFormats.find((format) => format.recognizes(source));
}
