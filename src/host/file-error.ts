// File errors as Node makes them: an `Error` with a `code` such as "ENOENT", so that callers look at one field whoever
// threw.

import { codeOf, refusedPath } from "../tool/error-code.ts";

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

/**
 * What the system says of an open file names no path, and whoever is told of it needs one. Gives the error to throw.
 */
export function withPath(error: unknown, path: string): unknown {
  return codeOf(error) !== undefined && refusedPath(error) === undefined
    ? Object.assign(error as Error, { path })
    : error;
}

/**
 * An error of the file that is to take the place of `target`, which nobody knows by its own name. Gives the error to
 * throw.
 */
export function ofTarget(error: unknown, temporary: string, target: string): unknown {
  return codeOf(error) !== undefined && (refusedPath(error) ?? temporary) === temporary
    ? Object.assign(error as Error, { path: target })
    : error;
}
