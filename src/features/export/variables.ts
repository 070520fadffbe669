// The environment variables that the tools read, for forms that tell their client which to ask for.
import { secretsOf } from "../packages/unapproved-packages.ts";
import type { ExportedTool } from "./facts.ts";

/** As in `environmentVariables` of the MCP registry. */
export interface ReadVariable {
  readonly name: string;
  readonly description?: string;
  readonly isRequired?: true;
  readonly isSecret?: true;
}

/** Returns each variable once, sorted by name. */
export function variablesOf(tools: readonly ExportedTool[]): readonly ReadVariable[] {
  const found = new Map<string, ReadVariable>();
  for (const { tool } of tools) {
    for (const { environment: name, description, secret, required, default: value } of tool.parameters) {
      if (name === undefined) continue;
      const isRequired = secret && required && value === undefined;
      found.set(name, {
        name,
        ...(description === "" ? {} : { description }),
        ...(isRequired ? { isRequired } : {}),
        ...(secret ? { isSecret: true } : {}),
      });
    }
    for (const name of secretsOf(tool.definition)) found.set(name, { name, isRequired: true, isSecret: true });
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}
