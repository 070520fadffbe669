// How packages of tools reach this machine: archives, and the files that a folder would send out.

/** Whether the content begins with `#!`; only then the file of a package may be executed. */
export function isProgramText(bytes: Uint8Array): boolean {
  return bytes[0] === 0x23 && bytes[1] === 0x21;
}

/** One file of a package; `path` is within the package, with `/`, as the archive says and not checked yet. */
export interface PackedFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** `problem` is the end of a sentence that begins with the archive. */
export type Unpacked = { readonly files: readonly PackedFile[] } | { readonly problem: string };

export interface RegistryRequest {
  readonly url: string;
  /** npm's own options: registries, logins, certificates, proxies. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly bytesMax: number;
  /** The hash that the answer must have, as npm writes it. Otherwise it fails with `EINTEGRITY`. */
  readonly integrity?: string;
  readonly method?: "PUT" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export type RegistryAnswer =
  | { readonly kind: "answer"; readonly bytes: Uint8Array }
  /** `code` is the system's, npm's (`EINTEGRITY`), or `E` and the status (`E404`). */
  | { readonly kind: "failed"; readonly code: string; readonly reason: string };

export interface HostPackages {
  /** Returns the registry of a package by npm's options, or npm's own. With a `/` at the end. */
  registryOf(name: string, settings: RegistryRequest["settings"]): Promise<string>;
  askRegistry(request: RegistryRequest): Promise<RegistryAnswer>;
  /**
   * Reads a tar archive, which may be gzipped, into memory. Refuses one with links, devices, or too much content.
   * `stripsTop` removes the first folder of each path, as npm's archives have it.
   */
  unpack(archive: Uint8Array, options: { readonly stripsTop: boolean }): Promise<Unpacked>;
  /** Returns the gzipped archive that `npm pack` would make: the same bytes for the same files. */
  pack(files: readonly PackedFile[]): Uint8Array;
  /** In hexadecimal. */
  sha1Of(archive: Uint8Array): string;
  /** Returns the hash of an archive, as npm writes it: `sha512-` and base 64. */
  integrityOf(archive: Uint8Array): string;
  /** Whether the key has signed the message, by ECDSA over SHA-256. The key is a SPKI; both are in base 64. */
  isSigned(message: string, by: { readonly key: string; readonly signature: string }): boolean;
  /** Returns the paths that npm would publish of a folder with a `package.json`, which is given as parsed. */
  packedPaths(folder: string, manifest: Readonly<Record<string, unknown>>): Promise<readonly string[]>;
}

export const PACKAGE_FILES_MAX = 5_000;
export const PACKAGE_BYTES_MAX = 64 * 1024 * 1024;
