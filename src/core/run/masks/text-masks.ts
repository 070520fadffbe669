// Masks whole texts: each alone, or several that are read in sequence.
import { Buffer } from "node:buffer";
import type { OutputStream } from "../../tool/call.ts";
import type { SecretForms } from "./secret-forms.ts";
import { MaskedPieces, type MaskedRange } from "./masked-pieces.ts";
import { SecretSearch } from "./secret-search.ts";

interface TextPiece {
  readonly stream: OutputStream;
  readonly text: string;
}

export class TextMasks {
  readonly #forms: SecretForms;

  constructor(forms: SecretForms) {
    this.#forms = forms;
  }

  text(text: string): string {
    return this.parts([text])[0] ?? text;
  }

  /** Masks texts that are shown below each other. */
  parts(texts: readonly string[]): readonly string[] {
    const parts = placed(texts);
    return shown(texts, parts, this.#found(parts, true));
  }

  /** Masks pieces of two streams in this order: each stream alone, and both together. */
  transcript(pieces: readonly TextPiece[]): readonly string[] {
    const texts = pieces.map(({ text }) => text);
    const parts = placed(texts);
    const isOne = pieces.every(({ stream }) => stream === pieces[0]?.stream);
    const together = isOne ? [] : this.#found(parts, false);
    const masked = new Map<Part, string>();
    for (const stream of ["stdout", "stderr"] satisfies readonly OutputStream[]) {
      const own = parts.filter((_part, index) => pieces[index]?.stream === stream);
      const texts = own.map(({ bytes }) => bytes.toString());
      for (const [index, text] of shown(texts, own, [...this.#found(own, false), ...together]).entries())
        if (own[index]) masked.set(own[index], text);
    }
    return parts.map((part, index) => masked.get(part) ?? texts[index] ?? "");
  }

  #found(parts: readonly Part[], isApart: boolean): readonly MaskedRange[] {
    const search = new SecretSearch(this.#forms);
    return parts.flatMap(({ bytes, offset }) => {
      if (isApart && offset > 0) search.endLine(offset);
      return search.read(bytes, offset);
    });
  }
}

interface Part {
  readonly bytes: Buffer;
  readonly offset: number;
}

function placed(texts: readonly string[]): readonly Part[] {
  let offset = 0;
  return texts.map((text) => {
    const bytes = Buffer.from(text);
    offset += bytes.length;
    return { bytes, offset: offset - bytes.length };
  });
}

/** Returns the texts. Those in which nothing was found are unchanged, half characters included. */
function shown(texts: readonly string[], parts: readonly Part[], ranges: readonly MaskedRange[]): readonly string[] {
  if (ranges.length === 0) return texts;
  const pieces = new MaskedPieces();
  pieces.add(ranges);
  return parts.map(({ bytes, offset }, index) => {
    const masked = pieces.masked(bytes, offset);
    return masked === bytes ? (texts[index] ?? "") : Buffer.from(masked).toString();
  });
}
