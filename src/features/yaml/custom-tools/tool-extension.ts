// `x-dottool` of a tool: texts for people and models, needs and limits for which the format has no keys.
import { isJsonObject, type JsonObject } from "../../../core/schema/json.ts";
import type { Parameter } from "../../../core/schema/parameter.ts";
import { validateArguments } from "../../../core/schema/validate.ts";
import type { DeclaredLimits, DefinitionHead, Returns } from "../../../core/tool/definition.ts";
import type { Preset } from "../../../core/tool/template.ts";
import { ATTEMPTS_MAX, PROCESSES_MOST, readRate, sizeBytes } from "../../../core/language/fields/limits.ts";
import { type PartsValues, readPartsFields } from "../../../core/language/fields/parts.ts";
import type { TypeScope } from "../../../core/language/fields/types.ts";
import { readTextFields, type TextValues } from "../../../core/language/text-fields.ts";
import type { Fields } from "../fields.ts";
import { toJson, type YamlNode } from "../node.ts";
import { limitKeys, retryOfLimitsKeys, returnsKeys } from "./extension-keys.ts";
import { readVersion } from "./head.ts";
import { readType } from "./parameter-schema.ts";
import { oneLine } from "./parameters.ts";
import { readDuration } from "./resources.ts";
import { placeOfKey } from "./text-keys.ts";

interface ReadExtension {
  readonly head: Partial<Pick<DefinitionHead, "title" | "returns" | "annotations">>;
  readonly limits: Pick<DeclaredLimits, "outputBytesMax" | "cpuMsMax" | "processesMax" | "rate" | "retries">;
}

export function readToolExtension(fields: Fields | undefined, types: TypeScope): ReadExtension {
  if (!fields) return { head: {}, limits: {} };
  const title = fields.text("title")?.text;
  const returns = readReturns(fields, types);
  const annotations = readAnnotations(fields);
  return {
    head: {
      ...(title === undefined ? {} : { title: oneLine(title) }),
      ...(returns ? { returns } : {}),
      ...(annotations.length === 0 ? {} : { annotations }),
    },
    limits: readLimits(fields),
  };
}

/** Reads the keys that are texts for people, of the format and below `x-dottool`. */
export function readTextKeys(tool: Fields, extension: Fields | undefined): TextValues {
  return readTextFields((field) => {
    const place = placeOfKey(field);
    const fields = place?.isExtension ? extension : tool;
    if (!place || !fields) return undefined;
    if (field.isVersion) return readVersion(fields, place.key);
    if (field.repeats) {
      const texts = fields[field.rule ?? "texts"](place.key).map(({ text }) => oneLine(text));
      return texts.length === 0 ? undefined : texts;
    }
    const text = fields.text(place.key)?.text;
    return text === undefined || field.takesBody ? text : oneLine(text);
  });
}

/** Reads the keys whose texts have parts, as they are written in a `.tool` file. */
export function readPartsKeys(tool: Fields, extension: Fields | undefined): PartsValues {
  return readPartsFields((field, read) => {
    const place = placeOfKey(field);
    const fields = place.isExtension ? extension : tool;
    const texts = field.repeats ? fields?.texts(place.key) : [fields?.text(place.key) ?? []].flat();
    return (texts ?? []).flatMap((text) =>
      read(text, {
        findings: tool.findings,
        malformed: (problem) =>
          tool.findings.unreadable("wrong-value", `\`${place.key}\` must be written as \`${field.form}\``, problem),
      }),
    );
  });
}

/** Reads annotations as they are written after the `@` in a `.tool` file. */
function readAnnotations(fields: Fields): readonly string[] {
  return fields.texts("annotations").flatMap(({ text, span }) => {
    const annotation = oneLine(text);
    if (/^x-[A-Za-z0-9-]*(?:\([a-z]+\))?(?: |$)/.test(annotation)) return [annotation];
    fields.findings.error("wrong-value", `\`${annotation.slice(0, 64)}\` is not an annotation for other programs`, {
      at: span,
      label: "expected `x-` with a name, then text",
    });
    return [];
  });
}

