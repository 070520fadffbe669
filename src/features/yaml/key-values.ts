// The kinds of values that a key can have, each with how it is read and written.
import type { Json } from "../../core/schema/json.ts";
import type { Spanned } from "../../core/text/source.ts";
import { conditionText } from "../../core/tool/condition.ts";
import { rateText } from "../../core/tool/rate.ts";
import type { Step } from "../../core/tool/step.ts";
import { durationMs, readRate, sizeBytes } from "../../core/language/fields/limits.ts";
import { replacing } from "../../core/language/findings.ts";
import type { MappedText } from "../../core/language/syntax/ast.ts";
import { conditionReferences, parseCondition } from "../../core/language/syntax/condition.ts";
import { unknownReference } from "../../core/language/syntax/references.ts";
import { templateText } from "../../core/language/write/command-text.ts";
import { durationText, sizeQuantity } from "../../core/language/write/quantity-text.ts";
import type { Fields } from "./fields.ts";
import { toJson } from "./node.ts";
import type { DescribedKeys, KeyValue, PlainKey, ValueKind } from "./described-keys.ts";
import { readTemplateText, type TemplateContext } from "./template-text.ts";
import { blockText, listed, type YamlData } from "./yaml-data.ts";

type Codec<Value> = Pick<KeyValue<Value>, "read" | "write">;

export function row<Value>(
  kind: ValueKind,
  [does, example]: readonly [string, (Json | undefined)?],
  codec: Codec<Value>,
): PlainKey<Value> {
  return { kind, does, ...(example === undefined ? {} : { example }), ...codec };
}

/** Returns the description of a value that only readers and writers of its own know. */
export function described(kind: ValueKind, does: string, example?: Json): PlainKey<never> {
  const own = (): never => {
    throw new Error(`this key has a reader and a writer of its own: ${does}`);
  };
  return row<never>(kind, [does, example], { read: own, write: own });
}

/** The key is written by its row, and read where other keys are read too. */
export function readElsewhere<Value>(row: PlainKey<Value>): PlainKey<Value> {
  return { ...row, read: () => undefined };
}

/** Returns what describes keys whose text means a value. */
export function meaning<Value>(
  read: (text: MappedText, context: TemplateContext) => Value | undefined,
  write: (value: Value) => YamlData | undefined,
): (does: string, example?: Json) => PlainKey<Value> {
  return (does, example) =>
    row({ is: "text" }, [does, example], {
      read: (fields, key, context) => {
        const found = fields.text(key);
        return found && read(found, context);
      },
      write,
    });
}

/** Returns what describes keys with a list of such texts. */
export function meanings<Value>(
  read: (text: MappedText, context: TemplateContext) => Value | undefined,
  write: (value: Value) => YamlData,
): (does: string, example?: Json) => PlainKey<readonly Value[]> {
  return (does, example) =>
    row<readonly Value[]>({ is: "texts" }, [does, example], {
      read: (fields, key, context) => {
        const found = fields.texts(key).flatMap((one) => read(one, context) ?? []) as Value[];
        return found.length === 0 ? undefined : found;
      },
      write: (all) => listed(all.map(write)),
    });
}

const textOf = ({ text: found }: MappedText): string => found;
const sameText = (found: string): string => found;

export const text = meaning(textOf, blockText);

export const texts = meanings(textOf, sameText);

/** A text with its place. */
export const placed = meaning<Spanned<string>>(
  ({ text: value, span }) => ({ value, span }),
  ({ value }) => blockText(value),
);

/** A text whose lines are joined. */
export const paragraph = meaning(
  ({ text: found }) => oneLine(found),
  (written) => (written === "" ? undefined : written),
);

/** The description of a tool. */
export const prose = meaning(
  ({ text: found }) => found.trim(),
  (written) => (written === "" ? undefined : blockText(written)),
);

/** Joins lines, for texts that are shown as one paragraph. */
export function oneLine(found: string): string {
  return found.trim().replaceAll(/(?<!\s)\s*\n\s*/g, " ");
}

export const template = meaning(readTemplateText, (found) => blockText(templateText(found)));

export const size = meaning((found, { findings }) => sizeBytes(found, findings), sizeQuantity);

export const rate = meaning((found, { findings }) => readRate(found, findings), rateText);

export const condition = meaning<NonNullable<Step["when"]>>(
  (found, { scope, findings }) => {
    const { value: read, diagnostics } = parseCondition(found);
    const unknown = conditionReferences(found).flatMap((reference) => unknownReference(reference, scope) ?? []);
    findings.add([...diagnostics, ...unknown]);
    return read && { condition: read, span: found.span };
  },
  (when) => conditionText(when.condition),
);

export function choice<const Word extends string>(
  words: readonly Word[],
  does: string,
  example?: Json,
): PlainKey<Word> {
  return row<Word>({ is: "text", words }, [does, example], {
    read: (fields, key) => fields.choice(key, words),
    write: (word) => word,
  });
}

