// What third-party code throws, as an error that can be shown: reading it does not run any of that code again.

const UNTELLABLE = "a value that cannot be shown";

/** Its message, name and stack are plain text. */
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

/** Undefined where reading it throws or gives no text. */
function textOf(read: () => unknown): string | undefined {
  try {
    const text = read();
    return typeof text === "string" ? text : undefined;
  } catch {
    return undefined;
  }
}
