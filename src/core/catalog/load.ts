// Stage 2 of the walk: the text of a definition, or what keeps it from being one.
import { relative } from "node:path";
import { firstBrokenByte } from "../text/broken-byte.ts";
import type { Diagnostic } from "../text/diagnostic.ts";
import type { SourceFile } from "../text/source.ts";
import type { FileStat, Host } from "../tool/host.ts";
import { codeOfFileError, unreadable } from "./file-problem.ts";

/** A definition is a page or two of text. */
export const DEFINITION_BYTES_MAX = 1024 * 1024;

interface ReadingOptions {
  readonly host: Host;
  /** The facts of the file, if they are known already. */
  readonly stat?: FileStat | undefined;
}

/** `shownPath` is the path in messages. */
export function readDefinitionBytes(
  path: string,
  shownPath: string,
  { host, stat }: ReadingOptions,
): Uint8Array | Diagnostic {
  if (stat && stat.kind !== "file") return unreadable(shownPath, stat.kind === "folder" ? "EISDIR" : "EINVAL");
  if (stat && stat.sizeBytes > DEFINITION_BYTES_MAX) return tooLarge(shownPath);
  try {
    return host.instant.readBytes(path, DEFINITION_BYTES_MAX);
  } catch (error) {
    const code = codeOfFileError(error);
    return code === "EFBIG" ? tooLarge(shownPath) : unreadable(shownPath, code);
  }
}

export function decodeSource(shownPath: string, bytes: Uint8Array): SourceFile | Diagnostic {
  // A byte order mark stays, so that offsets into the text are offsets into the file.
  const source = { path: shownPath, text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes) };
  return findNonText(source, bytes) ?? source;
}

/** Relative to the working directory where that is shorter. */
export function shownPathOf(path: string, cwd: string): string {
  const shorter = relative(cwd, path) || ".";
  return shorter.length < path.length ? shorter : path;
}

function findNonText(source: SourceFile, bytes: Uint8Array): Diagnostic | undefined {
  const nul = source.text.indexOf("\0");
  const broken = source.text.includes("\uFFFD") ? firstBrokenByte(bytes) : undefined;
  if (!broken) return nul === -1 ? undefined : notText(source, nul, "this is a NUL character");
  const start = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(0, broken.offset)).length;
  if (nul !== -1 && nul < start) return notText(source, nul, "this is a NUL character");
  return notText(source, start, `the byte ${broken.byte} is not valid UTF-8 here`);
}

function notText(source: SourceFile, start: number, fact: string): Diagnostic {
  const isWide = /^(\uFFFD\uFFFD|[^\0]\0[^\0]\0|\0[^\0]\0[^\0])/.test(source.text);
  return {
    code: "not-text",
    severity: "error",
    message: `\`${source.path}\` is not UTF-8 text`,
    at: { span: { source, start, end: start + 1 }, text: fact },
    related: [],
    help: [isWide ? "it looks like UTF-16: save it as UTF-8" : "save it as UTF-8, or move it out of the tool folder"],
  };
}

function tooLarge(shownPath: string): Diagnostic {
  return {
    code: "too-large",
    severity: "error",
    message: `\`${shownPath}\` has more than ${DEFINITION_BYTES_MAX} bytes, the limit of a definition`,
    related: [],
    help: ["move long texts and scripts into separate files that the command reads"],
  };
}
