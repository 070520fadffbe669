// The package for npm with its entry in the registry of MCP, `server.json`.
import type { UnpackedFile } from "../../core/tool/host-bundle.ts";
import { cutText } from "./facts.ts";
import { jsonFile, type Making } from "./making.ts";
import { npxFault, npxFiles } from "./npx.ts";
import { variablesOf } from "./variables.ts";

/** https://github.com/modelcontextprotocol/registry/tree/main/docs/reference/server-json */
const SERVER_SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json";
const DESCRIPTION_CHARACTERS_MAX = 100;
/** The registry's names for where repositories are. */
const REPOSITORY = /^https:\/\/(github|gitlab)\.com\//;

export function registryFiles(making: Making): readonly UnpackedFile[] {
  return [...npxFiles(making), jsonFile("server.json", serverEntry(making))];
}

export function registryFault(making: Making): string | undefined {
  return making.facts.registryName === undefined
    ? "the MCP registry needs a name that shows its owner; set `repository` in `package.json` to one on GitHub, or `mcpName` as in `com.example/tools`"
    : npxFault(making);
}

function serverEntry({ facts, words }: Making): object {
  const { registryName, packageName, version, description, homepage, repository } = facts;
  const source = REPOSITORY.exec(repository ?? "")?.[1];
  const variables = variablesOf(facts.tools);
  return {
    $schema: SERVER_SCHEMA,
    name: registryName,
    description: cutText(description, DESCRIPTION_CHARACTERS_MAX),
    version,
    ...(repository === undefined || source === undefined
      ? {}
      : { repository: { url: repository.replace(/\.git$/, ""), source } }),
    ...(/^https?:\/\//.test(homepage ?? "") ? { websiteUrl: homepage } : {}),
    packages: [
      {
        registryType: "npm",
        identifier: packageName,
        version,
        transport: { type: "stdio" },
        packageArguments: argumentsOf(words),
        ...(variables.length === 0 ? {} : { environmentVariables: variables }),
      },
    ],
  };
}

/** An option and its value are one argument of the format. */
function argumentsOf(words: readonly string[]): readonly object[] {
  return words.flatMap((word, index): readonly object[] => {
    if (words[index - 1]?.startsWith("--")) return [];
    return word.startsWith("--")
      ? [{ type: "named", name: word, value: words[index + 1] }]
      : [{ type: "positional", value: word }];
  });
}
