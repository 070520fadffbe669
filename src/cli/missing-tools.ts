// What `check` says of `@depends`: a tool that is not there, or is there in another version. No error, because another machine may have it.
import { toolObstacle } from "../run/availability.ts";
import type { Diagnostic } from "../text/diagnostic.ts";
import type { Span } from "../text/source.ts";
import type { ToolDefinition } from "../tool/definition.ts";
import type { CheckedScope } from "./checked-scope.ts";

export async function missingTools({ opened, entries }: CheckedScope): Promise<readonly Diagnostic[]> {
  const found: Diagnostic[] = [];
  for (const entry of entries) {
    const definition = entry.standing.kind === "used" ? opened.catalogue().definitionOf(entry) : undefined;
    for (const dependency of definition?.depends ?? []) {
      const obstacle = await toolObstacle(dependency, opened.session);
      if (!definition || !obstacle) continue;
      const { reason, help } = obstacle;
      found.push({ code: "missing-dependency", severity: "warning", message: `\`${entry.name}\` cannot run here: ${reason}`, at: { span: placeOf(dependency.tool, definition), text: "" }, related: [], help: help === undefined ? [] : [help] });
    }
  }
  return found;
}

/** Where it stands behind `@depends` or a key of that meaning; else the tool's own name. */
function placeOf(tool: string, { name: { span } }: ToolDefinition): Span {
  const { text } = span.source;
  const from = text.search(/@depends|dependencies:/);
  const start = from === -1 ? -1 : text.indexOf(tool, from);
  return start === -1 ? span : { source: span.source, start, end: start + tool.length };
}
