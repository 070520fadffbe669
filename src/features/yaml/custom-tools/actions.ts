// The action of a step, wherever it is written: a command, another tool, a model's answer, or code.

import type { CommandTemplate } from "../../../core/tool/command.ts";
import type { StepAction } from "../../../core/tool/step.ts";
import type { Preset } from "../../../core/tool/template.ts";
import { presetText, withoutQuotes } from "../../../core/language/fields/values.ts";
import type { MappedText } from "../../../core/language/syntax/ast.ts";
import { type Fields, withoutLineEnd } from "../fields.ts";
import { toJson, type YamlEntry } from "../node.ts";
import { readTemplateText, refusesRaw, type TemplateContext } from "../template-text.ts";
import { commandEntries, commandRecord, readCommandEntries, readCommandKey } from "./command.ts";
import { templateText } from "../../../core/language/write/command-text.ts";
import { EXTENSION } from "../described-keys.ts";
import { blockText, byName, jsonOrText, type YamlRecord } from "../yaml-data.ts";
import { actionKinds } from "./command-keys.ts";
import type { Span } from "../../../core/text/source.ts";

export type ActionKey = (typeof actionKinds)[number] | "commands";

/** Reads the action of `key`. Returns undefined if a problem was reported. */
export function readAction(fields: Fields, key: ActionKey, context: TemplateContext): StepAction | undefined {
  switch (key) {
    case "use-tool":
      return toolAction(fields, fields, context);
    case "prompt":
      return promptAction(fields, context);
    case "javascript":
    case "python": {
      const code = fields.text(key);
      const leaves = fields.texts("leaves").map(({ text, span }) => ({ value: text, span }));
      return (
        code && {
          kind: "code",
          language: key,
          code: { value: code.text, span: code.span },
          ...(leaves.length === 0 ? {} : { leaves }),
        }
      );
    }
    case "bash":
    case "cmd":
    case "pwsh":
    case "run":
    case "script":
    case "commands": {
      const read = key === "commands" ? readCommandEntries(fields, context) : readCommandKey(fields, key, context);
      return read && { kind: "command", commands: read.commands };
    }
  }
}

/** Reads a map with one action of any kind; reports a second one, and that there is none. */
export function readAnyAction(
  fields: Fields,
  [one, none, at]: readonly [one: string, none: string, at: Span],
  context: TemplateContext,
): StepAction | undefined {
  const key = fields.oneOf(actionKinds, (first, other) => `${one} \`${first}\` and \`${other}\``) as
    | ActionKey
    | undefined;
  checkCompanions(fields, key);
  if (key === undefined) fields.findings.error("empty-command", none, { at, help: ["add `bash:` with a command"] });
  return key && readAction(fields, key, context);
}

const companions: readonly (readonly [key: string, ...of: string[]])[] = [
  ["with", "use-tool"],
  ["provider", "prompt", "use-tool"],
  ["optional", "use-tool"],
  ["leaves", "javascript", "python"],
];

/** Reports keys that do not belong to the action `key`. */
export function checkCompanions(fields: Fields, key: ActionKey | undefined): void {
  if (key !== "script")
    fields.refuse("shell", "`shell` can only be used with `script`", {
      help: key === undefined ? [] : [`\`${key}\` already determines how it runs`],
    });
  for (const [companion, ...actions] of companions)
    if (key === undefined || !actions.includes(key))
      fields.refuse(
        companion,
        `\`${companion}\` can only be used with ${actions.map((one) => `\`${one}\``).join(" or ")}`,
      );
}

/** `more` holds what the format has no keys for. */
export function toolAction(
  fields: Fields,
  more: Fields | undefined,
  { findings }: TemplateContext,
): StepAction | undefined {
  const tool = fields.text("use-tool");
  const provider = more?.text("provider")?.text;
  const optional = more?.texts("optional") ?? [];
  for (const { text, span } of optional)
    if (!fields.entries("with").some(({ key }) => key === text))
      findings.error("wrong-value", `there is no \`${text.slice(0, 64)}\` below \`with\``, { at: span });
  const presets = fields.entries("with").flatMap((entry): Preset[] => {
    const text = argumentText(entry, fields);
    if (!text || refusesRaw(text, findings)) return [];
    return [
      {
        parameter: { value: entry.key, span: entry.keySpan },
        text: { value: text.text, span: text.span },
        ...(optional.some((one) => one.text === entry.key) ? { isOptional: true } : {}),
      },
    ];
  });
  return (
    tool && {
      kind: "tool",
      tool: { value: tool.text, span: tool.span },
      arguments: presets,
      ...(provider === undefined ? {} : { provider }),
    }
  );
}

/** Returns an argument in the form of a `.tool` file: JSON, or a text as it is. */
function argumentText({ key, value }: YamlEntry, fields: Fields): MappedText | undefined {
  if (value.kind !== "scalar")
    return { text: JSON.stringify(toJson(value)), span: value.span, offsetAt: () => value.span.start };
  if (value.value === null) return fields.textOf(value, key);
  if (typeof value.value !== "string") return value.text;
  const isBlock = /^[|>]/.test(value.span.source.text.slice(value.span.start, value.span.start + 1));
  const text = isBlock ? withoutLineEnd(value.text) : value.text;
  const written = presetText(text.text);
  return written === text.text ? text : { ...text, text: written };
}

function promptAction(fields: Fields, context: TemplateContext): StepAction | undefined {
  const text = fields.text("prompt");
  const prompt = text && readTemplateText(text, context);
  const provider = fields.text("provider")?.text;
  return prompt && { kind: "prompt", prompt, ...(provider === undefined ? {} : { provider }) };
}

/** Returns an action with its keys. Those that a step has below `x-dottool` are there with `isStep`. */
export function actionRecord(action: StepAction, { isStep = false } = {}): YamlRecord {
  const more = (record: YamlRecord): YamlRecord => (isStep ? { [EXTENSION]: record } : record);
  switch (action.kind) {
    case "command": {
      const only = onlyCommand(action);
      return only ? commandRecord(only) : more({ commands: commandEntries(action.commands) });
    }
    case "tool":
      return {
        "use-tool": action.tool.value,
        with: byName(action.arguments.map(presetEntry)),
        ...more({ provider: action.provider, optional: optionalNames(action.arguments) }),
      };
    case "prompt":
      return more({ prompt: blockText(templateText(action.prompt)), provider: action.provider });
    case "code":
      return more({
        [action.language]: blockText(action.code.value),
        leaves: action.leaves?.map(({ value }) => value),
      });
  }
}

/** Returns the command if it is the same on every platform. */
export function onlyCommand(action: StepAction): CommandTemplate | undefined {
  const [only, ...others] = action.kind === "command" ? action.commands : [];
  return only && others.length === 0 && only.platform === undefined ? only.command : undefined;
}

function presetEntry({ parameter, text }: Preset): readonly [string, ReturnType<typeof jsonOrText>] {
  // Quotes are needed in `.tool` files only, so they are removed.
  return [parameter.value, text.value.startsWith('"') ? withoutQuotes(text.value) : jsonOrText(text.value)];
}

function optionalNames(presets: readonly Preset[]): readonly string[] | undefined {
  const names = presets.filter(({ isOptional }) => isOptional).map(({ parameter }) => parameter.value);
  return names.length === 0 ? undefined : names;
}
