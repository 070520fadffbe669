// The tools as `list`, search and completion see them: from the catalogue's summaries, without reading a definition.
import { sep } from "node:path";
import type { Catalogue } from "../catalog/catalogue.ts";
import { distrustOf } from "../catalog/trust.ts";
import { raisedEffects } from "../builder/effects.ts";
import type { UnreadableFile } from "../catalog/discover.ts";
import { shownPathIn } from "../catalog/tool-folders.ts";
import type { CatalogueEntry, DefinitionSummary, DefinitionPlace } from "../catalog/entry.ts";
import type { Effect, Origin } from "../tool/definition.ts";
import type { Platform } from "../tool/command.ts";
import type { Tool } from "../tool/tool.ts";
import { isRemoteName, remoteEffects } from "../tool/remote-name.ts";
import { firstSentence } from "../text/first-sentence.ts";
import { type BaseToolSummary, baseToolSummaries } from "../../generated/base-tools.ts";
import type { OpenedSession } from "./assemble.ts";
import { isWholly, type UntrustedFolder, untrustedFolders } from "./untrusted-folders.ts";

export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly origin: DefinitionPlace["scope"] | "plugin" | "mcp" | "forged";
  /** `path:line`; empty for base tools. */
  readonly place: string;
  /** Empty: unknown. */
  readonly effects: readonly Effect[];
  readonly tags: readonly string[];
  readonly keywords: readonly string[];
  readonly category?: string;
  readonly isDeprecated: boolean;
  /** Present if its folder is not trusted, so it does not run. */
  readonly isTrusted?: false;
  /** Present if its texts have changed since they were trusted, and are still shown as they were. */
  readonly hasNewTexts?: true;
  /** Why it cannot run here. */
  readonly unavailable: readonly string[];
}

export interface ToolSurvey {
  /** The tools that a call reaches, sorted by name. */
  readonly listed: readonly ListedTool[];
  readonly unused: readonly UnusedDefinition[];
  readonly untrusted: readonly UntrustedFolder[];
}

export async function surveyTools(opened: OpenedSession): Promise<ToolSurvey> {
  await opened.loadPlugins();
  const listed: ListedTool[] = [];
  const unused: UnusedDefinition[] = [];
  const look = openLook(opened);
  for (const base of look.baseTools.values())
    if (!look.catalogue.entry(base.name))
      listed.push({ ...base, origin: "base", place: "", isDeprecated: false, unavailable: [] });
  for (const tool of opened.pluginTools()) listed.push(ofTool(tool, look));
  for (const entry of look.catalogue.entries) {
    if (entry.resolution.kind === "other-platform") continue;
    const reason = reasonOf(entry) ?? baseFault(entry, look);
    if (reason === undefined) listed.push(ofEntry(entry, effectsOf(entry, look), look));
    else unused.push({ name: entry.name, place: `${entry.path}:${entry.line}`, reason });
  }
  unused.push(...look.catalogue.unreadable.map(ofFile));
  unused.push(...opened.unusedPluginTools().map(({ name, place, reason }) => ({ name, place, reason })));
  return { listed: listed.sort((a, b) => (a.name < b.name ? -1 : 1)), unused, untrusted: look.untrusted };
}

/** One that a call reaches. */
export function listedTool(name: string, tool: Tool, opened: OpenedSession): ListedTool {
  const entry = opened.catalogue().entry(name);
  const look = openLook(opened);
  return entry ? ofEntry(entry, tool.effects, look) : ofTool(tool, look);
}

/** A definition that no call reaches, and why. */
export interface UnusedDefinition {
  readonly name: string;
  readonly place: string;
  readonly reason: string;
}

function ofFile({ name, path, folder, diagnostic: { message } }: UnreadableFile): UnusedDefinition {
  const place = shownPathIn(folder, path);
  return { name, place, reason: `it ${message.slice(place.length + "`` ".length)}` };
}

