// The end of a call: the result must be data, in the shape that the definition promises with `@returns`.
import { typeText, valueText } from "../schema/describe.ts";
import type { Json } from "../schema/json.ts";
import { validateValue } from "../schema/validate.ts";
import type { Content, Outcome } from "../tool/call.ts";
import type { Returns } from "../tool/definition.ts";
import type { ArgumentIssue } from "../tool/failure.ts";

/**
 * Returns data, because a plugin may return anything. Throws for what JSON cannot hold, so that the tool is at fault
 * and not the code that prints it.
 */
export function asData(outcome: Outcome): Outcome {
  return {
    ...outcome,
    content: outcome.content.map((item) => (item.type === "json" ? { ...item, value: plainValue(item.value) } : item)),
  };
}

/** Returns a copy through JSON. Throws for what `JSON.stringify` would drop or change. */
export function plainValue(value: unknown): Json {
  const text = JSON.stringify(value, (name, item: unknown) => {
    const odd = oddKind(item);
    if (odd !== undefined)
      throw new TypeError(`it returned ${odd}${name === "" ? "" : ` as \`${name}\``}, which JSON cannot represent`);
    return item;
  });
  if (text === undefined) throw new TypeError("it returned a value that JSON cannot represent");
  return JSON.parse(text) as Json;
}

function oddKind(item: unknown): string | undefined {
  if (typeof item === "bigint" || typeof item === "function" || typeof item === "symbol") return `a ${typeof item}`;
  if (typeof item === "number" && !Number.isFinite(item)) return String(item);
  if (typeof item !== "object" || item === null || Array.isArray(item)) return undefined;
  // A Map, a Set, a promise and the like would become `{}`, and bytes an object of numbers.
  const prototype: unknown = Object.getPrototypeOf(item);
  const isOdd =
    ArrayBuffer.isView(item) ||
    (prototype !== null && prototype !== Object.prototype && Object.keys(item).length === 0);
  return isOdd ? `a ${Object.prototype.toString.call(item).slice("[object ".length, -1)}` : undefined;
}

interface Promiser {
  readonly tool: string;
  readonly isFromFile: boolean;
}

const FIX_IT = "the call is fine; fix `@returns` in the definition, or what it runs";

/** Checks a result. If a value other than `string` is promised, a text result becomes the value of its JSON. */
export function asPromised(outcome: Outcome, returns: Returns, { tool, isFromFile }: Promiser): Outcome {
  if (outcome.status === "failed") return outcome;
  const found = resultIn(outcome.content, returns);
  const checked = "issue" in found ? { issues: [found.issue] } : validateValue(returns.schema, found.value, PATH);
  if (checked.issues.length > 0)
    return {
      ...outcome,
      status: "failed",
      failure: { kind: "wrong-result", tool, issues: checked.issues, ...(isFromFile ? { help: [FIX_IT] } : {}) },
    };
  if (returns.schema.type === "string" || "issue" in found || !("value" in checked) || checked.value === undefined)
    return outcome;
  const { value } = checked;
  return {
    ...outcome,
    content: outcome.content.map((item) =>
      item === found.item ? { ...(item.type === "json" ? item : { type: "json" as const }), value } : item,
    ),
  };
}

const PATH = "result";

const nameOfKind: Readonly<Record<Exclude<Content["type"], "text">, string>> = {
  json: "JSON",
  image: "an image",
  audio: "audio",
  resource: "a resource",
  file: "bytes that are not text",
};

type Found = { readonly item: Content; readonly value: Json } | { readonly issue: ArgumentIssue };

/** Returns the JSON item, or else the first text, which is the standard output of a process. */
function resultIn(content: readonly Content[], { schema }: Returns): Found {
  const wrong = (got: string): Found => ({
    issue: { path: PATH, message: `expected ${typeText(schema)}, got ${got}` },
  });
  const json = content.find((item) => item.type === "json");
  if (json) return { item: json, value: json.value };
  const [item] = content;
  if (item === undefined) return wrong("nothing");
  if (item.type !== "text") return wrong(nameOfKind[item.type]);
  if (schema.type === "string") return { item, value: item.text.replace(/\r?\n$/, "") };
  if (item.text.trim() === "") return wrong("no text");
  try {
    return { item, value: JSON.parse(item.text) as Json };
  } catch {
    return wrong(`text that is not JSON, ${valueText(item.text).replace(/^the string /, "")}`);
  }
}
