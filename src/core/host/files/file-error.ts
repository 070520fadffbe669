// File errors in Node's form: an `Error` with a `code` such as "ENOENT", so that callers check one field for all
// errors.

import { codeOf, refusedPath } from "../../tool/error-code.ts";

export class FileError extends Error {
  readonly code: string;
  readonly path: string;

  constructor(code: string, message: string, path: string) {
    super(`${code}: ${message}, '${path}'`);
    this.name = "FileError";
    this.code = code;
    this.path = path;
  }
}

/** Returns the error with a path: the system's error for an open file has none, but a message needs one. */
export function withPath(error: unknown, path: string): unknown {
  return codeOf(error) !== undefined && refusedPath(error) === undefined
    ? Object.assign(error as Error, { path })
    : error;
}

/** Returns an error of the temporary file as one of `target`, because the temporary name is unknown to callers. */
export function ofTarget(error: unknown, temporary: string, target: string): unknown {
  return codeOf(error) !== undefined && (refusedPath(error) ?? temporary) === temporary
    ? Object.assign(error as Error, { path: target })
    : error;
}
