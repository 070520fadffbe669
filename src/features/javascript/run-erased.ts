// Code is read as JavaScript, and without its types if that fails. Most code is JavaScript, and the compiler that
// erases types takes 60 ms to load.
import { patternMatch } from "../../core/schema/pattern-match.ts";
import type { ErasedTypes, SandboxEnd } from "../../core/tool/host-sandbox.ts";
import { LINES_BEFORE } from "./sandbox-failure.ts";
import type { ToolContext } from "../../core/tool/tool.ts";

export type SandboxContext = Pick<ToolContext, "host" | "signal" | "path" | "repeatable">;

const TOO_DEEP = "it is nested too deep";
const TYPES_TOO_SLOW = "its types take too long to parse";
const TOO_SLOW = "it takes too long to parse";

/** Whether reading it was stopped at the limit of processor time. */
export const isTooSlow = ({ message }: { readonly message: string }): boolean =>
  message === TYPES_TOO_SLOW || message === TOO_SLOW;

type Unerased = ErasedTypes & { readonly kind: "unerased" };

/**
 * Matches text that JavaScript reads as two comparisons and TypeScript as a call with a type. Two comparisons are never
 * meant. It is not used alone, because it backtracks.
 */
const GENERIC_CALL = { source: String.raw`[\w$]<[\w$\s,.|&[\]{}:;<>"']+>\s*[(\x60]`, flags: "" };

/** `run` runs a program without types. */
export async function runErased(
  program: string,
  run: (program: string) => Promise<SandboxEnd>,
  { host, signal }: Pick<SandboxContext, "host" | "signal">,
): Promise<SandboxEnd> {
  const runPlain = async (plain: string): Promise<SandboxEnd> => withDepth(await run(plain), plain);
  const isAmbiguous = patternMatch(GENERIC_CALL).isIn(program);
  const end = isAmbiguous ? undefined : await runPlain(program);
  if (end && (end.kind !== "syntax" || end.message === TOO_DEEP)) return end;
  const erased = await host.sandbox.eraseTypes(program, signal);
  if (erased.kind === "erased") return end && erased.code === program ? end : runPlain(erased.code);
  if (erased.kind === "busy") return { ...erased, log: "" };
  if (erased.kind === "unerased") return unerasedEnd(erased.because, program, end);
  if (erased.isUnsupported)
    return {
      ...erased,
      message: erased.message.replace(/ is not supported.*$/s, " is more than types; write it as JavaScript"),
      log: "",
    };
  const unread = end ?? (await runPlain(program));
  // The parser that gets further has found the mistake; for the other one, the first type is the mistake.
  return unread.kind === "syntax" && erased.line > unread.line ? { ...erased, log: unread.log } : unread;
}

/** Code that overflowed the machine's own stack is reported as that. */
export function withDepth(end: SandboxEnd, program: string): SandboxEnd {
  return end.kind === "syntax" && end.message === "Maximum call stack size exceeded"
    ? { ...end, ...tooDeep(program) }
    : end;
}

function unerasedEnd(because: Unerased["because"], program: string, end: SandboxEnd | undefined): SandboxEnd {
  // JavaScript stops at the first type, or at the mistake.
  const place = end?.kind === "syntax" ? { line: end.line, column: end.column } : START;
  switch (because) {
    case "cancelled":
      return { kind: "cancelled", log: "" };
    case "too-long":
      return { kind: "syntax", message: TYPES_TOO_SLOW, ...place, log: "" };
    case "broken":
      return { kind: "syntax", ...tooDeep(program, place), log: "" };
  }
}

/** Returns the end of code whose parser was stopped. */
export const tooSlow = (): Place & { readonly message: string } => ({ message: TOO_SLOW, ...START });

/** The nesting of brackets that hand-written code does not reach. */
const BRACKETS_MAX = 200;
const START: Place = { line: LINES_BEFORE + 1, column: 1 };

interface Place {
  readonly line: number;
  readonly column: number;
}

/**
 * Returns where brackets nest too deep, once that is known to be the problem, since brackets in texts and comments
 * count too. `place` is used if there are none.
 */
export function tooDeep(program: string, place = START): Place & { readonly message: string } {
  return { message: TOO_DEEP, ...(deepBracket(program) ?? place) };
}

function deepBracket(program: string): Place | undefined {
  let open = 0;
  for (let at = 0; at < program.length; at++) {
    const character = program[at] ?? "";
    if ("([{<".includes(character)) open++;
    else if (")]}>".includes(character)) open = Math.max(0, open - 1);
    if (open <= BRACKETS_MAX) continue;
    const before = program.slice(0, at).split("\n");
    return { line: before.length, column: (before.at(-1) ?? "").length + 1 };
  }
  return undefined;
}
