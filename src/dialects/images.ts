// The images of a result, which some APIs take beside its text.
import type { ModelAnswer } from "./model-call.ts";

export interface Image {
  readonly mediaType: string;
  readonly base64: string;
  /** As a `data:` address. */
  readonly url: string;
}

/**
 * The types that OpenAI, Anthropic, Gemini and Mistral all document for input; the text of a result names every other
 * one.
 */
const MEDIA_TYPES = ["image/png", "image/jpeg", "image/webp", "image/gif"];
/** "image exceeds 5 MB maximum", says Anthropic, which takes the least; its bytes are those of the base64. */
const BASE64_CHARACTERS_MAX = 5 * 1024 * 1024;

export function imagesIn({ result }: Pick<ModelAnswer, "result">): readonly Image[] {
  return (result?.content ?? []).flatMap((piece) =>
    piece.type === "image" && MEDIA_TYPES.includes(piece.mediaType) && piece.base64.length <= BASE64_CHARACTERS_MAX
      ? [{ mediaType: piece.mediaType, base64: piece.base64, url: `data:${piece.mediaType};base64,${piece.base64}` }]
      : [],
  );
}