function reasonOf({ resolution, errorCount }: CatalogueEntry): string | undefined {
  switch (resolution.kind) {
    case "used":
    case "other-platform":
      return undefined;
    case "broken":
      return `it has ${errorCount === 1 ? "an error" : `${errorCount} errors`}; \`dottool check\` shows ${errorCount === 1 ? "it" : "them"}`;
    case "shadowed":
      return `shadowed by ${placeText(resolution.by)}`;
    case "duplicate":
      return `${placeText(resolution.of)} already has this name`;
    case "refused":
      return `an untrusted project must not take the name of ${placeText(resolution.by)}`;
    case "reserved":
      return "the name is reserved for a tool that ends an agent's turn; choose another name";
  }
}

/** Returns why a definition without errors of its own cannot be built, as the builder would, from names only. */
function baseFault(entry: CatalogueEntry, look: Look, above: readonly string[] = []): string | undefined {
  for (const name of entry.standsOn ?? []) {
    if (name !== entry.name && look.sound.has(name)) continue;
    const fault = faultOf(name, { entry, chain: [...above, entry.name] }, look);
    if (fault !== undefined) return fault;
    // A dependency of the same name is another tool.
    if (name !== entry.name) look.sound.add(name);
  }
  return undefined;
}

function faultOf(
  name: string,
  { entry, chain }: { readonly entry: CatalogueEntry; readonly chain: readonly string[] },
  look: Look,
): string | undefined {
  const next = name === entry.name ? undefined : look.catalogue.entry(name);
  if (next?.resolution.kind !== "used") {
    if (isRemoteName(name) || hasOther(name, look)) return undefined;
    if (name === entry.name) return `it wraps itself: ${chainText([...chain, name])}`;
    const fault = next ? `\`${name}\` has errors, so no other tool can use it` : `there is no tool \`${name}\` to wrap`;
    return chain.length === 1 ? fault : `${chainText([...chain, name])}: ${fault}`;
  }
  if (chain.includes(name)) return `these tools wrap each other in a circle: ${chainText([...chain, name])}`;
  return baseFault(next, look, chain);
}

function chainText(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(" > ");
}

export function placeText(place: DefinitionPlace): string {
  return place.scope === "base" ? "a base tool" : `\`${place.path}:${place.line}\``;
}

function effectsOf(entry: CatalogueEntry, { catalogue, baseTools, pluginTools }: Look): readonly Effect[] {
  if (entry.inheritsFrom === undefined) return entry.effects;
  return catalogue.effectsOf(entry, (name) =>
    isRemoteName(name) ? remoteEffects : (baseTools.get(name) ?? pluginTools.get(name))?.effects,
  );
}

function ofEntry(entry: CatalogueEntry, known: readonly Effect[], look: Look): ListedTool {
  const { name, title, summary, scope, path, line, tags, keywords, category, isDeprecated } = entry;
  const isUntrusted = look.isUntrusted(entry);
  // The author's claims about its programs do not count then.
  const isReviewed = !isUntrusted && isApproved(entry, look);
  const effects = !isReviewed && known.length > 0 && startsProgram(entry, look) ? raisedEffects(known, ["run"]) : known;
  const listed = {
    name,
    title,
    summary,
    origin: scope,
    place: `${path}:${line}`,
    effects,
    tags,
    keywords,
    isDeprecated: isDeprecated ?? false,
    unavailable: unavailableHere(entry, look),
    ...(isUntrusted ? { isTrusted: false as const } : {}),
    ...(look.catalogue.contentOf(name)?.trustedSha256 === undefined ? {} : { hasNewTexts: true as const }),
  };
  return category === undefined ? listed : { ...listed, category };
}

/** Returns whether persons have approved the packages that it is from and stands on. */
function isApproved({ name, standsOn = [] }: CatalogueEntry, look: Look, above: readonly string[] = []): boolean {
  if (look.catalogue.contentOf(name)?.folder.package?.isApproved === false) return false;
  return standsOn.every((below) => {
    const entry = below === name || above.includes(below) ? undefined : look.catalogue.entry(below);
    return !entry || isApproved(entry, look, [...above, name]);
  });
}

/** Returns whether it or a dependency that does not come with dottool starts a program. */
function startsProgram({ name, standsOn = [] }: CatalogueEntry, look: Look, above: readonly string[] = []): boolean {
  return standsOn.some((below) => {
    const entry = below === name || above.includes(below) ? undefined : look.catalogue.entry(below);
    if (!entry) return below === "run_command" || look.pluginTools.has(below);
    return entry.scope !== "builtin" && startsProgram(entry, look, [...above, name]);
  });
}

