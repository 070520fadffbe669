// The images of a result, which some APIs take beside its text.
import type { ModelAnswer } from "./model-call.ts";

export interface Image {
  readonly mediaType: string;
  readonly base64: string;
  /** As a `data:` address. */
  readonly url: string;
}

/** The types that OpenAI, Anthropic, Gemini and Mistral all document for input; the text of a result names every other one. */
const MEDIA_TYPES = ["image/png", "image/jpeg", "image/webp", "image/gif"];

export function imagesIn({ result }: Pick<ModelAnswer, "result">): readonly Image[] {
  return (result?.content ?? []).flatMap((piece) => (piece.type === "image" && MEDIA_TYPES.includes(piece.mediaType) ? [{ mediaType: piece.mediaType, base64: piece.base64, url: `data:${piece.mediaType};base64,${piece.base64}` }] : []));
}
