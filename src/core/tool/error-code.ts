// The codes of errors of the host, for code that catches them: files, time limits.

/** Returns the code of a thrown value. A value without one is a bug. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/**
 * Returns the code of a system's error for a file, a folder or a process: a full disk, a broken one, a missing
 * permission. Undefined for errors of Node itself (`ERR_…`), and for errors that only a bug can cause.
 */
export function systemCodeOf(error: unknown): string | undefined {
  const code = codeOf(error);
  const isSystems =
    code !== undefined &&
    /^E[A-Z0-9]+$/.test(code) &&
    (refusedPath(error) !== undefined ||
      (error instanceof Error && "errno" in error && typeof error.errno === "number"));
  return isSystems && !askedByBugs.has(code) ? code : undefined;
}

const askedByBugs: ReadonlySet<string> = new Set(["EBADF", "EFAULT", "ENOTSOCK"]);

/** Returns the refused operation, such as `open`, if the error names it. */
export function refusedCall(error: unknown): string | undefined {
  return error instanceof Error && "syscall" in error && typeof error.syscall === "string" ? error.syscall : undefined;
}

/** Whether it leaves open if the file exists: a broken disk, a lost mount, no memory. */
export function isUnanswered(error: unknown): boolean {
  return unanswered.has(codeOf(error) ?? "");
}

const unanswered: ReadonlySet<string> = new Set([
  "EIO",
  "ENOMEM",
  "ENFILE",
  "EMFILE",
  "ESTALE",
  "ENOTCONN",
  "EHOSTDOWN",
]);

/** Returns the refused path, if the error names it. */
export function refusedPath(error: unknown): string | undefined {
  return error instanceof Error && "path" in error && typeof error.path === "string" ? error.path : undefined;
}
