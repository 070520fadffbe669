// A tool as a map of the custom-tools YAML, key by key of its definition.
import type { PlatformCommand, Shell } from "../../core/tool/command.ts";
import type {
  AliasDefinition,
  CodeDefinition,
  DefinitionHead,
  ParameterValue,
  StepsDefinition,
  Surroundings,
  ToolDefinition,
  WrappedDefinition,
} from "../../core/tool/definition.ts";
import { itemReferences, outputNames, runReferences, type Step, STEP_OUTPUT_BYTES_MAX } from "../../core/tool/step.ts";
import { titleOf } from "../../core/language/fields/names.ts";
import { isImpliedInput } from "../../core/language/kinds/composed.ts";
import { fallbackKeys } from "./custom-tools/step-keys.ts";
import { returnsKeys, toolExtensionKeys } from "./custom-tools/extension-keys.ts";
import { EXTENSION } from "./described-keys.ts";
import { interactiveKeys, toolKeys } from "./custom-tools/keys.ts";
import { commandReferences, surroundingReferences } from "../../core/language/syntax/step-references.ts";
import { typeText } from "../../core/schema/describe.ts";
import type { PartsFieldName, TextFieldName } from "../../core/language/text-fields.ts";
import { CannotWrite } from "../../core/language/write/cannot-write.ts";
import { commandSource, templateText } from "../../core/language/write/command-text.ts";
import { namedTypesIn } from "../../core/language/write/parameter-text.ts";
import { sizeQuantity } from "../../core/language/write/quantity-text.ts";
import {
  bareText,
  blockText,
  byName,
  inOrder,
  jsonOrText,
  listed,
  merged,
  type Written,
  type YamlRecord,
} from "./yaml-data.ts";
import { parameterRecord, typesRecord } from "./yaml-parameter.ts";
import { actionRecord, commandEntries, commandRecord, type Roots, stepRecord } from "./yaml-step.ts";
import { testRecord } from "./yaml-test.ts";
import type { Preset } from "../../core/tool/template.ts";

export function toolRecord(definition: ToolDefinition): YamlRecord {
  const { title, name } = definition;
  const { title: _title, ...untitled } = definition;
  const titled = title === titleOf(name.value) ? untitled : definition;
  const parts: readonly Written[] = [
    { plain: toolKeys.write(definition), more: toolExtensionKeys.write(titled) },
    written<DefinitionHead>(headParts, definition),
    madeOf(definition),
  ];
  const more = inOrder(toolExtensionKeys, merged(parts.map((one) => one.more)));
  return inOrder(toolKeys, { ...merged(parts.map((one) => one.plain)), [EXTENSION]: more }) ?? {};
}

/** The fields that keys say alone. */
type SaidByKey = TextFieldName | PartsFieldName | "title" | "description" | "security" | "annotations";
/** Fields whose keys say more than one of them, or are told by other keys. */
type OwnHead = Exclude<keyof DefinitionHead, Exclude<SaidByKey, "category" | "keywords" | "changelog">>;

