// Bytes from outside as text that loses nothing: what is not UTF-8 is refused, and a byte order mark stays.
import { firstBrokenByte } from "../text/broken-byte.ts";
import type { TerminalInput } from "../tool/terminal.ts";

/** `name`: of what holds the bytes, as in a message. */
export function decodedText(bytes: Uint8Array, name: string): string | { readonly problem: string } {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    const broken = firstBrokenByte(bytes);
    return {
      problem: `${name} is not UTF-8 text: the byte ${broken?.byte} at offset ${broken?.offset} does not belong there`,
    };
  }
}

export async function readInputText(
  input: TerminalInput,
  bytesMax: number,
): Promise<string | { readonly problem: string }> {
  const bytes = await input.readBytes(bytesMax);
  return bytes ? decodedText(bytes, "standard input") : { problem: `standard input has more than ${bytesMax} bytes` };
}

/** For texts of which a byte order mark is no part, such as JSON. */
export function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, "");
}
