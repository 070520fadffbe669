// Paths behind a name in braces that look like those of other languages: `{a.json["x"]}`, `{a.json.y[-1]}`,
// `{a.json.rows[*]}`, `{a.}`.
import type { Diagnostic } from "../text/diagnostic.ts";
import { type MappedText, spanWithin } from "./ast.ts";

const SEGMENT = String.raw`\.[A-Za-z0-9_-]+|\[[0-9]+\]`;
const ODD = String.raw`\[-[0-9]+\]|\[\*?\]|\["[^"{}\n]*"\]|\['[^'{}\n]*'\]|\.(?=[.[:}])`;

/** Source of a regular expression, without groups: a reference but for parts of its path. */
export const SLIP = String.raw`[A-Za-z_][A-Za-z0-9_-]*(?:${SEGMENT}|${ODD})*(?:${ODD})(?:${SEGMENT}|${ODD})*(?::-[^{}]*)?`;

const FIRST = new RegExp(`^[A-Za-z0-9_-]+(?:${SEGMENT})*(${ODD})`);

interface Slip {
  readonly part: string;
  readonly start: number;
}

/** Of what stands between the braces. */
export function firstSlip(written: string): Slip {
  // What follows is looked at too: behind a last `.` it is the brace.
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
    message: `no path has \`${part}\``,
    at: { span, text: isPlain ? `did you mean \`.${key}\`?` : "" },
    related: [],
    help: isPlain ? [] : [helpFor(part, key)],
    ...(isPlain ? { fix: { title: `write \`.${key}\``, edits: [{ span, text: `.${key}` }] } } : {}),
  };
}

function helpFor(part: string, key: string | undefined): string {
  if (key !== undefined)
    return "a path takes keys of letters, digits, `_` and `-`; a step of the kind `code` reads any other";
  return part === "."
    ? "write the name of a part behind the dot"
    : "one item is `[0]`, counted from the start; a step of the kind `code` reads a list in any other way";
}
