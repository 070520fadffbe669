// The images of a result, which some APIs accept besides its text.
import type { ModelAnswer } from "./model-call.ts";

interface Image {
  readonly mediaType: string;
  readonly base64: string;
  /** A `data:` address. */
  readonly url: string;
}

/**
 * The types that OpenAI, Anthropic, Gemini and Mistral all document for input; the text of a result names every other
 * one.
 */
const MEDIA_TYPES = ["image/png", "image/jpeg", "image/webp", "image/gif"];
/** Anthropic has the lowest limit: "image exceeds 5 MB maximum", counted in base64. */
const BASE64_CHARACTERS_MAX = 5 * 1024 * 1024;

export function imagesIn({ result }: Pick<ModelAnswer, "result">): readonly Image[] {
  return (result?.content ?? []).flatMap((piece) =>
    piece.type === "image" && MEDIA_TYPES.includes(piece.mediaType) && piece.base64.length <= BASE64_CHARACTERS_MAX
      ? [{ mediaType: piece.mediaType, base64: piece.base64, url: `data:${piece.mediaType};base64,${piece.base64}` }]
      : [],
  );
}
