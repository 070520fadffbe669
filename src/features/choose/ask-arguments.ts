// Asks a person for the arguments of a call, with what the parameters say of themselves.
import type { Json, JsonObject } from "../../core/schema/json.ts";
import { typeText } from "../../core/schema/describe.ts";
import { convertText } from "../../core/schema/convert-text.ts";
import type { ArraySchema, Parameter, ParameterSchema } from "../../core/schema/parameter.ts";
import { validateValue } from "../../core/schema/validate.ts";
import type { Terminal } from "../../core/tool/terminal.ts";
import type { FoundTool } from "../../cli/parts.ts";
import { printableLines } from "../../cli/view/layout.ts";
import { schemaFacts } from "../../cli/view/parameter-text.ts";
import { type Choice, openPrompts, type Prompts } from "./host/prompts.ts";

/** Leaves out required secrets, for which the call itself asks. Returns undefined if the person gives up. */
export async function askArguments(
  parameters: readonly Parameter[],
  prompts: Prompts,
): Promise<JsonObject | undefined> {
  const offered = parameters.filter(({ hidden, required, secret }) => !hidden && !(required && secret));
  const optional = offered.filter(({ required }) => !required);
  const args: Record<string, Json> = {};
  for (const parameter of offered.filter(({ required }) => required)) {
    const value = await askParameter(parameter, prompts);
    if (value === undefined) return undefined;
    args[parameter.name] = value;
  }
  if (optional.length === 0) return args;
  const more = await prompts.selectSome(
    "More options: space marks, Enter goes on",
    optional.map((parameter) => choiceOf(parameter.name, lineOf(parameter))),
  );
  if (!more) return undefined;
  for (const parameter of optional.filter(({ name }) => more.includes(name))) {
    const { schema, default: fallback } = parameter;
    // One that is marked is the answer itself.
    const value = schema.type === "boolean" ? fallback !== true : await askParameter(parameter, prompts);
    if (value === undefined) return undefined;
    args[parameter.name] = value;
  }
  return args;
}

/**
 * Asks for the required secrets that neither the call nor the environment gives. They are not shown and not kept.
 * Returns all arguments, or undefined if the person gives up.
 */
export async function askSecrets(
  { name, tool, opened }: FoundTool,
  args: JsonObject,
  terminal: Terminal,
): Promise<JsonObject | undefined> {
  const { host, distrust } = opened.session;
  const missing = tool.parameters.filter(
    ({ secret, required, environment = "", name: own }) =>
      secret && required && !Object.hasOwn(args, own) && host.environment(environment) === undefined,
  );
  if (missing.length === 0 || !terminal.input.isTerminal || (await distrust?.(name))) return args;
  const prompts = openPrompts(terminal);
  const given: Record<string, Json> = { ...args };
  for (const parameter of missing) {
    const value = await askParameter(parameter, prompts);
    if (value === undefined) return undefined;
    given[parameter.name] = value;
  }
  return given;
}

async function askParameter(parameter: Parameter, prompts: Prompts): Promise<Json | undefined> {
  const { schema, default: fallback, secret, environment } = parameter;
  const message = `${parameter.name}: ${lineOf(parameter)}`;
  if (secret)
    return askText(parameter, prompts, {
      message: `${message}, for this call only${environment === undefined ? "" : `; set ${environment} for all calls`}`,
    });
  switch (schema.type) {
    case "boolean":
      return prompts.confirm(message, fallback === true);
    case "string":
    case "integer":
    case "number":
      return schema.choices
        ? prompts.select<Json>(message, choicesOf(schema.choices), fallback)
        : askText(parameter, prompts, { message });
    case "array":
      return "choices" in schema.items && schema.items.choices
        ? askSome(schema, choicesOf(schema.items.choices), { message, prompts })
        : askItems({ ...parameter, schema }, { message, prompts });
    case "object":
      return askText(parameter, prompts, { message: `${message}; as JSON` });
  }
}

interface AskedText {
  readonly message: string;
  /** Returns why a value is not accepted; default: what its schema says. */
  readonly problemOf?: (value: Json) => string | undefined;
  /** Whether no text is an answer too: "". */
  readonly mayBeEmpty?: boolean;
}

async function askText(
  { name, schema, default: fallback, example, secret }: Parameter,
  prompts: Prompts,
  { message, mayBeEmpty = false, problemOf = (value) => problemIn(schema, value, name) }: AskedText,
): Promise<Json | undefined> {
  const shown = fallback ?? example;
  const typed = await prompts.text(message, {
    isSecret: secret === true,
    ...(shown === undefined || secret ? {} : { shown: textOf(shown) }),
    problemOf: (text) => {
      if (text === "") return mayBeEmpty ? undefined : "expected something, got nothing";
      const { value, message: problem } = convertText(schema, text);
      return value === undefined ? problem : problemOf(value);
    },
  });
  return typed === undefined || typed === "" ? typed : convertText(schema, typed).value;
}

interface Asked {
  readonly message: string;
  readonly prompts: Prompts;
}

async function askSome(
  schema: ParameterSchema,
  choices: readonly Choice<Json>[],
  { message, prompts }: Asked,
): Promise<Json | undefined> {
  const some = await prompts.selectSome(message, choices);
  if (!some) return undefined;
  const problem = problemIn(schema, [...some], "");
  return problem === undefined ? [...some] : askSome(schema, choices, { message: problem, prompts });
}

/** Asks for one item after another, until nothing is typed. */
async function askItems(
  parameter: Parameter & { readonly schema: ArraySchema },
  { message, prompts }: Asked,
): Promise<Json | undefined> {
  const { name, schema } = parameter;
  const given: Json[] = [];
  for (;;) {
    const isEnough = problemIn(schema, given, name) === undefined;
    const item = await askText({ ...parameter, schema: schema.items }, prompts, {
      message: given.length === 0 ? message : `${name}: another one, or Enter`,
      mayBeEmpty: isEnough,
      problemOf: (value) => problemIn({ ...schema, minimumItems: 0 }, [...given, value], name),
    });
    if (item === undefined) return undefined;
    if (item === "") return given;
    given.push(item);
  }
}

function problemIn(schema: ParameterSchema, value: Json, name: string): string | undefined {
  return validateValue(schema, value, name).issues[0]?.message;
}

/** The description, and what else limits the value, in one line that a screen shows as it is. */
function lineOf({ description, schema }: Parameter): string {
  const isPlain = "choices" in schema || schema.type === "boolean" || /^(?:array<)?string>?$/.test(typeText(schema));
  const facts = [...(isPlain ? [] : [typeText(schema)]), ...schemaFacts(schema)].join(", ");
  const text = description === "" ? facts : facts === "" ? description : `${description} (${facts})`;
  return printableLines(text).replaceAll(/\s+/g, " ").trim();
}

function choicesOf(values: readonly Json[]): readonly Choice<Json>[] {
  return values.map((value) => ({ value, label: printableLines(textOf(value)) }));
}

function choiceOf(value: string, hint: string): Choice<string> {
  return { value, label: printableLines(value), ...(hint === "" ? {} : { hint }) };
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
