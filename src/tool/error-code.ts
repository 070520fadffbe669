// What went wrong, for whoever catches an error of the host: files, time limits.

/** The code of whatever was thrown; absent when it has none and is therefore a bug. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** Which path the system refused, where it says so. */
export function refusedPath(error: unknown): string | undefined {
  return error instanceof Error && "path" in error && typeof error.path === "string" ? error.path : undefined;
}
