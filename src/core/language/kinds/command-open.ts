// A `{name` without its `}`. The grammar takes it as text, but it is surely a mistake if a parameter has that name.
import type { Diagnostic } from "../../text/diagnostic.ts";
import { diagnosticOf, replacing } from "../findings.ts";
import { type Declaration, type MappedText, spanWithin } from "../syntax/ast.ts";

/** Matches a `{name` that is not closed before the end or the next placeholder. awk and jq use braces too. */
const OPEN = /(?<!\{)\{([A-Za-z_][\w-]*)(?=[ \t\n"'/.,:;|]|$)(?=[^{}]*(?:$|\{([A-Za-z_][\w-]*)\}))/g;

export function openPlaceholders(
  text: MappedText,
  declarations: readonly Declaration[],
): readonly { readonly name: string; readonly diagnostic: Diagnostic }[] {
  const isDeclared = (name: string): boolean => declarations.some(({ parameter }) => parameter.name === name);
  return [...text.text.matchAll(OPEN)].flatMap((found) => {
    const [, name = "", next] = found;
    if (!isDeclared(name) || (next !== undefined && !isDeclared(next))) return [];
    const end = found.index + 1 + name.length;
    const span = spanWithin(text, found.index, end);
    const message = `\`{${name}\` is plain text, because its brace is not closed`;
    const help = [`for the literal text, write \`{{${name}\``];
    const fix = replacing(span, `{${name}}`, `write \`{${name}}\``);
    return [
      {
        name,
        diagnostic: { ...diagnosticOf("unclosed-quote", message, { at: span, help, fix }), severity: "warning" },
      },
    ];
  });
}
