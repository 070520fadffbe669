// A tool as a map of the custom-tools YAML.
import { isDeepStrictEqual } from "node:util";
import type { Shell } from "../../core/tool/command.ts";
import type { StepsDefinition, ToolDefinition, Expectation, ToolTest } from "../../core/tool/definition.ts";
import { type Step, plainStep, type StepAction } from "../../core/tool/step.ts";
import { titleOf } from "../../core/language/fields/names.ts";
import { isImpliedInput } from "../../core/language/kinds/composed.ts";
import { commandReferences, surroundingReferences } from "../../core/language/syntax/step-references.ts";
import { typeText } from "../../core/schema/describe.ts";
import { CannotWrite } from "../../core/language/write/cannot-write.ts";
import { commandSource } from "../../core/language/write/command-text.ts";
import { namedTypesIn } from "../../core/language/write/parameter-text.ts";
import { actionRecord, onlyCommand } from "./custom-tools/actions.ts";
import { commandsRecord } from "./custom-tools/command.ts";
import { returnsKeys, expectationRecord } from "./custom-tools/extension-keys.ts";
import { type Said, toolKeys, testKeys } from "./custom-tools/keys.ts";
import { stepRecord } from "./custom-tools/steps.ts";
import { EXTENSION, inOrder } from "./described-keys.ts";
import { blockText, byName, listed, merged, type YamlRecord, type YamlData } from "./yaml-data.ts";
import { parameterRecord, typesRecord } from "./yaml-parameter.ts";

export function toolRecord(definition: ToolDefinition): YamlRecord {
  const { title, name, parameters, returns, tests } = definition;
  const own = parameters.filter((parameter) => !isImpliedInput(parameter));
  const said = { ...definition, [definition.kind]: definition } as Partial<Said>;
  const record = merged([
    toolKeys.write(title === titleOf(name.value) ? { ...said, title: "" } : said),
    {
      name: shortName(name.value),
      parameters: byName(own.map((parameter) => [parameter.name, parameterRecord(parameter)])),
      tests: listed(tests.map(testRecord)),
      [EXTENSION]: {
        types: typesRecord(namedTypesIn(parameters, returns?.schema)),
        returns: returns && { ...returnsKeys.write(returns), type: typeText(returns.schema) },
      },
    },
    madeOf(definition),
  ]);
  return inOrder(toolKeys, record) ?? {};
}

function shortName(name: string): string {
  return name.replace(/^.*\//, "");
}

/** Returns what it is made of, as far as no key says it alone. */
function madeOf(definition: ToolDefinition): YamlRecord {
  switch (definition.kind) {
    case "base":
      throw new CannotWrite("a tool that is made in TypeScript");
    case "alias":
      return { type: "alias" };
    case "code":
      return {};
    case "wrapped":
      return commandsRecord(definition.commands);
    case "steps": {
      const { steps, cleanup } = definition;
      const single = singleAction(definition);
      const beside = single && onlyCommand(single);
      const finals = single && finalsRecord(cleanup, beside?.kind === "shell" ? beside.shell : "bash");
      if (single?.kind === "command" && finals) return { ...commandsRecord(single.commands), ...finals };
      const others = { [EXTENSION]: { cleanup: cleanup.map(({ action }) => actionRecord(action)) } };
      return { steps: steps.map(stepRecord), ...(finalsRecord(cleanup, "bash") ?? others) };
    }
  }
}

const singleOptions = { ...plainStep, output: { ...plainStep.output, mode: "stream" } };

/** Returns the action of a tool of one command that is read as steps, because of its cleanup or its references. */
function singleAction(definition: StepsDefinition): StepAction | undefined {
  const { name, steps, cleanup, output, surroundings, parameters } = definition;
  const [step, ...others] = steps;
  const isSingle = step && others.length === 0 && !output && step.name.value === shortName(name.value);
  if (!isSingle || step.action.kind !== "command" || parameters.some(isImpliedInput)) return undefined;
  const { action } = step;
  const { name: _name, action: _action, ...options } = step;
  if (!isDeepStrictEqual(options, singleOptions)) return undefined;
  const places = [
    ...action.commands.flatMap(({ command }) => commandReferences(command)),
    ...surroundingReferences(surroundings),
  ];
  const isPlain =
    cleanup.length === 0 && places.every((place) => parameters.some((parameter) => parameter.name === place));
  return isPlain || EXTENSION in commandsRecord(action.commands) ? undefined : action;
}

/** Returns the final commands, or undefined if the format cannot express one of them. */
function finalsRecord(cleanup: readonly Step[], shell: Shell): YamlRecord | undefined {
  const texts = cleanup.map(({ action }) => {
    const only = onlyCommand(action);
    return only?.kind === "shell" && only.shell === shell ? commandSource(only, { hasReferences: true }) : undefined;
  });
  if (!texts.every((text) => text !== undefined)) return undefined;
  return { resources: { cleanup: listed(texts.map((text) => ({ "final-command": blockText(text) }))) } };
}

// Tests as maps of the custom-tools YAML. Parts that the format itself expects come first, in its order; the rest
// follow below `x-dottool`.

function testRecord(test: ToolTest): YamlRecord {
  const { expectations } = test;
  const count = plainCount(expectations);
  return merged([
    testKeys.write(test),
    {
      expected: expectedRecord(expectations.slice(0, count)),
      [EXTENSION]: { expected: listed(expectations.slice(count).map(expectationRecord)) },
    },
  ]);
}

const order: readonly Expectation["kind"][] = ["exit-code", "output-contains", "file-exists"];

/** Returns how many are in the order in which the keys of the format are read. */
function plainCount(expectations: readonly Expectation[]): number {
  let last = 0;
  const end = expectations.findIndex((expectation, index) => {
    const place = order.indexOf(expectation.kind);
    const isAgain = expectation.kind === "exit-code" && index > 0;
    if (place < last || isAgain || !isPlainText(expectation)) return true;
    last = place;
    return false;
  });
  return end === -1 ? expectations.length : end;
}

/** Whether the format's lists can hold the text: it is not empty, and has no line break at its end. */
function isPlainText(expectation: Expectation): boolean {
  const text = "text" in expectation ? expectation.text : "path" in expectation ? expectation.path : "0";
  return text.trim() !== "" && !text.endsWith("\n");
}

function expectedRecord(expectations: readonly Expectation[]): YamlRecord | undefined {
  if (expectations.length === 0) return undefined;
  const [code] = expectations.flatMap((one) => (one.kind === "exit-code" ? [one.exitCode] : []));
  const texts = expectations.flatMap((one) => (one.kind === "output-contains" ? [one.text] : []));
  const files = expectations.flatMap((one) => (one.kind === "file-exists" ? [one.path] : []));
  return { "exit-code": code, "output-contains": oneOrMore(texts), "file-exists": oneOrMore(files) };
}

function oneOrMore(texts: readonly string[]): YamlData | undefined {
  return texts.length === 1 ? texts[0] : listed(texts);
}
