// Lines that a runner starts one by one, each in a shell of its own, as one script.
import type { Part } from "./imported-tool.ts";

export interface ScriptLine {
  readonly parts: readonly Part[];
  /** Whether the next line runs even if this one fails. */
  readonly ignoresFailure: boolean;
}

/**
 * Returns a script that stops at the first line that fails, with its exit code. `options` are those of each shell, such
 * as `-eu`; empty for none.
 */
export function scriptOf(lines: readonly ScriptLine[], options: string): readonly Part[] {
  const stops = /^-\w*e/.test(options);
  const prelude = options === "" ? [] : [`set ${options}\n`];
  const [only] = lines;
  if (lines.length === 1 && only && !only.ignoresFailure) return [...prelude, ...only.parts];
  return [
    ...prelude,
    ...lines.flatMap((line, index) => {
      const end = index === lines.length - 1 ? "" : "\n";
      // Behind `||`, a shell would forget `set -e` within the brackets.
      if (line.ignoresFailure) return [...subshell(line.parts), ` || :${end}`];
      return [...subshell(line.parts), stops || end === "" ? end : ` || exit${end}`];
    }),
  ];
}

/** What one line changes, such as its folder, must not reach the next. */
function subshell(parts: readonly Part[]): readonly Part[] {
  const text = parts.map((part) => (typeof part === "string" ? part : "x")).join("");
  // A comment or a here-document would swallow the bracket.
  const isSimple = !/[#\n]|<<|\\$/.test(text);
  return isSimple ? ["( ", ...parts, " )"] : ["(\n", ...parts, "\n)"];
}
