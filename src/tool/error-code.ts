// What went wrong, for whoever catches an error of the host: files, time limits.

/** The code of whatever was thrown; absent when it has none and is therefore a bug. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}
