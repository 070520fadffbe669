// What `check` says about missing dependencies: tools that `@depends` names, and a program in the definition's folder.
// These are not errors, because another machine may have them.
import { noQueue, queuedSteps } from "../../core/run/declared-needs.ts";
import { basename, dirname, sep } from "node:path";
import { toolObstacle } from "../../core/run/availability.ts";
import type { Diagnostic } from "../../core/text/diagnostic.ts";
import type { Span } from "../../core/text/source.ts";
import type { ToolDefinition } from "../../core/tool/definition.ts";
import type { CheckedScope } from "./checked-scope.ts";
import { unloadedPluginHelp } from "../../core/tool/loaded-plugins.ts";

export async function missingTools({ opened, entries }: CheckedScope): Promise<readonly Diagnostic[]> {
  const found: Diagnostic[] = [];
  for (const entry of entries) {
    const definition = entry.resolution.kind === "used" ? opened.catalogue().definitionOf(entry) : undefined;
    const path = opened.catalogue().absolutePathOf(entry);
    if (definition && path !== undefined) found.push(...missingProgram(definition, dirname(path) + sep, opened));
    const [queued] = definition ? queuedSteps(definition) : [];
    if (queued && ((await opened.session.setting("queue.address").catch(() => "broken")) ?? "") === "") {
      const { reason, help } = noQueue(queued);
      found.push({
        code: "missing-dependency",
        severity: "warning",
        message: `\`${entry.name}\` cannot run here: ${reason}`,
        at: { span: queued.name.span, text: "" },
        related: [],
        help: help === undefined ? [] : [help],
      });
    }
    for (const dependency of definition?.depends ?? []) {
      const obstacle = definition && (await toolObstacle(dependency, definition, opened.session));
      if (!definition || !obstacle) continue;
      const { reason, help } = obstacle;
      const unloaded = opened.session.registry.find(dependency.tool)
        ? []
        : unloadedPluginHelp(await opened.pluginDiagnostics());
      const ways = unloaded.length > 0 || help === undefined ? unloaded : [help];
      found.push({
        code: "missing-dependency",
        severity: "warning",
        message: `\`${entry.name}\` cannot run here: ${reason}`,
        at: { span: placeOf(dependency.tool, definition), text: "" },
        related: [],
        help: ways,
      });
    }
  }
  return found;
}

/** Checks the program of forge's `tool.yaml`, which is the file beside it. */
function missingProgram(
  definition: ToolDefinition,
  folder: string,
  { host }: CheckedScope["opened"],
): readonly Diagnostic[] {
  const command = definition.kind === "wrapped" ? definition.commands[0]?.command : undefined;
  const program = command?.kind === "direct" ? command.words[0]?.parts[0] : undefined;
  if (definition.kind !== "wrapped" || typeof program !== "string" || !program.startsWith(folder)) return [];
  const shown = basename(program);
  const own = host.instant.stat(program);
  const warning = (message: string, help: string): readonly Diagnostic[] => [
    {
      code: "missing-dependency",
      severity: "warning",
      message: `\`${definition.name.value}\` cannot run here: ${message}`,
      at: { span: definition.base.span, text: "" },
      related: [],
      help: [help],
    },
  ];
  if (own?.kind !== "file") return warning(`there is no program \`${shown}\` beside the definition`, "put it there");
  return host.platform !== "windows" && (own.mode & 0o111) === 0
    ? warning(`\`${shown}\` is not executable`, `run \`chmod +x ${shown}\` in its folder`)
    : [];
}

/** Returns its span after `@depends` or a key of that meaning; else the span of the tool's own name. */
function placeOf(tool: string, { name: { span } }: ToolDefinition): Span {
  const { text } = span.source;
  const from = text.search(/@depends|dependencies:/);
  // Its owner may have been left out.
  const written = [tool, tool.slice(tool.indexOf("/") + 1)].find(
    (one) => from !== -1 && text.indexOf(one, from) !== -1,
  );
  if (written === undefined) return span;
  const start = text.indexOf(written, from);
  return { source: span.source, start, end: start + written.length };
}
