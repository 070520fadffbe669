// A plugin is third-party code: what it exports is unchecked until it has passed here. All of it is taken, or nothing.
import type { Parameter } from "../../core/schema/parameter.ts";
import { validateArguments } from "../../core/schema/validate.ts";
import type { PolicyRule } from "../../core/tool/policy-rule.ts";
import type { BaseTool } from "../../core/tool/tool.ts";
import { isFields as isRecord, namePattern, parameterFault } from "./check-parameter.ts";
import type { ForgeJudgeSpec } from "../../core/tool/forge-judge.ts";
import type { Plugin } from "./plugin.ts";
import type { PluginOffers } from "../../core/tool/plugin-offers.ts";

export interface CheckedContribution extends PluginOffers {
  readonly name: string;
  readonly tools: readonly BaseTool[];
  readonly toolFolders: readonly string[];
  readonly policyRules: readonly PolicyRule[];
  readonly forgeJudges: readonly ForgeJudgeSpec[];
}

interface Fault {
  /** The fault, as the end of a sentence that begins with the plugin. */
  readonly fault: string;
}

const effects = ["read", "write", "run", "network"];

export function checkPlugin(value: unknown): Plugin | Fault {
  if (value === undefined)
    return { fault: "it has no default export; end it with `export default definePlugin({ … })`" };
  if (!isRecord(value)) return { fault: "its default export is not a plugin; make it with `definePlugin`" };
  if (value["api"] !== 1)
    return { fault: `it is written for version ${String(value["api"])} of the plugin API; this dottool has version 1` };
  if (typeof value["name"] !== "string" || !namePattern.test(value["name"]))
    return { fault: "its `name` is missing; a name is letters, digits, `_` and `-`" };
  if (typeof value["contribute"] !== "function")
    return { fault: "it has no `contribute` function; make it with `definePlugin`" };
  return value as unknown as Plugin;
}

export function checkContribution(name: string, value: unknown): CheckedContribution | Fault {
  if (!isRecord(value)) return { fault: "`contribute` must return an object" };
  const { baseTools = [], toolFolders = [], policyRules = [], forgeJudges = [] } = value;
  if (!Array.isArray(baseTools) || !Array.isArray(toolFolders) || !Array.isArray(policyRules))
    return { fault: "its `baseTools`, `toolFolders` and `policyRules` must be arrays" };
  const tools: BaseTool[] = [];
  for (const tool of baseTools as readonly unknown[]) {
    const fault = toolFault(tool);
    if (fault !== undefined) return { fault };
    tools.push(tool as BaseTool);
  }
  const twice = tools.find(
    (tool, index) => tools.findIndex((other) => other.definition.name.value === tool.definition.name.value) < index,
  );
  if (twice) return { fault: `it has two tools called \`${twice.definition.name.value}\`` };
  if (!toolFolders.every((folder) => typeof folder === "string"))
    return { fault: "each of its `toolFolders` must be a path" };
  const rule = (policyRules as readonly unknown[]).find((candidate) => !isPolicyRule(candidate));
  if (rule !== undefined)
    return {
      fault:
        "each of its `policyRules` needs `name`, `decision` (allow, ask or deny), `reason` and a function `matches`",
    };
  const offers = checkOffers(value);
  if ("fault" in offers) return offers;
  const fault = forgeJudgeFault(forgeJudges);
  if (fault !== undefined) return { fault };
  return {
    name,
    tools,
    ...offers,
    toolFolders: toolFolders as readonly string[],
    policyRules: policyRules as readonly PolicyRule[],
    forgeJudges: forgeJudges as readonly ForgeJudgeSpec[],
  };
}

function toolFault(tool: unknown): string | undefined {
  const definition = isRecord(tool) ? tool["definition"] : undefined;
  if (!isRecord(tool) || !isRecord(definition) || !isRecord(definition["name"]))
    return "one of its `tools` is not a tool; make it with `defineTool`";
  const name = definition["name"]["value"];
  if (typeof name !== "string" || !namePattern.test(name))
    return `\`${String(name)}\` cannot be a tool name: it must be letters, digits, \`_\` and \`-\`, at most 64`;
  if (typeof definition["description"] !== "string" || definition["description"].trim() === "")
    return `its tool \`${name}\` has no \`description\``;
  if (typeof tool["execute"] !== "function") return `its tool \`${name}\` has no \`run\` function`;
  if (!Array.isArray(tool["effects"]) || !tool["effects"].every((effect) => effects.includes(effect as string)))
    return `the effects of its tool \`${name}\` must be some of ${effects.join(", ")}`;
  if (!Array.isArray(tool["parameters"])) return `the parameters of its tool \`${name}\` are missing`;
  const timeoutMs = isRecord(definition["limits"]) ? definition["limits"]["timeoutMs"] : undefined;
  if (timeoutMs !== undefined && !(Number.isFinite(timeoutMs) && Number(timeoutMs) > 0))
    return `the \`timeoutMs\` of its tool \`${name}\` must be a number above 0`;
  const parameters = tool["parameters"] as readonly unknown[];
  const fault =
    parameters.map((parameter) => parameterFault(parameter)).find((found) => found !== undefined) ??
    examplesFault(name, parameters as readonly Parameter[], definition["examples"]);
  return fault === undefined ? undefined : `its tool \`${name}\`: ${fault}`;
}

