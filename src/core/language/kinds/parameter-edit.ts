// The edit that adds an option to the line of a parameter.
import type { Edit } from "../../text/diagnostic.ts";
import type { Declaration } from "../syntax/ast.ts";

export interface ParameterLine {
  readonly name: string;
  /** With the blanks before it; empty without one. */
  readonly type: string;
  /** Where the options begin, after the type. */
  readonly at: number;
  /** `[`, or `[required`, with the blanks before it. */
  readonly options: string | undefined;
}

/** Returns undefined for a line that is not written as the grammar says, and in another language of definitions. */
export function parameterLine({ span }: Declaration): ParameterLine | undefined {
  const { text } = span.source;
  const start = text.lastIndexOf("\n", span.start - 1) + 1;
  const end = text.indexOf("\n", span.start);
  const line = text.slice(start, end === -1 ? undefined : end);
  const read = /^([ \t]*@param[ \t]+)([\w.-]+)([ \t]+\{[^{}]*\})?([ \t]*\[(?:required\b)?)?/.exec(line);
  if (!read || start + (read[1] ?? "").length !== span.start) return undefined;
  const [, , name = "", type = "", options] = read;
  return { name, type, at: span.start + name.length + type.length, options };
}

export function addedOption(declaration: Declaration, { at, options }: ParameterLine, option: string): Edit {
  const place = at + (options ?? "").length;
  const isAfterRequired = options?.endsWith("required") === true;
  return {
    span: { ...declaration.span, start: place, end: place },
    text: options === undefined ? ` [${option}]` : isAfterRequired ? `, ${option}` : `${option}, `,
  };
}

/** Gives a parameter of a YAML definition a key, if its keys stand on lines of their own. */
export function addedKey({ span }: Declaration, key: string): Edit | undefined {
  const { text } = span.source;
  const line = text.slice(text.lastIndexOf("\n", span.start - 1) + 1, span.start);
  const isItem = /^[ \t]*-[ \t]+name:[ \t]*$/.test(line);
  const [whole, indent = ""] =
    (isItem ? /^[^\n]*\n([ \t]+)(?=\w)/ : /^[\w-]+:[ \t]*\n([ \t]+)(?=\w)/).exec(text.slice(span.start)) ?? [];
  if (whole === undefined) return undefined;
  const place = span.start + whole.length;
  return { span: { ...span, start: place, end: place }, text: `${key}\n${indent}` };
}
