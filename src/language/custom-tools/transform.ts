// `transform: value.trim().toLowerCase()`: transforms that every parameter supports, or an expression for the sandbox.
import type { StringSchema } from "../../schema/parameter.ts";

type PlainTransform = NonNullable<StringSchema["transforms"]>[number];

const METHODS: ReadonlyMap<string, PlainTransform> = new Map([
  ["toLowerCase", "lower"],
  ["toLocaleLowerCase", "lower"],
  ["toUpperCase", "upper"],
  ["toLocaleUpperCase", "upper"],
  ["trim", "trim"],
]);

/** Returns the transforms, or undefined if the expression is not a chain of these. */
export function plainTransforms(expression: string): readonly PlainTransform[] | undefined {
  const [, chain = ""] = /^\s*value((?:\s*\.\s*[A-Za-z]+\s*\(\s*\))+)\s*(?:;\s*)?$/.exec(expression) ?? [];
  const transforms = [...chain.matchAll(/[A-Za-z]+/g)].map(([method]) => METHODS.get(method));
  const known = transforms.filter((transform) => transform !== undefined);
  return known.length === 0 || known.length < transforms.length ? undefined : [...new Set(known)];
}
