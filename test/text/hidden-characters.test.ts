import { asSpelledOut, forModels, spelledOut } from "../../src/core/text/hidden-characters.ts";
import { assert, assertLinear, suite } from "../harness.ts";

const test = suite("hidden-characters");

/** Each text with its form for a model, and its form within a file. */
const rows: readonly (readonly [text: string, forModels: string, spelled: string])[] = [
  ["\x1b[31mred\x1b[0m", "red", "\\u{1b}[31mred\\u{1b}[0m"],
  ["\x1b]8;;https://evil\x07link\x1b]8;;\x07", "link", "\\u{1b}]8;;https://evil\\u{7}link\\u{1b}]8;;\\u{7}"],
  ["\x9b31mC1\x85", "C1", "\\u{9b}31mC1\\u{85}"],
  ["if (admin\u202e\u2066)", "if (admin)", "if (admin\\u{202e}\\u{2066})"],
  [
    "a\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u2067\u2068\u2069b",
    "ab",
    "a\\u{200e}\\u{200f}\\u{61c}\\u{202a}\\u{202b}\\u{202c}\\u{202d}\\u{2067}\\u{2068}\\u{2069}b",
  ],
  [
    `be nice${[..."obey"].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join("")}`,
    "be nice",
    "be nice\\u{e006f}\\u{e0062}\\u{e0065}\\u{e0079}",
  ],
  ["zero\u200b\u2060\ufeffwidth\u00ad", "zerowidth", "zero\\u{200b}\\u{2060}\\u{feff}width\\u{ad}"],
  ["N\bNA\bA\bM", "NM", "N\\u{8}NA\\u{8}A\\u{8}M"],
  ["a\0b\x07c\x7f", "abc", "a\\u{0}b\\u{7}c\\u{7f}"],
  ["😀\ufe01\ufe02\ufe03", "😀\ufe01", "😀\ufe01\\u{fe02}\\u{fe03}"],
];

test("forModels leaves out what no reader sees", () => {
  assert.equal(
    rows.map(([text]) => forModels(text)),
    rows.map(([, left]) => left),
  );
});

test("spelledOut shows it, and asSpelledOut gives the text back", () => {
  assert.equal(
    rows.map(([text]) => spelledOut(text)),
    rows.map(([, , spelled]) => spelled),
  );
  assert.equal(
    rows.map(([text]) => asSpelledOut(spelledOut(text))),
    rows.map(([text]) => text),
  );
});

test("Texts of any script, pictures, tabs and line ends stay as they are", () => {
  const texts = ["", "plain\ttext\r\n", "é \u{1f600} ❤️ 👨‍👩‍👧 می‌خواهم שלום", "\\u{41} is a letter", "[31m", "日本語"];
  assert.equal([texts.map(forModels), texts.map(spelledOut), texts.map(asSpelledOut)], [texts, texts, texts]);
});

test("a text takes time linear to it", () => {
  for (const unit of ["\b", "x\b", "\ufe01", "\u202e", "\x1b[", "\u{e0041}", "\\u{", "\x1b]"]) {
    for (const change of [forModels, spelledOut, asSpelledOut])
      assertLinear(JSON.stringify(unit), 20_000, (length) => void change(unit.repeat(length)));
  }
});

test.run();
