// For more tools than a model can choose from: it is offered the base tools, and one that finds the others. Tools that
// it has found or called are offered from then on. The entries of the conversation decide that, so a resumed
// conversation has the same tools.
import { apiName } from "../../core/tool/api-name.ts";
import { string } from "../../core/schema/declare.ts";
import { baseTool, okText } from "../../core/tool/base-tool.ts";
import type { Tool } from "../../core/tool/tool.ts";
import type { Entry } from "./entry.ts";
import { type Offered, toldOf, toolsAfter } from "./offered.ts";

export const SEARCH_TOOL = "search_tools";
const FOUND_MAX = 10;
/** Together with the base tools, this is below OpenAI's limit of 128. */
const TOLD_MAX = 100;

/** Returns the best match first. */
export type FindTools = (
  query: string,
) => Promise<readonly { readonly name: string; readonly title: string; readonly summary: string }[]>;

export function createSearchTool({ tools }: Offered, find: FindTools): Tool {
  const offered = new Set(tools.filter((tool) => !isAlwaysTold(tool)).map(nameOf));
  return baseTool({
    name: SEARCH_TOOL,
    title: "Search tools",
    description: `Find more tools by what they do. There are ${offered.size} besides those that you already have. Returns the best ${FOUND_MAX}, which you can call from your next reply on.`,
    parameters: {
      query: string("What the tool should do, in a few words", {
        required: true,
        minimumLength: 1,
        example: "count the lines of files",
      }),
    },
    effects: ["read"],
    execute: async ({ query }) => {
      const found = (await find(query)).filter(({ name }) => offered.has(name)).slice(0, FOUND_MAX);
      return okText(
        found.length === 0
          ? "no tool matches; try other words, or fewer"
          : found.map(({ name, title, summary }) => `${apiName(name)}: ${title}. ${summary}\n`).join(""),
      );
    },
  });
}

export function withSearch(offered: Offered, search: Tool): Offered {
  return {
    ...offered,
    find: (call) => (call.name === SEARCH_TOOL ? search : offered.find(call)),
    told: (entries) => {
      const found = new Set([...namesIn(entries)].slice(-TOLD_MAX).flatMap((name) => offered.find({ name }) ?? []));
      return toldOf([
        search,
        ...toolsAfter(entries, offered.tools).filter((tool) => isAlwaysTold(tool) || found.has(tool)),
      ]);
    },
  };
}

/** Returns the names that a search has found or that were called; the latest last. */
function namesIn(entries: readonly Entry[]): ReadonlySet<string> {
  const names = new Set<string>();
  for (const entry of entries) {
    if (entry.kind !== "result") continue;
    const found =
      entry.name === SEARCH_TOOL
        ? entry.text.split("\n").flatMap((line) => /^([^\s:]+): /.exec(line)?.[1] ?? [])
        : [entry.name];
    for (const name of found) {
      names.delete(name);
      names.add(name);
    }
  }
  return names;
}

function isAlwaysTold({ definition }: Tool): boolean {
  return definition.kind === "base" && definition.origin.kind === "base";
}

function nameOf({ definition }: Tool): string {
  return definition.name.value;
}
