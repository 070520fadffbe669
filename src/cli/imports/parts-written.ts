// Parts of an imported tool as the templates of a definition.
import type { Spanned } from "../../text/source.ts";
import type { CommandTemplate, ShellPlaceholder } from "../../tool/command.ts";
import type { Template } from "../../tool/template.ts";
import type { ImportedTool, Part } from "./imported-tool.ts";

type ScriptOrCommand = Extract<ImportedTool["runs"], { kind: "script" | "command" }>;

export function commandOf(runs: ScriptOrCommand): CommandTemplate {
  if (runs.kind === "script") return { kind: "shell", shell: runs.shell, parts: runs.parts.map(shellPart) };
  return {
    kind: "direct",
    words: runs.words.map((parts) => ({
      parts: parts.map((part) => (typeof part === "string" ? part : { placeholder: part.parameter })),
    })),
  };
}

/** Only the name is written; the rest is what reading the file finds. */
function shellPart(part: Part): string | ShellPlaceholder {
  return typeof part === "string"
    ? part
    : { placeholder: part.parameter, quoting: "bare", isWholeWord: true, startsWord: true, isAfterDashes: false };
}

export function templateOf(parts: readonly Part[]): Template {
  return { parts: parts.map((part) => (typeof part === "string" ? part : { placeholder: part.parameter })) };
}

/** The text of a file that is not written yet has no places. */
export function placed<Value>(value: Value): Spanned<Value> {
  return { value, span: { source: { path: "imported.tool", text: "" }, start: 0, end: 0 } };
}
