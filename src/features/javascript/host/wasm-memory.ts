// Limits the memory of a WebAssembly module, because the limits of a thread do not include it.
// Format: https://webassembly.github.io/spec/core/binary/modules.html

const HEADER_BYTES = 8;
const MEMORY_SECTION = 5;
const HAS_MAXIMUM = 1;

/**
 * `pagesMax` counts pages of 64 KiB. A module with a lower limit, or with several memories or none of its own, stays
 * unchanged.
 */
export function withMemoryLimit(module: Uint8Array, pagesMax: number): Uint8Array {
  let at = HEADER_BYTES;
  while (at < module.length) {
    const start = at;
    const length = readNumber(module, start + 1);
    const end = length.end + length.value;
    if (module[start] === MEMORY_SECTION) {
      const count = readNumber(module, length.end);
      const flags = module[count.end] ?? 0;
      const least = readNumber(module, count.end + 1);
      if (count.value !== 1 || flags !== 0) return module;
      const section = [1, HAS_MAXIMUM, ...module.subarray(count.end + 1, least.end), ...writtenNumber(pagesMax)];
      return Buffer.concat([
        module.subarray(0, start),
        Uint8Array.from([MEMORY_SECTION, ...writtenNumber(section.length), ...section]),
        module.subarray(end),
      ]);
    }
    at = end;
  }
  return module;
}

/** Reads a number: seven bits per byte, the lowest first. */
function readNumber(bytes: Uint8Array, start: number): { readonly value: number; readonly end: number } {
  let value = 0;
  let at = start;
  for (let factor = 1; at < bytes.length; factor *= 128) {
    const byte = bytes[at++] ?? 0;
    value += (byte % 128) * factor;
    if (byte < 128) break;
  }
  return { value, end: at };
}

function writtenNumber(value: number): readonly number[] {
  return value < 128 ? [value] : [(value % 128) + 128, ...writtenNumber(Math.floor(value / 128))];
}
