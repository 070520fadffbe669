// JSON that an author writes: parsed, or the place where it stops being JSON.
import { isJsonObject, type Json, type JsonObject } from "../schema/json.ts";
import type { DiagnosticCode } from "../text/codes.ts";
import type { Analysis } from "./analysis.ts";
import type { MappedText } from "./ast.ts";
import { matchRule, NESTING_MAX } from "./grammar.ts";

/** Undefined: reported already. */
export function readJson(mapped: MappedText, code: DiagnosticCode, analysis: Analysis): Json | undefined {
  // Ohm is asked only where JSON.parse refuses: it is slower, and says what was expected.
  const { part, problem } = parses(mapped.text) ? { part: true } : matchRule("jsonText", mapped);
  if (part) {
    const value = JSON.parse(mapped.text) as Json;
    if (!isDeeper(value, NESTING_MAX)) return value;
    analysis.unreadable(code, "", { kind: "too-deep", span: mapped.span, expected: "" });
  } else if (problem) analysis.unreadable(code, "this is no JSON", problem);
  return undefined;
}

export function readJsonObject(mapped: MappedText, code: DiagnosticCode, analysis: Analysis): JsonObject | undefined {
  const value = readJson(mapped, code, analysis);
  if (value === undefined || isJsonObject(value)) return value;
  analysis.error(code, "arguments are a JSON object", { at: mapped.span, label: 'expected {"NAME": VALUE}' });
  return undefined;
}

/** What nests without end parses, and then is too deep for everything that walks it. */
export function isDeeper(value: Json, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner: Json) => isDeeper(inner, levels - 1));
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
