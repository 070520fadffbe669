// The prompts offered to clients: those of plugins, and tools that are only a prompt with places to fill in.
import type { PromptContext, PromptSpec } from "../../core/tool/plugin-offers.ts";
import { failureText } from "../../core/run/failure-text.ts";
import { prepareCall } from "../../core/run/prepare.ts";
import type { Session } from "../../core/run/session.ts";
import { withSuggestion } from "../../core/run/suggest.ts";
import { valueOfText } from "../../core/schema/convert-text.ts";
import { givenParameters } from "../../core/schema/given-parameters.ts";
import type { Json } from "../../core/schema/json.ts";
import type { Parameter } from "../../core/schema/parameter.ts";
import { forModels } from "../../core/text/hidden-characters.ts";
import type { PreparedCall, Tool } from "../../core/tool/tool.ts";
import { toBlock } from "./call-content.ts";
import { invalidParams, type PromptMessage } from "./protocol.ts";

type Prompt = {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments: readonly { readonly name: string; readonly description: string; readonly required: boolean }[];
};

export interface OfferedPrompt {
  /** The prompt as `prompts/list` shows it. */
  readonly shown: Prompt;
  /** Returns the values that may be filled in. */
  suggest(argument: string): readonly string[];
  get(args: Readonly<Record<string, string>>, context: PromptContext): Promise<readonly PromptMessage[]>;
}

interface PromptMaker {
  readonly session: Session;
  /** Returns what a call would ask models. */
  promptsIn(prepared: PreparedCall): readonly string[];
}

interface PromptSources {
  /** Tools by the name that clients use, in order. */
  readonly named: readonly (readonly [name: string, tool: Tool])[];
  readonly prompts: readonly PromptSpec[];
  readonly source: PromptMaker;
}

export function offeredPrompts({ named, prompts, source }: PromptSources): readonly OfferedPrompt[] {
  const ofTools = named.filter(([, tool]) => isTemplate(tool)).map(([name, tool]) => ofTool(name, tool, source));
  const names = new Set(ofTools.map(({ shown }) => shown.name));
  const ofPlugins = prompts
    .filter(({ name }, index) => !names.has(name) && prompts.findIndex((other) => other.name === name) === index)
    .map(ofPlugin);
  return [...ofTools, ...ofPlugins].sort((one, other) => (one.shown.name < other.shown.name ? -1 : 1));
}

const MODEL_TOOL = "ask_model";

/** Whether all its underlying tools only ask a model. */
function isTemplate({ underlying = [] }: Tool): boolean {
  return (
    underlying.length > 0 &&
    underlying.every((below) => below.definition.name.value === MODEL_TOOL || isTemplate(below))
  );
}

function ofTool(name: string, tool: Tool, { session, promptsIn }: PromptMaker): OfferedPrompt {
  const { title, description } = tool.definition;
  return {
    shown: {
      name,
      title: forModels(title),
      description: forModels(description),
      arguments: givenParameters(tool.parameters, "model").map((parameter) => ({
        name: parameter.name,
        description: forModels(parameter.description),
        required: parameter.required && parameter.default === undefined,
      })),
    },
    suggest: (argument) => choicesOf(tool.parameters.find(({ name: own }) => own === argument)),
    get: async (args, { signal }) => {
      const call = { id: "prompt", tool: tool.definition.name.value, arguments: converted(args, tool.parameters) };
      const step = await prepareCall(call, session, { signal });
      if ("failure" in step)
        throw invalidParams(
          failureText(await withSuggestion(step.failure, call, session), { audience: "model", tool: name }),
        );
      return promptsIn(step.prepared).map((text) => ({
        role: "user" as const,
        content: { type: "text" as const, text: forModels(text) },
      }));
    },
  };
}

/**
 * Converts arguments, which clients send as text. A text that the parameter does not accept stays a text and is
 * reported by the check.
 */
function converted(
  args: Readonly<Record<string, string>>,
  parameters: readonly Parameter[],
): Readonly<Record<string, Json>> {
  return Object.fromEntries(
    Object.entries(args).map(([name, text]) => {
      const parameter = parameters.find((one) => one.name === name);
      return [name, parameter ? valueOfText(parameter.schema, text) : text];
    }),
  );
}

function choicesOf(parameter: Parameter | undefined): readonly string[] {
  if (parameter?.schema.type === "boolean") return ["true", "false"];
  return parameter && "choices" in parameter.schema ? (parameter.schema.choices ?? []).map(String) : [];
}

function ofPlugin({ name, title, description, arguments: declared = [], messages }: PromptSpec): OfferedPrompt {
  return {
    shown: {
      name,
      ...(title === undefined ? {} : { title: forModels(title) }),
      description: forModels(description),
      arguments: declared.map((argument) => ({
        name: argument.name,
        description: forModels(argument.description),
        required: argument.required ?? false,
      })),
    },
    suggest: (argument) => declared.find((one) => one.name === argument)?.suggestions ?? [],
    get: async (args, context) => {
      const missing = declared.filter((argument) => argument.required && args[argument.name] === undefined);
      if (missing.length > 0)
        throw invalidParams(
          `the prompt \`${name}\` needs ${missing.map((argument) => `\`${argument.name}\``).join(", ")}`,
        );
      const said = await messages(args, context);
      if (typeof said === "string") return [{ role: "user", content: { type: "text", text: forModels(said) } }];
      return said.map(({ role, content }) => ({ role, content: toBlock(content) }));
    },
  };
}
