// Where a `.tool` file names its values: `{name}` in texts, and the arguments of examples and tests. Whether there is such
// a value is not looked at.
import { programOfFirstLine, scriptPrograms } from "../../shell/script-programs.ts";
import { REFERENCE } from "../../tool/reference.ts";
import { type Annotation, type MappedText, spanWithin, type ToolFile } from "./ast.ts";
import type { Span } from "../../text/source.ts";

export interface ValuePlace {
  /** Without a path behind it: `clone` of `{clone.stdout}`. */
  readonly name: string;
  readonly span: Span;
}

const REFERENCES = new RegExp(`(?<![{$])\\{(${REFERENCE})\\}`, "g");
/** Annotations whose braces are no values. */
const WITHOUT_VALUES = "name title description param property type returns help note changelog justification".split(
  " ",
);

export function valuePlaces(annotation: Annotation, file: ToolFile): readonly ValuePlace[] {
  const { keyword, text, body } = annotation;
  if (keyword === "example") return argumentNames(text, 0);
  if (keyword === "ask") return argumentNames(text, text.text.lastIndexOf("→"));
  if (keyword === "test") return body ? argumentNames(body, body.text.search(/^[ \t]*with[ \t]/m)) : [];
  if (WITHOUT_VALUES.includes(keyword)) return [];
  return [text, ...(body && !isForProgram(annotation, file) ? [body] : [])].flatMap((mapped) =>
    [...mapped.text.matchAll(REFERENCES)].map(({ index, 1: written = "" }) => {
      const [name = ""] = /^[\w-]+/.exec(written) ?? [];
      return { name, span: spanWithin(mapped, index + 1, index + 1 + name.length) };
    }),
  );
}

/** Whether a program reads the lines below an annotation, so that their braces are its own. */
export function isForProgram({ keyword, text, body }: Annotation, { annotations }: ToolFile): boolean {
  if (keyword === "step" || keyword === "cleanup") return /^(?:[\w-]+[ \t]+)?(?:code|python)\b/.test(text.text);
  if (keyword !== "command" && keyword !== "script") return keyword === "code";
  const shells = annotations.filter((one) => one.keyword === "shell").map((one) => one.text.text.split(/\s/, 1)[0]);
  return (
    shells.some((shell) => scriptPrograms.includes(shell ?? "")) || programOfFirstLine(body?.text ?? "") !== undefined
  );
}

/** Returns the names in the first JSON object from `start` on. */
function argumentNames(mapped: MappedText, start: number): readonly ValuePlace[] {
  const found: ValuePlace[] = [];
  let depth = 0;
  for (const { index, 0: token, 1: colon } of start < 0
    ? []
    : mapped.text.matchAll(/"(?:[^"\\\n]|\\.)*"([ \t\n]*:)?|[{}[\]]/g)) {
    if (index < start) continue;
    if (!token.startsWith('"')) depth += token === "{" || token === "[" ? 1 : -1;
    else if (depth === 1 && colon !== undefined) {
      const name = token.slice(1, token.lastIndexOf('"'));
      found.push({ name, span: spanWithin(mapped, index + 1, index + 1 + name.length) });
    }
    if (depth === 0 && token === "}") break;
  }
  return found;
}
