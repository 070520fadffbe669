// Steps, commands and cleanups, as maps of the custom-tools YAML.
import type { CommandTemplate, PlatformCommand } from "../../core/tool/command.ts";
import { concurrencyText, type Step, STEP_OUTPUT_BYTES_MAX, type StepAction } from "../../core/tool/step.ts";
import type { Preset } from "../../core/tool/template.ts";
import {
  actionKeys,
  platformEntryKeys,
  stepExtensionKeys,
  errorHandlingKeys,
  outputKeys,
  stepKeys,
} from "./custom-tools/step-keys.ts";
import { EXTENSION } from "./described-keys.ts";
import { shellOf } from "./custom-tools/steps.ts";
import { commandSource, templateText } from "../../core/language/write/command-text.ts";
import { blockText, byName, inOrder, jsonOrText, merged, type Written, type YamlRecord } from "./yaml-data.ts";

/** The names that references may begin with. */
export type Roots = ReadonlySet<string>;

export function commandRecord(command: CommandTemplate, roots: Roots): YamlRecord {
  const text = blockText(commandSource(command, roots));
  if (command.kind === "direct") return { run: text };
  return command.shell === "sh" || command.shell === "zsh"
    ? { script: text, shell: command.shell }
    : { [command.shell]: text };
}

export function commandEntries(commands: readonly PlatformCommand[], roots: Roots): readonly YamlRecord[] {
  return commands.map(
    ({ platform, command }) => inOrder(platformEntryKeys, { platform, ...commandRecord(command, roots) }) ?? {},
  );
}

/** Returns the action of a step, with the keys of `actionKeys`. */
export function actionRecord(action: StepAction, roots: Roots): YamlRecord {
  const { plain, more } = actionParts(action, roots);
  return inOrder(actionKeys, { ...plain, ...more }) ?? {};
}

function actionParts(action: StepAction, roots: Roots): Written {
  switch (action.kind) {
    case "command": {
      const [only, ...others] = action.commands;
      return only && only.platform === undefined && others.length === 0
        ? { plain: commandRecord(only.command, roots) }
        : { more: { commands: commandEntries(action.commands, roots) } };
    }
    case "tool":
      return {
        plain: { "use-tool": action.tool.value, with: byName(action.arguments.map(presetEntry)) },
        more: { provider: action.provider, optional: optionalNames(action.arguments) },
      };
    case "prompt":
      return { more: { prompt: blockText(templateText(action.prompt)), provider: action.provider } };
    case "code":
      return {
        more: { [action.language]: blockText(action.code.value), leaves: action.leaves?.map(({ value }) => value) },
      };
  }
}

function presetEntry({ parameter, text }: Preset): readonly [string, ReturnType<typeof jsonOrText>] {
  // Quotes are needed in `.tool` files only, so they are removed.
  return [parameter.value, text.value.startsWith('"') ? unquoted(text.value) : jsonOrText(text.value)];
}

function unquoted(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? value : text;
  } catch {
    return text;
  }
}

function optionalNames(presets: readonly Preset[]): readonly string[] | undefined {
  const names = presets.filter(({ isOptional }) => isOptional).map(({ parameter }) => parameter.value);
  return names.length === 0 ? undefined : names;
}

/** The fields that keys say alone. */
type SaidByKey = "when" | "waitsFor" | "isParallel" | "continuesOnError" | "isOnce" | "timeoutMs" | "cacheMs" | "stdin";
type Parts = { readonly [Key in Exclude<keyof Step, SaidByKey>]-?: (step: Step, roots: Roots) => Written };

const parts: Parts = {
  name: ({ name }) => ({ plain: { name: name.value } }),
  action: ({ action }, roots) => actionParts(action, roots),
  retries: ({ retries }) => ({
    plain: retries && { "error-handling": errorHandlingKeys.write({ retries }) },
    more: { backoff: retries?.isExponential ? "exponential" : undefined },
  }),
  fallback: ({ action, fallback }, roots) => fallbackParts(action, fallback, roots),
  forEach: ({ forEach }) => ({
    more: forEach && {
      "for-each": templateText(forEach.items),
      on: forEach.isQueued ? "queue" : undefined,
      concurrency: concurrencyText(forEach) === undefined ? undefined : forEach.concurrency,
    },
  }),
  output: ({ output: { mode, bytesMax } }) => ({
    plain: {
      output:
        mode === "buffer" && bytesMax === STEP_OUTPUT_BYTES_MAX
          ? undefined
          : outputKeys.write(bytesMax === STEP_OUTPUT_BYTES_MAX ? { mode } : { mode, bytesMax }),
    },
  }),
};

function fallbackParts(action: StepAction, fallback: StepAction | undefined, roots: Roots): Written {
  if (!fallback) return {};
  const [only, ...others] = fallback.kind === "command" ? fallback.commands : [];
  const isPlain =
    only !== undefined && others.length === 0 && only.platform === undefined && shellOf(fallback) === shellOf(action);
  return isPlain
    ? { plain: { "error-handling": { fallback: blockText(commandSource(only.command, roots)) } } }
    : { more: { fallback: actionRecord(fallback, roots) } };
}

export function stepRecord(step: Step, roots: Roots): YamlRecord {
  const written = Object.values(parts).map((part) => part(step, roots));
  const more = inOrder(stepExtensionKeys, {
    ...stepExtensionKeys.write(step),
    ...merged(written.map((one) => one.more)),
  });
  const plain = { ...stepKeys.write(step), ...merged(written.map((one) => one.plain)) };
  return inOrder(stepKeys, { ...plain, [EXTENSION]: more }) ?? {};
}
