// A value thrown by third-party code, as an error that can be shown. Reading it runs none of that code again.

const UNTELLABLE = "a value that cannot be shown";

/** Returns an error whose message, name and stack are plain text. */
export function thrownError(thrown: unknown): Error {
  const error = new Error(
    textOf(() => (isError(thrown) ? thrown.message : String(thrown))) ?? `it threw ${UNTELLABLE}`,
  );
  error.name = textOf(() => (isError(thrown) ? thrown.name : undefined)) ?? "Error";
  error.stack = textOf(() => (isError(thrown) ? thrown.stack : undefined)) ?? "";
  return error;
}

function isError(thrown: unknown): thrown is Error {
  return thrown instanceof Error;
}

/** Reads a text. Returns undefined if that throws or gives none. */
function textOf(read: () => unknown): string | undefined {
  try {
    const text = read();
    return typeof text === "string" ? text : undefined;
  } catch {
    return undefined;
  }
}
