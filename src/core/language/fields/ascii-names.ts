// Names with letters beyond ASCII, which APIs of models refuse: what is said of one, and its name in ASCII.
import { rowOf } from "../../text/row-of.ts";
import type { Fix } from "../../text/diagnostic.ts";
import type { Span } from "../../text/source.ts";

/** Letters that no form of Unicode takes apart. */
const LETTERS: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
};
const NAME = /^(?:\{[^{}]*\}[ \t]+)?(?:[A-Za-z_][\w-]*\.)?((?=[\w-]*[^\0-\x7f])[\p{L}\p{M}\p{N}_-]+)/u;

/** Returns the name at the beginning of a declaration if it has such letters, and where it begins there. */
export function foreignNameIn(text: string): { readonly name: string; readonly at: number } | undefined {
  const [whole = "", name] = NAME.exec(text) ?? [];
  return name === undefined ? undefined : { name, at: whole.length - name.length };
}

/** Returns undefined where letters remain that are not of ASCII. */
function asciiName(name: string): string | undefined {
  const apart = name
    .replaceAll(/\P{ASCII}/gu, (letter) => rowOf(LETTERS, letter.toLowerCase()) ?? letter)
    .normalize("NFKD");
  const plain = apart.replaceAll(/\p{M}/gu, "");
  return /^[A-Za-z_][\w-]{0,63}$/.test(plain) ? plain : undefined;
}

/** What is said of a declared name: `at` is its place. The fix gives it another name wherever the file has it. */
export function foreignName(
  name: string,
  at: Span,
): { readonly message: string; readonly help: readonly string[]; readonly fix?: Fix } {
  const message = `\`${name.slice(0, 64)}\` cannot be a name here: APIs of models accept only letters from a to z, digits, \`_\` and \`-\``;
  const ascii = asciiName(name);
  const { source } = at;
  const isTaken = ascii !== undefined && new RegExp(`(?<![\\w-])${ascii}(?![\\w-])`).test(source.text);
  if (ascii === undefined || isTaken)
    return { message, help: ["give it a name of such letters, and say what it means in its description"] };
  const uses = source.text.matchAll(new RegExp(`(?<=[{.])${name}(?=[}.[])|(?<=")${name}(?="\\s*:)`, "g"));
  const spans = [at, ...[...uses].map(({ index }) => ({ source, start: index, end: index + name.length }))];
  return {
    message,
    help: [],
    fix: { title: `call it \`${ascii}\``, edits: spans.map((span) => ({ span, text: ascii })) },
  };
}
