// A folder that `docker build` makes an image of: the executable with the tools inside, on a small system.
import { rowOf } from "../../core/text/row-of.ts";
import type { Tool } from "../../core/tool/tool.ts";
import type { UnpackedFile } from "../../core/tool/host-bundle.ts";
import type { Host } from "../../core/tool/host.ts";
import { commandsHere } from "../check/program-findings.ts";
import { programsIn } from "../hook/programs-of.ts";
import { debianPackage } from "../check/program-packages.ts";
import { type Making, textFile } from "./making.ts";
import { variablesOf } from "./variables.ts";

/** Docker's names for the platforms that images are made for. */
const platforms: Readonly<Record<string, string>> = { "linux-x64": "linux/amd64", "linux-arm64": "linux/arm64" };

/** Returns why there is no image for it, in the words of a usage error. */
export function dockerFault({ executable }: Making): string | undefined {
  return rowOf(platforms, executable.platform) === undefined
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

function dockerfile({ facts, host, words, executable }: Making): string {
  const { name, version, license } = facts;
  const variables = variablesOf(facts.tools)
    .map((variable) => `-e ${variable.name} `)
    .join("");
  const labels = { title: name, version, ...(license === undefined ? {} : { licenses: license }) };
  return `# Written by \`dottool export\`: change the definitions that it was made of, and export them again.
#   docker build -t ${name} .
#   docker run -i --rm ${variables}-v "$PWD:/work" ${name}        serves the tools over MCP
#   docker run --rm ${variables}-v "$PWD:/work" ${name} list      runs the program
FROM --platform=${rowOf(platforms, executable.platform) ?? ""} debian:13-slim
LABEL ${Object.entries(labels)
    .map(([key, value]) => `org.opencontainers.image.${key}=${quoted(value)}`)
    .join(" \\\n      ")}
${programLines(
  facts.tools.map(({ tool }) => tool),
  host,
)}COPY --chmod=755 ${name} /usr/local/bin/${name}
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

/** Installs the programs that the tools and those below them run, or declare with `@requires`. */
function programLines(tools: readonly Tool[], host: Host): string {
  const programs = [...new Set(tools.flatMap((tool) => neededBy(tool, host)))].sort();
  const missing = programs.filter((program) => /^[\w.+-]+$/.test(program) && !IN_IMAGE.has(program));
  const known = new Set(missing.flatMap((program) => debianPackage(program) ?? []));
  const unknown = missing.filter((program) => debianPackage(program) === undefined);
  const install =
    known.size === 0
      ? ""
      : `RUN apt-get update \\
 && apt-get install --yes --no-install-recommends ca-certificates ${[...known].join(" ")} \\
 && rm -rf /var/lib/apt/lists/*
`;
  return install + unknown.map((program) => `# The tools also need ${program}: install it here.\n`).join("");
}

function neededBy({ definition, underlying = [] }: Tool, host: Host): readonly string[] {
  return [
    ...definition.requires.map(({ program }) => program),
    ...commandsHere(definition, "linux").flatMap((command) => programsIn(command, { host, cwd: "/work" })),
    ...underlying.flatMap((tool) => neededBy(tool, host)),
  ];
}

/** What debian:13-slim has (its essential packages: coreutils, findutils, grep, sed and the like), or its shells. */
const IN_IMAGE: ReadonlySet<string> = new Set(
  `sh dash bash [ : . alias bg break builtin cd command continue declare echo eval exec exit export false fg getopts hash
jobs kill let local mapfile printf pwd read readarray readonly return set shift shopt source test times trap true type
typeset ulimit umask unalias unset wait arch awk mawk b2sum base32 base64 basename cat chgrp chmod chown cksum cmp comm
cp csplit cut date dd df diff diff3 dir dirname du egrep env expand expr factor fgrep find flock fmt fold getent getopt
grep groups gunzip gzip head hostid hostname id install join link ln logname ls lsblk md5sum mkdir mkfifo mktemp more mv
nice nl nohup nproc numfmt od paste perl pr printenv readlink realpath rev rm rmdir sdiff sed seq setsid
sha1sum sha224sum sha256sum sha384sum sha512sum shred shuf sleep sort split stat stdbuf stty sum sync tac tail tar tee
timeout touch tr truncate tsort tty uname unexpand uniq unlink users vdir wc which who whoami xargs yes zcat`.split(
    /\s/,
  ),
);
