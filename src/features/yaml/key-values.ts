// The kinds of values that a key can have, each with how it is read.
import type { Json } from "../../core/schema/json.ts";
import type { Spanned } from "../../core/text/source.ts";
import type { Step } from "../../core/tool/step.ts";
import { durationMs, readRate, sizeBytes } from "../../core/language/fields/limits.ts";
import { replacing } from "../../core/language/findings.ts";
import type { MappedText } from "../../core/language/syntax/ast.ts";
import { conditionReferences, parseCondition } from "../../core/language/syntax/condition.ts";
import { unknownReference } from "../../core/language/syntax/references.ts";
import type { Fields } from "./fields.ts";
import { toJson } from "./node.ts";
import type { DescribedKeys, KeyValue, PlainKey, ValueKind } from "./described-keys.ts";
import { readTemplateText, type TemplateContext } from "./template-text.ts";

/** What a key does, and an example of its value. */
type Says = readonly [does: string, example?: Json | undefined];

export function row<Value>(kind: ValueKind, [does, example]: Says, read: KeyValue<Value>["read"]): PlainKey<Value> {
  return { kind, does, ...(example === undefined ? {} : { example }), read };
}

/** Returns the description of a value that only a reader of its own knows. */
export function described(kind: ValueKind, ...said: Says): PlainKey<never> {
  return row<never>(kind, said, () => {
    throw new Error(`this key has a reader of its own: ${said[0]}`);
  });
}

type Describes<Value> = (...said: Says) => PlainKey<Value>;

/** Returns what describes keys whose text means a value. */
export function meaning<Value>(
  read: (text: MappedText, context: TemplateContext) => Value | undefined,
): Describes<Value> {
  return (...said) =>
    row({ is: "text" }, said, (fields, key, context) => {
      const found = fields.text(key);
      return found && read(found, context);
    });
}

/** Returns what describes keys with a list of such texts. */
export function meanings<Value>(
  read: (text: MappedText, context: TemplateContext) => Value | undefined,
): Describes<readonly Value[]> {
  return (...said) =>
    row<readonly Value[]>({ is: "texts" }, said, (fields, key, context) => {
      const found = fields.texts(key).flatMap((one) => read(one, context) ?? []) as Value[];
      return found.length === 0 ? undefined : found;
    });
}

const textOf = ({ text: found }: MappedText): string => found;

export const text = meaning(textOf);

export const texts = meanings(textOf);

/** A text with its place. */
export const placed = meaning<Spanned<string>>(({ text: value, span }) => ({ value, span }));

/** A text whose lines are joined. */
export const paragraph = meaning(({ text: found }) => oneLine(found));

/** The description of a tool. */
export const prose = meaning(({ text: found }) => found.trim());

/** Joins lines, for texts that are shown as one paragraph. */
export function oneLine(found: string): string {
  return found.trim().replaceAll(/(?<!\s)\s*\n\s*/g, " ");
}

export const template = meaning(readTemplateText);

export const size = meaning((found, { findings }) => sizeBytes(found, findings));

export const rate = meaning((found, { findings }) => readRate(found, findings));

export const condition = meaning<NonNullable<Step["when"]>>((found, { scope, findings }) => {
  const { value: read, diagnostics } = parseCondition(found);
  const unknown = conditionReferences(found).flatMap((reference) => unknownReference(reference, scope) ?? []);
  findings.add([...diagnostics, ...unknown]);
  return read && { condition: read, span: found.span };
});

export function choice<const Word extends string>(words: readonly Word[], ...said: Says): PlainKey<Word> {
  return row<Word>({ is: "text", words }, said, (fields, key) => fields.choice(key, words));
}

const TIMEOUT_MS_MAX = 2_147_483_647;

export function duration(...said: Says): PlainKey<number> {
  return row({ is: "duration" }, said, readDuration);
}

/** A lower number for a `timeout` is whole seconds of milliseconds, or meant as seconds. */
const SECONDS_MOST = 10_000;

/** Reads a duration. A number is milliseconds, and a text has its unit. */
export function readDuration(fields: Fields, key: string): number | undefined {
  const found = fields.entry(key)?.value;
  if (found?.kind === "scalar" && typeof found.value === "string") return durationMs(found.text, fields.findings);
  const ms = fields.number(key, { least: 1, most: TIMEOUT_MS_MAX, isWhole: true, unit: "milliseconds" });
  if (found && key === "timeout" && ms !== undefined && ms < SECONDS_MOST && ms % 1000 !== 0)
    fields.findings.error("wrong-value", `\`${key}: ${ms}\` is ${ms} milliseconds`, {
      at: found.span,
      help: [`if that is meant, write \`${ms}ms\``],
      fix: replacing(found.span, `${ms}s`, `write \`${ms}s\``),
    });
  return ms;
}

export function flag(does: string): PlainKey<true> {
  return row({ is: "flag" }, [does], (fields, key) => fields.flag(key) || undefined);
}

export function number(
  does: string,
  {
    most = Infinity,
    unit,
    ...range
  }: { readonly least: number; readonly isWhole: boolean; readonly most?: number; readonly unit?: string },
  example?: Json,
): PlainKey<number> {
  return row({ is: "number", ...range }, [does, example], (fields, key) =>
    fields.number(key, { ...range, most, ...(unit === undefined ? {} : { unit }) }),
  );
}

/** Words with their places; a text with commas is a list without its brackets. */
export function placedWords(...said: Says): PlainKey<readonly Spanned<string>[]> {
  return row({ is: "texts" }, said, (fields, key) =>
    fields.has(key) ? fields.words(key).map((one) => ({ value: one.text, span: one.span })) : undefined,
  );
}

export function value(...said: Says): PlainKey<Json> {
  return row<Json>({ is: "value" }, said, (fields, key) => fields.json(key));
}

export function values<Item extends Json>(...said: Says): PlainKey<readonly Item[]> {
  return row<readonly Item[]>({ is: "values" }, said, (fields, key) =>
    fields.list(key).map((item) => toJson(item) as Item),
  );
}

/** A map. `defaults` are the fields that it always has. */
export function map<Whole>(keys: DescribedKeys<Whole>, does: string, defaults: Partial<Whole> = {}): PlainKey<Whole> {
  return row<Whole>({ is: "map", keys: keys as DescribedKeys }, [does], (owner, key, context) => {
    const fields = owner.fields(key);
    const missing = fields && keys.required?.find((required) => !fields.has(required));
    const found = fields && keys.read(fields, context);
    if (missing !== undefined)
      owner.findings.error("wrong-value", `\`${key}\` has no \`${missing}\``, {
        at: owner.place(key),
        help: [`add \`${missing}: ${keys.values[missing]?.example}\``],
      });
    return found && Object.keys(found).length > 0 ? ({ ...defaults, ...found } as Whole) : undefined;
  });
}

export function maps<Whole>(keys: DescribedKeys<Whole>, does: string): PlainKey<never> {
  return described({ is: "maps", keys: keys as DescribedKeys }, does);
}

/** Returns the description of values that must be a list. */
export function mapList<Whole>(keys: DescribedKeys<Whole>, does: string): PlainKey<never> {
  return described({ is: "maps", keys: keys as DescribedKeys, isList: true }, does);
}

export function named(of: ValueKind | undefined, ...said: Says): PlainKey<never> {
  return described({ is: "named", ...(of ? { of } : {}) }, ...said);
}
