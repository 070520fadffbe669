// An installed package as text: what it brings, and what its tools may do.
import type { InstalledNow } from "./install.ts";
import { powerKinds, type Powers } from "./powers.ts";
import { SORTING_DEPTH_MAX } from "../../core/catalog/discover.ts";
import { printable } from "../../core/text/display.ts";

const words: Readonly<Record<keyof Powers, string>> = {
  effects: "effects",
  programs: "runs",
  hosts: "reaches",
  reads: "reads",
  writes: "writes",
  calls: "calls",
  secrets: "takes your secrets",
  variables: "takes your variables",
  plugins: "has plugins",
};

export function installedText(installed: InstalledNow): string {
  const { name, version, before, source, neededBy, toolNames, may, rules, wider } = installed;
  const change = before === undefined || before === version ? "" : ` (was ${before})`;
  const lines = [
    `${name}@${version}${change} from ${source}`,
    ...(neededBy.length === 0 ? [] : [`  needed by: ${neededBy.join(", ")}`]),
    ...(toolNames.length === 0 ? [] : [`  tools: ${toolNames.join(", ")}`]),
    ...powersLines(may).map((line) => `  ${line}`),
    ...signatureLines(installed).map((line) => `  ${line}`),
    ...provenanceLines(installed).map((line) => `  ${line}`),
    ...rulesLines(rules),
    ...(wider.length === 0 ? [] : [`  before, it could not: ${wider.join(", ")}`]),
  ];
  return lines.map((line) => `${printable(line)}\n`).join("");
}

/** `signedBefore` is a key that had signed the version `before`. Says no more than was verified. */
export function signatureLines({
  signature,
  signedBefore,
  before = "",
}: Pick<InstalledNow, "signature" | "signedBefore" | "before">): readonly string[] {
  const was = signedBefore === undefined ? "" : `; ${before} was signed by the key ${signedBefore.keyid}`;
  switch (signature?.kind) {
    case "signed":
      return [`signed by the registry's key ${signature.by.keyid}${was}`];
    case "unverified":
      return [`has a signature that was not verified, because ${signature.reason}${was}`];
    default:
      return was === "" ? [] : [`not signed${was}`];
  }
}

/** `builtFromBefore` is the repository of the version `before`. Says no more than was verified. */
export function provenanceLines({
  provenance,
  builtFromBefore,
  before = "",
}: Pick<InstalledNow, "provenance" | "builtFromBefore" | "before">): readonly string[] {
  const was = builtFromBefore === undefined ? "" : `; ${before} was built from ${builtFromBefore}`;
  switch (provenance?.kind) {
    case "verified": {
      const { repository, commit, workflow } = provenance;
      const by = workflow === undefined ? "" : ` by ${workflow}`;
      return [`built from ${repository}@${commit}${by}, verified with sigstore${was}`];
    }
    case "unverified":
      return [`has a provenance that was not verified, because ${provenance.reason}${was}`];
    default:
      return was === "" ? [] : [`has no provenance${was}`];
  }
}

/** Shows all of them, since what they allow needs no further approval. */
export function rulesLines(rules: string | undefined): readonly string[] {
  if (rules === undefined) return [];
  const lines = rules.trimEnd().split("\n");
  return ["  rules, which allow only once you approve the package:", ...lines.map((line) => `    ${line}`)];
}

export function powersLines(may: Powers): readonly string[] {
  return powerKinds.flatMap((kind) => {
    const values = may[kind] ?? [];
    return values.length === 0 ? [] : [`${words[kind]}: ${values.join(", ")}`];
  });
}

const readingRule = `tools are the \`.tool\` files in the folder of the tools and up to ${SORTING_DEPTH_MAX} folders below it, and the YAML files in it; hidden folders are not read`;

/** Names the files that an author may have meant as tools. */
export function leftOutText({ name, version, leftOut }: Pick<InstalledNow, "name" | "version" | "leftOut">): string {
  if (leftOut.length === 0) return "";
  const files = leftOut.map((path) => `\`${path}\``).join(", ");
  return `warning[package]: ${printable(`\`${name}@${version}\` has files that are not read as tools: ${files}`)}\n  = ${readingRule}\n`;
}
