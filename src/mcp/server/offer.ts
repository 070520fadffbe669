// What is offered to clients: the tools, prompts and resources of one snapshot of the folders. A change makes a new
// one, and calls that run stay with theirs. A tool is built when its page is requested: the first page of a thousand
// tools costs what it shows.
import { unofferedNames } from "../../base/base-tool-names.ts";
import { apiName } from "../../dialects/api-name.ts";
import { distinctNames } from "../../dialects/distinct-names.ts";
import { toMcpTool } from "../../dialects/mcp.ts";
import type { PluginOffers } from "../../plugins/prompt.ts";
import type { Session } from "../../run/session.ts";
import type { JsonObject } from "../../schema/json.ts";
import type { PreparedCall } from "../../tool/call.ts";
import { Recent } from "../../tool/recent.ts";
import type { Tool } from "../../tool/tool.ts";
import type { Mode, ModeTools } from "./modes.ts";
import type { OfferedPrompt } from "./offered-prompts.ts";

/** Where the tools come from. */
export interface McpSource {
  readonly session: Session;
  /** Once the registry is complete. */
  pluginOffers(): PluginOffers;
  /** What a call would ask models. */
  promptsIn(prepared: PreparedCall): readonly string[];
  /** As `Catalogue.contentKeyOf`, of the tool's own name. */
  contentKeyOf(name: string): string | undefined;
  /** Whether it may be nothing but prompts, as far as is known without building it. */
  mayBePrompt(name: string): boolean;
  /** Best match first. */
  search(
    query: string,
  ): Promise<readonly { readonly name: string; readonly title: string; readonly summary: string }[]>;
}

export interface OfferedTool {
  readonly tool: Tool;
  /** As `tools/list` shows it. */
  readonly shown: JsonObject;
}

export interface Offer {
  readonly session: Session;
  /**
   * The names of tools as clients use them, in order: of those that may be shown. Where two come to one name, the first
   * has it.
   */
  readonly names: readonly string[];
  /** Any tool that can be called, by the name that clients use. */
  find(name: string): Tool | undefined;
  /** Returns the tools of these names, except those with errors and untrusted ones. */
  shown(names: readonly string[]): Promise<readonly OfferedTool[]>;
  /**
   * Those of `names` that were not hidden when they were last asked for: trust comes and goes with the files, which
   * another offer is made of then.
   */
  told(): Promise<ReadonlySet<string>>;
  /** The same as long as `tools/list` shows the same for the name; undefined: not known. */
  contentKeyOf(name: string): string | undefined;
  /** What `tools/list` would show if the name were not hidden. */
  listed(name: string): JsonObject | undefined;
  /** What `tools/list` shows instead; empty: each tool by itself. */
  readonly instead: ModeTools;
  /** In the order of their names. */
  prompts(): Promise<readonly OfferedPrompt[]>;
  readonly resources: PluginOffers["resources"];
}

/** In memory as they are shown; others are made again. */
const LISTED_MAX = 1_000;

export async function makeOffer(source: McpSource, mode: Mode): Promise<Offer> {
  const { session } = source;
  const { registry } = session;
  await registry.complete();
  const own = new Map<string, string>();
  for (const name of registry.names())
    if (!unofferedNames.includes(name) && !own.has(apiName(name))) own.set(apiName(name), name);
  const find = (name: string): Tool | undefined => registry.find(own.get(name) ?? "");
  const kept = new Recent<string, OfferedTool>(LISTED_MAX);
  const show = (name: string): OfferedTool | undefined => {
    const known = kept.get(name);
    const tool = known ? undefined : find(name);
    if (!tool) return known;
    const offered = { tool, shown: toMcpTool(tool) };
    kept.set(name, offered);
    return offered;
  };
  /** By name: whether it was left out. */
  const hidden = new Map<string, boolean>();
  const look = async (wanted: readonly string[]): Promise<void> => {
    // Untrusted tools are not listed: their very texts may be prompts for the model. A call of one says what is
    // missing.
    const distrusted = await session.distrusted?.(wanted.map((name) => own.get(name) ?? name));
    for (const name of wanted) hidden.set(name, distrusted?.has(own.get(name) ?? name) === true);
  };
  const shown = async (wanted: readonly string[]): Promise<readonly OfferedTool[]> => {
    await look(wanted);
    return wanted.flatMap((name) => (hidden.get(name) ? [] : (show(name) ?? [])));
  };
  const names = distinctNames([...own.keys()]).toSorted();
  const told = async (): Promise<ReadonlySet<string>> => {
    await look(names.filter((name) => !hidden.has(name)));
    return new Set(names.filter((name) => !hidden.get(name)));
  };
  const ownName = (name: string): string => own.get(name) ?? name;
  const { prompts, resources } = source.pluginOffers();
  let offeredPrompts: Promise<readonly OfferedPrompt[]> | undefined;
  const loadPrompts = async (): Promise<readonly OfferedPrompt[]> => {
    const made = await import("./offered-prompts.ts");
    return made.offeredPrompts({
      named: (await shown(names.filter((name) => source.mayBePrompt(ownName(name))))).map(({ tool }) => [
        apiName(tool.definition.name.value),
        tool,
      ]),
      prompts,
      source,
    });
  };
  const offer = {
    session,
    names,
    find,
    shown,
    told,
    contentKeyOf: (name: string) => source.contentKeyOf(ownName(name)),
    listed: (name: string) => show(name)?.shown,
    prompts: () => (offeredPrompts ??= loadPrompts()),
    resources,
  };
  return mode === "full"
    ? { ...offer, instead: new Map() }
    : (await import("./modes.ts")).withMode(mode, offer, source);
}