const TIMEOUT_MS_MAX = 2_147_483_647;

export function duration(does: string, example?: Json): PlainKey<number> {
  return row({ is: "duration" }, [does, example], {
    read: readDuration,
    write: durationText,
  });
}

/** A lower number for a `timeout` is whole seconds of milliseconds, or meant as seconds. */
const SECONDS_MOST = 10_000;

function looksLikeSeconds(ms: number): boolean {
  return ms < SECONDS_MOST && ms % 1000 !== 0;
}

/** Writes a time limit in the form that other readers of the format know, unless its unit would be in doubt. */
export function timeoutData(ms: number): YamlData {
  return looksLikeSeconds(ms) ? durationText(ms) : ms;
}

/** Reads a duration. A number is milliseconds, and a text has its unit. */
export function readDuration(fields: Fields, key: string): number | undefined {
  const found = fields.entry(key)?.value;
  if (found?.kind === "scalar" && typeof found.value === "string") return durationMs(found.text, fields.findings);
  const ms = fields.number(key, { least: 1, most: TIMEOUT_MS_MAX, isWhole: true, unit: "milliseconds" });
  if (found && key === "timeout" && ms !== undefined && looksLikeSeconds(ms))
    fields.findings.error("wrong-value", `\`${key}: ${ms}\` is ${ms} milliseconds`, {
      at: found.span,
      help: [`if that is meant, write \`${ms}ms\``],
      fix: replacing(found.span, `${ms}s`, `write \`${ms}s\``),
    });
  return ms;
}

export function flag(does: string): PlainKey<true> {
  return row({ is: "flag" }, [does], {
    read: (fields, key) => fields.flag(key) || undefined,
    write: (value) => value || undefined,
  });
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
  return row({ is: "number", ...range }, [does, example], {
    read: (fields, key) => fields.number(key, { ...range, most, ...(unit === undefined ? {} : { unit }) }),
    write: (count) => count,
  });
}

/** Words with their places; a text with commas is a list without its brackets. */
export function placedWords(does: string, example?: Json): PlainKey<readonly Spanned<string>[]> {
  return row({ is: "texts" }, [does, example], {
    read: (fields, key) =>
      fields.has(key) ? fields.words(key).map((one) => ({ value: one.text, span: one.span })) : undefined,
    write: (words) => words.map(({ value }) => value),
  });
}

export function value(does: string, example?: Json): PlainKey<Json> {
  return row<Json>({ is: "value" }, [does, example], {
    read: (fields, key) => fields.json(key),
    write: (json) => json,
  });
}

export function values<Item extends Json>(does: string, example?: Json): PlainKey<readonly Item[]> {
  return row<readonly Item[]>({ is: "values" }, [does, example], {
    read: (fields, key) => fields.list(key).map((item) => toJson(item) as Item),
    write: listed,
  });
}

function withoutDefaults<Whole>(whole: Whole, defaults: Partial<Whole>): Partial<Whole> {
  const entries = Object.entries(whole as object).filter(([field, one]) => defaults[field as keyof Whole] !== one);
  return Object.fromEntries(entries) as Partial<Whole>;
}

/** A map. `defaults` are the fields that it always has, which are not written. */
export function map<Whole>(keys: DescribedKeys<Whole>, does: string, defaults: Partial<Whole> = {}): PlainKey<Whole> {
  return row<Whole>({ is: "map", keys: keys as DescribedKeys }, [does], {
    read: (owner, key, context) => {
      const fields = owner.fields(key);
      const missing = fields && keys.required?.find((required) => !fields.has(required));
      const found = fields && keys.read(fields, context);
      if (missing !== undefined)
        owner.findings.error("wrong-value", `\`${key}\` has no \`${missing}\``, {
          at: owner.place(key),
          help: [`add \`${missing}: ${keys.values[missing]?.example}\``],
        });
      return found && Object.keys(found).length > 0 ? ({ ...defaults, ...found } as Whole) : undefined;
    },
    write: (whole) => {
      const said = keys.write(withoutDefaults(whole, defaults));
      return Object.values(said).some((one) => one !== undefined) ? said : undefined;
    },
  });
}

export function maps<Whole>(keys: DescribedKeys<Whole>, does: string): PlainKey<never> {
  return described({ is: "maps", keys: keys as DescribedKeys }, does);
}

/** Returns the description of values that must be a list. */
export function mapList<Whole>(keys: DescribedKeys<Whole>, does: string): PlainKey<never> {
  return described({ is: "maps", keys: keys as DescribedKeys, isList: true }, does);
}

export function named(of: ValueKind | undefined, does: string, example?: Json): PlainKey<never> {
  return described({ is: "named", ...(of ? { of } : {}) }, does, example);
}
