// The tools that are offered to an agent's model, and how to find the tool for a name that the model writes.
import type { LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import { loopBreakingNames, readsOn, readsOnName } from "../../core/tool/base-tool-names.ts";
import { toolOfApiName } from "../../core/tool/api-name.ts";
import { describedFunction } from "../dialects/openai-chat.ts";
import { obstaclesTo } from "../../core/run/availability.ts";
import type { Session } from "../../core/run/session.ts";
import { argumentsSchema } from "../../core/schema/json-schema.ts";
import type { Tool } from "../../core/tool/tool.ts";
import type { CallPart, Entry } from "./entry.ts";

interface Told {
  readonly tools: readonly Tool[];
  readonly declarations: readonly LanguageModelV4FunctionTool[];
}

export interface Offered {
  readonly tools: readonly Tool[];
  /** Names of tools that are left out until a person trusts the folder that they are in. */
  readonly untrusted: readonly string[];
  /** Returns what is offered to a model after these entries. */
  told(entries: readonly Entry[]): Told;
  /** Finds a tool by the name that the model uses, or by its own. */
  find(call: Pick<CallPart, "name" | "isText">): Tool | undefined;
}

/** The tools that end the loop are always offered, and tools that cannot run here never. */
export async function offeredTools(wanted: readonly string[], session: Session): Promise<Offered> {
  await session.registry.complete();
  const names = [...new Set([...wanted, ...loopBreakingNames])].sort();
  const tools: Tool[] = [];
  const untrusted: string[] = [];
  const distrusted = await session.distrusted?.(names);
  for (const name of names) {
    const tool = session.registry.find(name);
    if (tool && distrusted?.has(name)) untrusted.push(name);
    else if (tool && (await obstaclesTo(tool.definition, session)).length === 0) tools.push(tool);
  }
  const byName = new Map(tools.map((tool) => [tool.definition.name.value, tool]));
  const told = toldOf(tools);
  const toldFirst = toldOf(toolsAfter([], tools));
  return {
    tools,
    untrusted,
    told: (entries) => (hasCut(entries) ? told : toldFirst),
    find: ({ name, isText }) => byName.get(toolOfApiName(name, [...byName.keys()], isText) ?? ""),
  };
}

/** Leaves out the tool that reads on in results until one was cut. */
export function toolsAfter(entries: readonly Entry[], tools: readonly Tool[]): readonly Tool[] {
  return hasCut(entries) ? tools : tools.filter((tool) => !readsOn(tool));
}

function hasCut(entries: readonly Entry[]): boolean {
  return entries.some((entry) => entry.kind === "result" && entry.text.includes(readsOnName));
}

export function toldOf(tools: readonly Tool[]): Told {
  return { tools, declarations: tools.map(declarationOf) };
}

/** Returns a declaration in the form with the narrowest limits, which every API accepts. */
function declarationOf(tool: Tool): LanguageModelV4FunctionTool {
  const { name, description, parameters } = describedFunction(
    tool,
    argumentsSchema(tool.parameters, tool.definition.schemaOmits),
  );
  return { type: "function", name, description, inputSchema: parameters as LanguageModelV4FunctionTool["inputSchema"] };
}
