// `{name` without its `}`: text as far as the grammar goes, and surely a slip where a parameter is called that.
import type { Diagnostic } from "../text/diagnostic.ts";
import { type Declaration, type MappedText, spanWithin } from "./ast.ts";

/** Nothing may close it up to the end, or up to a whole placeholder: awk and jq have braces of their own. */
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
    const diagnostic: Diagnostic = {
      code: "unclosed-quote",
      severity: "warning",
      message: `\`{${name}\` is only text, because nothing closes its brace`,
      at: { span, text: "" },
      related: [],
      help: [`for the text itself write \`{{${name}\``],
      fix: { title: `write \`{${name}}\``, edits: [{ span, text: `{${name}}` }] },
    };
    return [{ name, diagnostic }];
  });
}
