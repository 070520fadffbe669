// The tools, prompts and resources offered to clients, from one snapshot of the folders. A change makes a new offer,
// and running calls stay with theirs. A tool is built when its page is requested, so the first page of a thousand tools
// costs only its own tools.
import type { OfferedTool, McpSource, Offer } from "./offered.ts";
import { unofferedNames } from "../../core/tool/base-tool-names.ts";
import { apiName, distinctNames } from "../../core/tool/api-name.ts";
import { toMcpTool } from "../dialects/mcp.ts";
import type { Session } from "../../core/run/session.ts";
import { Recent } from "../../core/tool/recent.ts";
import type { Tool } from "../../core/tool/tool.ts";
import type { Mode } from "./modes.ts";
import type { OfferedPrompt } from "./offered-prompts.ts";

/** The limit of listed tools in memory. Others are built again. */
const LISTED_MAX = 1_000;

export async function makeOffer(source: McpSource, mode: Mode): Promise<Offer> {
  const { registry } = source.session;
  await registry.complete();
  const offered = await source.offered();
  const callable = (name: string): boolean => !offered.isAll || offered.names.includes(name);
  const session: Session = { ...source.session, isOffered: (name) => offered.names.includes(name) };
  const own = new Map<string, string>();
  for (const name of [...offered.names, ...registry.names().filter(callable)])
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
  /** Whether each tool was hidden, by name. */
  const hidden = new Map<string, boolean>();
  const look = async (wanted: readonly string[]): Promise<void> => {
    // Untrusted tools are not listed, because even their texts may be prompts for the model. A call of one says what is
    // missing.
    const distrusted = await session.distrusted?.(wanted.map((name) => own.get(name) ?? name));
    for (const name of wanted) hidden.set(name, distrusted?.has(own.get(name) ?? name) === true);
  };
  const shown = async (wanted: readonly string[]): Promise<readonly OfferedTool[]> => {
    await look(wanted);
    return wanted.flatMap((name) => (hidden.get(name) ? [] : (show(name) ?? [])));
  };
  const names = distinctNames([...new Set(offered.names.map(apiName))]).toSorted();
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
    instructions: offered.instructions,
    names,
    find,
    shown,
    told,
    contentKeyOf: (name: string) => source.contentKeyOf(ownName(name)),
    listed: (name: string) => show(name)?.shown,
    prompts: () => (offeredPrompts ??= loadPrompts()),
    resources,
    app: source.app,
  };
  return offered.instead ? { ...offer, instead: offered.instead } : withMode(mode, offer, source);
}

async function withMode(mode: Mode, offer: Omit<Offer, "instead">, source: McpSource): Promise<Offer> {
  switch (mode) {
    case "full":
      return { ...offer, instead: new Map() };
    case "search":
      return { ...offer, instead: (await import("./search-mode.ts")).searchModeTools(offer, source) };
    case "code": {
      const { codeTool, codeModeTools } = await import("./code-mode.ts");
      const tool = codeTool((await offer.shown(offer.names)).map(({ tool: shown }) => shown));
      const { session } = offer;
      const registry = session.registry.extended([tool]).value ?? session.registry;
      return { ...offer, session: { ...session, registry }, instead: codeModeTools(tool) };
    }
  }
}
