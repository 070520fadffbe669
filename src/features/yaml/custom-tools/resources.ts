// The limits of a call, and the cleanup after it.
import type { DeclaredLimits } from "../../../core/tool/definition.ts";
import { durationMs, sizeBytes } from "../../../core/language/fields/limits.ts";
import type { MappedText } from "../../../core/language/syntax/ast.ts";
import type { Fields } from "../fields.ts";
import { cleanupKeys, resourcesKeys } from "./keys.ts";

const TIMEOUT_MS_MAX = 2_147_483_647;

export interface ReadResources {
  readonly limits: DeclaredLimits;
  /** Commands that run at the end, whatever happened. */
  readonly finalCommands: readonly MappedText[];
}

export function readResources(fields: Fields): ReadResources {
  const resources = fields.fields("resources", resourcesKeys);
  const own = readDuration(fields, "timeout");
  const other = resources && readDuration(resources, "timeout");
  if (resources && own !== undefined && other !== undefined && own !== other) {
    fields.findings.error("conflicting-keys", "`timeout` and `resources.timeout` mean the same, but here they differ", {
      at: resources.place("timeout"),
      related: [{ span: fields.place("timeout"), text: "" }],
    });
  }
  const timeoutMs = own ?? other;
  const memory = resources?.text("max-memory");
  const memoryBytesMax = memory && sizeBytes(memory, fields.findings);
  return {
    limits: {
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
      ...(memoryBytesMax === undefined ? {} : { memoryBytesMax }),
    },
    finalCommands: resources ? readCleanup(resources) : [],
  };
}

/** Reads a duration. A number is milliseconds, and a text has its unit. */
export function readDuration(fields: Fields, key: string): number | undefined {
  const value = fields.entry(key)?.value;
  const isText = value?.kind === "scalar" && typeof value.value === "string";
  if (isText) return durationMs(value.text, fields.findings);
  return fields.number(key, { least: 1, most: TIMEOUT_MS_MAX, isWhole: true, unit: "milliseconds" });
}

function readCleanup(resources: Fields): readonly MappedText[] {
  return resources.list("cleanup").flatMap((item) => {
    const fields = resources.fieldsOf(item, "cleanup", cleanupKeys);
    if (fields?.flag("delete-temp-files") === false) {
      fields.findings.error("wrong-value", "the temporary folder of a run is always removed", {
        at: fields.place("delete-temp-files"),
        help: ["write files that should stay to another folder"],
      });
    }
    return fields?.text("final-command") ?? [];
  });
}
