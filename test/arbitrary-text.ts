// Any text at all, for generated tests.
import fc from "fast-check";

const SURROGATES_START = 0xd800;
const SURROGATES = 0x800;
const CODE_POINT_MAX = 0x10ffff;

const character = fc
  .integer({ min: 0, max: CODE_POINT_MAX - SURROGATES })
  .map((index) => String.fromCodePoint(index < SURROGATES_START ? index : index + SURROGATES));

/**
 * What `fc.string({ unit: "binary" })` gives, which takes half a second to make a table of all characters, in each
 * process.
 */
export function unicodeText(maxLength?: number): fc.Arbitrary<string> {
  return fc.array(character, maxLength === undefined ? {} : { maxLength }).map((characters) => characters.join(""));
}
