// Characters that no reader sees, or that change how others are seen: controls, marks of reading direction, what is as
// wide as nothing, and Unicode's tags, which spell out words that only a model reads. A person who agrees to a text has
// not seen them.
import { withoutTerminalCodes } from "./terminal-codes.ts";

/**
 * The default-ignorable ones of Unicode, all controls, separators of lines and paragraphs, and what marks annotations.
 */
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Cc}\u2028\u2029\ufff9-\ufffb]/u;

export function isHidden(codePoint: number): boolean {
  return codePoint <= 0x10ffff && HIDDEN.test(String.fromCodePoint(codePoint));
}

// Joiners and variation selectors belong to scripts and pictures, one at a time: many in a row spell out bytes.
const LEFT_OUT =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each selector and joiner is meant for itself
  /(?<=([\u200c\u200d\ufe00-\ufe0f\u180b-\u180f]))[\u200c\u200d\ufe00-\ufe0f\u180b-\u180f]+|(?![\t\n\r\u200c\u200d\ufe00-\ufe0f\u180b-\u180f])[\p{Default_Ignorable_Code_Point}\p{Cc}\ufff9-\ufffb]/gu;
const ANY_LEFT_OUT = new RegExp(LEFT_OUT.source, "u");

/**
 * Returns a text for models: without terminal codes and hidden characters, and with overwritten text as it was last.
 */
export function forModels(text: string): string {
  if (!ANY_LEFT_OUT.test(text)) return text;
  return typedOver(withoutTerminalCodes(text)).replace(LEFT_OUT, "");
}

/** The same with everything still there, as `\u{202e}`: for texts that have to be found again exactly as they are. */
export function spelledOut(text: string): string {
  return ANY_LEFT_OUT.test(text)
    ? text.replace(LEFT_OUT, (hidden) =>
        [...hidden].map((one) => `\\u{${(one.codePointAt(0) ?? 0).toString(16)}}`).join(""),
      )
    : text;
}

/** Reverts `spelledOut`. */
export function asSpelledOut(text: string): string {
  return text.replace(/\\u\{([0-9a-f]{1,6})\}/g, (spelled, digits: string) =>
    isHidden(Number.parseInt(digits, 16)) ? String.fromCodePoint(Number.parseInt(digits, 16)) : spelled,
  );
}

/** A backspace takes the character before it away. */
function typedOver(text: string): string {
  if (!text.includes("\b")) return text;
  const typed: string[] = [];
  for (const character of text) {
    if (character !== "\b") typed.push(character);
    else if (typed.at(-1) !== "\n") typed.pop();
  }
  return typed.join("");
}
