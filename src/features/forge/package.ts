// A forged tool as a file that can be given to others. Nothing that it says about itself counts: whoever imports it
// tests it again.
import { isJsonObject, type Json, type JsonObject } from "../../core/schema/json.ts";
import { currentConfidence } from "./uses.ts";
import type { ForgedRecord } from "./record.ts";

const FORMAT = "dottool-forged-tool";
const VERSION = 1;
export const PACKAGE_BYTES_MAX = 1024 * 1024;

/** Returns the package, which ends with a line end. */
export function packageText(record: ForgedRecord): string {
  return `${JSON.stringify(
    {
      format: FORMAT,
      version: VERSION,
      name: record.name,
      warnings: warningsOf(record),
      text: record.text,
      verdict: { ...record.verdict } satisfies JsonObject,
      uses: { ...record.uses } satisfies JsonObject,
      forgedAt: record.forgedAt,
    },
    undefined,
    2,
  )}\n`;
}

function warningsOf(record: ForgedRecord): readonly string[] {
  const more = record.effects.filter((effect) => effect !== "read");
  return [
    "a model wrote this tool; read it before you use it",
    ...(record.effects.length === 0 ? ["its effects are not known"] : []),
    ...(more.length === 0 ? [] : [`it may ${more.join(" and ")}`]),
    ...(record.state === "active" ? [] : [`it is ${record.state}: ${record.why ?? ""}`]),
    ...(record.uses.failed === 0 ? [] : [`it failed ${record.uses.failed} times in use`]),
    `confidence ${currentConfidence(record)} where it was made, which says nothing elsewhere`,
  ];
}

/** Returns the definition in a package, or why there is none. */
export function textInPackage(text: string): { readonly text: string } | { readonly problem: string } {
  let read: Json;
  try {
    read = JSON.parse(text) as Json;
  } catch {
    return { problem: "it is not JSON" };
  }
  if (!isJsonObject(read) || read["format"] !== FORMAT) return { problem: "it is not a package of a forged tool" };
  if (read["version"] !== VERSION)
    return { problem: `it has the version ${JSON.stringify(read["version"])}, and this dottool reads ${VERSION}` };
  return typeof read["text"] === "string" ? { text: read["text"] } : { problem: "it has no text" };
}
