// What a model is told in an eval: the declarations of the project's tools, and of others that may distract it.
import { toldOf, type Offered } from "../agent/offered.ts";
import { textToolsPrompt } from "../dialects/text.ts";
import { toolOfApiName } from "../../core/tool/api-name.ts";
import type { Host } from "../../core/tool/host.ts";
import type { ProjectAsks } from "./project-asks.ts";

export const SYSTEM =
  "Do what the person asks with the tools that you are given: call the tool that fits, with the arguments that the person means. If no tool fits, say so in words.";

export interface Told {
  readonly offered: Offered;
  /** Returns the tool's own name, or the name as it is. */
  nameOf(call: Parameters<Offered["find"]>[0]): string;
  /** The system prompt for a model whose API has no tools. */
  readonly textSystem: string;
  /** Of everything that is told besides the ask. */
  readonly sha256: string;
  /** What is said of each tool, by its name. */
  readonly words: ReadonlyMap<string, string>;
}

/** `distractors`: how many of the tools that come with dottool are told, too. */
export function toldTo({ tools, others }: ProjectAsks, distractors: number, host: Host): Told {
  const named = [...tools, ...others.slice(0, distractors)];
  const all = named.map(({ tool }) => tool);
  const told = toldOf(all);
  const byName = new Map(named.map(({ name, tool }) => [name, tool] as const));
  const nameOf: Told["nameOf"] = ({ name, isText }) => toolOfApiName(name, [...byName.keys()], isText) ?? name;
  return {
    offered: { tools: all, untrusted: [], told: () => told, find: (call) => byName.get(nameOf(call)) },
    nameOf,
    textSystem: `${SYSTEM}\n\n${textToolsPrompt(all)}`,
    sha256: host.sha256(JSON.stringify([SYSTEM, told.declarations])),
    words: new Map(
      named.map(({ name, tool: { definition, parameters } }) => [
        name,
        [name, definition.description, ...parameters.map((one) => `${one.name} ${one.description}`)].join(" "),
      ]),
    ),
  };
}
