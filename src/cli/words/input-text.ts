// Decodes bytes from outside without loss: refuses what is not UTF-8, and keeps a byte order mark.
import { firstBrokenByte } from "../../core/text/broken-byte.ts";
import type { TerminalInput } from "../../core/tool/terminal.ts";

/** Decodes text. `name` is the source of the bytes, for messages. */
export function decodedText(bytes: Uint8Array, name: string): string | { readonly problem: string } {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    const broken = firstBrokenByte(bytes);
    return {
      problem: `${name} is not UTF-8 text: unexpected byte ${broken?.byte} at offset ${broken?.offset}`,
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

/** Removes a byte order mark, for formats that have none, such as JSON. */
export function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, "");
}
