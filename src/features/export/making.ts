// What a form is made of, and the files that it writes.
import { Buffer } from "node:buffer";
import type { Host } from "../../core/tool/host.ts";
import type { UnpackedFile } from "../../core/tool/host-bundle.ts";
import type { ExportFacts } from "./facts.ts";

export interface Making {
  readonly facts: ExportFacts;
  readonly host: Host;
  /** The words with which the server offers these tools, behind the program. */
  readonly words: readonly string[];
  /** The files of the folder. */
  readonly tools: readonly UnpackedFile[];
  /** The executable with the tools inside, for forms that hold one. */
  readonly executable: Executable;
}

export interface Executable {
  readonly bytes: Uint8Array;
  /** As in the names of releases: `linux-x64`. Empty for forms without an executable. */
  readonly platform: string;
}

/** `path` is empty for the one file that is the whole output. */
export function jsonFile(path: string, value: object): UnpackedFile {
  return textFile(path, `${JSON.stringify(value, undefined, 2)}\n`);
}

export function textFile(path: string, text: string): UnpackedFile {
  return { path, bytes: Buffer.from(text), isExecutable: false };
}
