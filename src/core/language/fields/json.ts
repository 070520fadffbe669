// JSON in definitions: the parsed value, or the place where it stops being JSON.
import { isDeeper, isJsonObject, type Json, type JsonObject } from "../../schema/json.ts";
import type { DiagnosticCode } from "../../text/codes.ts";
import type { Findings } from "../findings.ts";
import type { MappedText } from "../syntax/ast.ts";
import { BRACKET_NESTING_MAX, matchRule } from "../syntax/grammar.ts";

/** Returns undefined if a problem was reported. */
export function readJson(mapped: MappedText, code: DiagnosticCode, findings: Findings): Json | undefined {
  // Ohm runs only if JSON.parse fails: it is slower, but says what was expected.
  const { part, problem } = parses(mapped.text) ? { part: true } : matchRule("jsonText", mapped);
  if (part) {
    const value = JSON.parse(mapped.text) as Json;
    if (!isDeeper(value, BRACKET_NESTING_MAX)) return value;
    findings.unreadable(code, "", { kind: "too-deep", span: mapped.span, expected: "" });
  } else if (problem) findings.unreadable(code, "this is not valid JSON", problem);
  return undefined;
}

export function readJsonObject(mapped: MappedText, code: DiagnosticCode, findings: Findings): JsonObject | undefined {
  const value = readJson(mapped, code, findings);
  if (value === undefined || isJsonObject(value)) return value;
  findings.error(code, "arguments must be a JSON object", { at: mapped.span, label: 'expected {"NAME": VALUE}' });
  return undefined;
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
