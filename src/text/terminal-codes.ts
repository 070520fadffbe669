// Colours, cursor movements, titles and links that programs write for terminals. A model pays for them and sees
// nothing.

// Matches sequences of ECMA-48: CSI and similar end with a letter, OSC and similar with a terminator. It takes linear
// time on any text, because each repetition stops at the next escape; the expression in node:util does not.
const terminalCode =
  /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)|[PX^_][^\x1b\x9c\n]*(?:\x1b\\|\x9c)|[ -/]+[0-~]|[0-~])?|\x9b[0-?]*[ -/]*[@-~]/g;

export function withoutTerminalCodes(text: string): string {
  return text.includes("\x1b") || text.includes("\x9b") ? text.replace(terminalCode, "") : text;
}
