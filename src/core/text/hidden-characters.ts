// Characters that no reader sees, or that change how others are seen: controls, marks of reading direction, characters
// without width, and Unicode's tags, with which words can be spelled that only a model reads. A person who agrees to a
// text has not seen them.
// Matches sequences of ECMA-48: CSI and similar end with a letter, OSC and similar with a terminator. It takes linear
// time on any text, because each repetition stops at the next escape; the expression in node:util does not.
const terminalCode =
  /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)|[PX^_][^\x1b\x9c\n]*(?:\x1b\\|\x9c)|[ -/]+[0-~]|[0-~])?|\x9b[0-?]*[ -/]*[@-~]/g;

export function withoutTerminalCodes(text: string): string {
  return text.includes("\x1b") || text.includes("\x9b") ? text.replace(terminalCode, "") : text;
}

/**
 * Unicode's default-ignorable characters, all controls, separators of lines and paragraphs, and marks of annotations.
 */
const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Cc}\u2028\u2029\ufff9-\ufffb]/u;

export function isHidden(codePoint: number): boolean {
  return codePoint <= 0x10ffff && HIDDEN.test(String.fromCodePoint(codePoint));
}

// Single joiners and variation selectors belong to scripts and pictures. Many in a row can spell out bytes.
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

/**
 * Returns a text in which these characters are spelled out as `\u{202e}`, for texts that have to be found again
 * exactly.
 */
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

/** Returns a text in which each backspace has removed the character before it. */
function typedOver(text: string): string {
  if (!text.includes("\b")) return text;
  const typed: string[] = [];
  for (const character of text) {
    if (character !== "\b") typed.push(character);
    else if (typed.at(-1) !== "\n") typed.pop();
  }
  return typed.join("");
}
