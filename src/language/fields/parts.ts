// The fields whose text has parts: how each text is read and written. The compiler asks for the reader of a new one.
import type { DefinitionHead } from "../../tool/definition.ts";
import type { Analysis } from "../analysis.ts";
import type { Findings } from "../findings.ts";
import type { MappedText } from "../syntax/ast.ts";
import type { MatchProblem } from "../syntax/grammar.ts";
import { eachPartsField, type PartsField, type PartsFieldName, type TextValue } from "../text-fields.ts";
import { dependencies, requirements } from "./needs.ts";

export interface PartsReader<Value> {
  /** Reports what is wrong; one text of a field that repeats may have several values. */
  read(text: MappedText, to: PartsProblems): readonly Value[];
  write(value: Value): string;
}

interface PartsProblems {
  readonly findings: Findings;
  /** Says how the text must be written, and where this one differs. */
  malformed(problem: MatchProblem): void;
}

type ValueOf<Field> = Field extends readonly (infer Item)[] ? Item : NonNullable<Field>;
export type PartsValues = Pick<DefinitionHead, PartsFieldName>;

const readers: { readonly [Name in PartsFieldName]: PartsReader<ValueOf<DefinitionHead[Name]>> } = {
  requires: requirements,
  depends: dependencies,
};

/** Returns the fields from their annotations. */
export function readParts(analysis: Analysis): PartsValues {
  return readPartsFields(({ keyword }, read) =>
    analysis
      .all(keyword)
      .flatMap((annotation) =>
        read(annotation.text, { findings: analysis, malformed: (problem) => analysis.malformed(annotation, problem) }),
      ),
  );
}

/** Returns the fields that `readAll` finds: a list for one that repeats, and for any other a value if there is one. */
export function readPartsFields(
  readAll: (field: PartsField, read: PartsReader<unknown>["read"]) => readonly unknown[],
): PartsValues {
  const values = eachPartsField((field, name) => {
    const all = readAll(field, readers[name].read);
    return field.repeats ? all : all[0];
  });
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as unknown as PartsValues;
}

/** Returns the texts of each field: a list for one that repeats, and for any other a text if it has a value. */
export function partsTexts(definition: PartsValues): Readonly<Partial<Record<PartsFieldName, TextValue>>> {
  const texts = eachPartsField(({ repeats }, name): TextValue | undefined => {
    const { write } = readers[name] as PartsReader<unknown>;
    const value: unknown = definition[name];
    return repeats ? (value as readonly unknown[]).map(write) : value === undefined ? undefined : write(value);
  });
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined));
}