function ofTool(tool: Tool, look: Look): ListedTool {
  const { name, title, description, origin, tags, keywords, category, deprecated } = tool.definition;
  return {
    name: name.value,
    title,
    summary: firstSentence(description),
    ...(isRemoteName(tool.definition.name.value) ? { origin: "mcp", place: "" } : originOf(origin)),
    effects: tool.effects,
    tags,
    keywords,
    ...(category === undefined ? {} : { category }),
    isDeprecated: deprecated !== undefined,
    unavailable: unavailableHere(
      { ...tool.definition, dependsOn: tool.definition.depends.map((one) => one.tool) },
      look,
    ),
  };
}

function originOf(origin: Origin): Pick<ListedTool, "origin" | "place"> {
  switch (origin.kind) {
    case "base":
      return { origin: "base", place: "" };
    case "plugin":
      return { origin: "plugin", place: origin.path };
    case "forged":
      return { origin: "forged", place: "" };
    case "file":
      return { origin: origin.scope, place: origin.source.path };
  }
}

/** The machine and the catalogue. */
interface Look {
  readonly platform: Platform;
  readonly catalogue: Catalogue;
  readonly untrusted: readonly UntrustedFolder[];
  isUntrusted(entry: CatalogueEntry): boolean;
  hasProgram(program: string): boolean;
  /** The tools that definitions can be built on, as far as `baseFault` has checked. */
  readonly sound: Set<string>;
  readonly baseTools: ReadonlyMap<string, BaseToolSummary>;
  readonly pluginTools: ReadonlyMap<string, Tool>;
}

function openLook(opened: OpenedSession): Look {
  const { host } = opened;
  const untrusted = untrustedFolders(opened);
  const known = new Map<string, boolean>();
  const path = host.environment("PATH") ?? "";
  return {
    platform: host.platform,
    catalogue: opened.catalogue(),
    untrusted,
    isUntrusted: (entry) => {
      const folder = untrusted.find(({ shownPath }) => entry.path.startsWith(shownPath + sep));
      if (!folder || isWholly(folder)) return folder !== undefined;
      const content = opened.catalogue().contentOf(entry.name);
      return content === undefined || distrustOf(content, host, folder.state) !== undefined;
    },
    hasProgram: (program) => {
      const answer = known.get(program) ?? host.processes.find(program, path) !== undefined;
      known.set(program, answer);
      return answer;
    },
    sound: new Set(),
    baseTools: new Map(baseToolSummaries.map((base) => [base.name, base])),
    pluginTools: new Map(opened.pluginTools().map((tool) => [tool.definition.name.value, tool])),
  };
}

function hasTool(name: string, look: Look): boolean {
  const entry = look.catalogue.entry(name);
  return entry?.resolution.kind === "used" ? baseFault(entry, look) === undefined : hasOther(name, look);
}

/** Returns whether a tool made in TypeScript has the name. */
function hasOther(name: string, { baseTools, pluginTools }: Look): boolean {
  return baseTools.has(name) || pluginTools.has(name);
}

const none: readonly string[] = [];

type Needs = Pick<DefinitionSummary, "platforms" | "requires" | "dependsOn">;

// Versions are not compared here: asking a program for its version runs it, and a person who lists tools has not agreed
// to that.
function unavailableHere({ platforms, requires, dependsOn = [] }: Needs, look: Look): readonly string[] {
  const isOfThisPlatform = !platforms || platforms.includes(look.platform);
  if (
    isOfThisPlatform &&
    requires.every(({ program }) => look.hasProgram(program)) &&
    dependsOn.every((name) => hasTool(name, look))
  )
    return none;
  const otherPlatform = !isOfThisPlatform ? [`it only runs on ${platforms.join(", ")}; this is ${look.platform}`] : [];
  const programs = requires
    .filter(({ program }) => !look.hasProgram(program))
    .map(({ program }) => `it needs the program \`${program}\`, which is not on PATH`);
  const tools = dependsOn
    .filter((name) => !hasTool(name, look))
    .map((name) => `it depends on the tool \`${name}\`, which does not exist`);
  return [...otherPlatform, ...programs, ...tools];
}
