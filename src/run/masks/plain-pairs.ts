// Bytes that begin nothing. They are nearly all of a text, and are skipped without asking each view.
import type { SearchedForms } from "./forms.ts";
import { beginsEscape, isEscape } from "./decoder.ts";
import { base64Digits, hexDigits, isBetweenBase64, isBetweenHex } from "./digit-readers.ts";
import { asRead } from "./visible-bytes.ts";

/** The range of printable bytes. */
const [FIRST, LAST] = [0x20, 0x7e];

/**
 * Indexed by two bytes, `first * 256 + second`. 1 means that while nothing has begun, no view needs the first byte if
 * the second follows.
 */
export function plainPairs({ short, long, hex, base64 }: Omit<SearchedForms, "plain">): Uint8Array {
  const plain = new Uint8Array(256 * 256);
  const readings = [
    { automaton: short, read: asRead, passes: never },
    { automaton: long, read: asRead, passes: never },
    { automaton: hex, read: (byte: number) => hexDigits[byte] ?? 0, passes: isBetweenHex },
    { automaton: base64, read: (byte: number) => base64Digits[byte] ?? 0, passes: isBetweenBase64 },
  ];
  for (let first = FIRST; first <= LAST; first++) {
    const row = plain.subarray(first * 256, first * 256 + 256);
    const begun = readings.filter(
      ({ automaton, read }) => automaton !== undefined && automaton.first[read(first)] !== 0,
    );
    const escapes = beginsEscape(first);
    if (begun.length === 0 && !escapes) {
      row.fill(1);
      continue;
    }
    // Bytes that are not printed may stand between.
    row.fill(1, FIRST, LAST + 1);
    for (let second = FIRST; second <= LAST; second++) {
      const goesOn = begun.some(
        ({ automaton, read, passes }) =>
          beginsEscape(second) || passes(second) || automaton?.goesOn(automaton.first[read(first)] ?? 0, read(second)),
      );
      if (goesOn || (escapes && isEscape(first, second))) row[second] = 0;
    }
  }
  return plain;
}

function never(): boolean {
  return false;
}
