// Regular expressions in linear time: the same results as JavaScript's own, also where those would never finish.
import { compileLinear } from "../../src/core/schema/linear-pattern.ts";
import { patternMatch, wholePattern } from "../../src/core/schema/pattern-match.ts";
import { readPattern } from "../../src/core/schema/pattern-syntax.ts";
import { randomNumbers } from "../language/generated-text.ts";
import { runBounded } from "../../src/core/host/node-host.ts";
import { amount, HANG_MS_MAX, seed } from "../amount.ts";
import { assert, suite } from "../harness.ts";

const test = suite("pattern-match");

const PATTERNS = amount(3_000, 20_000);
const TEXTS_EACH = 6;
/** With more, JavaScript's own takes too long for a comparison. */
const REPETITIONS_MAX = 6;

const pieces = [
  "a",
  "b",
  "c",
  "ab",
  "-",
  "é",
  "K",
  "s",
  "\\n",
  "\\t",
  "\\.",
  "\\/",
  "\\-",
  "\\x61",
  "\\u0062",
  "\\cJ",
  "\\0",
  ".",
  "\\d",
  "\\D",
  "\\w",
  "\\W",
  "\\s",
  "\\S",
  "[ab]",
  "[^a]",
  "[a-c-]",
  "[\\d_]",
  "[^\\w]",
  "[]",
  "[^]",
  "[\\]]",
  "[\\b]",
  "\\b",
  "\\B",
  "^",
  "$",
  "\\p{L}",
  "\\P{Lu}",
  "\\u{1F600}",
  "\\ud83d\\ude00",
  "😀",
  "[😀é]",
  "[[a-c]--b]",
  "[\\p{L}&&[a-z]]",
  "\\p{RGI_Emoji}",
  "{",
  "}",
  "]",
];
const openings = ["(", "(?:", "(?<n>", "(?=", "(?!", "(?<=", "(?<!"];
const quantifiers = ["*", "+", "?", "*?", "+?", "??", "{2}", "{0}", "{1,}", "{0,2}", "{2,3}?", "{,2}"];
const flagSets = ["", "i", "m", "s", "u", "v", "iu", "ms", "imsu", "im", "iv"];
const characters = [
  "a",
  "b",
  "c",
  "A",
  "B",
  "-",
  "é",
  "É",
  "K",
  "K",
  "ſ",
  "s",
  "S",
  "1",
  "_",
  " ",
  "\n",
  "\r",
  "\u2028",
  "\u00a0",
  ".",
  "/",
  "]",
  "{",
  "}",
  "\0",
  "😀",
  "\ud83d",
  "\ude00",
  ",",
  "2",
];

class Generator {
  readonly #random: (below: number) => number;
  #quantified = 0;

  constructor(random: () => number) {
    this.#random = (below) => Math.floor(random() * below);
  }

