// A folder that `docker build` makes an image of: the executable with the tools inside, on a small system.
import type { Tool } from "../../core/tool/tool.ts";
import type { UnpackedFile } from "../../core/tool/host-bundle.ts";
import { debianPackage } from "../check/program-packages.ts";
import { type Making, textFile } from "./making.ts";
import { variablesOf } from "./variables.ts";

/** Docker's names for the platforms that images are made for. */
const platforms: Readonly<Record<string, string>> = { "linux-x64": "linux/amd64", "linux-arm64": "linux/arm64" };

/** Returns why there is no image for it, in the words of a usage error. */
export function dockerFault({ executable }: Making): string | undefined {
  return platforms[executable.platform] === undefined
    ? `an image needs an executable for Linux, and this one is for ${executable.platform}; name one with \`--base\`, such as \`dottool-linux-x64\` of a release`
    : undefined;
}

export function dockerFiles(making: Making): readonly UnpackedFile[] {
  const { facts, executable } = making;
  return [
    { path: facts.name, bytes: executable.bytes, isExecutable: true },
    textFile("Dockerfile", dockerfile(making)),
  ];
}

function dockerfile({ facts, words, executable }: Making): string {
  const { name, version, license } = facts;
  const variables = variablesOf(facts.tools)
    .map((variable) => `-e ${variable.name} `)
    .join("");
  const labels = { title: name, version, ...(license === undefined ? {} : { licenses: license }) };
  return `# Written by \`dottool export\`: change the definitions that it was made of, and export them again.
#   docker build -t ${name} .
#   docker run -i --rm ${variables}-v "$PWD:/work" ${name}        serves the tools over MCP
#   docker run --rm ${variables}-v "$PWD:/work" ${name} list      runs the program
FROM --platform=${platforms[executable.platform] ?? ""} debian:13-slim
LABEL ${Object.entries(labels)
    .map(([key, value]) => `org.opencontainers.image.${key}=${quoted(value)}`)
    .join(" \\\n      ")}
${programLines(facts.tools.map(({ tool }) => tool))}COPY --chmod=755 ${name} /usr/local/bin/${name}
RUN useradd --create-home --uid 1000 tools
USER tools
WORKDIR /work
ENTRYPOINT [${JSON.stringify(`/usr/local/bin/${name}`)}]
CMD ${JSON.stringify(words)}
`;
}

/** Docker replaces \`$NAME\`, also between double quotes. */
function quoted(text: string): string {
  return `"${text.replaceAll(/[\\"$]/g, "\\$&").replaceAll(/\s+/g, " ")}"`;
}

/** Installs the programs that the tools and those below them declare with \`@requires\`. */
function programLines(tools: readonly Tool[]): string {
  const programs = [...new Set(tools.flatMap(requiredBy))].sort();
  const known = programs.flatMap((program) => debianPackage(program) ?? []);
  const unknown = programs.filter((program) => debianPackage(program) === undefined);
  const install =
    known.length === 0
      ? ""
      : `RUN apt-get update \\
 && apt-get install --yes --no-install-recommends ${known.join(" ")} \\
 && rm -rf /var/lib/apt/lists/*
`;
  return install + unknown.map((program) => `# The tools also need ${program}: install it here.\n`).join("");
}

function requiredBy({ definition, underlying = [] }: Tool): readonly string[] {
  return [...definition.requires.map(({ program }) => program), ...underlying.flatMap(requiredBy)];
}
