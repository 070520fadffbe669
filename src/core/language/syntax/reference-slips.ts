// Paths after a name in braces that look like those of other languages: `{a.json["x"]}`, `{a.json.y[-1]}`,
// `{a.json.rows[*]}`, `{a.}`.
import type { Diagnostic } from "../../text/diagnostic.ts";
import { diagnosticOf } from "../findings.ts";
import { type MappedText, spanWithin } from "./ast.ts";

const SEGMENT = String.raw`\.[A-Za-z0-9_-]+|\[[0-9]+\]`;
const ODD = String.raw`\[-[0-9]+\]|\[\*?\]|\["[^"{}\n]*"\]|\['[^'{}\n]*'\]|\.(?=[.[:}])`;

/** Source of a regular expression, without groups, for a reference with wrong parts in its path. */
export const SLIP = `[A-Za-z_][A-Za-z0-9_-]*(?:${SEGMENT}|${ODD})*(?:${ODD})(?:${SEGMENT}|${ODD})*(?::-[^{}]*)?`;

/** `written` is the text between the braces, and `start` its place. */
export function slipProblem(
  text: MappedText,
  { written, start }: { readonly written: string; readonly start: number },
): Diagnostic {
  return diagnosticOf("unknown-placeholder", `\`{${written}}\` has a path that cannot be read`, {
    at: spanWithin(text, start, start + written.length),
    help: [
      "a path has keys, `.name`, of letters, digits, `_` and `-`, and indexes, `[0]`, counted from the start; for anything else, use a step of the kind `code`",
    ],
  });
}
