// The tools that a definition needs and that are not here, over any number of steps, and the packages that have them.
import { bundledOn } from "../../core/catalog/bundled-on.ts";
import { baseToolNames, loopBreakingNames } from "../../core/tool/base-tool-names.ts";
import { type Catalogue, openCatalogue } from "../../core/catalog/catalogue.ts";
import { toolFolderOf } from "./installed-packages.ts";
import { definitionReaderKey } from "../../generated/definition-reader-key.ts";
import { type Dependency, type ToolDefinition, underlyingTools } from "../../core/tool/definition.ts";
import type { Host } from "../../core/tool/host.ts";
import { isRemoteName } from "../../core/tool/remote-name.ts";
import { type FetchedPackage, type FetchOptions, fetchPackage } from "./fetch.ts";
import { Refusal } from "./refusal.ts";
import { registryOf } from "./registry-settings.ts";
import { storeFiles } from "./store.ts";

interface NeededTool extends Dependency {
  /** The tool that needs it; absent if a person has named it. */
  readonly by?: string;
}

export interface FoundTool {
  readonly needed: NeededTool;
  readonly found: FetchedPackage;
}

/** More is a mistake, or an attack. */
const FOUND_MAX = 100;
function isMadeInTypeScript(name: string): boolean {
  return baseToolNames().includes(name) || loopBreakingNames.includes(name);
}

/** Opens the catalogue of packages that are stored, and of nothing else of a person's. */
export async function catalogueOf(
  packages: readonly Parameters<typeof toolFolderOf>[0][],
  host: Host,
): Promise<Catalogue> {
  return openCatalogue({
    host,
    // No project's definitions count, whatever folder this runs in.
    cwd: host.folders.state,
    givenFolders: [],
    packageFolders: packages.map((one) => toolFolderOf(one, host)),
    taken: { base: new Set(baseToolNames()), reserved: new Set(loopBreakingNames) },
    bundled: await bundledOn(host.platform),
    cacheKey: definitionReaderKey,
  });
}

/** Returns what a definition needs: what `@depends` and `dependencies:` name, and the tools that it calls. */
export function neededBy(definition: ToolDefinition): readonly NeededTool[] {
  const by = definition.name.value;
  const named = new Set(definition.depends.map(({ tool }) => tool));
  const called = underlyingTools(definition).filter((tool) => !named.has(tool));
  return [...definition.depends, ...called.map((tool) => ({ tool }))]
    .filter(({ tool }) => !isMadeInTypeScript(tool) && !isRemoteName(tool))
    .map((one) => ({ ...one, by }));
}

/**
 * Fetches and stores the packages with the tools that are missing, and installs nothing. `here` is what a person has
 * already. Throws a `Refusal` if a tool is in no package.
 */
export async function findNeededTools(
  names: readonly string[],
  here: Catalogue,
  options: FetchOptions,
): Promise<readonly FoundTool[]> {
  const all: FoundTool[] = [];
  for (;;) {
    const found = await catalogueOf(all.map(candidateOf), options.host);
    const needed = await firstMissing(names, [found, here]);
    if (!needed) return all;
    const own = here.entry(needed.tool);
    if (own && own.scope !== "package")
      throw new Refusal(
        "denied",
        `\`${needed.by ?? needed.tool}\` needs \`${needed.tool}\` ${needed.range ?? ""}, and your own in \`${own.path}\` comes before that of any package`,
        ["change its `@version`, or remove it"],
      );
    if (all.length >= FOUND_MAX) throw new Refusal("denied", `more than ${FOUND_MAX} packages are needed`);
    all.push({ needed, found: await packageWith(needed, options) });
  }
}

/** The catalogue that is asked first is that of the new packages, which may replace older ones. */
async function firstMissing(
  names: readonly string[],
  catalogues: readonly Catalogue[],
): Promise<NeededTool | undefined> {
  const waiting: NeededTool[] = names.map((tool) => ({ tool }));
  const seen = new Set<string>();
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const definition = definitionIn(next.tool, catalogues);
    if (!definition || !(await isFitting(definition, next))) return next;
    if (seen.has(definition.name.value)) continue;
    seen.add(definition.name.value);
    waiting.push(...neededBy(definition));
  }
  return undefined;
}

function definitionIn(tool: string, catalogues: readonly Catalogue[]): ToolDefinition | undefined {
  for (const catalogue of catalogues) {
    const owned = tool.includes("/") ? [] : catalogue.names().filter((name) => name.endsWith(`/${tool}`));
    const definition =
      catalogue.definition(tool) ?? (owned.length === 1 ? catalogue.definition(owned[0] ?? "") : undefined);
    if (definition) return definition;
  }
  return undefined;
}

async function isFitting({ version }: ToolDefinition, { range }: NeededTool): Promise<boolean> {
  if (range === undefined) return true;
  const { default: semver } = await import("semver");
  return version !== undefined && semver.satisfies(version, range);
}

/** `official/translate` is in `@official/translate`, or in `official`; `translate` is in a package of this name. */
async function packageWith(needed: NeededTool, options: FetchOptions): Promise<FetchedPackage> {
  const { tool, range = "", by } = needed;
  const names = packagesFor(tool, options.host);
  const tried: string[] = [];
  for (const name of names) {
    // The range is one of the tool's version: that of a package with one tool, but not always of one with several.
    const ranges = name === `@${tool}` ? [range] : [""];
    try {
      const found = await fetchPackage({ kind: "registry", name, ranges }, options);
      await storeFiles(found.files, found.content, options.host);
      const definition = definitionIn(tool, [await catalogueOf([candidateOf({ found })], options.host)]);
      if (definition && (await isFitting(definition, needed))) return found;
      const fact = definition ? `has ${definition.version ?? "no version"} of it` : "does not have it";
      tried.push(`\`${name}@${found.manifest.version}\` ${fact}`);
    } catch (error) {
      if (!(error instanceof Refusal) || (error.kind !== "missing" && error.kind !== "definitions")) throw error;
      tried.push(error.message);
    }
  }
  const wanted = `\`${tool}\`${range === "" ? "" : ` ${range}`}`;
  throw new Refusal(
    "missing",
    by === undefined ? `there is no tool ${wanted}` : `\`${by}\` needs the tool ${wanted}, which is not here`,
    [...tried, "`dottool search` finds packages, and `dottool add` adds the one that has it"],
  );
}

function packagesFor(tool: string, host: Host): readonly string[] {
  const [owner = ""] = tool.split("/", 1);
  if (!tool.includes("/")) return [tool];
  // In the registry of all others, anybody could have taken the name of a scope that has a registry of its own.
  const isElsewhere = registryOf(`@${tool}`, host) !== registryOf(owner, host);
  return isElsewhere ? [`@${tool}`] : [`@${tool}`, owner];
}

function candidateOf({ found: { manifest, content } }: Pick<FoundTool, "found">): Parameters<typeof toolFolderOf>[0] {
  return { ...manifest, content };
}
