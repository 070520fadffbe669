// What a tool of a package may not do before a person has approved of the package: whatever works outside the sandbox.
import { quoteWord } from "../../core/base/quote.ts";
import { secretUseText } from "../../core/language/fields/secret-use.ts";
import type { ToolDefinition } from "../../core/tool/definition.ts";
import { isRemoteName } from "../../core/tool/remote-name.ts";
import type { Catalogue } from "../../core/catalog/catalogue.ts";
import type { InstalledPackage } from "../../core/catalog/package-folder.ts";
import { reachableTools } from "../../core/catalog/reachable-tools.ts";
import type { UntrustedFailure } from "../../core/catalog/untrusted.ts";

/** `called` is the tool that was called, and `name` the one of the package that it reaches. */
export function unapprovedFailure(
  called: string,
  name: string,
  { catalogue, installed }: { readonly catalogue: Catalogue; readonly installed: InstalledPackage },
): UntrustedFailure | undefined {
  const fact = outsideFact(name, catalogue);
  if (fact === undefined) return undefined;
  return {
    kind: "untrusted",
    tool: called,
    folder: `${installed.name}@${installed.version}`,
    reason: { fact: `is not approved yet, and ${fact}` },
    help: [
      `\`${approveCommand(installed.name)}\` shows what it could run, and asks you`,
      "until then, its tools only run commands, in the sandbox and without secrets",
    ],
  };
}

export function approveCommand(name: string): string {
  return `dottool trust --package ${quoteWord(name)}`;
}

function outsideFact(name: string, catalogue: Catalogue): string | undefined {
  for (const one of reachableTools(name, catalogue).names) {
    const definition = catalogue.definition(one);
    if (isRemoteName(one)) return `\`${name}\` calls the MCP server of \`${one}\``;
    if (!definition && one !== "run_command") return `\`${name}\` calls \`${one}\`, which works outside the sandbox`;
    const taken = definition ? takenOf(definition) : undefined;
    if (taken !== undefined) return `\`${name}\` takes ${taken}`;
  }
  return undefined;
}

function takenOf(definition: ToolDefinition): string | undefined {
  if (definition.kind !== "wrapped" && definition.kind !== "steps") return undefined;
  const [secret] = secretsOf(definition);
  if (secret !== undefined) return `your secret \`${secret}\``;
  const { passed: [variable] = [], inheritsEnvironment, environmentFile } = definition.surroundings;
  if (environmentFile !== undefined) return `the variables of \`${environmentFile}\``;
  if (variable !== undefined) return `your variable \`${variable}\``;
  return inheritsEnvironment ? "your environment" : undefined;
}

/** Returns the user's secrets that the commands of a definition get, each with the hosts that it is for. */
export function secretsOf(definition: ToolDefinition): readonly string[] {
  if (definition.kind !== "wrapped" && definition.kind !== "steps") return [];
  return (definition.surroundings.secrets ?? []).map(secretUseText);
}
