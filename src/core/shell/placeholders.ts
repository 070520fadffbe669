// What the placeholders of a script may name.
import type { Parameter } from "../schema/parameter.ts";

export interface Placeholders {
  readonly declarations: readonly { readonly parameter: Parameter }[];
}

export function placeholderParameter({ declarations }: Placeholders, name: string): Parameter | undefined {
  return declarations.find(({ parameter }) => parameter.name === name)?.parameter;
}
