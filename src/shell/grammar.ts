// The compiled grammar/command.ohm. It splits the text of a command that runs without a shell into words.
import { type Grammar, makeRecipe, type Node, type Semantics } from "ohm-js";
import { commandGrammarRecipe } from "../generated/command-grammar.ts";
import type { PlaceholderPiece } from "./pieces.ts";

/** One part of a word, in the order written; `start` and `end` are offsets into the text. */
export type DirectToken =
  | { readonly kind: "text"; readonly text: string }
  /** Marks the start or the end of pieces in quotes. */
  | { readonly kind: "quote" }
  | PlaceholderPiece
  | { readonly kind: "operator" | "open-quote" | "open-escape"; readonly text: string; readonly start: number };

export interface DirectWord {
  readonly start: number;
  readonly end: number;
  readonly tokens: readonly DirectToken[];
}

/** Splits a text into words, in linear time. Every text has words. */
export function directWords(text: string): readonly DirectWord[] {
  const { grammar, semantics } = loaded();
  return semantics(grammar.match(text, "words"))["words"]();
}

let lazyGrammar: { readonly grammar: Grammar; readonly semantics: Semantics } | undefined;

function loaded(): { readonly grammar: Grammar; readonly semantics: Semantics } {
  if (lazyGrammar) return lazyGrammar;
  const grammar = makeRecipe(JSON.parse(commandGrammarRecipe));
  const semantics = grammar.createSemantics();
  semantics.addOperation<DirectWord[]>("words", {
    words: (parts) => parts.children.flatMap((part): DirectWord[] => part["words"]()),
    gap: (_blanks) => [],
    word(pieces) {
      const tokens = pieces.children.flatMap((piece): DirectToken[] => piece["tokens"]("bare"));
      return [{ start: this.source.startIdx, end: this.source.endIdx, tokens }];
    },
    _iter: (...children) => children.flatMap((child): DirectWord[] => child["words"]()),
    _nonterminal: (...children) => children.flatMap((child): DirectWord[] => child["words"]()),
  });
  addTokens(semantics);
  lazyGrammar = { grammar, semantics };
  return lazyGrammar;
}

function addTokens(semantics: Semantics): void {
  const text = (value: string): DirectToken[] => [{ kind: "text", text: value }];
  const odd = (kind: "operator" | "open-quote" | "open-escape", node: Node): DirectToken[] => [
    { kind, text: node.source.contents[0] ?? "", start: node.source.startIdx },
  ];
  semantics.addOperation<DirectToken[]>("tokens(quoting)", {
    emptyBraces: (_braces) => text("{}"),
    doubledBrace: (braces) => text(braces.sourceString.slice(1)),
    placeholder(_open, name, _close) {
      return [
        {
          kind: "placeholder",
          name: name.sourceString,
          start: this.source.startIdx,
          end: this.source.endIdx,
          quoting: this["args"]["quoting"],
        },
      ];
    },
    single: (_open, pieces, _close) => [
      { kind: "quote" },
      ...pieces.children.flatMap((piece): DirectToken[] => piece["tokens"]("single")),
      { kind: "quote" },
    ],
    double: (_open, pieces, _close) => [
      { kind: "quote" },
      ...pieces.children.flatMap((piece): DirectToken[] => piece["tokens"]("double")),
      { kind: "quote" },
    ],
    // A backslash before a line end joins the lines, as in a shell.
    doubleEscape: (_backslash, escaped) => text(escaped.sourceString === "\n" ? "" : escaped.sourceString),
    escape: (_backslash, escaped) => text(escaped.sourceString === "\n" ? "" : escaped.sourceString),
    expansion(_character) {
      return odd("operator", this);
    },
    operator(_character) {
      return odd("operator", this);
    },
    openQuote(_character) {
      return odd("open-quote", this);
    },
    openEscape(_backslash, _end) {
      return odd("open-escape", this);
    },
    run: (characters) => text(characters.sourceString),
    singlePlain: (character) => text(character.sourceString),
    doublePlain: (character) => text(character.sourceString),
    plain: (character) => text(character.sourceString),
    _nonterminal(...children) {
      return children.flatMap((child): DirectToken[] => child["tokens"](this["args"]["quoting"]));
    },
  });
}
