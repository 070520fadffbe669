// Lines of a command that read like options in YAML: `timeout: 3s`. The language has no such lines, so they would be
// run.
import type { Shell } from "../../tool/command.ts";
import { scanScript } from "../../shell/scan.ts";

export interface OptionLine {
  /** The key as written, without the colon. */
  readonly key: string;
  /** The text after the colon, trimmed. */
  readonly value: string;
  /** The offset of the key in the text. */
  readonly start: number;
  /** The offset after the colon. */
  readonly keyEnd: number;
  readonly end: number;
  /** Whether nothing else can be meant. */
  readonly isSure: boolean;
}

/** The limit of looks, each of which reads all the text before it. */
const LOOKS_MAX = 50;

/** The reader of the lines: a shell, nothing (they are words of one command), or dottool (`PARAM = template`). */
export type LineReader = Shell | "none" | "arguments";

/**
 * Returns option lines in the order of the text. Lines that a program may need are left out: in a here-document, in
 * quotes, or a word without the value that the option takes.
 */
export function optionLines(text: string, reader: LineReader, keys: readonly string[]): readonly OptionLine[] {
  const found: OptionLine[] = [];
  let looks = 0;
  for (const match of text.matchAll(/^[ \t]*([A-Za-z][A-Za-z-]*):(?=[ \t\r]|$)([^\n]*)/gm)) {
    const [whole, key = "", rest = ""] = match;
    if (!keys.includes(key)) continue;
    if (++looks > LOOKS_MAX) break;
    const value = rest.trim();
    const keyEnd = match.index + whole.length - rest.length;
    const start = keyEnd - key.length - 1;
    const isProgram =
      reader === "arguments"
        ? start === match.index
        : reader !== "none" && !isFunction(text, key) && beginsCommand(text.slice(0, match.index), reader, key);
    const isWord =
      reader === "none" &&
      (key === "fallback" || valueForms[key]?.test(value) === true) &&
      !isOpen(text.slice(0, match.index));
    if (isProgram || isWord)
      found.push({
        key,
        value,
        start,
        keyEnd,
        end: match.index + whole.length,
        isSure: isProgram || key === "fallback",
      });
  }
  return found;
}

/** Forms of values that have no other likely use. */
export const valueForms: Readonly<Record<string, RegExp>> = {
  retry: /^\d+(?: [a-z]+=\S+)*$/,
  retries: /^\d+$/,
  attempts: /^\d+$/,
  concurrency: /^\d+$/,
  timeout: /^\d+(?:ms|s|m|h)?$/,
  delay: /^\d+(?:ms|s|m|h)?$/,
  cache: /^\d+(?:ms|s|m|h|d)$/,
  parallel: /^(?:true|yes)$/,
  "continue-on-error": /^(?:true|yes)$/,
  once: /^(?:true|yes)$/,
  "ignore-errors": /^(?:true|yes)?$/,
  backoff: /^(?:exponential|none)$/,
  when: /^\{[^{}]+\}/,
  if: /^\{[^{}]+\}/,
  "for-each": /^\{[^{}]+\}$/,
  shell: /^(?:bash|sh|zsh|pwsh|cmd)$/,
  env: /^[A-Z_]+=/,
  limit: /^(?:output|memory|cpu)=/,
  "env-inherit": /^(?:yes|no)$/,
};

/** `before` is the lines above. */
function beginsCommand(before: string, shell: Shell, key: string): boolean {
  switch (shell) {
    case "sh":
    case "bash":
    case "zsh":
      return (
        !/\\\r?\n$/.test(before) &&
        scanScript(before, { knowsTests: shell !== "sh", knowsSubscripts: shell === "zsh" }).trouble === undefined
      );
    case "pwsh":
      return !/["'@{(]|<#|`\r?\n$/.test(before);
    case "cmd":
      // `timeout` is also a program, and `echo:` runs `echo`.
      return key === "fallback" && !/["(]|\^\r?\n$/.test(before);
  }
}

function isFunction(text: string, key: string): boolean {
  return new RegExp(`^[ \\t]*(?:function[ \\t]+${key}:|${key}:[ \\t]*\\()`, "m").test(text);
}

/** Whether a quote is open at the end of words that no shell reads. */
function isOpen(before: string): boolean {
  return /\\\r?\n$/.test(before) || /["']/.test(before.replaceAll(/\\[\s\S]|'[^']*'|"(?:\\[\s\S]|[^"\\])*"/g, ""));
}
