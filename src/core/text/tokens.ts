// How many tokens a text has for a model. Tokenizers differ between models, so this is an estimate.

/**
 * Pieces as tokenizers split texts: words with the space before them, capitals, digits, line ends, spaces, signs, and
 * single characters beyond ASCII. A long run without spaces comes first, because it may be encoded bytes.
 */
const PIECE =
  /[\w+/=-]{40,}| ?[A-Z]?[a-z]+| ?[A-Z]+| ?\d+|\r?\n|[^\S\n]+| ?[!-/:-@[-`{-~]+|[\0-\x08\x0b-\x1f\x7f]|[^\0-\x7f]/gu;
/** Spaces are the cheapest. With more, the two ends that a result shows of an output of two blocks would overlap. */
export const CHARACTERS_PER_TOKEN_MAX = 12;
const SHORT_PIECE = / ?[A-Z]?[a-z]+|[A-Z]+|\d+|[+/=_-]+/g;

/**
 * Estimates the tokens of a text. The numbers were fitted to the larger of what the tokenizers o200k_base and cl100k_base
 * count (gpt-tokenizer 3): prose 4.1 characters to a token, code 3.8, JSON 2.5, logs 2.2, hexadecimal digits 1.8, base64
 * 1.4, Chinese and Japanese 0.9. test/text/tokens.test.ts has the counts.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  for (const [piece] of text.matchAll(PIECE)) tokens += isEncoded(piece) ? piece.length / 1.4 : piecesIn(piece);
  return Math.ceil(tokens);
}

/** Whether these are bytes in base64, or what costs as much. */
function isEncoded(piece: string): boolean {
  return piece.length >= 40 && /[a-z]/.test(piece) && /[A-Z]/.test(piece) && /\d/.test(piece);
}

function piecesIn(piece: string): number {
  if (piece.length < 40) return tokensOf(piece);
  let tokens = 0;
  for (const [part] of piece.matchAll(SHORT_PIECE)) tokens += tokensOf(part);
  return tokens === 0 ? tokensOf(piece) : tokens;
}

function tokensOf(piece: string): number {
  const word = piece.trim();
  const code = word.codePointAt(0) ?? 0x20;
  if (code === 0x20) return piece.endsWith("\n") ? 0.8 : Math.max(0.5, piece.length / CHARACTERS_PER_TOKEN_MAX);
  if (code > 0xffff) return 2.5;
  if (code > 0x7f) return code < 0x2e80 ? 0.6 : 1.1;
  if (/[a-z]$/.test(word)) return word.length <= 11 ? 1 : word.length / 5;
  if (/[A-Z]$/.test(word)) return Math.max(1, word.length / 2.2);
  return Math.max(1, Math.ceil(word.length / 3));
}