  pick(from: readonly string[]): string {
    return from[this.#random(from.length)] ?? "";
  }

  source(): string {
    this.#quantified = 0;
    return this.#alternatives(0);
  }

  text(): string {
    return Array.from({ length: this.#random(9) }, () =>
      this.pick(this.#random(2) === 0 ? characters : ["a", "b", "a"]),
    ).join("");
  }

  #alternatives(depth: number): string {
    return Array.from({ length: this.#random(4) === 0 ? 2 : 1 }, () =>
      Array.from({ length: this.#random(4) }, () => this.#piece(depth)).join(""),
    ).join("|");
  }

  #piece(depth: number): string {
    const piece =
      depth < 3 && this.#random(3) === 0
        ? `${this.pick(openings)}${this.#alternatives(depth + 1)})`
        : this.pick(this.#random(2) === 0 ? pieces : ["a", "b", "."]);
    if (this.#quantified >= REPETITIONS_MAX || this.#random(3) > 0) return piece;
    this.#quantified++;
    return piece + this.pick(quantifiers);
  }
}

test(`the linear engine answers as JavaScript's own does (${PATTERNS} patterns)`, () => {
  const generator = new Generator(randomNumbers(seed));
  let compared = 0;
  let matching = 0;
  for (let count = 0; count < PATTERNS; count++) {
    const pattern = { source: generator.source(), flags: generator.pick(flagSets) };
    const native = compiled(pattern);
    const { node } = native ? readPattern(pattern) : {};
    const linear = node && compileLinear(node, pattern.flags);
    if (!native || !linear) continue;
    compared++;
    for (let each = 0; each < TEXTS_EACH; each++) {
      const text = generator.text();
      const found = native.exec(text);
      // V8 finds places within a character of two units, which cannot happen with the flag `u`:
      // https://tc39.es/ecma262/#sec-regexpbuiltinexec steps over them.
      if (found && native.unicode !== native.unicodeSets && isWithinCharacter(text, found.index)) continue;
      const expected = found !== null;
      if (expected) matching++;
      const shown = JSON.stringify({ ...pattern, text });
      assert.is(linear.test(text), expected, shown);
      assert.is(patternMatch(pattern).isIn(text), expected, shown);
    }
  }
  assert.ok(compared > PATTERNS / 4, `only ${compared} patterns were compared`);
  assert.ok(
    matching > compared && matching < compared * (TEXTS_EACH - 1),
    `${matching} of ${compared * TEXTS_EACH} texts match`,
  );
});

function isWithinCharacter(text: string, index: number): boolean {
  return index > 0 && (text.codePointAt(index - 1) ?? 0) > 0xff_ff;
}

function compiled({ source, flags }: { readonly source: string; readonly flags: string }): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}

const a100000 = "a".repeat(100_000);

/** Pattern, text of some 100,000 characters, and whether it matches. JavaScript's own finishes none of them. */
const bombs: readonly (readonly [source: string, flags: string, text: string, isIn: boolean])[] = [
  ["^(?:(a|a)*b)$", "", a100000, false],
  ["^(?:(a|a)*b)$", "iu", `${a100000}B`, true],
  ["(a+)+$", "", `${a100000}!`, false],
  ["(.*)*x", "", a100000, false],
  ["(\\w+\\s?)*$", "", "aaaa ".repeat(20_000), true],
  ["^(\\w+\\s?)*$", "", `${"aaaa ".repeat(20_000)}!`, false],
  ["^(([a-z])+.)+[A-Z]([a-z])+$", "", a100000, false],
  ["^a*a*a*a*b", "", a100000, false],
  [".*.*=.*", "s", a100000, false],
  ["a*b", "", a100000, false],
  ["\\s+$", "", `${" ".repeat(100_000)}x`, false],
  ["(?=(a|a)*b)c|(?<=(a|a)*b)$", "", a100000, false],
  ["(?<!(a|a)+)a$", "", a100000, false],
  ["(a|a){2,50}b$", "", a100000, false],
  ["^(?:(?:\\p{L}|\\w)*)*$", "u", `${"é😀a".repeat(30_000)}`, false],
];

for (const [source, flags, text, isIn] of bombs) {
  test(`/${source}/${flags} is done with ${text.length} characters`, () => {
    assert.is(
      runBounded(() => patternMatch({ source, flags }).isIn(text), HANG_MS_MAX),
      isIn,
    );
  });
}

test("a pattern whose sets of ways are too many to be remembered begins anew, and is right", () => {
  const random = randomNumbers(7);
  const text = Array.from({ length: 20_000 }, () => (random() < 0.5 ? "a" : "b")).join("");
  const { isIn } = patternMatch({ source: "^(?:a|b)*a[ab]{16}$", flags: "" });
  const lengths = Array.from({ length: 20 }, (_, index) => text.length - index);
  assert.equal(
    lengths.map((length) => isIn(text.slice(0, length))),
    lengths.map((length) => text[length - 17] === "a"),
  );
});

test("patterns as most people write them run as they are", () => {
  const whole = [
    "yes|no",
    "[a-z0-9_-]+",
    "[A-Z]{2}-\\d{1,6}",
    ".*\\.txt",
    "https?://.*",
    "\\d{4}-\\d\\d-\\d\\d",
    "[^@]+",
    "[a-z]{1,64}",
    "\\p{L}+",
  ];
  const anywhere = [
    "^-(delete|exec|execdir|ok|okdir|fls|fprint.*)$",
    "[;&|]",
    "^--(col|hy)",
    "\\bTODO\\b",
    "\\d\\d:\\d\\d",
  ];
  const lengths = [
    ...whole.map((source) => wholePattern({ source, flags: "u" })),
    ...anywhere.map((source) => ({ source, flags: "" })),
  ].map((pattern) => patternMatch(pattern).safeLength);
  assert.equal(
    lengths,
    [...whole, ...anywhere].map(() => Infinity),
  );
});

test("what has no linear time says so, and no text is safe with it", () => {
  const patterns = [
    "(a+)\\1",
    "(?<n>a)\\k<n>",
    "\\07",
    "(?:a{1000}){1000}",
    "(?:\\b){100000}",
    `${"(".repeat(101)}a*${")".repeat(101)}`,
    "(?:(?:()\\1){1000}){1000}",
  ];
  assert.equal(
    patterns.map((source) => [
      patternMatch({ source, flags: "" }).unbounded,
      patternMatch({ source, flags: "" }).safeLength,
    ]),
    [
      ["`\\1` cannot be matched in linear time", -1],
      ["`\\k<n>` cannot be matched in linear time", -1],
      ["`\\07` cannot be matched in linear time", -1],
      ["it is too large to match in linear time", -1],
      ["it is too large to match in linear time", -1],
      ["`(` cannot be matched in linear time", -1],
      ["`\\1` cannot be matched in linear time", -1],
    ],
  );
  assert.is(patternMatch({ source: "\\q{ab|c}[\\q{ab|c}]", flags: "" }).unbounded, undefined);
  assert.is(patternMatch({ source: "[\\q{ab|c}]*", flags: "v" }).unbounded, "`\\q{` cannot be matched in linear time");
});

test("a pattern keeps its answers for long texts with many different characters", () => {
  const every = Array.from({ length: 60_000 }, (_, index) => String.fromCharCode(index)).join("");
  for (const [source, flags] of [
    ["(?:\\w|\\s)+\\ud7ff", ""],
    ["(a|b)*[^\\0-\\uea5f]", ""],
    ["(a|b)*[^\\0-\\uea5e]", ""],
    ["([k-m])*\\u212a\\u212b$|\\u212a(\\u212b|z)*", "i"],
  ] as const) {
    assert.is(patternMatch({ source, flags }).isIn(every), new RegExp(source, flags).test(every), source);
  }
});

test.run();
