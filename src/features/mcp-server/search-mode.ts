// Three tools instead of hundreds: a model searches for a tool, reads its parameters, and calls it.
import type { McpSource, Offer } from "./offered.ts";
import { isJsonObject, type JsonObject } from "../../core/schema/json.ts";
import { failureText } from "../../core/run/failure-text.ts";
import type { Failure } from "../../core/tool/failure.ts";
import { didYouMean } from "../../core/text/suggest.ts";
import type { ModeAnswer, ModeTool, ModeTools } from "./modes.ts";

const FOUND_MAX = 20;
const QUERY_EXAMPLE = "search for text in files";

export function searchModeTools({ session, names, find, shown }: Omit<Offer, "instead">, source: McpSource): ModeTools {
  const broken = async (name: unknown): Promise<Failure | undefined> =>
    typeof name === "string" && !find(name) ? session.broken?.(name) : undefined;
  const unknown = (name: unknown): ModeAnswer => ({
    text:
      typeof name === "string"
        ? `there is no tool \`${name}\`${didYouMean(name, names)}; \`search_tools\` finds the others`
        : "`name` must be the name of a tool, as `search_tools` returns it",
    isError: true,
  });
  const search: ModeTool = {
    shown: declared({
      name: "search_tools",
      title: "Search tools",
      description: `Find tools by what they do: best match first, at most ${FOUND_MAX}. There are ${names.length}. Returns the name, title and first sentence of each.`,
      properties: {
        query: { type: "string", description: "What the tool should do, in a few words", examples: [QUERY_EXAMPLE] },
      },
      isReading: true,
    }),
    answer: async ({ query }) => {
      if (typeof query !== "string" || query.trim() === "")
        return {
          text: `\`query\` must say what the tool should do, in a few words, such as ${JSON.stringify({ query: QUERY_EXAMPLE })}`,
          isError: true,
        };
      const matches = new Map((await source.search(query)).map((match) => [match.name, match]));
      const offered = await shown([...matches.keys()].filter((name) => names.includes(name)).slice(0, FOUND_MAX));
      const found = offered.flatMap((one) => matches.get(String(one.shown["name"])) ?? []);
      if (found.length === 0) return { text: `no tool matches ${JSON.stringify(query)}; try other words, or fewer` };
      return { text: found.map(({ name, title, summary }) => `${name}: ${title}. ${summary}`).join("\n") };
    },
  };
  const describe: ModeTool = {
    shown: declared({
      name: "describe_tool",
      title: "Describe a tool",
      description:
        "Show what a tool does and the JSON Schema of its arguments. Use it before the first call of a tool.",
      properties: { name: nameProperty },
      isReading: true,
    }),
    answer: async ({ name }) => {
      const [found] = typeof name === "string" ? await shown([name]) : [];
      if (found) return { text: JSON.stringify(found.shown) };
      const failure = await broken(name);
      return failure
        ? { text: failureText(failure, { audience: "model", tool: String(name) }), isError: true }
        : unknown(name);
    },
  };
  const call: ModeTool = {
    shown: declared({
      name: "call_tool",
      title: "Call a tool",
      description:
        "Call a tool that `search_tools` has found, with arguments that match the schema of `describe_tool`. Returns its result.",
      properties: { name: nameProperty, arguments: { type: "object", description: "The arguments of the tool" } },
      optional: ["arguments"],
    }),
    answer: async (given) => {
      const { name, arguments: args = {} } = given;
      const other = otherForm(given);
      if (other !== undefined) return { text: other, isError: true };
      return typeof name === "string" && (find(name) || (await broken(name)))
        ? { call: { tool: name, arguments: args } }
        : unknown(name);
    },
  };
  return new Map([search, describe, call].map((tool) => [String(tool.shown["name"]), tool]));
}

const NAME_KEYS = ["name", "tool", "tool_name", "toolName"];
const ARGUMENTS_KEYS = ["arguments", "args", "parameters", "params", "input"];

/**
 * Returns the answer to a call with other keys: what they mean is written down for the next call, and not run, because
 * a tool would otherwise run without what was meant for it.
 */
function otherForm(given: JsonObject): string | undefined {
  const others = Object.keys(given).filter((key) => key !== "name" && key !== "arguments" && key !== "_meta");
  if (others.length === 0) return undefined;
  const nameKey = NAME_KEYS.find((key) => typeof given[key] === "string");
  const argumentsKey = ARGUMENTS_KEYS.find((key) => isJsonObject(given[key]));
  const flat = others.filter((key) => key !== nameKey && key !== argumentsKey);
  const args = {
    ...(argumentsKey === undefined ? {} : (given[argumentsKey] as JsonObject)),
    ...Object.fromEntries(flat.map((key) => [key, given[key] ?? null])),
  };
  const meant =
    nameKey === undefined
      ? ""
      : `\n  = call it like this: ${JSON.stringify({ name: given[nameKey], arguments: args })}`;
  return `\`call_tool\` takes \`name\` and \`arguments\`, and nothing else; got ${others.map((key) => `\`${key}\``).join(", ")}, so nothing was run${meant}`;
}

const nameProperty = { type: "string", description: "The tool's name, as `search_tools` returns it" };

interface Declared {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly properties: JsonObject;
  readonly optional?: readonly string[];
  readonly isReading?: true;
}

function declared({ name, title, description, properties, optional = [], isReading }: Declared): JsonObject {
  const annotations = isReading
    ? { readOnlyHint: true, openWorldHint: false }
    : { readOnlyHint: false, destructiveHint: true, openWorldHint: true };
  return {
    name,
    title,
    description,
    inputSchema: {
      type: "object",
      properties,
      required: Object.keys(properties).filter((one) => !optional.includes(one)),
    },
    annotations: { title, ...annotations },
  };
}
