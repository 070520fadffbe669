// The ways in which a program may show a secret: a reader sees the secret, although its bytes are different.
import { Buffer } from "node:buffer";

/** A secret with characters that encodings change, long enough to be wrapped. */
export const SECRET = 'hunter2/Key+"42"&é';
/** A secret of digits, as short as any that is searched for. */
export const PIN = "4711";

export interface SecretRow {
  readonly name: string;
  /** The writes, in sequence. */
  readonly written: readonly (string | Uint8Array)[];
  /** The default is `a ••• b`. */
  readonly shown?: string;
}

const bytes = Buffer.from(SECRET);
const hex = bytes.toString("hex");
const pairs = hex.match(/../g) ?? [];
const half = 5;
const [head, tail] = [SECRET.slice(0, half), SECRET.slice(half)];

function row(name: string, shown: string, whole?: string): SecretRow {
  return { name, written: [`a ${shown} b`], ...(whole === undefined ? {} : { shown: whole }) };
}

function base64After(before: string, after: string): string {
  return Buffer.from(`${before}${SECRET}${after}`).toString("base64");
}

export const secretRows: readonly SecretRow[] = [
  row("as it is", SECRET),
  row("a colour within", `${head}\x1b[31m${tail}`),
  row(
    "each character in a colour",
    [...SECRET].map((character) => `\x1b[1;32m${character}\x1b[0m`).join(""),
    "a \x1b[1;32m•••\x1b[0m b",
  ),
  row("a title within", `${head}\x1b]0;title\x07${tail}`),
  row(
    "a link's address",
    `\x1b]8;;https://h/?t=${SECRET}\x07here\x1b]8;;\x07`,
    "a \x1b]8;;https://h/?t=•••\x07here\x1b]8;;\x07 b",
  ),
  row("a character set within", `${head}\x1b(B${tail}`),
  row("a line that is printed over", `${"x".repeat(SECRET.length)}\r${SECRET}\n`, "a xxxxxxxxxxxxxxxxxx\r•••\n b"),
  row("a NUL within", `${head}\0${tail}`),
  row("a NUL after each character", [...SECRET].join("\0")),
  row("a zero-width space within", `${head}\u200b${tail}`),
  row("a soft hyphen, a byte order mark and a joiner within", `${head}\u00ad\ufeff\u200d${tail}`),
  row("a mark of reading direction within", `${head}\u202e\u202c${tail}`),
  row("tag characters within", `${head}\u{e0041}\u{e007f}${tail}`),
  row("a variation selector after each character", [...SECRET].join("\ufe0f")),
  row("wrapped", (SECRET.match(/.{1,7}/gu) ?? []).join("\n")),
  row("wrapped with carriage returns and an indent", (SECRET.match(/.{1,7}/gu) ?? []).join("\r\n    ")),
  {
    name: "separate writes",
    written: ["a ", ...Array.from(bytes, (byte) => Uint8Array.of(byte)), " b"],
  },
  { name: "separate writes with a colour that is cut", written: ["a ", head, "\x1b", "[3", "1m", tail, " b"] },
  row("base64", bytes.toString("base64")),
  row("base64 without its end", bytes.toString("base64url")),
  row("base64 at the second place", base64After("x", "yz"), "a eG•••l5eg== b"),
  row("base64 behind a user", Buffer.from(`user:${SECRET}`).toString("base64"), "a dXNlcjp••• b"),
  row("base64 in lines", (bytes.toString("base64").match(/.{1,8}/g) ?? []).join("\n")),
  row("base64 in an address", encodeURIComponent(bytes.toString("base64"))),
  row(
    "base64 in JSON of JSON",
    JSON.stringify(JSON.stringify({ t: bytes.toString("base64") })),
    'a "{\\"t\\":\\"•••\\"}" b',
  ),
  row("hex", hex),
  row("hex in capitals", hex.toUpperCase()),
  row("hex with colons", pairs.join(":")),
  row("hex in words of two", (hex.match(/.{1,4}/g) ?? []).join(" ")),
  row("hex as od prints it", `\n ${pairs.slice(0, 16).join(" ")}\n ${pairs.slice(16).join(" ")}\n`, "a \n •••\n b"),
  row("hex as C has it", pairs.map((pair) => `0x${pair}`).join(", "), "a 0x••• b"),
  row("hex with backslashes", pairs.map((pair) => `\\x${pair}`).join("")),
  row("octal with backslashes", [...bytes].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("")),
  row("percent of what needs it", encodeURIComponent(SECRET)),
  row("percent of all", pairs.map((pair) => `%${pair}`).join("")),
  row(
    "percent of some, in both cases",
    `%68${SECRET.slice(1, 7)}%2f${SECRET.slice(8, 11)}%2B%22${SECRET.slice(13, 15)}%22%26%c3%A9`,
  ),
  row("a form's blanks", `t=${new URLSearchParams({ t: SECRET }).toString().slice(2)}`, "a t=••• b"),
  row("percent of percent", encodeURIComponent(encodeURIComponent(SECRET))),
  row("JSON", JSON.stringify(SECRET), 'a "•••" b'),
  row("JSON of JSON", JSON.stringify(JSON.stringify(SECRET)), 'a "\\"•••\\"" b'),
  row(
    "JavaScript's escapes",
    [...SECRET].map((character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`).join(""),
  ),
  row(
    "JavaScript's escapes with braces",
    [...SECRET].map((character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`).join(""),
  ),
  row("HTML", SECRET.replaceAll("&", "&amp;").replaceAll('"', "&quot;")),
  row(
    "HTML's numbers",
    [...SECRET]
      .map(
        (character, index) =>
          `&#${index % 2 === 0 ? character.codePointAt(0) : `x${(character.codePointAt(0) ?? 0).toString(16)}`};`,
      )
      .join(""),
  ),
  row(
    "mail's quoted-printable",
    pairs.map((pair, index) => `${index === 9 ? "=\n" : ""}=${pair.toUpperCase()}`).join(""),
  ),
  row("a shell's backslashes", SECRET.replaceAll(/[^a-zA-Z0-9é]/g, "\\$&")),
  row("CSV", `"${SECRET.replaceAll('"', '""')}"`, 'a "•••" b'),
];
