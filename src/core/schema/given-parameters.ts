// Which parameters a caller gives. A secret that comes from the environment is set up by a person: a model neither
// knows it nor may replace it, so for a model it is no parameter.
import type { Parameter } from "./parameter.ts";

/** Who writes the arguments of a call. The author of a definition counts as a person. */
export type Giver = "person" | "model";

/** The secret's variable, if no model gives the value. */
export function secretSourceOf({ secret, environment }: Parameter): string | undefined {
  return secret ? environment : undefined;
}

/** Returns the parameters that the giver may pass, with hidden ones. */
export function givenParameters(parameters: readonly Parameter[], giver: Giver): readonly Parameter[] {
  return giver === "person" ? parameters : parameters.filter((parameter) => secretSourceOf(parameter) === undefined);
}

/** Returns arguments without those that a model does not give. */
export function withoutSourced<T>(
  args: Readonly<Record<string, T>>,
  parameters: readonly Parameter[],
): Readonly<Record<string, T>> {
  const sourced = new Set(parameters.flatMap((one) => (secretSourceOf(one) === undefined ? [] : [one.name])));
  return sourced.size === 0 ? args : Object.fromEntries(Object.entries(args).filter(([name]) => !sourced.has(name)));
}
