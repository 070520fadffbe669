// Recipes of a justfile as tools. A recipe becomes a script of the same shell, in which `{{x}}` is a value; one that
// uses more of just is called by `just`.
import type { Parameter } from "../../core/schema/parameter.ts";
import type { Platform } from "../../core/tool/command.ts";
import {
  type ImportedSource,
  type ImportedTool,
  type SourceText,
  questionOf,
  runText,
  stringParameter,
  wordsParameter,
} from "./imported-tool.ts";
import { Expansions, readEach } from "./expansions.ts";
import { type Names, valueOf } from "./just-expression.ts";
import { type Justfile, readJust, type Recipe, type RecipeParameter } from "./just-file.ts";
import { justScript } from "./just-script.ts";
import { plainWords, runnerCall, scriptNotes, valuesOf } from "./runner-tools.ts";

export function readJustfile({ text, fileName }: SourceText): ImportedSource {
  const file = readJust(text);
  const shown = file.recipes.filter(({ name, attributes }) => !name.startsWith("_") && !attributes.has("private"));
  const byName = Map.groupBy(shown, ({ name }) => name);
  const tools = readEach(byName, ([first, ...others], name) => {
    if (!first) return { name, candidates: [] };
    const translated =
      others.length === 0
        ? [translatedTool(first, file, wordsParameter), translatedTool(first, file, textParameter)]
        : [];
    return {
      name,
      candidates: [...translated.flatMap((tool) => tool ?? []), calledTool(first, { fileName, file, text })],
    };
  });
  return {
    format: "justfile",
    tools,
    notes: file.others
      .filter((item) => /^(?:import|mod)\b/.test(item))
      .map((item) => `\`${item.split("\n", 1)[0] ?? ""}\` is not followed: import that file by itself`),
  };
}

/** How the parameter that takes several words is declared. */
type Variadic = (name: string, description: string, more: Partial<Parameter>) => Parameter;

/** Within quotes, a list is one text. */
const textParameter: Variadic = (name, description, { required = false }) =>
  stringParameter(
    name,
    description === "" ? "Words with blanks between them" : description,
    required ? { required } : {},
  );

function translatedTool(recipe: Recipe, file: Justfile, variadic: Variadic): ImportedTool | undefined {
  const asked = new Map<string, Parameter>();
  const bound = new Map(recipe.parameters.map(({ name }) => [name, [{ parameter: name }]]));
  const names: Names = { file, bound, asked, expansions: new Expansions() };
  const script = justScript(recipe, names);
  const parameters = recipe.parameters.map((parameter) => parameterOf(parameter, names, variadic));
  if (!script || parameters.some((parameter) => parameter === undefined)) return undefined;
  const own = parameters.flatMap((parameter) => parameter ?? []);
  return {
    ...headOf(recipe),
    parameters: [...own, ...[...asked.values()].filter(({ name }) => own.every((one) => one.name !== name))],
    runs: { kind: "script", shell: script.shell, parts: script.parts },
    environment: script.environment,
    requires: [],
    notes: scriptNotes("just", script.parts),
  };
}

function headOf(recipe: Recipe): Pick<ImportedTool, "name" | "description" | "platforms" | "confirm"> {
  const { name, doc, attributes, body, before } = recipe;
  const platforms = (["linux", "macos", "windows"] as const).filter((platform) => attributes.has(platform));
  const unix: readonly Platform[] = attributes.has("unix") ? ["linux", "macos"] : [];
  const all = [...new Set([...unix, ...platforms])];
  const [first = ""] = body;
  const line = first.startsWith("#!")
    ? /\b(?:ba|z)?sh\b/.test(first)
      ? runText(body.slice(1))
      : undefined
    : runText(body);
  const what = [...before.map((one) => one.replace(/^\(\s*/, "").split(/[\s)]/, 1)[0]), ...[line ?? []].flat()].map(
    (one) => `\`${one}\``,
  );
  return {
    name,
    description:
      doc !== ""
        ? doc
        : `Run the recipe \`${name}\` of the justfile${what.length === 0 ? "" : `: ${what.join(", ")}`}.`,
    ...(all.length === 0 ? {} : { platforms: all }),
    ...(attributes.has("confirm")
      ? { confirm: questionOf(attributes.get("confirm") || `Run the recipe \`${name}\`?`) }
      : {}),
  };
}

function parameterOf(
  { name, variadic, default: expression }: RecipeParameter,
  names: Names,
  variadicOf: Variadic = wordsParameter,
): Parameter | undefined {
  const value = expression === undefined ? undefined : valueOf(expression, { ...names, bound: new Map() });
  if (expression !== undefined && (!value || value.some((part) => typeof part !== "string"))) return undefined;
  const text = value?.join("");
  if (variadic === "") return stringParameter(name, "", text === undefined ? { required: true } : { default: text });
  return variadicOf(name, "", {
    ...(variadic === "+" && text === undefined ? { required: true, schema: { ...WORDS, minimumItems: 1 } } : {}),
    ...(text === undefined || text === "" ? {} : { default: text.split(/\s+/) }),
  });
}

const WORDS = { type: "array", items: { type: "string" } } as const;

/** A call of `just`. It puts values into the text of a shell, so only plain words are let through. */
function calledTool(
  recipe: Recipe,
  { fileName, file, text }: { readonly fileName: string; readonly file: Justfile; readonly text: string },
): ImportedTool {
  const names: Names = { file, bound: new Map(), asked: new Map(), expansions: new Expansions() };
  const parameters: Parameter[] = [];
  for (const parameter of recipe.parameters) {
    const read = parameterOf(parameter, names);
    // An argument cannot be given without those before it.
    if (!read) break;
    parameters.push(plainWords(read, "argument"));
  }
  const left = recipe.parameters.slice(parameters.length).map(({ name }) => `\`${name}\``);
  const isUsual = /^\.?justfile$/i.test(fileName);
  const call = runnerCall("just", {
    noun: "recipe",
    words: [
      ...(isUsual ? [] : ["--justfile", fileName]),
      // `@confirm` has asked, and just would ask where nobody answers.
      ...(recipe.attributes.has("confirm") ? ["--yes"] : []),
      recipe.name,
      ...valuesOf(parameters),
    ],
    parameters,
    place: "argument",
    // Just evaluates all variables, whatever the recipe.
    shellText: [
      ...recipe.body,
      ...[...text.matchAll(/\benv(?:_var\w*)?\(\s*["'](\w+)/g)].map(([, name]) => `$${name}`),
    ].join("\n"),
  });
  const notGiven =
    left.length === 0 ? [] : [`${left.join(", ")}: only just can tell the default, so it cannot be given`];
  return { ...headOf(recipe), ...call, notes: [...call.notes, ...notGiven] };
}
