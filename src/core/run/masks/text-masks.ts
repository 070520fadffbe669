// Masks whole texts.
import { Buffer } from "node:buffer";
import type { SecretForms } from "./secret-forms.ts";
import { MaskedPieces } from "./masked-pieces.ts";
import { SecretSearch } from "./secret-search.ts";

/**
 * Masks texts that are shown below each other. Those in which nothing is found are unchanged, half characters included.
 */
export function maskedTexts(texts: readonly string[], forms: SecretForms): readonly string[] {
  const search = new SecretSearch(forms);
  const pieces = new MaskedPieces();
  let end = 0;
  const parts = texts.map((text) => {
    const [bytes, offset] = [Buffer.from(text), end];
    end += bytes.length;
    if (offset > 0) search.endLine(offset);
    pieces.add(search.read(bytes, offset));
    return { text, bytes, offset };
  });
  return parts.map(({ text, bytes, offset }) => {
    const masked = pieces.masked(bytes, offset);
    return masked === bytes ? text : Buffer.from(masked).toString();
  });
}
