// The tools there are, as `list`, search and completion see them: from the catalogue's summaries, which reads no definition.
import type { CatalogueEntry, Place } from "../catalog/entry.ts";
import type { Effect, Origin, Requirement } from "../tool/definition.ts";
import type { Platform } from "../tool/command.ts";
import type { Tool } from "../tool/tool.ts";
import { firstSentence } from "./layout.ts";
import type { OpenedSession } from "./open-session.ts";

export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly summary: string;
  readonly origin: Place["scope"] | "plugin";
  /** `path:line`; empty for base tools. */
  readonly place: string;
  /** Empty: unknown. */
  readonly effects: readonly Effect[];
  readonly tags: readonly string[];
  readonly keywords: readonly string[];
  readonly category?: string;
  readonly isDeprecated: boolean;
  /** Why it cannot run here. */
  readonly unavailable: readonly string[];
}

/** Sorted by name; only those that a call reaches. */
export async function listedTools(opened: OpenedSession): Promise<readonly ListedTool[]> {
  const { registry } = opened.session;
  await registry.complete();
  const catalogue = opened.catalogue();
  const listed: ListedTool[] = [];
  const finder = programFinder(opened);
  for (const name of registry.names()) {
    const entry = catalogue.entry(name);
    // Building a tool reads its whole definition, so only tools without one are built here.
    const tool = entry ? undefined : registry.find(name);
    if (entry && entry.standing.kind === "used") listed.push(ofEntry(entry, effectsOf(entry, opened), finder));
    else if (tool) listed.push(ofTool(tool, finder));
  }
  return listed;
}

/** One that a call reaches. */
export function listedTool(name: string, tool: Tool, opened: OpenedSession): ListedTool {
  const entry = opened.catalogue().entry(name);
  return entry ? ofEntry(entry, tool.effects, programFinder(opened)) : ofTool(tool, programFinder(opened));
}

/** A definition that no call reaches, and why. */
export interface UnusedDefinition {
  readonly name: string;
  readonly place: string;
  readonly reason: string;
}

export function unusedDefinitions(entries: readonly CatalogueEntry[]): readonly UnusedDefinition[] {
  return entries.flatMap((entry) => {
    const reason = reasonOf(entry);
    return reason === undefined ? [] : [{ name: entry.name, place: `${entry.path}:${entry.line}`, reason }];
  });
}

function reasonOf({ standing, errorCount }: CatalogueEntry): string | undefined {
  switch (standing.kind) {
    case "used":
      return undefined;
    case "broken":
      return `it has ${errorCount === 1 ? "an error" : `${errorCount} errors`}; \`dottool check\` shows ${errorCount === 1 ? "it" : "them"}`;
    case "shadowed":
      return `${placeText(standing.by)} is nearer`;
    case "duplicate":
      return `${placeText(standing.of)} has the name already`;
    case "refused":
      return `a project may not take the name of ${placeText(standing.by)}; give it another name`;
    case "reserved":
      return "the name belongs to a tool that ends an agent's turn; give it another name";
  }
}

export function placeText(place: Place): string {
  return place.scope === "base" ? "a base tool" : `\`${place.path}:${place.line}\``;
}

function effectsOf(entry: CatalogueEntry, opened: OpenedSession): readonly Effect[] {
  return opened.catalogue().effectsOf(entry, (base) => opened.session.registry.find(base)?.effects);
}

function ofEntry(entry: CatalogueEntry, effects: readonly Effect[], finder: ProgramFinder): ListedTool {
  const { name, title, summary, scope, path, line, tags, keywords, category, isDeprecated } = entry;
  return {
    name,
    title,
    summary,
    origin: scope,
    place: `${path}:${line}`,
    effects,
    tags,
    keywords,
    ...(category === undefined ? {} : { category }),
    isDeprecated: isDeprecated ?? false,
    unavailable: unavailableHere(entry, finder),
  };
}

function ofTool(tool: Tool, finder: ProgramFinder): ListedTool {
  const { name, title, description, origin, tags, keywords, category, deprecated } = tool.definition;
  return {
    name: name.value,
    title,
    summary: firstSentence(description),
    ...originOf(origin),
    effects: tool.effects,
    tags,
    keywords,
    ...(category === undefined ? {} : { category }),
    isDeprecated: deprecated !== undefined,
    unavailable: unavailableHere(tool.definition, finder),
  };
}

function originOf(origin: Origin): Pick<ListedTool, "origin" | "place"> {
  switch (origin.kind) {
    case "base":
      return { origin: "base", place: "" };
    case "plugin":
      return { origin: "plugin", place: origin.path };
    case "file":
      return { origin: origin.scope, place: origin.source.path };
  }
}

interface ProgramFinder {
  readonly platform: Platform;
  has(program: string): boolean;
}

function programFinder({ host }: OpenedSession): ProgramFinder {
  const known = new Map<string, boolean>();
  const path = host.environment("PATH") ?? "";
  return {
    platform: host.platform,
    has: (program) => {
      const answer = known.get(program) ?? host.processes.find(program, path) !== undefined;
      known.set(program, answer);
      return answer;
    },
  };
}

// Versions are not compared here: asking a program for its version runs it, and whoever lists tools has not agreed to that.
function unavailableHere(of: { readonly platforms?: readonly Platform[]; readonly requires: readonly Requirement[] }, finder: ProgramFinder): readonly string[] {
  const missing = of.requires.filter(({ program }) => !finder.has(program)).map(({ program }) => `it needs the program \`${program}\`, which is not on PATH`);
  if (!of.platforms || of.platforms.includes(finder.platform)) return missing;
  return [`it is for ${of.platforms.join(", ")}; this is ${finder.platform}`, ...missing];
}
