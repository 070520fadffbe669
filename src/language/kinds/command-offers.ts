// What a person may choose where a value would become program text: the value is a program on purpose, or it is only
// ever a plain word. Each offer is tried before it is made.
import type { Parameter, ParameterSchema } from "../../schema/parameter.ts";
import type { Edit, Fix } from "../../text/diagnostic.ts";
import { type Declaration, type MappedText, spanWithin } from "../syntax/ast.ts";
import type { PlaceholderPiece } from "../../shell/pieces.ts";

interface Offer {
  readonly kind: "code" | "pattern";
  readonly fix: Fix;
  /** The parameter as it would be. */
  readonly parameter: Parameter;
}

/** Plain words; the second cannot be taken for an option either. */
const PATTERNS = ["[\\w.-]+", "[\\w.]+"];

/** Where the value stands. */
export interface OfferPlace {
  /** Whether the value is a whole word, so that it can be the program itself. */
  readonly isWhole: boolean;
  /** Whether a plain word is what an author most likely means. */
  readonly isPlain: boolean;
}

/** Returns the changes of a `@param` line; another language of definitions has none. */
export function offersFor(declaration: Declaration, { isWhole, isPlain }: OfferPlace): readonly Offer[] {
  const { parameter, span } = declaration;
  const { schema } = parameter;
  const item = schema.type === "array" ? schema.items : schema;
  const line = lineAround(declaration);
  const read = /^([ \t]*@param[ \t]+)([\w.-]+)([ \t]+\{[^{}]*\})?([ \t]*\[(?:required\b)?)?/.exec(line.text);
  if (!read || line.start + (read[1] ?? "").length !== span.start || item.type !== "string" || item.choices) return [];
  const [, , name = "", type = "", options] = read;
  const afterName = span.start + name.length;
  const edit = (start: number, end: number, text: string): Edit => ({ span: { ...span, start, end }, text });
  const withItem = (made: ParameterSchema): Parameter => ({
    ...parameter,
    schema: schema.type === "array" ? { ...schema, items: made } : made,
  });
  const code = schema.type === "array" ? "array<code>" : "code";
  const asCode: readonly Offer[] =
    item.format === undefined && isWhole
      ? [
          {
            kind: "code",
            fix: {
              title: `declare \`${name}\` as \`{${code}}\``,
              edits: [edit(afterName, afterName + type.length, ` {${code}}`)],
            },
            parameter: withItem({ type: "string", format: "code" }),
          },
        ]
      : [];
  const plain = PATTERNS.map((source): Offer => {
    const at = afterName + type.length + (options ?? "").length;
    const text = `pattern=/${source}/`;
    const isAfterRequired = options?.endsWith("required") === true;
    return {
      kind: "pattern",
      fix: {
        title: `let only plain words through: \`${text}\``,
        edits: [edit(at, at, options === undefined ? ` [${text}]` : isAfterRequired ? `, ${text}` : `${text}, `)],
      },
      parameter: withItem({ ...item, pattern: { source, flags: "" } }),
    };
  });
  const patterns = item.pattern === undefined ? plain : [];
  return isPlain || !isWhole ? [...patterns, ...asCode] : [...asCode, ...patterns];
}

function lineAround({ span }: Declaration): { readonly text: string; readonly start: number } {
  const { text } = span.source;
  const start = text.lastIndexOf("\n", span.start - 1) + 1;
  const end = text.indexOf("\n", span.start);
  return { text: text.slice(start, end === -1 ? undefined : end), start };
}

/**
 * Writes `… == "{name}"` in a filter of jq as `--arg name {name} '… == $name'`, which is what the author meant. Returns
 * undefined where the text in double quotes is more than the value, or a key.
 */
export function argFix(text: MappedText, { name, start, end }: PlaceholderPiece): Fix | undefined {
  const [before, after] = [text.text.slice(0, start - 1), text.text.slice(end + 1)];
  const quote = before.lastIndexOf("'");
  const isLiteral = text.text[start - 1] === '"' && text.text[end] === '"' && !/[\\.]$/.test(before);
  const isWithin = before.split("'").length % 2 === 0 && /(?:^|\s)$/.test(before.slice(0, quote));
  const isFree = /^[A-Za-z_]\w*$/.test(name) && !new RegExp(`\\bas\\s+\\$${name}\\b`).test(text.text);
  if (!isLiteral || !isWithin || !isFree || /^\s*:/.test(after)) return undefined;
  const argument = `--arg ${name} {${name}} `;
  const replaced = { span: spanWithin(text, start - 1, end + 1), text: `$${name}` };
  const inserted = { span: spanWithin(text, quote, quote), text: argument };
  return {
    title: `pass it beside the filter, with \`${argument.trim()}\``,
    edits: text.text.includes(argument) ? [replaced] : [inserted, replaced],
  };
}
