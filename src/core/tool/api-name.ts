// The name of a tool for model APIs, which accept only letters, digits, `_` and `-`: `owner/name` is `owner__name`
// there, and `mcp:server/tool` is `mcp__server__tool`.
import { isRemoteName, remoteNameText } from "./remote-name.ts";
import { baseToolNames } from "./base-tool-names.ts";
import type { ToolResult } from "./call.ts";
import type { Failure } from "./failure.ts";

/**
 * The lowest limit of the APIs. OpenAI and Mistral: "a-z, A-Z, 0-9, or contain underscores and dashes, with a
 * maximum length of 64" (`FunctionDefinition.name` of the reference). Gemini: 64 on Vertex AI, 128 on its own API,
 * first a letter or `_`. Anthropic: 128. MCP: 128. Ollama says nothing.
 */
export const API_NAME_CHARACTERS_MAX = 64;

/**
 * Returns a name that depends only on the tool's name, whatever other tools there are. Two names never become the same:
 * if `__` may not be the slash, or the name is too long, it ends with a checksum.
 */
export function apiName(name: string): string {
  const slash = name.indexOf("/");
  const isRemote = isRemoteName(name);
  const plain = (isRemote ? name.replace(":", "__") : name).replaceAll("/", "__").replaceAll(/[^\w-]/g, "_");
  const isCertain = isRemote
    ? toolOfRemoteApiName(plain) === name
    : slash === -1
      ? !/[^_]__+[^_]/.test(name)
      : plain.indexOf("__") === slash && plain.lastIndexOf("__") === slash;
  if (isCertain && plain.length <= API_NAME_CHARACTERS_MAX) return plain;
  const sum = checksum(name);
  return `${plain.slice(0, API_NAME_CHARACTERS_MAX - sum.length - 1)}_${sum}`;
}

/** Returns the tool of an MCP server that an exported name means for certain; it need not exist. */
export function toolOfRemoteApiName(wanted: string): string | undefined {
  const [, server, tool] = /^mcp__([a-z0-9-]+(?:_[a-z0-9-]+)*)__([a-z0-9-]+(?:_[a-z0-9-]+)*)$/i.exec(wanted) ?? [];
  return server === undefined || tool === undefined ? undefined : remoteNameText({ server, tool });
}

/**
 * Returns the tool that a model means; undefined if no name matches `wanted`. The offered name comes first: in the text
 * form that is the tool's own, so that `a__b` does not mean `a/b` there. The other form is accepted too.
 */
export function toolOfApiName(wanted: string, names: readonly string[], isText = false): string | undefined {
  if (isText && names.includes(wanted)) return wanted;
  return names.find((name) => apiName(name) === wanted) ?? names.find((name) => name === wanted);
}

/** Returns FNV-1a, 32 bits, as 8 hexadecimal digits: enough to distinguish names, without another module. */
function checksum(text: string): string {
  let sum = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193);
  return (sum >>> 0).toString(16).padStart(8, "0");
}

// Picks one of several tools whose names differ only in style: `WebFetch` of a definition over the `web_fetch` that it
// wraps. Clients that make methods of names cannot distinguish them, and a model would have to guess.

/** Returns the picked names; the other tools can still be called. */
export function distinctNames(names: readonly string[]): readonly string[] {
  const baseNames = baseToolNames();
  const chosen = new Map<string, string>();
  for (const name of names) {
    const key = name.replaceAll(/[_-]/g, "").toLowerCase();
    const other = chosen.get(key);
    if (other === undefined || (baseNames.includes(other) && !baseNames.includes(name))) chosen.set(key, name);
  }
  return [...chosen.values()];
}

// Failures for a model of an API use the exported names of tools, because the model knows only these.

/** `named` is the name under which the called tool is offered, if it is another one. */
export function inApiNames(result: ToolResult, named?: string): ToolResult {
  return result.status === "ok" ? result : { ...result, failure: failureInApiNames(result.failure, named) };
}

/** Replaces names, except in command lines for a person, which use the tool's own name. */
export function failureInApiNames(failure: Failure, named?: string): Failure {
  if (failure.kind === "invalid-arguments") return { ...failure, tool: named ?? apiName(failure.tool) };
  if (failure.kind !== "unknown-tool") return failure;
  const { nearest, suggested, withheld, known } = failure;
  return {
    ...failure,
    nearest: nearest.map(apiName),
    ...(suggested ? { suggested: { ...suggested, tool: apiName(suggested.tool) } } : {}),
    ...(withheld ? { withheld: { ...withheld, tool: apiName(withheld.tool) } } : {}),
    ...(known ? { known: known.map(apiName) } : {}),
  };
}
