// The definition that a name reaches: the nearest one, unless it may not take that name.
import type { Platform } from "../tool/command.ts";
import type { DefinitionPlace, Resolution } from "./entry.ts";
import { type LoadedDefinition, placeOf, summaryOf } from "./loaded-definition.ts";
import type { ToolFolder } from "./tool-folders.ts";
import { isRemoteName } from "../tool/remote-name.ts";
import type { Spanned } from "../text/source.ts";
import type { ToolDefinition } from "../tool/definition.ts";
import type { Step, StepAction } from "../tool/step.ts";

export interface ResolveOptions {
  readonly taken: TakenNames;
  readonly platform: Platform;
  /** Whether the project that it is from is trusted. Asked only where names clash. */
  isTrusted(loaded: LoadedDefinition): boolean;
}

export interface TakenNames {
  /** The names of tools made in TypeScript, including the reserved ones. */
  readonly base: ReadonlySet<string>;
  /** The tools whose names no definition can take. */
  readonly reserved: ReadonlySet<string>;
}

const soleUsed: readonly Resolution[] = [{ kind: "used" }];
const soleBroken: readonly Resolution[] = [{ kind: "broken" }];

/**
 * Returns the resolution of each of `rivals`, in the same order. They all want `name`; the nearest comes first, by path
 * within a folder.
 */
export function resolutionsOf(
  name: string,
  rivals: readonly LoadedDefinition[],
  options: ResolveOptions,
): readonly Resolution[] {
  const { taken } = options;
  const first = rivals[0];
  // Nearly every name is wanted once.
  if (first && rivals.length === 1 && !taken.base.has(name)) return first.errorCount > 0 ? soleBroken : soleUsed;
  const owner = foreignOwner(name, rivals, options);
  const passedOver = passedOverIn(rivals, options);
  let winner: LoadedDefinition | undefined;
  return rivals.map((rival): Resolution => {
    if (taken.reserved.has(name)) return { kind: "reserved" };
    const inFolder = passedOver.get(rival);
    if (inFolder) return inFolder;
    if (winner) return { kind: "shadowed", by: placeOf(winner) };
    if (owner && rival.scope === "project" && !options.isTrusted(rival)) return { kind: "refused", by: owner };
    winner = rival;
    return rival.errorCount > 0 ? { kind: "broken" } : { kind: "used" };
  });
}

/**
 * Returns the definitions that do not get the name within their own folder. One folder may define a name once for each
 * platform.
 */
function passedOverIn(
  rivals: readonly LoadedDefinition[],
  { platform }: ResolveOptions,
): ReadonlyMap<LoadedDefinition, Resolution> {
  const passedOver = new Map<LoadedDefinition, Resolution>();
  const byFolder = new Map<ToolFolder | undefined, LoadedDefinition[]>();
  for (const rival of rivals) {
    const known = byFolder.get(rival.folder);
    const twin = known?.find((one) => sharePlatform(one, rival));
    if (twin) passedOver.set(rival, { kind: "duplicate", of: placeOf(twin) });
    else if (known) known.push(rival);
    else byFolder.set(rival.folder, [rival]);
  }
  for (const known of byFolder.values()) {
    if (known.length === 1) continue;
    const here = known.find((one) => summaryOf(one).platforms?.includes(platform) !== false) ?? known[0];
    for (const one of known) if (one !== here) passedOver.set(one, { kind: "other-platform" });
  }
  return passedOver;
}

function sharePlatform(one: LoadedDefinition, other: LoadedDefinition): boolean {
  const { platforms } = summaryOf(one);
  return (
    platforms === undefined || summaryOf(other).platforms?.some((platform) => platforms.includes(platform)) !== false
  );
}

/** Returns the owner whose name a project's definition would take. */
function foreignOwner(
  name: string,
  rivals: readonly LoadedDefinition[],
  { taken }: ResolveOptions,
): DefinitionPlace | undefined {
  const foreign = rivals.find(
    ({ scope }) => scope === "user" || scope === "global" || scope === "package" || scope === "builtin",
  );
  if (foreign) return placeOf(foreign);
  return taken.base.has(name) ? { scope: "base", path: "", line: 0 } : undefined;
}

interface KnownNames {
  /** The names that definitions want, whatever became of them. */
  wanted(): Iterable<string>;
  /** Whether a tool made in TypeScript has the name, or a definition wants it. */
  isTaken(name: string): boolean;
  /** Whether a call of the name reaches a definition without errors. */
  isUsed(name: string): boolean;
  /** Whether that definition may run. Asked only where several owners have one. */
  isTrusted(name: string): boolean;
}

export class SoleOwners {
  private readonly known: KnownNames;

  constructor(known: KnownNames) {
    this.known = known;
  }

  /** Returns the whole name of the tool that a definition called `user` means by `name`. */
  nameFor(name: string, user: string): string {
    const { wanted, isTaken, isUsed, isTrusted } = this.known;
    if (name.includes("/") || isRemoteName(name) || isTaken(name)) return name;
    // Meaning itself would be a circle, which is not what its author wrote.
    const owned = [...wanted()].filter((one) => one.endsWith(`/${name}`) && one !== user && isUsed(one));
    const own = `${user.split("/", 1)[0] ?? ""}/${name}`;
    if (owned.length < 2 || owned.includes(own)) return owned.includes(own) ? own : (owned[0] ?? name);
    const trusted = owned.filter(isTrusted);
    return trusted.length === 1 ? (trusted[0] ?? name) : name;
  }
}

// A definition with other names for the tools that it uses.

export function withToolNames(definition: ToolDefinition, nameOf: (name: string) => string): ToolDefinition {
  const renamed = (tool: Spanned<string>): Spanned<string> => ({ ...tool, value: nameOf(tool.value) });
  const action = (one: StepAction): StepAction => (one.kind === "tool" ? { ...one, tool: renamed(one.tool) } : one);
  const step = (one: Step): Step => ({
    ...one,
    action: action(one.action),
    ...(one.fallback && { fallback: action(one.fallback) }),
  });
  const depends = definition.depends.map((one) => ({ ...one, tool: nameOf(one.tool) }));
  if (definition.kind === "alias" || definition.kind === "wrapped")
    return { ...definition, depends, base: renamed(definition.base) };
  return definition.kind === "steps"
    ? { ...definition, depends, steps: definition.steps.map(step), cleanup: definition.cleanup.map(step) }
    : { ...definition, depends };
}
