// The view of `dottool explain` on an untrusted tool: what its definition would run, as it is written, and how to trust
// it. No value is filled in, no transform is evaluated and no program is asked, because nothing of the tool may run.
import { reachableTools } from "../../core/catalog/reachable-tools.ts";
import { distrustOf } from "../../core/catalog/trust.ts";
import type { UntrustedFailure } from "../../core/catalog/untrusted.ts";
import { failureExitCode } from "../../core/run/exit-code.ts";
import { effectsUntrusted } from "../../core/builder/untrusted-effects.ts";
import { MASK } from "../../core/schema/describe.ts";
import type { ToolDefinition } from "../../core/tool/definition.ts";
import type { ToolRegistry } from "../../core/tool/registry.ts";
import type { StepAction } from "../../core/tool/step.ts";
import type { Tool } from "../../core/tool/tool.ts";
import { type CommandContext, writeJson } from "../../cli/command.ts";
import { placeOf } from "./explain-call.ts";
import { printableLines, rows, textColumns } from "../../cli/view/layout.ts";
import { limitFacts, limitsText } from "../../cli/view/limits-text.ts";
import type { OpenedSession } from "../../core/session/assemble.ts";
import type { Preset } from "../../core/tool/template.ts";
import { failureLines } from "../../cli/view/print-result.ts";
import { reviewText } from "../../cli/view/trust-review.ts";
import { whatRuns } from "../../cli/view/what-runs.ts";

/** The limit of tools shown: the tool and its dependencies. */
const TOOLS_MAX = 50;

interface Written {
  readonly tool: string;
  readonly place: string;
  readonly runs: readonly string[];
}

interface ExplainUntrustedOptions {
  readonly name: string;
  readonly tool: Tool;
  readonly opened: OpenedSession;
  readonly isJson: boolean;
  readonly context: CommandContext;
}

/** Returns the exit code, which is that of the call. */
export async function explainUntrusted(
  failure: UntrustedFailure,
  { name, tool, opened, isJson, context }: ExplainUntrustedOptions,
): Promise<number> {
  const { terminal } = context;
  const { written, more } = writtenBelow(name, opened);
  const { definition } = tool;
  const effects = effectsUntrusted(tool);
  const limits = limitFacts(definition.limits);
  const { folder, reason, files, help } = failure;
  if (isJson)
    writeJson(terminal, {
      tool: name,
      place: placeOf(tool),
      isTrusted: false,
      untrusted: {
        folder,
        reason: typeof reason === "string" ? reason : reason.fact,
        ...(files ? { files } : {}),
        help,
      },
      effects,
      limits,
      couldRun: written,
      ...(more === 0 ? {} : { more }),
    });
  else {
    const facts = [
      ["tool", `\`${name}\` in ${placeOf(tool)}`],
      ["trusted", "no: none of it has run, and calls are refused"],
      ["effects", effects.length === 0 ? "unknown, so treated as the worst case" : effects.join(", ")],
      ["limits", limitsText(limits)],
    ] as const;
    const head = rows(
      facts.map(([fact, text]) => [fact, printableLines(text)]),
      { columns: textColumns(terminal.output.columns), indent: 0, nameColumnsMax: 20 },
    );
    const blocks = reviewText(
      written.map(({ tool: one, place, runs }) => ({ path: place, kind: "definition", name: one, runs })),
    );
    terminal.output.write(
      `${head.join("\n")}\n\nonce trusted, it could run this with your permissions; names in braces stand for values:\n\n${blocks}${more === 0 ? "" : `\n  and ${more} more tools\n`}`,
    );
  }
  terminal.errors.write(`${await failureLines(failure, { tool, name, audience: "person" })}\n`);
  return failureExitCode(failure);
}

/** Returns the untrusted definitions among the tool and its dependencies, the tool itself always first. */
function writtenBelow(
  name: string,
  { catalogue, host, session }: OpenedSession,
): { readonly written: readonly Written[]; readonly more: number } {
  const isShown = (one: string): boolean => {
    const content = catalogue().contentOf(one);
    return one === name || (content !== undefined && distrustOf(content, host) !== undefined);
  };
  const tools = [...reachableTools(name, catalogue()).names]
    .filter(isShown)
    .flatMap((one) => session.registry.find(one) ?? []);
  const written = tools.slice(0, TOOLS_MAX).map((tool) => ({
    tool: tool.definition.name.value,
    place: placeOf(tool),
    runs: whatRuns(
      withoutSecrets(catalogue().definition(tool.definition.name.value) ?? tool.definition, session.registry),
    ),
  }));
  return { written, more: tools.length - written.length };
}

/** Masks what the definition itself passes to a secret parameter; a placeholder of its own parameters stays. */
function withoutSecrets(definition: ToolDefinition, registry: ToolRegistry): ToolDefinition {
  const isSecret = (tool: string, parameter: string): boolean =>
    registry.find(tool)?.parameters.some(({ name, secret }) => name === parameter && secret === true) === true;
  const masked = (tool: string, presets: readonly Preset[]): readonly Preset[] =>
    presets.map((preset) =>
      isSecret(tool, preset.parameter.value) && !/^\{[\w.-]+\}$/.test(preset.text.value)
        ? { ...preset, text: { ...preset.text, value: MASK } }
        : preset,
    );
  const actionOf = (action: StepAction): StepAction =>
    action.kind === "tool" ? { ...action, arguments: masked(action.tool.value, action.arguments) } : action;
  switch (definition.kind) {
    case "base":
    case "code":
      return definition;
    case "alias":
    case "wrapped": {
      const defaults = definition.defaults.map((one) =>
        isSecret(definition.base.value, one.parameter.value) ? { ...one, value: { ...one.value, value: MASK } } : one,
      );
      return definition.kind === "alias"
        ? { ...definition, defaults }
        : { ...definition, defaults, presets: masked(definition.base.value, definition.presets) };
    }
    case "steps":
      return {
        ...definition,
        steps: definition.steps.map((step) => ({
          ...step,
          action: actionOf(step.action),
          ...(step.fallback ? { fallback: actionOf(step.fallback) } : {}),
        })),
      };
  }
}
