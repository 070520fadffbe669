// The prompts, resources and judges of a plugin are unchecked until they have passed here.
import { isFields as isRecord, namePattern } from "./check-parameter.ts";
import type { PluginOffers, PromptSpec, ResourceSpec } from "./prompt.ts";

export function checkOffers(prompts: unknown, resources: unknown): PluginOffers | { readonly fault: string } {
  if (!Array.isArray(prompts) || !Array.isArray(resources))
    return { fault: "its `prompts` and `resources` must be arrays" };
  const fault = [
    ...(prompts as readonly unknown[]).map(promptFault),
    ...(resources as readonly unknown[]).map(resourceFault),
  ].find((found) => found !== undefined);
  return fault === undefined
    ? { prompts: prompts as readonly PromptSpec[], resources: resources as readonly ResourceSpec[] }
    : { fault };
}

/** Returns what is wrong, in words. If nothing is, they are an array of `ForgeJudgeSpec`. */
export function forgeJudgeFault(judges: unknown): string | undefined {
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
