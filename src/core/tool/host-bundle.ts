// The tools inside the executable of a team, as the program sees them. The first script of the executable reads what is
// inside (bundle-marker.ts) and leaves it for the program.

/** The name of the symbol under which `globalThis` has it. */
export const BUNDLE_SYMBOL = "dottool.bundle";

export interface Bundle {
  /** The name of the program. */
  readonly name: string;
  /** The version of the team's tools, if their `package.json` has one. */
  readonly version?: string;
  /** The place of the payload in the file. */
  readonly offsetBytes: number;
  readonly payloadBytes: number;
  /** The SHA-256 of the payload. */
  readonly sha256: string;
  /** The hash of the paths and contents in it: `treeSha256` in core/catalog/tool-tree.ts. */
  readonly treeSha256: string;
}

export interface HostBundle extends Bundle {
  /** Where its files are unpacked. Absolute; another folder once `unpack` could not use the first. */
  readonly folder: string;
  /** Absent before it is unpacked, and if there is no `config.yaml` inside. */
  readonly config?: BundleConfig;
  /** Returns the bytes at the payload's place, and fewer if the executable is shorter. */
  readPayload(): Promise<Uint8Array>;
  /** Notes that the unpacked files are used: those that nobody has used for long are removed. */
  noteUse(): void;
  /** Puts these files into the folder: in place of what is there, or where nothing is. */
  unpack(files: readonly UnpackedFile[], options: { readonly replaces: boolean }): Promise<void>;
}

/** The `config.yaml` inside. Its rules count always, its other sections where the user's own file does not have them. */
export interface BundleConfig {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
  completing<Own extends OwnConfig>(own: Own): Own;
}

export interface OwnConfig {
  readonly path: string;
  readonly text: string;
  /** Why it cannot be used. */
  readonly trouble?: string;
}

export interface UnpackedFile {
  /** The path in the folder, with `/`. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly isExecutable: boolean;
}
