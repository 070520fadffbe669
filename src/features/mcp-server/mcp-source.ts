// A session as a source of tools for clients of MCP.
import type { McpSource } from "./offered.ts";
import { baseToolNames } from "../../core/tool/base-tool-names.ts";
import { apiName } from "../../core/tool/api-name.ts";
import type { OpenedSession } from "../../core/session/assemble.ts";
import type { OfferChoice } from "../../core/session/offered-names.ts";
import { promptsOf } from "../../core/session/prompts.ts";

/** `choice` says which tools clients are offered. */
export function mcpSource(opened: OpenedSession, choice: OfferChoice): McpSource {
  const { session, pluginOffers } = opened;
  return {
    session,
    offered: async () => {
      const { offeredNames, offerText } = await import("../../core/session/offered-names.ts");
      const offered = await offeredNames(opened, choice);
      const isAll = choice.only.length > 0 || choice.except.length > 0;
      return { names: offered.names, isAll, instructions: offerText(offered) };
    },
    pluginOffers,
    promptsIn: (prepared) => promptsOf(prepared, session).map(({ prompt }) => prompt),
    contentKeyOf: (name) => opened.catalogue().contentKeyOf(name),
    mayBePrompt: (name) => mayBePrompt(name, opened),
    search: async (query) => {
      const [{ surveyTools }, { searchTools }] = await Promise.all([
        import("../../core/session/listed-tool.ts"),
        import("../../core/session/search-tools.ts"),
      ]);
      return searchTools((await surveyTools(opened)).listed, query).map(({ name, title, summary }) => ({
        name: apiName(name),
        title,
        summary,
      }));
    },
  };
}

/** Returns whether no dependency rules it out; a tool without a definition is known only once it is built. */
function mayBePrompt(name: string, { catalogue }: OpenedSession): boolean {
  const names = new Set([name]);
  for (const one of names) {
    const entry = catalogue().entry(one);
    if (!entry && one !== name && one !== MODEL_TOOL && baseToolNames().includes(one)) return false;
    for (const below of entry?.standsOn ?? []) names.add(below);
  }
  return names.size > 1 || !baseToolNames().includes(name);
}

const MODEL_TOOL = "ask_model";