const headParts: Parts<DefinitionHead, OwnHead> = {
  name: ({ name }) => ({ plain: { name: shortName(name.value) } }),
  parameters: ({ parameters, returns }) => ({
    plain: {
      parameters: byName(
        parameters
          .filter((parameter) => !isImpliedInput(parameter))
          .map((parameter) => [parameter.name, parameterRecord(parameter)]),
      ),
    },
    more: { types: typesRecord(namedTypesIn(parameters, returns?.schema)) },
  }),
  declaredEffects: ({ declaredEffects, tags }) => ({ plain: { tags: listed([...declaredEffects, ...tags]) } }),
  tags: () => ({}),
  category: ({ category }) => ({ plain: { metadata: categoryRecord(category) } }),
  keywords: ({ keywords }) => ({
    plain: { metadata: keywords.length === 0 ? undefined : { "search-keywords": keywords } },
  }),
  platforms: ({ platforms }) => ({ plain: { platforms } }),
  returns: ({ returns }) => ({
    more: {
      returns: returns && inOrder(returnsKeys, { ...returnsKeys.write(returns), type: typeText(returns.schema) }),
    },
  }),
  examples: ({ examples }) => ({ more: { examples: listed(examples) } }),
  tests: ({ tests }) => ({ plain: { tests: listed(tests.map(testRecord)) } }),
  limits: ({ limits: { timeoutMs, memoryBytesMax } }) => ({
    plain: {
      timeout: timeoutMs,
      resources: memoryBytesMax === undefined ? undefined : { "max-memory": sizeQuantity(memoryBytesMax) },
    },
  }),
  schemaOmits: ({ schemaOmits }) => ({
    plain: {
      "function-calling": schemaOmits && {
        "schema-generation": Object.fromEntries(schemaOmits.map((part) => [omitKeys[part], false])),
      },
    },
  }),
  changelog: ({ changelog }) => ({ plain: { changelog: listed(changelog.map(changeRecord)) } }),
  origin: () => ({}),
};

const omitKeys = {
  descriptions: "include-descriptions",
  defaults: "include-defaults",
  examples: "example-generation",
} as const;

