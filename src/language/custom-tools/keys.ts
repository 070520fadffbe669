// Every key of the custom-tools YAML, by the map that it stands in. `README.md` beside this file says what each does.
import type { KnownKeys } from "../yaml/fields.ts";

/** Of those one says what runs. */
export const commandKeys = ["bash", "cmd", "pwsh", "run", "script"] as const;

const words = { usage: "description", about: "description", summary: "description", params: "parameters", arguments: "parameters", args: "parameters", inputs: "parameters", cwd: "working-directory", env: "environment", command: "bash", sh: "bash", shellscript: "script", powershell: "pwsh", exec: "run" };

export const toolKeys: KnownKeys = {
  owner: "a tool",
  keys: [
    "name", "description", "version", "min-cycod-version", ...commandKeys, "shell", "commands", "steps", "parameters", "environment", "function-calling", "security", "file-paths",
    "metadata", "resources", "interactive", "interactive-options", "type", "base-tool", "default-parameters", "tests", "changelog", "tags", "platforms", "working-directory", "timeout",
    "ignore-errors", "input",
  ],
  alsoCalled: words,
};

export const commandsKeys: KnownKeys = { owner: "`commands`", keys: ["default", "platforms"] };
export const platformCommandKeys: KnownKeys = { owner: "`platforms`", keys: ["windows", "linux", "macos", "unix"], alsoCalled: { mac: "macos", osx: "macos", darwin: "macos", win: "windows", win32: "windows" } };

export const stepKeys: KnownKeys = {
  owner: "a step",
  keys: ["name", ...commandKeys, "shell", "continue-on-error", "run-condition", "parallel", "wait-for", "use-tool", "with", "error-handling", "output"],
  alsoCalled: { if: "run-condition", when: "run-condition", condition: "run-condition", needs: "wait-for", "depends-on": "wait-for", uses: "use-tool", tool: "use-tool", parameters: "with", command: "bash" },
};
export const errorHandlingKeys: KnownKeys = { owner: "`error-handling`", keys: ["retry", "fallback"] };
export const retryKeys: KnownKeys = { owner: "`retry`", keys: ["attempts", "delay"] };
export const outputKeys: KnownKeys = { owner: "`output`", keys: ["mode", "buffer-limit", "stream-callback"] };

export const parameterKeys: KnownKeys = {
  owner: "a parameter",
  keys: ["type", "description", "required", "default", "validation", "transform", "format", "examples", "detailed-help", "security"],
  alsoCalled: { desc: "description", example: "examples", help: "detailed-help", pattern: "validation", minimum: "validation", maximum: "validation", enum: "validation" },
};
export const validationKeys: KnownKeys = {
  owner: "`validation`",
  keys: ["minimum", "maximum", "pattern", "minLength", "maxLength", "enum"],
  alsoCalled: { min: "minimum", max: "maximum", regex: "pattern", "min-length": "minLength", "max-length": "maxLength", choices: "enum", values: "enum" },
};
export const parameterSecurityKeys: KnownKeys = { owner: "`security` of a parameter", keys: ["escape-shell"] };

export const environmentKeys: KnownKeys = { owner: "`environment`", keys: ["variables", "inherit"] };
export const functionCallingKeys: KnownKeys = { owner: "`function-calling`", keys: ["schema-generation"] };
export const schemaGenerationKeys: KnownKeys = { owner: "`schema-generation`", keys: ["parameter-mapping", "include-descriptions", "include-defaults", "example-generation"] };
export const mappingKeys: KnownKeys = { owner: "`parameter-mapping`", keys: ["string", "number", "boolean", "array", "object"] };
export const securityKeys: KnownKeys = { owner: "`security`", keys: ["execution-privilege", "isolation", "required-permissions", "justification"] };
export const filePathsKeys: KnownKeys = { owner: "`file-paths`", keys: ["normalize", "working-directory", "temp-directory", "cross-platform"] };
export const crossPlatformKeys: KnownKeys = { owner: "`cross-platform`", keys: ["windows-separator", "unix-separator", "auto-convert"] };
export const metadataKeys: KnownKeys = { owner: "`metadata`", keys: ["category", "subcategory", "tags", "search-keywords"], alsoCalled: { keywords: "search-keywords" } };
export const resourcesKeys: KnownKeys = { owner: "`resources`", keys: ["timeout", "max-memory", "cleanup"], alsoCalled: { memory: "max-memory" } };
export const cleanupKeys: KnownKeys = { owner: "`cleanup`", keys: ["delete-temp-files", "final-command"] };
export const interactiveKeys: KnownKeys = { owner: "`interactive-options`", keys: ["timeout", "default-response"] };
export const testKeys: KnownKeys = { owner: "a test", keys: ["name", "description", "parameters", "expected", "cleanup"], alsoCalled: { with: "parameters", arguments: "parameters", expect: "expected" } };
export const expectedKeys: KnownKeys = { owner: "`expected`", keys: ["exit-code", "output-contains", "file-exists"] };
export const changelogKeys: KnownKeys = { owner: "an entry of `changelog`", keys: ["version", "changes"] };

/** For what has to name them all: the path of each map, and its keys. */
export const allKeys: readonly (readonly [path: string, known: KnownKeys])[] = [
  ["", toolKeys],
  ["commands.", commandsKeys],
  ["commands.platforms.", platformCommandKeys],
  ["steps[].", stepKeys],
  ["steps[].error-handling.", errorHandlingKeys],
  ["steps[].error-handling.retry.", retryKeys],
  ["steps[].output.", outputKeys],
  ["parameters.NAME.", parameterKeys],
  ["parameters.NAME.validation.", validationKeys],
  ["parameters.NAME.security.", parameterSecurityKeys],
  ["environment.", environmentKeys],
  ["function-calling.", functionCallingKeys],
  ["function-calling.schema-generation.", schemaGenerationKeys],
  ["function-calling.schema-generation.parameter-mapping.", mappingKeys],
  ["security.", securityKeys],
  ["file-paths.", filePathsKeys],
  ["file-paths.cross-platform.", crossPlatformKeys],
  ["metadata.", metadataKeys],
  ["resources.", resourcesKeys],
  ["resources.cleanup[].", cleanupKeys],
  ["interactive-options.", interactiveKeys],
  ["tests[].", testKeys],
  ["tests[].expected.", expectedKeys],
  ["changelog[].", changelogKeys],
];
