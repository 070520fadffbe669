// Paths after a name in braces that look like those of other languages: `{a.json["x"]}`, `{a.json.y[-1]}`,
// `{a.json.rows[*]}`, `{a.}`.
import type { Diagnostic } from "../../text/diagnostic.ts";
import { diagnosticOf } from "../findings.ts";
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
  return diagnosticOf("unknown-placeholder", `\`${part}\` is not allowed in a path`, {
    at: spanWithin(text, start, start + part.length),
    help: [
      "a path has keys, `.name`, of letters, digits, `_` and `-`, and indexes, `[0]`, counted from the start; for anything else, use a step of the kind `code`",
    ],
  });
}
