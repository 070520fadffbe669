// Every key of the meta-tool YAML, by the map that it stands in. `README.md` beside this file says what each does.
import type { KnownKeys } from "../yaml/fields.ts";
import {
  choice,
  described,
  type DescribedKeys,
  describedKeys,
  flag,
  mapList,
  named,
  text,
  texts,
  value,
} from "../yaml/key-values.ts";
import { parameterTypes } from "../yaml/parameter-fields.ts";

export const stepTypes = ["tool", "prompt", "code"] as const;
export type StepType = (typeof stepTypes)[number];

export const argumentKeys = describedKeys(
  "an argument",
  {
    flag: text("its name on the command line", "--language"),
    variable: text("its name in the texts; default: the flag's", "language"),
    type: choice(parameterTypes, "what a value is; default: string", "integer"),
    required: flag("a call must give it"),
    choices: texts("the values that are accepted", ["en", "de"]),
    default: value("the value of a call that does not give it", "en"),
    description: text("what a value means: all that a model knows of it", "The language to translate to"),
  },
  { alsoCalled: { name: "variable", help: "description", desc: "description", enum: "choices", option: "flag" } },
);

const output_var = text("the variable that its output is for", "summary");
const more = {
  required: ["type", "output_var"],
  alsoCalled: {
    output: "output_var",
    "output-var": "output_var",
    outputVar: "output_var",
    var: "output_var",
    variable: "output_var",
  },
};

export const stepKeys: Readonly<Record<StepType, DescribedKeys>> = {
  tool: describedKeys(
    "a step of the type `tool`",
    {
      type: choice(["tool"], "calls another tool"),
      output_var,
      tool: text("the tool", "official/summarize"),
      input: text("the text that it is given; default: what this tool was given", "{draft}"),
      args: named(undefined, "its other arguments; `{NAME}` is a value", { language: "{language}" }),
      provider: text("which model is asked in it"),
    },
    { ...more, alsoCalled: { ...more.alsoCalled, arguments: "args", with: "args", parameters: "args", uses: "tool" } },
  ),
  prompt: describedKeys(
    "a step of the type `prompt`",
    {
      type: choice(["prompt"], "asks a model"),
      output_var,
      prompt: text("what it is asked", "Summarize: {input}"),
      provider: text("which model is asked", "claude"),
    },
    { ...more, alsoCalled: { ...more.alsoCalled, text: "prompt", model: "provider" } },
  ),
  code: describedKeys(
    "a step of the type `code`",
    {
      type: choice(["code"], "runs code"),
      output_var: texts("the variables that it leaves", "summary"),
      code: text("Python, or JavaScript for the sandbox", "count = len(input)"),
      language: choice(["python", "javascript"], "default: python"),
    },
    { ...more, alsoCalled: { ...more.alsoCalled, script: "code", python: "code", lang: "language" } },
  ),
};

export const toolKeys = describedKeys(
  "a tool",
  {
    name: text("what it is called; default: the file's name", "translate"),
    description: text("what it does and when to use it: all that a model knows of it"),
    version: text("its version", "1.0.0"),
    category: text("what it belongs to"),
    tags: texts(
      "`read`, `write`, `run` and `network` say what it may do to the world; the other words are for searching",
      ["text"],
    ),
    arguments: mapList(argumentKeys, "what a call gives"),
    dependencies: texts("tools that must be there", ["official/summarize@^1.0.0"]),
    steps: described({ is: "oneOfMaps", keys: Object.values(stepKeys) }, "what it does, in order"),
    output: text("the result; default: the output of the last step", "{summary}"),
  },
  {
    required: ["steps"],
    alsoCalled: {
      summary: "description",
      about: "description",
      parameters: "arguments",
      args: "arguments",
      params: "arguments",
      inputs: "arguments",
      requires: "dependencies",
      depends: "dependencies",
      outputs: "output",
      result: "output",
    },
  },
);

/** For what has to name them all: the path of each map, and its keys. */
export const allKeys: readonly (readonly [path: string, known: KnownKeys])[] = [
  ["", toolKeys],
  ["arguments[].", argumentKeys],
  ...stepTypes.map((type) => [`steps[${type}].`, stepKeys[type]] as const),
];
