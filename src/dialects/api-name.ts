// The name of a tool for model APIs, which take letters, digits, `_` and `-` alone: `owner/name` is `owner__name`
// there.

/**
 * The shortest of what the APIs take. OpenAI and Mistral: "a-z, A-Z, 0-9, or contain underscores and dashes, with a
 * maximum length of 64" (`FunctionDefinition.name` of the reference). Gemini: 64 on Vertex AI, 128 on its own API,
 * first a letter or `_`. Anthropic: 128. MCP: 128. Ollama says nothing.
 */
export const API_NAME_CHARACTERS_MAX = 64;

/**
 * Depends on the name alone, so that a tool keeps it whatever tools there are beside it. Two names never come to the
 * same one by their parts: where `__` is not certain to be the slash, or the whole is too long, a sum of the name ends
 * it.
 */
export function apiName(name: string): string {
  const slash = name.indexOf("/");
  const plain = name.replaceAll("/", "__");
  const isCertain =
    slash === -1 ? !/[^_]__+[^_]/.test(name) : plain.indexOf("__") === slash && plain.lastIndexOf("__") === slash;
  if (isCertain && plain.length <= API_NAME_CHARACTERS_MAX) return plain;
  const sum = checksum(name);
  return `${plain.slice(0, API_NAME_CHARACTERS_MAX - sum.length - 1)}_${sum}`;
}

/**
 * The tool that a model means; undefined where no name comes to `wanted`. The name that the model was told of goes
 * first: in text that is the tool's own, so that `a__b` is no `a/b` there. The other one is understood too.
 */
export function toolOfApiName(wanted: string, names: readonly string[], isText = false): string | undefined {
  if (isText && names.includes(wanted)) return wanted;
  return names.find((name) => apiName(name) === wanted) ?? names.find((name) => name === wanted);
}

/** FNV-1a, 32 bits, 8 hexadecimal digits: tells names apart, and needs no module. */
function checksum(text: string): string {
  let sum = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) sum = Math.imul(sum ^ text.charCodeAt(index), 0x01000193);
  return (sum >>> 0).toString(16).padStart(8, "0");
}
