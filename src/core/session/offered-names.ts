// The tools that clients of `dottool mcp` and the model of `dottool agent` are offered: one's own, or those that come
// with dottool where there are none; what `--only`, `--except` and `--bundled` choose of them.
import { sep } from "node:path";
import { projectRootOf } from "../catalog/trust.ts";
import { trustLine } from "../catalog/untrusted.ts";
import { printable } from "../text/display.ts";
import { inOwnName } from "../text/program-name.ts";
import { loopBreakingNames, readsOnName, unofferedNames } from "../tool/base-tool-names.ts";
import { reachableTools } from "../catalog/reachable-tools.ts";
import { apiName } from "../tool/api-name.ts";
import type { Policy } from "../policy/policy.ts";
import type { Session } from "../run/session.ts";
import type { Effect } from "../tool/definition.ts";
import { didYouMean } from "../text/suggest.ts";
import { type ListedTool, surveyTools } from "./listed-tool.ts";
import type { OpenedSession } from "./assemble.ts";
import { forgeNames } from "../tool/forge-judge.ts";

/** Words that are names, tags or effects. */
export interface OfferChoice {
  readonly only: readonly string[];
  readonly except: readonly string[];
  readonly isBundled: boolean;
}

export interface OfferedNames {
  /** One's own tools first. Those of untrusted folders are among them: they are offered once they are trusted. */
  readonly names: readonly string[];
  /** How many of them are one's own. */
  readonly ownCount: number;
  /** How many come with dottool, besides the one that reads on in long results. */
  readonly otherCount: number;
  /** How many of one's own await trust. */
  readonly untrustedCount: number;
  /** The commands by which a person trusts them. */
  readonly trustLines: readonly string[];
  /** The files of those that were trusted and have changed since, as paths in their folder. */
  readonly changedFiles: readonly string[];
  /** How many tools that come with dottool are left out. */
  readonly bundledLeftOut: number;
  /** Sentences about tools that were named and cannot run here. */
  readonly unable: readonly string[];
  /** What is wrong with the choice: a word that means no tool. */
  readonly problem?: string;
}

const effects: readonly string[] = ["read", "write", "run", "network"] satisfies readonly Effect[];

export async function offeredNames(opened: OpenedSession, choice: OfferChoice): Promise<OfferedNames> {
  const { session } = opened;
  const { frontEnd = "person" } = session;
  const policy = (await session.guard?.current())?.policy;
  const { listed } = await surveyTools(opened);
  const isDenied = (tool: ListedTool): boolean =>
    policy?.denies(reachableTools(tool.name, opened.catalogue()).names, tool.effects, frontEnd) === true;
  const known = listed.filter(({ name }) => !unofferedNames.includes(name) && !loopBreakingNames.includes(name));
  const pool = known.filter((tool) => tool.unavailable.length === 0 && !isDenied(tool));
  const own = pool.filter(isOwn);
  const bundled = pool.filter((tool) => !isOwn(tool));
  const isOwnEnough = !choice.isBundled && own.some(({ isTrusted }) => isTrusted !== false);
  const offered = withoutDuplicates(isOwnEnough ? own : [...own, ...bundled], opened);
  const chosen = (
    choice.only.length === 0 ? offered : pool.filter((tool) => isChosen(tool, choice.only, offered))
  ).filter((tool) => !choice.except.some((word) => isNamed(tool, word) || hasTag(tool, word) || mayHave(tool, word)));
  const untrusted = own.filter(({ isTrusted }) => isTrusted === false);
  const problem = unknownWord(choice, known);
  const names = [...chosen.map(({ name }) => name), ...forgingNames(session, choice, policy)];
  const readsOn = bundled.some(({ name }) => name === readsOnName) && !choice.except.includes(readsOnName);
  return {
    names: readsOn && names.length > 0 ? [...new Set([...names, readsOnName])] : names,
    ownCount: chosen.filter((tool) => isOwn(tool) && tool.isTrusted !== false).length,
    untrustedCount: untrusted.length,
    trustLines: [...new Set(untrusted.flatMap(({ name }) => trustLineOf(name, opened)))],
    changedFiles: untrusted.flatMap(({ name }) => changedFile(name, opened)),
    otherCount: chosen.filter((tool) => !isOwn(tool)).length,
    bundledLeftOut:
      isOwnEnough && choice.only.length === 0
        ? withoutDuplicates([...own, ...bundled], opened).filter((tool) => !isOwn(tool)).length
        : 0,
    unable: known
      .filter(({ name, unavailable }) => unavailable.length > 0 && choice.only.some((word) => isNamed({ name }, word)))
      .map(({ name, unavailable }) => `\`${name}\` is not offered: ${unavailable[0] ?? ""}`),
    ...(problem === undefined ? {} : { problem }),
  };
}

/** Returns the file of a tool if a person has trusted it before; the name of a new one could be a prompt for the model. */
function changedFile(name: string, { catalogue }: OpenedSession): readonly string[] {
  const content = catalogue().contentOf(name);
  const accepted = content && catalogue().trustOf(content.folder).part?.accepted;
  const path = content?.path.slice(projectRootOf(content.folder.path).length + 1).replaceAll(sep, "/");
  return path !== undefined && accepted && Object.hasOwn(accepted, path) ? [path] : [];
}

