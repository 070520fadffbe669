// The packages of a project as they would be after a change: stored, read as definitions, and compared with each other.
// Nothing that is installed changes here.
import { baseToolNames } from "../../core/tool/base-tool-names.ts";
import { alikeName } from "../../core/tool/alike-names.ts";
import type { Catalogue } from "../../core/catalog/catalogue.ts";
import type { CatalogueEntry } from "../../core/catalog/entry.ts";
import { CONFIGURATION_NAME, DEFINITION_ENDING } from "../../core/catalog/discover.ts";
import { toolFolderOf } from "./installed-packages.ts";
import { PROJECT_FOLDER_NAME, type ToolFolder } from "../../core/catalog/tool-folders.ts";
import type { InstalledPackage } from "../../core/catalog/package-folder.ts";
import { printable } from "../../core/text/display.ts";
import type { Host } from "../../core/tool/host.ts";
import type { PackageManifest } from "./manifest.ts";
import { catalogueOf, neededBy } from "./needed-tools.ts";
import { type Powers, powersOf } from "./powers.ts";
import { rulesIn } from "./package-rules.ts";
import { Refusal } from "./refusal.ts";
import { storedFiles } from "./store.ts";

export interface Candidate extends InstalledPackage {
  readonly needs: PackageManifest["needs"];
}

export interface CheckedCandidate extends Candidate {
  readonly may: Powers;
  readonly tools: string;
  /** Full names of its tools. */
  readonly toolNames: readonly string[];
  /** Paths of files that look like definitions and are not read. */
  readonly leftOut: readonly string[];
  /** Tools that its own need and that are not in these packages. A project may have them. */
  readonly lacks: readonly string[];
}

/** The content of each is stored. Throws a `Refusal` if they cannot be installed together. */
export async function checkTogether(
  candidates: readonly Candidate[],
  host: Host,
): Promise<readonly CheckedCandidate[]> {
  // If two packages have the same owner, the one that was added last is at fault.
  for (const one of candidates.toReversed()) checkOwner(one, candidates);
  const checked: CheckedCandidate[] = [];
  for (const one of await checkEach(candidates, host)) {
    if (one instanceof Refusal) throw one;
    checked.push(one);
  }
  return checked;
}

/** Like `checkTogether`, with what is wrong in the place of the package that it is wrong with. */
export async function checkEach(
  candidates: readonly Candidate[],
  host: Host,
): Promise<readonly (CheckedCandidate | Refusal)[]> {
  const catalogue = await catalogueOf(candidates, host);
  const checking = candidates.map(async (one) => {
    checkOwner(one, candidates);
    return checkOne(one, toolFolderOf(one, host), { catalogue, host });
  });
  return Promise.all(
    checking.map((one) =>
      one.catch((error: unknown) => {
        if (error instanceof Refusal) return error;
        throw error;
      }),
    ),
  );
}

/** One owner is one package, or the packages of one scope: otherwise two strangers could share a name. */
function checkOwner({ name, owner }: Candidate, all: readonly Candidate[]): void {
  const rival = all.find((other) => other.owner === owner && other.name !== name && !isSameScope(other.name, name));
  if (rival)
    throw new Refusal("denied", `\`${name}\` and \`${rival.name}\` both make tools of the owner \`${owner}\``, [
      `only one of them can be installed; \`dottool remove ${rival.name}\` removes the other`,
    ]);
}

function isSameScope(one: string, other: string): boolean {
  return one.startsWith("@") && other.startsWith("@");
}

