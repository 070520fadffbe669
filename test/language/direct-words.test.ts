// The words of a command without a shell are those that grammar/command.ohm gives.
import { readdirSync, readFileSync, statSync } from "node:fs";
import fc from "fast-check";
import { grammar, type Node } from "ohm-js";
import { type DirectToken, type DirectWord, directWords } from "../../src/core/shell/direct-words.ts";
import { LiteralBraces } from "../../src/core/text/literal-braces.ts";
import { amount, seed } from "../amount.ts";
import { unicodeText } from "../arbitrary-text.ts";
import { assert, assertLinear, suite } from "../harness.ts";

const test = suite("directWords");

const root = new URL("../../", import.meta.url);
const ifExists = { throwIfNoEntry: false } as const;
const wordsOfGrammar = wordsReader();

test("directWords agrees with the grammar on every line of the tools and cases", () => {
  const files = ["wrapped-tools/", "test/cases/", "grammar/"].flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(tool|yaml|md)$/.test(name) && statSync(new URL(folder + name, root), ifExists)?.isFile())
      .map((name) => readFileSync(new URL(folder + name, root), "utf8")),
  );
  const lines = [...new Set(files.flatMap((text) => text.split("\n")))].filter((line) => /[@`'"\\{]/.test(line));
  assert.ok(lines.length > 1_000);
  for (const line of lines.filter((_line, index) => index % amount(5, 1) === 0)) assertAgrees(line);
});

test("directWords agrees with the grammar on every short text of signs", () => {
  for (const text of shortTexts("'\"\\{}$;# \na", amount(3, 5))) assertAgrees(text);
});

test("directWords agrees with the grammar on any text", () => {
  const signs = fc.constantFrom(..."'\"\\{}$`|;#~ \n\r\ta-_1é😀\0", "{name}", "{{", "word", " --option=", "\\\n");
  const text = fc.array(fc.oneof({ weight: 9, arbitrary: signs }, unicodeText(3)), { maxLength: 30 });
  fc.assert(
    fc.property(text, (parts) => assertAgrees(parts.join(""))),
    { numRuns: amount(300, 100_000), seed },
  );
});

test("directWords takes linear time", () => {
  for (const repeated of ['"', "'", "\\", '\\"', "{a", '"\\"', " a", "'\"'"])
    assertLinear(repeated, 20_000, (count) => directWords(`"${repeated.repeat(count)}`));
});

function assertAgrees(text: string): void {
  assert.equal(directWords(text), wordsOfGrammar(text), JSON.stringify(text));
}

function shortTexts(alphabet: string, length: number): readonly string[] {
  if (length === 0) return [""];
  const shorter = shortTexts(alphabet, length - 1);
  const longest = shorter.filter((text) => text.length === length - 1);
  return [...shorter, ...longest.flatMap((text) => [...alphabet].map((sign) => text + sign))];
}

function wordsReader(): (text: string) => readonly DirectWord[] {
  const compiled = grammar(readFileSync(new URL("grammar/command.ohm", root), "utf8"));
  let literal = new LiteralBraces();
  const semantics = compiled.createSemantics();
  const inner = (children: readonly Node[], quoting: string): DirectToken[] =>
    children.flatMap((child): DirectToken[] => child["tokens"](quoting));
  const text = (value: string): DirectToken[] => [{ kind: "text", text: value }];
  const escaped = (character: Node): DirectToken[] => text(character.sourceString.replace("\n", ""));
  semantics.addOperation<DirectToken[]>("tokens(quoting)", {
    emptyBraces: (_braces) => text("{}"),
    doubledBrace: (braces) => text(literal.read(braces.sourceString)),
    placeholder(_open, name, _close) {
      const { startIdx: start, endIdx: end } = this.source;
      return [{ kind: "placeholder", name: name.sourceString, start, end, quoting: this["args"]["quoting"] }];
    },
    single: (_open, pieces, _close) => [{ kind: "quote" }, ...inner(pieces.children, "single"), { kind: "quote" }],
    double: (_open, pieces, _close) => [{ kind: "quote" }, ...inner(pieces.children, "double"), { kind: "quote" }],
    doubleEscape: (_backslash, character) => escaped(character),
    escape: (_backslash, character) => escaped(character),
    expansion: (sign) => [{ kind: "operator", text: sign.sourceString, start: sign.source.startIdx }],
    operator: (sign) => [{ kind: "operator", text: sign.sourceString, start: sign.source.startIdx }],
    openQuote: (sign) => [{ kind: "open-quote", text: sign.sourceString, start: sign.source.startIdx }],
    openEscape: (sign, _end) => [{ kind: "open-escape", text: sign.sourceString, start: sign.source.startIdx }],
    run: (characters) => text(characters.sourceString),
    singlePlain: (character) => text(character.sourceString),
    doublePlain: (character) => text(character.sourceString),
    plain: (character) => text(character.sourceString),
    _nonterminal(...children) {
      return inner(children, this["args"]["quoting"]);
    },
  });
  semantics.addOperation<DirectWord[]>("words", {
    gap: (_blanks) => [],
    word(pieces) {
      const { startIdx: start, endIdx: end } = this.source;
      return [{ start, end, tokens: joined(inner(pieces.children, "bare")) }];
    },
    _iter: (...children) => children.flatMap((child): DirectWord[] => child["words"]()),
    _nonterminal: (...children) => children.flatMap((child): DirectWord[] => child["words"]()),
  });
  return (whole) => {
    literal = new LiteralBraces();
    return semantics(compiled.match(whole, "words"))["words"]();
  };
}

/** The grammar takes plain text in several pieces. */
function joined(tokens: readonly DirectToken[]): readonly DirectToken[] {
  const all: DirectToken[] = [];
  for (const token of tokens) {
    const last = all.at(-1);
    if (token.kind === "text" && last?.kind === "text")
      all.splice(-1, 1, { kind: "text", text: last.text + token.text });
    else all.push(token);
  }
  return all;
}

test.run();