/** Returns nothing for a folder that is not a project's: it is not trusted by a command. */
function trustLineOf(name: string, { catalogue }: OpenedSession): readonly string[] {
  const folder = catalogue().contentOf(name)?.folder;
  return folder?.scope === "project" ? [`\`${printable(trustLine(projectRootOf(folder.path)))}\``] : [];
}

/** The tools that make tools: whoever allows them wants them offered, whatever else is chosen. */
function forgingNames(
  { registry, frontEnd = "person" }: Session,
  { except }: OfferChoice,
  policy: Policy | undefined,
): readonly string[] {
  return forgeNames.filter(
    (name) =>
      registry.find(name)?.definition.origin.kind === "base" &&
      !except.includes(name) &&
      policy?.denies(new Set([name]), ["read"], frontEnd) !== true,
  );
}

function isOwn({ origin }: ListedTool): boolean {
  return origin !== "base" && origin !== "builtin";
}

function isChosen(tool: ListedTool, words: readonly string[], offered: readonly ListedTool[]): boolean {
  if (words.some((word) => isNamed(tool, word))) return true;
  if (!offered.includes(tool)) return false;
  const meant = words.filter((word) => effects.includes(word));
  return (
    words.some((word) => hasTag(tool, word)) ||
    (tool.effects.length > 0 && tool.effects.every((effect) => meant.includes(effect)))
  );
}

function isNamed({ name }: Pick<ListedTool, "name">, word: string): boolean {
  return name === word || apiName(name) === word;
}

function hasTag({ tags }: ListedTool, word: string): boolean {
  return !effects.includes(word) && tags.includes(word);
}

/** Unknown effects may be any. */
function mayHave(tool: ListedTool, word: string): boolean {
  return effects.includes(word) && (tool.effects.length === 0 || tool.effects.some((effect) => effect === word));
}

/** A word may mean a tool that cannot run here: whoever wrote the words knows another machine. */
function unknownWord({ only, except }: OfferChoice, known: readonly ListedTool[]): string | undefined {
  const word = [...only, ...except].find(
    (one) => !effects.includes(one) && !known.some((tool) => isNamed(tool, one) || hasTag(tool, one)),
  );
  if (word === undefined) return undefined;
  const words = [...effects, ...known.map(({ name }) => name), ...known.flatMap(({ tags }) => tags)];
  return `no tool that can be offered has the name, tag or effect \`${word}\`${didYouMean(word, words)}`;
}

/** Offers a tool under one name: `read_file` and not `Read` beside it, but one's own alias and not its target. */
function withoutDuplicates(tools: readonly ListedTool[], { catalogue, session }: OpenedSession): readonly ListedTool[] {
  const bundled = new Set(tools.flatMap((tool) => (isOwn(tool) ? [] : [tool.name])));
  const duplicates = new Set<string>();
  for (const tool of tools) {
    const [target, ...others] = catalogue().entry(tool.name)?.standsOn ?? [];
    // Most stand on `run_command`, and none of these is an alias worth building them all.
    if (target === undefined || others.length > 0 || target === RUN_COMMAND || !bundled.has(target)) continue;
    const definition = session.registry.find(tool.name)?.definition;
    if (definition?.kind === "alias" && definition.defaults.length === 0)
      duplicates.add(isOwn(tool) ? target : tool.name);
  }
  return tools.filter(({ name }) => !duplicates.has(name));
}

const RUN_COMMAND = "run_command";

/** Says in a few lines what a model is offered, and what awaits a person. */
export function offerText(offered: OfferedNames): string {
  const { ownCount, otherCount, untrustedCount, trustLines, changedFiles, bundledLeftOut } = offered;
  const tools = (count: number): string => (count === 1 ? "1 tool" : `${count} tools`);
  return inOwnName(
    [
      ownCount + otherCount === 0
        ? "dottool offers no tools now."
        : ownCount === 0
          ? `dottool offers ${tools(otherCount)}: files, text, the web and commands of this machine.`
          : `dottool offers ${tools(ownCount)} that the people of this project defined${otherCount > 0 ? `, and ${tools(otherCount)} that come with it` : ""}.`,
      "Paths are relative to the project's folder. A call that is refused says which call would be accepted; a call that a person must allow says how.",
      ...(untrustedCount === 0
        ? []
        : [
            `${untrustedCount === 1 ? "1 more tool waits" : `${untrustedCount} more tools wait`} for a person to type ${trustLines.length === 0 ? "`dottool list`" : trustLines.join(" and ")} in a terminal${changedFiles.length === 0 ? "" : `; changed since they were trusted: ${changedFiles.join(", ")}`}.`,
          ]),
      ...(bundledLeftOut === 0
        ? []
        : [
            `${tools(bundledLeftOut)} that come with dottool can be called, too; \`dottool mcp --bundled\` lists them.`,
          ]),
    ].join("\n"),
  );
}
