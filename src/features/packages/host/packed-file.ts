// One file of a package, and how much a package may have.

/** `path` is within the package, with `/`, as the archive says and not checked yet. */
export interface PackedFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

export const PACKAGE_FILES_MAX = 5_000;
/** The limit of an archive, of what is in it, and of an answer of a registry. */
export const PACKAGE_BYTES_MAX = 64 * 1024 * 1024;

/** Whether the content begins with `#!`; only then the file of a package may be executed. */
export function isProgramText(bytes: Uint8Array): boolean {
  return bytes[0] === 0x23 && bytes[1] === 0x21;
}