function shortName(name: string): string {
  return name.replace(/^.*\//, "");
}

function categoryRecord(category: string | undefined): YamlRecord | undefined {
  const [, first = "", rest = ""] = /^([^/]*[^/\s][^/]*)\/([^]*\S[^]*)$/.exec(category ?? "") ?? [];
  if (category === undefined) return undefined;
  return first === "" ? { category } : { category: first, subcategory: rest };
}

/** Returns the record of a change such as `1.2.0 What changed`. */
function changeRecord(change: string): YamlRecord {
  const [, version, changes] = /^(\d+\.\d+\.\d+(?:-[\w.-]+)?) (\S.*)$/.exec(change) ?? [];
  return version === undefined ? { changes: change } : { version, changes };
}

function madeOf(definition: ToolDefinition): Written {
  switch (definition.kind) {
    case "base":
      throw new CannotWrite("a tool that is made in TypeScript");
    case "alias":
      return written(aliasParts, definition);
    case "wrapped":
      return written(wrapParts, definition);
    case "steps":
      return singleParts(definition) ?? written(stepsParts, definition);
    case "code":
      return written(codeParts, definition);
  }
}

type Own<Definition> = Exclude<keyof Definition, keyof DefinitionHead | "kind">;
type Parts<Whole, Keys extends keyof Whole = keyof Whole> = { readonly [Key in Keys]-?: (whole: Whole) => Written };

function written<Whole>(parts: Readonly<Record<string, (whole: Whole) => Written>>, whole: Whole): Written {
  const all = Object.values(parts).map((part) => part(whole));
  return { plain: merged(all.map(({ plain }) => plain)), more: merged(all.map(({ more }) => more)) };
}

const codeParts: Parts<CodeDefinition, Exclude<Own<CodeDefinition>, "allows">> = {
  code: ({ code }) => ({ more: { javascript: blockText(code.value) } }),
};

const aliasParts: Parts<AliasDefinition, Own<AliasDefinition>> = {
  base: ({ base }) => ({ plain: { type: "alias", "base-tool": base.value } }),
  defaults: ({ defaults }) => ({ plain: { "default-parameters": defaultsRecord(defaults) } }),
};

function defaultsRecord(defaults: readonly ParameterValue[]): YamlRecord | undefined {
  return byName(
    defaults.map(({ parameter, value }) => [
      parameter.value,
      typeof value.value === "string" ? bareText(value.value) : value.value,
    ]),
  );
}

function presetsRecord(presets: readonly Preset[]): YamlRecord | undefined {
  return byName(presets.map(({ parameter, text }) => [parameter.value, jsonOrText(text.value)]));
}

const wrapParts: Parts<WrappedDefinition, Exclude<Own<WrappedDefinition>, "ignoreErrors">> = {
  base: ({ base, commands }) => ({
    more: { wraps: base.value !== "run_command" || commands.length === 0 ? base.value : undefined },
  }),
  commands: (definition) => commandsParts(definition.commands, rootsOf(definition)),
  presets: ({ presets }) => ({ more: { with: presetsRecord(presets) } }),
  defaults: ({ defaults }) => ({ more: { defaults: defaultsRecord(defaults) } }),
  surroundings: ({ surroundings }) => written(surroundingParts, surroundings),
  fallback: (definition) => ({
    more: {
      fallback: definition.fallback && inOrder(fallbackKeys, commandRecord(definition.fallback, rootsOf(definition))),
    },
  }),
};

/** Returns the names that a placeholder with a path could begin with. */
function rootsOf(definition: WrappedDefinition | StepsDefinition): Roots {
  const steps =
    definition.kind === "steps" ? definition.steps.flatMap((step) => outputNames(step).map(({ value }) => value)) : [];
  return new Set([
    ...definition.parameters.map(({ name }) => name),
    shortName(definition.name.value),
    ...steps,
    ...runReferences,
    ...itemReferences,
  ]);
}

function commandsParts(commands: readonly PlatformCommand[], roots: Roots): Written {
  const [only, ...others] = commands;
  if (!only) return {};
  if (others.length === 0 && only.platform === undefined) return { plain: commandRecord(only.command, roots) };
  const platforms = commands.map((command) => ({ ...command, text: platformLine(command, roots) }));
  const inOrderOfReading = ["default", "windows", "linux", "macos", "unix"].filter((name) =>
    platforms.some(({ platform = "default" }) => platform === name),
  );
  const isPlain = platforms.every(
    ({ text, platform = "default" }, index) => text !== undefined && platform === inOrderOfReading[index],
  );
  if (!isPlain) return { more: { commands: commandEntries(commands, roots) } };
  const lines = byName(
    platforms.flatMap(({ platform, text }) =>
      platform === undefined || text === undefined ? [] : [[platform, text] as const],
    ),
  );
  return {
    plain: { commands: { default: platforms.find(({ platform }) => platform === undefined)?.text, platforms: lines } },
  };
}

/** Returns the line of a platform's command, or undefined if the format would run it in another shell. */
function platformLine({ platform, command }: PlatformCommand, roots: Roots): string | undefined {
  const shell: Shell | undefined = command.kind === "shell" ? command.shell : undefined;
  const text = commandSource(command, roots);
  if (platform !== "windows") return shell === "bash" ? text : undefined;
  if (shell === "cmd") return /^\s*(?:powershell|pwsh)/i.test(text) ? undefined : text;
  // In double quotes, a value alone is written in single ones: see `windowsLine` of the reader.
  const inner = text.includes("'{") ? '"' : text.replaceAll(/"(\{[A-Za-z_][\w-]*\})"/g, "'$1'");
  return shell === "pwsh" && !inner.includes('"') ? `powershell -Command "${inner}"` : undefined;
}

const surroundingParts: Parts<Surroundings> = {
  cwd: ({ cwd }) => ({ plain: { "working-directory": cwd && templateText(cwd) } }),
  stdin: ({ stdin }) => ({ plain: { input: stdin && blockText(templateText(stdin)) } }),
  environment: ({ environment }) => ({
    plain: {
      environment:
        environment.length === 0
          ? undefined
          : { variables: byName(environment.map(({ name, value }) => [name, templateText(value)])) },
    },
  }),
  inheritsEnvironment: ({ inheritsEnvironment }) => ({
    plain: { environment: inheritsEnvironment ? { inherit: true } : undefined },
  }),
  isolatesEnvironment: ({ isolatesEnvironment }) => ({
    plain: { environment: isolatesEnvironment ? { inherit: false } : undefined },
  }),
  passed: ({ passed }) => ({ more: { "pass-environment": passed } }),
  secrets: ({ secrets = [] }) => ({
    more: { secrets: byName(secrets.map(({ variable, secret }) => [variable, secret])) },
  }),
  interaction: ({ interaction }) => ({
    plain: {
      interactive: interaction ? true : undefined,
      "interactive-options": interaction && inOrder(interactiveKeys, interactiveKeys.write(interaction)),
    },
  }),
};

const stepsParts: Parts<StepsDefinition, Exclude<Own<StepsDefinition>, "ignoreErrors">> = {
  surroundings: ({ surroundings }) => written(surroundingParts, surroundings),
  steps: (definition) => ({ plain: { steps: definition.steps.map((step) => stepRecord(step, rootsOf(definition))) } }),
  output: ({ output }) => ({ more: { output: output && blockText(templateText(output)) } }),
  cleanup: (definition) => {
    const roots = rootsOf(definition);
    const finals = finalCommands(definition.cleanup, { shell: "bash", roots });
    return finals
      ? { plain: finalsRecord(finals) }
      : { more: { cleanup: definition.cleanup.map(({ action }) => actionRecord(action, roots)) } };
  },
};

function finalsRecord(finals: readonly YamlRecord[]): YamlRecord {
  return { resources: finals.length === 0 ? undefined : { cleanup: finals } };
}

/** Returns undefined if the tool does not have one command, or if the format would read it differently. */
function singleParts(definition: StepsDefinition): Written | undefined {
  const roots = rootsOf(definition);
  const single = singleCommand(definition);
  const finals = single && finalCommands(definition.cleanup, { shell: shellBeside(single), roots });
  if (!single || !finals) return undefined;
  const parts = [
    written(surroundingParts, definition.surroundings),
    commandsParts(single, roots),
    { plain: finalsRecord(finals) },
  ];
  return { plain: merged(parts.map(({ plain }) => plain)), more: merged(parts.map(({ more }) => more)) };
}

/** Returns how a tool of one command is read that has a cleanup or references. */
function singleCommand({
  name,
  steps,
  cleanup,
  output,
  surroundings,
  parameters,
}: StepsDefinition): readonly PlatformCommand[] | undefined {
  const [step, ...others] = steps;
  if (
    !step ||
    others.length > 0 ||
    output ||
    step.name.value !== shortName(name.value) ||
    step.action.kind !== "command" ||
    parameters.some(isImpliedInput)
  )
    return undefined;
  const { name: _name, action, isParallel, continuesOnError, output: kept, ...options } = step;
  if (
    isParallel ||
    continuesOnError ||
    kept.mode !== "stream" ||
    kept.bytesMax !== STEP_OUTPUT_BYTES_MAX ||
    Object.keys(options).length > 0
  )
    return undefined;
  const places = [
    ...action.commands.flatMap(({ command }) => commandReferences(command)),
    ...surroundingReferences(surroundings),
  ];
  const isPlain =
    cleanup.length === 0 && places.every((place) => parameters.some((parameter) => parameter.name === place));
  return isPlain || commandsParts(action.commands, new Set()).plain === undefined ? undefined : action.commands;
}

function shellBeside(commands: readonly PlatformCommand[]): Shell {
  const [only, ...others] = commands;
  return others.length === 0 && only?.platform === undefined && only?.command.kind === "shell"
    ? only.command.shell
    : "bash";
}

/** Returns the final commands, or undefined if the format cannot express one of them. */
function finalCommands(
  cleanup: readonly Step[],
  { shell, roots }: { readonly shell: Shell; readonly roots: Roots },
): readonly YamlRecord[] | undefined {
  const texts = cleanup.map(({ action }) => {
    const [only, ...others] = action.kind === "command" ? action.commands : [];
    return only &&
      others.length === 0 &&
      only.platform === undefined &&
      only.command.kind === "shell" &&
      only.command.shell === shell
      ? commandSource(only.command, roots)
      : undefined;
  });
  return texts.every((text) => text !== undefined)
    ? texts.map((text) => ({ "final-command": blockText(text) }))
    : undefined;
}
