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
