// Scripts for sed in which values between the slashes of `s/…/…/` and `/…/`, and in the text of `a`, `i` and `c`, are
// data. Any other command or flag, such as `e`, may run the lines that such values are in.
import type { CommandPiece, CommandWord } from "./pieces.ts";

/** Stands for a value in the text of a script. */
const VALUE = "\u0000";

/** Whether values in the script are data. The placeholders that `mayBeAny` excludes are numbers. */
export function isHarmlessScript({ pieces }: CommandWord, mayBeAny: (piece: CommandPiece) => boolean): boolean {
  const textOf = (piece: CommandPiece): string =>
    piece.kind === "text" ? piece.text : piece.kind === "placeholder" && !mayBeAny(piece) ? "1" : VALUE;
  const script = pieces
    .map(textOf)
    .join("")
    .replace(/^(?:--\w+=|-[nErsuz]*e)?[\s;}]*/, "");
  // Command by command: one expression for all of them would try each in every way.
  return [...script.matchAll(COMMAND)].map(([command]) => command).join("") === script;
}

const DELIMITER = String.raw`[^\w\s.\\${VALUE}-]`;

/** Matches text up to the delimiter. */
function until(delimiter: string): string {
  return String.raw`(?:\\[^${VALUE}]|(?!${delimiter})[^\\])*${delimiter}`;
}

/** Matches a pattern up to the delimiter, which ends a pattern within `[…]` in some versions of sed and not in others. */
function patternUntil(delimiter: string): string {
  const item = String.raw`(?:\[[:.=]\w+[:.=]\]|\\[^\]${VALUE}]|(?!${delimiter}|\[[:.=])[^\\`;
  const list = String.raw`\[(?:\^|(?!\^))${item}])${item}\]])*\]`;
  return String.raw`(?:\\[^${VALUE}]|${list}|(?!${delimiter})[^\\[])*${delimiter}`;
}

function address(name: string): string {
  const other = String.raw`\\(?<${name}>${DELIMITER})${patternUntil(String.raw`\k<${name}>`)}`;
  return String.raw`(?:\d+(?:~\d+)?|\$|(?:/${patternUntil("/")}|${other})[IM]*)`;
}

const COMMANDS = [
  String.raw`s(?<s>${DELIMITER})${patternUntil(String.raw`\k<s>`)}${until(String.raw`\k<s>`)}[gpiImM\d]*(?: *w[^\n${VALUE}]+(?=\n|$))?`,
  `y(?<y>${DELIMITER})${until(String.raw`\k<y>`).repeat(2)}`,
  String.raw`[aic](?:\\[^${VALUE}]|[^\\\n])*(?=\n|$)`,
  String.raw`(?:[rRwW]|#)[^\n${VALUE}]*(?=\n|$)`,
  String.raw`[btT:] *(?:[^\s;}${VALUE}]+|(?=[\n;}]|$))`,
  String.raw`[lLqQ] *\d*|[=dDgGhHnNpPxzF]`,
];
const RANGE = String.raw`(?:${address("from")}(?: *, *(?:${address("to")}|[+~]\d+))?\s*)?(?:!\s*)*`;
const COMMAND = new RegExp(String.raw`${RANGE}(?:\{|(?:${COMMANDS.join("|")})(?=[\s;}#]|$))[\s;}]*`, "gy");
