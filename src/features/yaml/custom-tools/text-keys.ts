// The keys of the fields that are texts, or have a text with parts.
import validVersion from "semver/functions/valid.js";
import type { DefinitionHead } from "../../../core/tool/definition.ts";
import { type PartsReader, partsReaders } from "../../../core/language/fields/parts.ts";
import type { MappedText } from "../../../core/language/syntax/ast.ts";
import type { MatchProblem } from "../../../core/language/syntax/grammar.ts";
import {
  eachPartsField,
  eachTextField,
  type PartsField,
  type PartsFieldName,
  type TextField,
  type TextFieldName,
} from "../../../core/language/text-fields.ts";
import { type FieldsOf, type PlainKey, says } from "../described-keys.ts";
import { meaning, meanings, oneLine, row, text, texts } from "../key-values.ts";
import { readTemplateText } from "../template-text.ts";
import { listed } from "../yaml-data.ts";

const BELOW_EXTENSION = "x-dottool.";

type HeadKeys = Readonly<Record<string, FieldsOf<Pick<DefinitionHead, TextFieldName | PartsFieldName>>>>;

/** Returns those of the format, or those below `x-dottool`. */
export function textKeys(of: "format" | "extension"): HeadKeys {
  return keysOf(eachTextField((field, name) => keyOf(field, says(name, textKey(field)), of)));
}

/** Returns the keys of texts with parts. */
export function partsKeys(of: "format" | "extension"): HeadKeys {
  return keysOf(eachPartsField((field, name) => keyOf(field, says(name, partsKey(field, name)), of)));
}

function keysOf(entries: Readonly<Record<string, readonly (readonly [string, unknown])[]>>): HeadKeys {
  return Object.fromEntries(Object.values(entries).flat()) as HeadKeys;
}

function keyOf<Row>(
  { key, hasOwnKey }: TextField | PartsField,
  described: Row,
  of: "format" | "extension",
): readonly (readonly [string, Row])[] {
  const isExtension = key.startsWith(BELOW_EXTENSION);
  if (hasOwnKey || isExtension !== (of === "extension")) return [];
  return [[isExtension ? key.slice(BELOW_EXTENSION.length) : key, described]];
}

function textKey(field: TextField): PlainKey {
  const { does, example, empty } = field;
  if (field.isVersion) return version(does, example);
  if (empty !== undefined && !field.takesBody) return textOrFlag(field, empty);
  if (field.rule)
    return row<readonly string[]>({ is: "texts" }, [does, example], {
      read: (fields, key) => {
        const words = fields.words(key).map((one) => oneLine(one.text));
        return words.length === 0 ? undefined : words;
      },
      write: listed,
    });
  const describe = field.repeats ? meanings(lineOf, asItIs) : field.takesBody ? text : meaning(lineOf, asItIs);
  return describe(does, example);
}

const lineOf = ({ text: found }: MappedText): string => oneLine(found);
const asItIs = (found: string): string => found;

/** `true` is what the annotation alone says, and `false` is nothing. */
function textOrFlag({ does, example, hasValues }: TextField, empty: string): PlainKey {
  const described = hasValues ? textWithValues(does, example) : meaning(lineOf, asItIs)(does, example);
  return {
    ...described,
    read: (fields, key, context) => {
      const value = fields.entry(key)?.value;
      const isFlag = value?.kind === "scalar" && typeof value.value === "boolean";
      return isFlag ? (value.value === true ? empty : undefined) : described.read(fields, key, context);
    },
    write: (text) => (text === empty ? true : described.write(text as never)),
  };
}

const textWithValues = meaning((found, { scope, findings }) => {
  readTemplateText(found, { scope: { ...scope, place: found.span }, findings });
  return lineOf(found);
}, asItIs);

export const version = meaning(({ text: found, span }, { findings }) => {
  if (validVersion(found) !== null) return found;
  return void findings.error("bad-version", `\`${found.slice(0, 64)}\` is not a valid version`, {
    at: span,
    label: "expected three numbers, such as 1.2.0",
  });
}, asItIs);

/** Texts with parts are read as they are written in a `.tool` file. */
function partsKey({ does, example, form, repeats }: PartsField, name: PartsFieldName): PlainKey {
  const { read, write } = partsReaders[name] as PartsReader<unknown>;
  const describe = repeats ? texts : text;
  return {
    ...describe(does, example),
    read: (fields, key, { findings }) => {
      const malformed = (problem: MatchProblem): void =>
        findings.unreadable("wrong-value", `\`${key}\` must be written as \`${form}\``, problem);
      const found = repeats ? fields.texts(key) : [fields.text(key) ?? []].flat();
      const all = found.flatMap((one) => read(one, { findings, malformed }));
      return repeats ? all : all[0];
    },
    write: (value) => (repeats ? listed((value as readonly unknown[]).map(write)) : write(value)),
  };
}