function examplesFault(owner: string, parameters: readonly Parameter[], examples: unknown): string | undefined {
  if (!Array.isArray(examples)) return "its `examples` must be an array";
  // An example need not have a value that comes from the environment.
  const needed = parameters.map((parameter) => ({
    ...parameter,
    required: parameter.required && parameter.environment === undefined,
  }));
  for (const example of examples as readonly unknown[]) {
    const issue = validateArguments(needed, example, { owner, environment: () => undefined, skipsSlowPatterns: true })
      .issues[0];
    if (issue)
      return `one of its examples does not fit: ${issue.path === "" ? "" : `\`${issue.path}\` `}${issue.message}`;
  }
  return undefined;
}

function isPolicyRule(value: unknown): value is PolicyRule {
  return (
    isRecord(value) &&
    typeof value["name"] === "string" &&
    ["allow", "ask", "deny"].includes(value["decision"] as string) &&
    typeof value["reason"] === "string" &&
    typeof value["matches"] === "function"
  );
}

function checkOffers(value: Readonly<Record<string, unknown>>): PluginOffers | Fault {
  const { prompts = [], resources = [], exporters = [], importers = [] } = value;
  if (!Array.isArray(prompts) || !Array.isArray(resources) || !Array.isArray(exporters) || !Array.isArray(importers))
    return { fault: "its `prompts`, `resources`, `exporters` and `importers` must be arrays" };
  const fault = [
    ...(prompts as readonly unknown[]).map(promptFault),
    ...(resources as readonly unknown[]).map(resourceFault),
    ...(exporters as readonly unknown[]).map(exporterFault),
    ...(importers as readonly unknown[]).map(importerFault),
  ].find((found) => found !== undefined);
  return fault === undefined ? { prompts, resources, exporters, importers } : { fault };
}

function exporterFault(exporter: unknown): string | undefined {
  const isSound =
    isRecord(exporter) &&
    typeof exporter["name"] === "string" &&
    namePattern.test(exporter["name"]) &&
    typeof exporter["does"] === "string" &&
    typeof exporter["files"] === "function";
  return isSound
    ? undefined
    : "each of its `exporters` needs a `name` of letters, digits, `_` and `-`, a text `does` and a function `files`";
}

function importerFault(importer: unknown): string | undefined {
  const isSound =
    isRecord(importer) &&
    typeof importer["name"] === "string" &&
    typeof importer["recognizes"] === "function" &&
    typeof importer["read"] === "function";
  return isSound ? undefined : "each of its `importers` needs a text `name` and the functions `recognizes` and `read`";
}

/** Returns what is wrong, in words. If nothing is, they are an array of `ForgeJudgeSpec`. */
function forgeJudgeFault(judges: unknown): string | undefined {
  const isJudge = (one: unknown): boolean =>
    isRecord(one) &&
    typeof one["name"] === "string" &&
    namePattern.test(one["name"]) &&
    typeof one["judge"] === "function";
  return Array.isArray(judges) && judges.every(isJudge)
    ? undefined
    : "its `forgeJudges` must be an array of `{name, judge}`: a name of letters, digits, `_` and `-`, and a function";
}

function promptFault(prompt: unknown): string | undefined {
  if (!isRecord(prompt) || typeof prompt["name"] !== "string" || !namePattern.test(prompt["name"]))
    return "each of its `prompts` needs a `name` of letters, digits, `_` and `-`, at most 64";
  const name = prompt["name"];
  if (typeof prompt["description"] !== "string") return `its prompt \`${name}\` has no \`description\``;
  if (typeof prompt["messages"] !== "function") return `its prompt \`${name}\` has no function \`messages\``;
  const given = prompt["arguments"] ?? [];
  const isArgument = (one: unknown): boolean =>
    isRecord(one) && typeof one["name"] === "string" && typeof one["description"] === "string";
  return Array.isArray(given) && given.every(isArgument)
    ? undefined
    : `each of the \`arguments\` of its prompt \`${name}\` needs \`name\` and \`description\``;
}

function resourceFault(resource: unknown): string | undefined {
  if (!isRecord(resource) || typeof resource["uri"] !== "string" || !/^[a-z][a-z0-9+.-]*:.+/i.test(resource["uri"]))
    return "each of its `resources` needs a `uri` such as `notes://today`";
  const uri = resource["uri"];
  if (uri.toLowerCase().startsWith("dottool:"))
    return `its resource \`${uri}\` uses the URI scheme that is reserved for dottool; use another scheme`;
  if (["name", "description", "mediaType"].some((field) => typeof resource[field] !== "string"))
    return `its resource \`${uri}\` needs \`name\`, \`description\` and \`mediaType\``;
  return typeof resource["read"] === "function" ? undefined : `its resource \`${uri}\` has no function \`read\``;
}