async function checkOne(
  candidate: Candidate,
  folder: ToolFolder,
  { catalogue, host }: { readonly catalogue: Catalogue; readonly host: Host },
): Promise<CheckedCandidate> {
  const { name, version } = candidate;
  const shown = `${name}@${version}`;
  const entries = catalogue.entries.filter(({ path }) => path.startsWith(`${folder.shownPath}/`));
  const start = candidate.tools === "" ? "" : `${candidate.tools}/`;
  const read = new Set(entries.map(({ path }) => start + path.slice(folder.shownPath.length + 1)));
  const left = leftOut(read, candidate, host);
  const rules = await rulesIn(folder, host);
  if (entries.length === 0 && rules === undefined)
    throw new Refusal("definitions", `\`${shown}\` has no definitions`, [
      left.length > 0 && left.every((path) => path.startsWith(`${PROJECT_FOLDER_NAME}/`))
        ? `write \`"dottool": {"tools": "${PROJECT_FOLDER_NAME}"}\` into its \`package.json\``
        : "they are in the folder of its `package.json`, or in the one that `dottool.tools` names",
      ...(left.length === 0 ? [] : [`not read: ${left.join(", ")}`]),
    ]);
  for (const entry of entries) await requireSound(entry, { shown, catalogue });
  for (const entry of entries) requireOwnName(entry, { shown, catalogue });
  const installed = folder.package;
  const may = installed ? powersOf(entries, installed, { catalogue, host }) : {};
  const lacks = new Set(entries.flatMap((entry) => lackedBy(entry, catalogue)));
  const toolNames = [...new Set(entries.map((entry) => entry.name))];
  return { ...candidate, rules, may, toolNames, leftOut: left, lacks: [...lacks].sort() };
}

/** Returns files that look like definitions and are not read: an author may have meant them. `read` are paths. */
function leftOut(read: ReadonlySet<string>, { content, tools }: Candidate, host: Host): readonly string[] {
  const paths = storedFiles(content, host).map(({ path }) => path);
  return paths.filter((path) => isMeant(path, tools) && !read.has(path)).sort();
}

/** Outside the folder of the tools, a YAML file is another program's. */
function isMeant(path: string, tools: string): boolean {
  const parts = path.split("/");
  const name = parts.at(-1) ?? "";
  if (name === CONFIGURATION_NAME || !DEFINITION_ENDING.test(name)) return false;
  const isHidden = parts.some((part) => part.startsWith("."));
  return name.endsWith(".tool") || (!isHidden && (tools === "" || path.startsWith(`${tools}/`)));
}

function lackedBy(entry: CatalogueEntry, catalogue: Catalogue): readonly string[] {
  const definition = catalogue.definitionOf(entry);
  const needed = definition ? neededBy(definition) : [];
  return needed.map(({ tool }) => tool).filter((tool) => catalogue.entry(tool) === undefined);
}

/** Refuses a name that people and models would take for that of another tool of packages, or of dottool. */
function requireOwnName(
  { name }: CatalogueEntry,
  { shown, catalogue }: { readonly shown: string; readonly catalogue: Catalogue },
): void {
  const short = name.slice(name.lastIndexOf("/") + 1);
  const ours = catalogue.entries.filter(({ scope }) => scope === "builtin").map((entry) => entry.name);
  const others = catalogue.entries.filter(({ scope }) => scope === "package").map((entry) => entry.name);
  const rival = alikeName(short, [...baseToolNames(), ...ours]) ?? alikeName(name, others);
  if (rival === undefined) return;
  throw new Refusal("denied", `\`${shown}\` has the tool \`${name}\`, which would be taken for \`${rival}\``, [
    "its author can give it a name that differs in more than capitals, `-` and `_`",
  ]);
}

async function requireSound(
  entry: CatalogueEntry,
  { shown, catalogue }: { readonly shown: string; readonly catalogue: Catalogue },
): Promise<void> {
  const { resolution } = entry;
  if (resolution.kind === "used" || resolution.kind === "other-platform") return;
  if (resolution.kind === "duplicate")
    throw new Refusal("definitions", `\`${shown}\` has two tools called \`${entry.name}\``);
  if (resolution.kind === "shadowed")
    throw new Refusal("denied", `\`${shown}\` has a tool \`${entry.name}\`, as \`${resolution.by.path}\` does`);
  const [first] = (await catalogue.diagnosticsOf(entry)).filter(({ severity }) => severity === "error");
  throw new Refusal(
    "definitions",
    `\`${shown}\` has errors in its definitions: \`${entry.path}:${entry.line}\`: ${printable(first?.message ?? "it cannot be read")}`,
    ["`dottool publish --dry-run` in the folder of the package shows them all"],
  );
}
