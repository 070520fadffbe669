// The limits of a call, and the cleanup after it.
import type { DeclaredLimits } from "../../../core/tool/definition.ts";
import { sizeBytes } from "../../../core/language/fields/limits.ts";
import type { MappedText } from "../../../core/language/syntax/ast.ts";
import type { Fields } from "../fields.ts";
import { readDuration } from "../key-values.ts";
import { cleanupKeys, resourcesKeys } from "./keys.ts";

export interface ReadResources {
  readonly limits: DeclaredLimits;
  /** Commands that run at the end, whatever happened. */
  readonly finalCommands: readonly MappedText[];
}

export function readResources(fields: Fields): ReadResources {
  const resources = fields.fields("resources", resourcesKeys);
  const own = readDuration(fields, "timeout");
  const other = resources && readDuration(resources, "timeout");
  if (own !== undefined && other !== undefined && own !== other)
    resources?.refuse("timeout", "`timeout` and `resources.timeout` mean the same, but here they differ", {
      beside: fields.place("timeout"),
    });
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
