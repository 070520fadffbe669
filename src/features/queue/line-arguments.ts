// The arguments that a line of a batch stands for.
import type { JsonObject } from "../../core/schema/json.ts";
import type { Parameter } from "../../core/schema/parameter.ts";
import type { Tool } from "../../core/tool/tool.ts";
import { arrayParameter } from "../../core/run/find-parameter.ts";
import { LINE_PATH } from "../../cli/words/refused-words.ts";
import { readToolWords, type ToolWords } from "../../cli/words/tool-words.ts";
import { type InputLine, LINE_CHARACTERS_MAX } from "./input-lines.ts";

export interface BatchTool {
  readonly name: string;
  readonly tool: Tool;
  /** The words of every call. */
  readonly own: readonly string[];
}

export function argumentsIn({ text, isTooLong }: InputLine, { name, tool: { parameters }, own }: BatchTool): ToolWords {
  const shared = { parameters, tool: name };
  const fixed = readToolWords(own, { ...shared, form: "short" });
  if (isTooLong) {
    const message = `has more than ${LINE_CHARACTERS_MAX.toLocaleString("en")} characters`;
    return { ...fixed, issues: [...fixed.issues, { path: LINE_PATH, message }] };
  }
  if (text.includes("\uFFFD")) {
    const message = "has bytes that are not UTF-8; a U+FFFD that is meant is `\\ufffd` in an object";
    return { ...fixed, issues: [...fixed.issues, { path: LINE_PATH, message }] };
  }
  if (!text.trimStart().startsWith("{")) {
    const only = onlyOpen(parameters, fixed.arguments);
    if (only) return readToolWords([...own, `--${only.name}=${text}`], { ...shared, form: "short" });
    // What a line holds is data, and never an option.
    const word = text.startsWith("-") && !own.includes("--") ? ["--", text] : [text];
    return readToolWords([...own, ...word], { ...shared, form: "short" });
  }
  const given = readToolWords(["--json", text], { ...shared, form: "call" });
  const issues = given.issues.map((issue) => (issue.path === "--json" ? { ...issue, path: LINE_PATH } : issue));
  return { ...given, arguments: { ...fixed.arguments, ...given.arguments }, issues: [...fixed.issues, ...issues] };
}

/** Returns the one parameter that a line can only be meant for. */
function onlyOpen(parameters: readonly Parameter[], given: JsonObject): Parameter | undefined {
  if (arrayParameter(parameters)) return undefined;
  const open = parameters.filter(({ name, hidden }) => !hidden && !Object.hasOwn(given, name));
  const required = open.filter((one) => one.required);
  const meant = required.length > 0 ? required : open;
  return meant.length === 1 ? meant[0] : undefined;
}
