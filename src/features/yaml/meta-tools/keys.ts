// Every key of the meta-tool YAML, by its map. docs/meta-tools.md describes each one.
import { sandboxKeys } from "../custom-tools/extension-keys.ts";
import { EXTENSION } from "../described-keys.ts";
import type { DefinitionHead } from "../../../core/tool/definition.ts";
import { version } from "../custom-tools/text-keys.ts";
import type { KnownKeys } from "../known-keys.ts";
import { type DescribedKeys, describedKeys, says, saysSeveral } from "../described-keys.ts";
import { choice, described, flag, map, mapList, named, prose, text, texts, value } from "../key-values.ts";
import { parameterTypes } from "../custom-tools/parameter-type.ts";

export const stepTypes = ["tool", "prompt", "code"] as const;
export type StepType = (typeof stepTypes)[number];

export const argumentKeys = describedKeys(
  "an argument",
  {
    flag: text("its name on the command line", "--language"),
    variable: text("its name in templates; default: that of the flag", "language"),
    type: choice(parameterTypes, "what a value is; default: string", "integer"),
    required: flag("a call must give it"),
    choices: texts("the values that are accepted", ["en", "de"]),
    default: value("the value when a call does not give one", "en"),
    description: text("what a value means; models see nothing else", "The language to translate to"),
  },
  { alsoCalled: { variable: "name", description: "help desc", choices: "enum", flag: "option" } },
);

const output_var = text("the variable for its output", "summary");
const more = {
  required: ["type", "output_var"],
  alsoCalled: { output_var: "output output-var outputVar var variable" },
};

export const stepKeys: Readonly<Record<StepType, DescribedKeys>> = {
  tool: describedKeys(
    "a step of the type `tool`",
    {
      type: choice(["tool"], "calls another tool"),
      output_var,
      tool: text("the tool", "official/summarize"),
      input: text("its input; default: the input of this tool", "{draft}"),
      args: named(undefined, "its other arguments; `{NAME}` is a value", { language: "{language}" }),
      provider: text("the model for its prompts"),
    },
    { ...more, alsoCalled: { ...more.alsoCalled, args: "arguments with parameters", tool: "uses" } },
  ),
  prompt: describedKeys(
    "a step of the type `prompt`",
    {
      type: choice(["prompt"], "asks a model"),
      output_var,
      prompt: text("the prompt", "Summarize: {input}"),
      provider: text("the model to ask", "claude"),
    },
    { ...more, alsoCalled: { ...more.alsoCalled, prompt: "text", provider: "model" } },
  ),
  code: describedKeys(
    "a step of the type `code`",
    {
      type: choice(["code"], "runs code"),
      output_var: texts("the variables for its outputs", "summary"),
      code: text("Python, or JavaScript for the sandbox", "count = len(input)"),
      language: choice(["python", "javascript"], "default: python"),
    },
    { ...more, alsoCalled: { ...more.alsoCalled, code: "script python", language: "lang" } },
  ),
};

export const extensionKeys = describedKeys<DefinitionHead>("`x-dottool` of a tool", {
  sandbox: says("security", map(sandboxKeys, "what its Python may reach")),
});

export const toolKeys = describedKeys<DefinitionHead>(
  "a tool",
  {
    name: text("its name; default: the name of the file", "translate"),
    description: says("description", prose("what it does and when to use it; models see nothing else")),
    version: says("version", version("its version", "1.0.0")),
    category: says("category", text("its category")),
    tags: texts("`read`, `write`, `run` and `network` say what it may do; other words are for searching", ["text"]),
    arguments: mapList(argumentKeys, "the parameters of a call"),
    dependencies: texts("tools that must be available", ["official/summarize@^1.0.0"]),
    steps: described({ is: "oneOfMaps", keys: Object.values(stepKeys) }, "the steps, in order"),
    output: text("the result; default: the output of the last step", "{summary}"),
    [EXTENSION]: saysSeveral(map(extensionKeys, "what this format has no key for")),
  },
  {
    required: ["steps"],
    alsoCalled: {
      description: "summary about",
      arguments: "parameters args params inputs",
      dependencies: "requires depends",
      output: "outputs result",
    },
  },
);

/** The path of each map of the format, with its keys. */
export const allKeys: readonly (readonly [path: string, known: KnownKeys])[] = [
  ["", toolKeys],
  ["arguments[].", argumentKeys],
  [`${EXTENSION}.`, extensionKeys],
  ...stepTypes.map((type) => [`steps[${type}].`, stepKeys[type]] as const),
];
