// A package for npm whose program is dottool with the tools.
import { valid } from "semver";
import { version as dottoolVersion } from "../../generated/version.ts";
import type { UnpackedFile } from "../../core/tool/host-bundle.ts";
import type { ExportFacts } from "./facts.ts";
import { jsonFile, type Making, textFile } from "./making.ts";

export function npxFiles({ facts }: Making): readonly UnpackedFile[] {
  const { name } = facts;
  return [
    jsonFile("package.json", packageManifest(facts)),
    { ...textFile(`bin/${name}.cjs`, START), isExecutable: true },
    textFile("README.md", readmeText(facts)),
  ];
}

/** Returns why npm would not take it, in the words of a usage error. */
export function npxFault({ facts, tools }: Making): string | undefined {
  if (valid(facts.version) === null)
    return `npm does not accept the version \`${facts.version}\`; write three numbers in \`package.json\`, as in \`1.2.0\``;
  const left = tools.find(({ path }) => /(?:^|\/)node_modules\//.test(path))?.path;
  return left === undefined
    ? undefined
    : `npm leaves out \`${left}\`, as all of \`node_modules\`; name the package under \`dependencies\` of \`package.json\` instead, and move \`node_modules\` away`;
}

const START = `#!/usr/bin/env node
// Starts dottool with the tools of this package.
const { join } = require("node:path");
process.argv.splice(2, 0, "--tools", join(__dirname, "../tools"));
require("dottool/bin");
`;

function packageManifest(facts: ExportFacts): object {
  const { name, packageName, version, description, author, license, homepage, repository, keywords } = facts;
  return {
    name: packageName,
    version,
    description,
    ...(author === undefined ? {} : { author }),
    ...(license === undefined ? {} : { license }),
    ...(homepage === undefined ? {} : { homepage }),
    ...(repository === undefined ? {} : { repository: { type: "git", url: repository } }),
    ...(keywords === undefined ? {} : { keywords }),
    ...(facts.registryName === undefined ? {} : { mcpName: facts.registryName }),
    bin: { [name]: `bin/${name}.cjs` },
    files: ["bin", "tools"],
    dependencies: { ...facts.dependencies, dottool: dottoolVersion },
  };
}

function readmeText({ name, packageName, description, version, tools }: ExportFacts): string {
  const rows = tools.map((tool) => `- \`${tool.name}\`: ${tool.summary}\n`).join("");
  return `# ${name}

${description}

${rows}
    npx ${packageName} list
    npx ${packageName} TOOL --PARAMETER VALUE …
    npx ${packageName} TOOL --help

\`npx ${packageName} mcp\` serves the tools to clients of the Model Context Protocol.

Version ${version}. Written by \`dottool export\`: change the definitions that it was made of, and export them again.
`;
}