function readReturns(owner: Fields, types: TypeScope): Returns | undefined {
  const fields = owner.fields("returns", returnsKeys);
  const schema = fields && readType(fields, types);
  if (fields && !fields.has("type"))
    owner.findings.error("unknown-type", "`returns` has no `type`", {
      at: owner.place("returns"),
      help: ["add `type: string`"],
    });
  return schema && { schema, description: oneLine(fields?.text("description")?.text ?? "") };
}

function readLimits(owner: Fields): ReadExtension["limits"] {
  const fields = owner.fields("limits", limitKeys);
  const output = fields?.text("output");
  const outputBytesMax = output && sizeBytes(output, owner.findings);
  const cpuMsMax = fields && readDuration(fields, "cpu");
  const processesMax = fields?.number("processes", { least: 1, most: PROCESSES_MOST, isWhole: true });
  const often = fields?.text("rate");
  const rate = often && readRate(often, owner.findings);
  const retry = fields?.fields("retry", retryOfLimitsKeys);
  const attempts = retry?.number("attempts", { least: 1, most: ATTEMPTS_MAX, isWhole: true });
  const delayMs = retry && readDuration(retry, "delay");
  if (fields && retry && !retry.has("attempts"))
    owner.findings.error("wrong-value", "`retry` has no `attempts`", {
      at: fields.place("retry"),
      help: ["add `attempts: 3`"],
    });
  return {
    ...(outputBytesMax === undefined ? {} : { outputBytesMax }),
    ...(cpuMsMax === undefined ? {} : { cpuMsMax }),
    ...(processesMax === undefined ? {} : { processesMax }),
    ...(rate ? { rate } : {}),
    ...(attempts === undefined ? {} : { retries: { attempts, delayMs: delayMs ?? 0 } }),
  };
}

/** `parameters` is undefined if the base tool has them. */
export function readExamples(
  fields: Fields,
  parameters: readonly Parameter[] | undefined,
  name: string,
): readonly JsonObject[] {
  return fields.list("examples").flatMap((item) => {
    const example = toJson(item);
    if (!isJsonObject(example)) fields.wrong(item, "examples", "a map of arguments");
    else checkExample(item, example, { fields, parameters, name });
    return isJsonObject(example) ? [example] : [];
  });
}

function checkExample(
  item: YamlNode,
  example: JsonObject,
  {
    fields,
    parameters,
    name,
  }: { readonly fields: Fields; readonly parameters: readonly Parameter[] | undefined; readonly name: string },
): void {
  const { issues } = parameters
    ? validateArguments(parameters, example, { owner: name, environment: () => undefined, skipsSlowPatterns: true })
    : { issues: [] };
  for (const { path, message } of issues) {
    const root = /^[^.[]*/.exec(path)?.[0];
    const entry = item.kind === "map" ? item.entries.find(({ key }) => key === root) : undefined;
    fields.findings.error("example-mismatch", `this example does not fit the parameters of \`${name}\``, {
      at: entry?.keySpan ?? { ...item.span, end: item.span.start + 1 },
      label: path === "" ? message : `\`${path}\`: ${message}`,
    });
  }
}

/** Reads the presets of a wrap: texts as in a `.tool` file, and values as JSON. */
export function readPresets(fields: Fields): readonly Preset[] {
  return fields.entries("with").flatMap(({ key, keySpan, value }): Preset[] => {
    const text = value.kind === "scalar" ? fields.textOf(value, key) : undefined;
    if (value.kind === "scalar" && !text) return [];
    return [
      {
        parameter: { value: key, span: keySpan },
        text: { value: text?.text ?? JSON.stringify(toJson(value)), span: text?.span ?? value.span },
      },
    ];
  });
}
