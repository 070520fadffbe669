// Reads the lines of a conversation's file. The last line may be truncated if the program was killed while it wrote;
// then it is ignored.
import { isJsonObject, type Json, type JsonObject } from "../../core/schema/json.ts";
import { callsOf, type Entry } from "./entry.ts";

type ReadEntries =
  /** `wholeLength`: the length in characters, up to the end of the last complete line. */
  | { readonly entries: readonly Entry[]; readonly wholeLength: number }
  /** The problem is the end of a sentence. */
  | { readonly problem: string };

export function readEntries(text: string): ReadEntries {
  const wholeLength = text.lastIndexOf("\n") + 1;
  const entries: Entry[] = [];
  let open = new Set<string>();
  for (const [index, line] of text.slice(0, wholeLength).split("\n").slice(0, -1).entries()) {
    const entry = entryOf(line);
    if (entry === undefined || (index === 0) !== (entry.kind === "begin"))
      return { problem: `has a line ${index + 1} that is not an entry of a conversation` };
    const [unanswered] = open;
    if (entry.kind === "result" ? !open.delete(entry.id) : unanswered !== undefined)
      return {
        problem:
          entry.kind === "result"
            ? `has a result in line ${index + 1} without a call before it`
            : `has no result for the call \`${String(unanswered)}\` before line ${index + 1}`,
      };
    if (entry.kind === "reply") {
      const ids = callsOf(entry).map(({ id }) => id);
      open = new Set(ids);
      const twice = ids.find((id, at) => ids.indexOf(id) !== at);
      if (twice !== undefined) return { problem: `has two calls \`${twice}\` in line ${index + 1}` };
    }
    entries.push(entry);
  }
  return entries.length === 0 ? { problem: "is empty" } : { entries, wholeLength };
}

function entryOf(line: string): Entry | undefined {
  try {
    const json = JSON.parse(line) as Json;
    return isJsonObject(json) && typeof json["kind"] === "string" && FIELDS.get(json["kind"])?.(json)
      ? (json as unknown as Entry)
      : undefined;
  } catch {
    return undefined;
  }
}

const isText = (value: Json | undefined): boolean => typeof value === "string";
const isAbsentOr = (value: Json | undefined, wanted: Json): boolean => value === undefined || value === wanted;

/** The checks of the fields that the rest of the program relies on. */
const FIELDS: ReadonlyMap<string, (entry: JsonObject) => boolean> = new Map([
  [
    "begin",
    ({ version, id, at, cwd, model, only, system }: JsonObject) =>
      version === 1 && [id, at, cwd, model, system].every(isText) && Array.isArray(only) && only.every(isText),
  ],
  ["user", ({ text }: JsonObject) => isText(text)],
  [
    "reply",
    ({ model, parts, stop, tokens }: JsonObject) =>
      isText(model) &&
      ["done", "cut", "refused", "full"].includes(String(stop)) &&
      Array.isArray(parts) &&
      parts.every(isPart) &&
      (tokens === undefined || isTokens(tokens)),
  ],
  [
    "result",
    ({ id, name, text, images, isFailed }: JsonObject) =>
      [id, name, text].every(isText) &&
      isAbsentOr(isFailed, true) &&
      (images === undefined || (Array.isArray(images) && images.every(isImage))),
  ],
  ["end", ({ how }: JsonObject) => ["completed", "message", "question"].includes(String(how))],
]);

function isPart(part: Json): boolean {
  if (!isJsonObject(part) || (part["metadata"] !== undefined && !isJsonObject(part["metadata"]))) return false;
  if (!isAbsentOr(part["isText"], true) || (part["problem"] !== undefined && !isText(part["problem"]))) return false;
  return part["type"] === "call"
    ? [part["id"], part["name"], part["arguments"]].every(isText)
    : (part["type"] === "text" || part["type"] === "reasoning") && isText(part["text"]);
}

function isImage(image: Json): boolean {
  return isJsonObject(image) && isText(image["mediaType"]) && isText(image["base64"]);
}

function isTokens(tokens: Json): boolean {
  return (
    isJsonObject(tokens) &&
    ["input", "output", "cacheRead", "cacheWrite"].every((name) => typeof tokens[name] === "number")
  );
}
