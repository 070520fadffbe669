// Whether an expectation of a test holds, or what there was instead.
import { isDeepStrictEqual } from "node:util";
import { resolve } from "node:path";
import { patternMatch } from "../../core/schema/pattern-match.ts";
import type { Expectation } from "../../core/tool/definition.ts";
import type { Host } from "../../core/tool/host.ts";
import type { Observed } from "./observed.ts";

const FILE_BYTES_MAX = 16 * 1024 * 1024;
const MATCHING_MS_MAX = 1_000;
const SHOWN_LENGTH_MAX = 2_000;

/** Returns what there was instead, or undefined if the expectation holds. */
export async function contradiction(
  expectation: Expectation,
  observed: Observed,
  host: Host,
): Promise<string | undefined> {
  const { output, error, exitCode, folder } = observed;
  switch (expectation.kind) {
    case "exit-code":
      return exitCode === expectation.exitCode ? undefined : shown(`exit code ${exitCode}`, error);
    case "output-contains":
      return output.includes(expectation.text) ? undefined : shownOutput(observed);
    case "output-equals":
      // The output has no final line end here, so the expected text loses its own.
      return output === expectation.text.replace(/\n$/, "") ? undefined : shownOutput(observed);
    case "output-not-contains":
      return output.includes(expectation.text) ? shownOutput(observed) : undefined;
    case "output-matches":
      return matchContradiction(expectation, observed, host);
    case "error-contains":
      return error.includes(expectation.text) ? undefined : shown("the error was", error);
    case "result":
      return isDeepStrictEqual(observed.value, expectation.value)
        ? undefined
        : shown("the result was", observed.value === undefined ? output : JSON.stringify(observed.value));
    case "file-contains":
      return fileContradiction(resolve(folder, expectation.path), expectation, host);
    case "file-exists":
    case "directory-exists":
    case "not-file-exists":
      return kindContradiction(expectation, resolve(folder, expectation.path), host);
  }
}

type MatchExpectation = Extract<Expectation, { readonly kind: "output-matches" }>;

function matchContradiction({ source, flags }: MatchExpectation, observed: Observed, host: Host): string | undefined {
  const expression = patternMatch({ source, flags });
  try {
    return host.runBounded(() => expression.isIn(observed.output), MATCHING_MS_MAX) ? undefined : shownOutput(observed);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ETIMEDOUT")
      return `matching the pattern took longer than ${MATCHING_MS_MAX} ms`;
    throw error;
  }
}

type PathExpectation = Extract<Expectation, { readonly kind: "file-exists" | "directory-exists" | "not-file-exists" }>;

async function kindContradiction(
  { kind, path }: PathExpectation,
  absolute: string,
  host: Host,
): Promise<string | undefined> {
  const found = (await host.files.stat(absolute))?.kind;
  const isThere = kind === "directory-exists" ? found === "folder" : found !== undefined && found !== "folder";
  if (isThere !== (kind === "not-file-exists")) return undefined;
  if (found === undefined) return `there is no \`${path}\``;
  return found === "folder" ? `\`${path}\` is a folder` : `\`${path}\` exists`;
}

async function fileContradiction(
  absolute: string,
  { path, text }: { readonly path: string; readonly text: string },
  host: Host,
): Promise<string | undefined> {
  const found = await host.files.stat(absolute);
  if (found?.kind !== "file") return found ? `\`${path}\` is not a regular file` : `there is no \`${path}\``;
  const content = new TextDecoder().decode(
    await host.files.readBytes(absolute, { offset: 0, lengthMax: FILE_BYTES_MAX }),
  );
  return content.includes(text) ? undefined : shown(`\`${path}\` contains`, content);
}

/** A command that failed says why on standard error. */
function shownOutput({ output, error }: Observed): string {
  const text = shown("the output was", output);
  return error === "" ? text : `${text}\n${shown("the error was", error)}`;
}

function shown(fact: string, text: string): string {
  if (text === "") return fact.startsWith("exit code") ? fact : `${fact} empty`;
  const cut =
    text.length <= SHOWN_LENGTH_MAX ? text : `${text.slice(0, SHOWN_LENGTH_MAX)}… (${text.length} characters)`;
  return cut.includes("\n") ? `${fact}:\n${cut}` : `${fact}: ${cut}`;
}
