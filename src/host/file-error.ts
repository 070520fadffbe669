// File errors as Node makes them: an `Error` with a `code` such as "ENOENT", so that callers look at one field whoever threw.

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

/** The code of whatever was thrown; absent when it is not an error of a system call. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
