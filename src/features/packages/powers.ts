// What the tools of a package may do, computed from its definitions: what a person sees before and after an update, and
// what `dottool.lock` holds a package to.
import type { Catalogue } from "../../core/catalog/catalogue.ts";
import type { CatalogueEntry } from "../../core/catalog/entry.ts";
import type { PackageFolder } from "../../core/catalog/package-folder.ts";
import { secretsOf } from "./unapproved-packages.ts";
import { declaredHosts, possiblePaths, writtenReads, writtenWrites } from "../../core/policy/declared-paths.ts";
import { baseToolSummaries } from "../../generated/base-tools.ts";
import { programsOf } from "../hook/programs-of.ts";
import { underlyingTools } from "../../core/tool/definition.ts";
import type { Host } from "../../core/tool/host.ts";

/** Each list is sorted, and absent if it would be empty. */
export interface Powers {
  /** The effects of all its tools; `unknown` if one of them may do anything. */
  readonly effects?: readonly string[];
  readonly programs?: readonly string[];
  /** As `@network` names them; `*` is every public host. */
  readonly hosts?: readonly string[];
  /** Paths outside the working folder that its tools declare to read. `{name}` is a value of the caller's. */
  readonly reads?: readonly string[];
  /** Paths that its tools declare to write. */
  readonly writes?: readonly string[];
  /** Tools that are not its own: base tools, those of other packages, and those of MCP servers. */
  readonly calls?: readonly string[];
  readonly secrets?: readonly string[];
  /** Variables of the caller's environment; `*` is all but secrets. */
  readonly variables?: readonly string[];
  readonly plugins?: readonly string[];
}

export const powerKinds = [
  "effects",
  "programs",
  "hosts",
  "reads",
  "writes",
  "calls",
  "secrets",
  "variables",
  "plugins",
] as const satisfies readonly (keyof Powers)[];

interface PowersOptions {
  readonly catalogue: Catalogue;
  readonly host: Host;
}

export function powersOf(
  entries: readonly CatalogueEntry[],
  installed: Pick<PackageFolder, "root" | "plugins">,
  { catalogue, host }: PowersOptions,
): Powers {
  const found = new Map(powerKinds.map((kind) => [kind, new Set<string>()]));
  const add = (kind: keyof Powers, values: readonly string[]): void => {
    for (const value of values) found.get(kind)?.add(value);
  };
  const effectsOfBase = (name: string): ReturnType<Catalogue["effectsOf"]> | undefined =>
    baseToolSummaries.find((base) => base.name === name)?.effects;
  const own = new Set(entries.map(({ name }) => name));
  for (const entry of entries) {
    const effects = catalogue.effectsOf(entry, effectsOfBase);
    add("effects", effects.length === 0 ? ["unknown"] : effects);
    const definition = catalogue.definitionOf(entry);
    if (!definition) continue;
    add("programs", programsOf(definition, { host, cwd: installed.root }));
    const { security, parameters } = definition;
    const hosts = declaredHosts(security);
    add("hosts", effects.includes("network") && hosts.length === 0 ? ["*"] : hosts);
    add("reads", possiblePaths(writtenReads(security), parameters));
    add("writes", possiblePaths(writtenWrites(security), parameters));
    add(
      "calls",
      underlyingTools(definition).filter((name) => name !== "run_command" && !own.has(name)),
    );
    add("secrets", secretsOf(definition));
    if (definition.kind === "wrapped" || definition.kind === "steps") {
      const { passed = [], inheritsEnvironment, environmentFile } = definition.surroundings;
      add("variables", [
        ...passed,
        ...(environmentFile === undefined ? [] : [`those of ${environmentFile}`]),
        ...(inheritsEnvironment ? ["*"] : []),
      ]);
    }
  }
  add("plugins", installed.plugins);
  return Object.fromEntries(
    [...found].flatMap(([kind, values]) => (values.size === 0 ? [] : [[kind, [...values].sort()]])),
  );
}

/** The values that stand for all of their kind. */
const everything: Readonly<Partial<Record<keyof Powers, string>>> = { effects: "unknown", hosts: "*", variables: "*" };

/** Returns what `now` may do and `before` may not, as `kind: value`. */
export function widened(before: Powers, now: Powers): readonly string[] {
  return powerKinds.flatMap((kind) => {
    const known = new Set(before[kind] ?? []);
    if (known.has(everything[kind] ?? "")) return [];
    return (now[kind] ?? []).filter((value) => !known.has(value)).map((value) => `${kind}: ${value}`);
  });
}
