// The bytes of a secret in the form in which a reader of the output sees them.
import { type Screen, TerminalReader } from "./terminal-reader.ts";

const NEWLINE = 0x0a;
const PLUS = 0x2b;
const BLANK = 0x20;

/** Returns a blank for a `+`, as in addresses. */
export function asRead(byte: number): number {
  return byte === PLUS ? BLANK : byte;
}

export function isBlank(byte: number): boolean {
  return byte === BLANK || byte === 0x09;
}

/** With `keepsLines`, line ends stay; otherwise they and the blanks after them are removed. */
export function visibleBytes(bytes: Uint8Array, { keepsLines }: { readonly keepsLines: boolean }): Uint8Array {
  const shown: number[] = [];
  let isBehindLine = false;
  const nothing = (): void => undefined;
  const screen: Screen = {
    show: (byte) => {
      if (isBehindLine && isBlank(byte)) return;
      isBehindLine = false;
      shown.push(asRead(byte));
    },
    endLine: () => void (keepsLines ? shown.push(NEWLINE) : (isBehindLine = true)),
    leaveLine: nothing,
    goTo: nothing,
    go: nothing,
    edit: nothing,
    remember: nothing,
    goBack: nothing,
    order: nothing,
    endOrder: nothing,
  };
  const reader = new TerminalReader(screen);
  for (const [index, byte] of bytes.entries()) reader.read(byte, index);
  reader.end();
  return Uint8Array.from(shown);
}
