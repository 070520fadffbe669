// Paths after a name in braces that look like those of other languages: `{a.json["x"]}`, `{a.json.y[-1]}`,
// `{a.json.rows[*]}`, `{a.}`.
import type { Diagnostic } from "../../text/diagnostic.ts";
import { type MappedText, spanWithin } from "./ast.ts";

const SEGMENT = String.raw`\.[A-Za-z0-9_-]+|\[[0-9]+\]`;
const ODD = String.raw`\[-[0-9]+\]|\[\*?\]|\["[^"{}\n]*"\]|\['[^'{}\n]*'\]|\.(?=[.[:}])`;

/** Source of a regular expression, without groups, for a reference with wrong parts in its path. */
export const SLIP = `[A-Za-z_][A-Za-z0-9_-]*(?:${SEGMENT}|${ODD})*(?:${ODD})(?:${SEGMENT}|${ODD})*(?::-[^{}]*)?`;

const FIRST = new RegExp(`^[A-Za-z0-9_-]+(?:${SEGMENT})*(${ODD})`);

interface Slip {
  readonly part: string;
  readonly start: number;
}

/** Returns the first part of the text between the braces that a path cannot have. */
export function firstSlip(written: string): Slip {
  // The character after it matters too: after a final `.`, it is the brace.
  const [all = "", part = ""] = FIRST.exec(`${written}}`) ?? [];
  return { part, start: all.length - part.length };
}

export function slipProblem(text: MappedText, { part, start }: Slip): Diagnostic {
  const span = spanWithin(text, start, start + part.length);
  const key = /^\[["'](.*)["']\]$/s.exec(part)?.[1];
  const isPlain = key !== undefined && /^[A-Za-z0-9_-]+$/.test(key);
  return {
    code: "unknown-placeholder",
    severity: "error",
    message: `\`${part}\` is not allowed in a path`,
    at: { span, text: isPlain ? `did you mean \`.${key}\`?` : "" },
    related: [],
    help: isPlain ? [] : [helpFor(part, key)],
    ...(isPlain ? { fix: { title: `write \`.${key}\``, edits: [{ span, text: `.${key}` }] } } : {}),
  };
}

function helpFor(part: string, key: string | undefined): string {
  if (key !== undefined)
    return "keys in a path have letters, digits, `_` and `-`; for any other key, use a step of the kind `code`";
  return part === "."
    ? "write a key after the dot"
    : "write an index such as `[0]`, counted from the start; to read a list in any other way, use a step of the kind `code`";
}
