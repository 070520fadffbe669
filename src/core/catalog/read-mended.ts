// Reads a definition as `check --fix` would write it: where each mistake has one meaning, a call need not wait for a
// person to write it down. Nor does it wait for tests and examples, which it does not use.
import { applyFixes, editsOf } from "../text/apply-fixes.ts";
import { type Checked, type Diagnostic, hasErrors } from "../text/diagnostic.ts";
import type { SourceFile, Span } from "../text/source.ts";
import type { ToolDefinition } from "../tool/definition.ts";
import type { DefinitionReader, ReadPlace } from "./definition-reader.ts";

/** The limit of passes, because a fix may show the next mistake. */
const PASSES_MAX = 4;

interface MendedDefinition {
  readonly value: ToolDefinition;
  /** As `storeDefinition` writes it, with the places of the file. */
  readonly stored: string;
  /** Set if its tests and examples are left out, because some of them are wrong. */
  readonly lacksTests?: true;
}

/** Returns undefined if a mistake remains that has no fix. `first` is what was read of the file. */
export function readMended(
  file: SourceFile,
  first: Checked<ToolDefinition>,
  { reader, place }: { readonly reader: DefinitionReader; readonly place: ReadPlace },
): MendedDefinition | undefined {
  let source = file;
  let { diagnostics } = first;
  let placeBefore = (offset: number): number => offset;
  for (let pass = 0; pass < PASSES_MAX; pass++) {
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    if (errors.every(isOfTests)) {
      const { value, diagnostics: left } = reader.read(source, { ...place, leavesOutTests: true });
      if (!value || hasErrors(left)) return undefined;
      return { value, stored: storeMended(value, source, placeBefore), lacksTests: true };
    }
    // One mistake may be the cause of others, which have no fix of their own.
    if (errors.every(({ fix }) => fix === undefined) || errors.some(asksForShell)) return undefined;
    placeBefore = composed(placeBefore, before(source, errors));
    source = { path: file.path, text: applyFixes(source, errors) };
    const checked = reader.read(source, place);
    if (checked.value && !hasErrors(checked.diagnostics))
      return { value: checked.value, stored: storeMended(checked.value, source, placeBefore) };
    ({ diagnostics } = checked);
  }
  return undefined;
}

/**
 * Returns the errors that only show once the others are mended, at their places in the file, if a person has to mend
 * one of them: otherwise an author would meet them in the next round. `first` is what was read of the file.
 */
export function errorsBehind(
  file: SourceFile,
  first: readonly Diagnostic[],
  { reader, place }: { readonly reader: DefinitionReader; readonly place: ReadPlace },
): readonly Diagnostic[] {
  const told = new Set(first.map(({ message }) => message));
  let source = file;
  let errors = first.filter(({ severity }) => severity === "error");
  let placeBefore: Place = (offset) => offset;
  for (let pass = 0; pass < PASSES_MAX; pass++) {
    const mended = errors.filter((error) => error.fix && !asksForShell(error));
    if (mended.length === 0) break;
    placeBefore = composed(placeBefore, before(source, mended));
    source = { path: file.path, text: applyFixes(source, mended) };
    errors = reader.read(source, place).diagnostics.filter(({ severity }) => severity === "error");
  }
  const inFile = (span: Span): Span =>
    span.source === source ? { source: file, start: placeBefore(span.start), end: placeBefore(span.end) } : span;
  return errors.flatMap(({ fix, at, related, help, ...rest }) =>
    told.has(rest.message)
      ? []
      : [
          {
            ...rest,
            ...(at ? { at: { ...at, span: inFile(at.span) } } : {}),
            related: related.map((label) => ({ ...label, span: inFile(label.span) })),
            help: [...(fix ? [fix.title] : []), ...help],
          },
        ],
  );
}

/** Whether it is a mistake in a test or an example that only a person can mend. */
function isOfTests({ code, fix }: Diagnostic): boolean {
  return fix === undefined && (code === "test-malformed" || code === "example-mismatch");
}

/** Whether a shell reads a command is for its author to say: it decides what a value may do. */
function asksForShell({ code, fix }: Diagnostic): boolean {
  return code === "needs-shell" && (fix === undefined || fix.edits.some(({ text }) => text.includes("@shell")));
}

type Place = (offset: number) => number;

function storeMended(definition: ToolDefinition, source: SourceFile, placeBefore: Place): string {
  return JSON.stringify(definition, (_key, value: unknown) => {
    if (value === source) return undefined;
    return isSpanIn(value, source) ? { start: placeBefore(value.start), end: placeBefore(value.end) } : value;
  });
}

function isSpanIn(value: unknown, source: SourceFile): value is Span {
  return (
    typeof value === "object" && value !== null && "source" in value && "start" in value && value.source === source
  );
}

const composed =
  (outer: Place, inner: Place): Place =>
  (offset) =>
    outer(inner(offset));

/** Returns where a place of the fixed text was; within what a fix has put in, it is the start of that. */
function before(source: SourceFile, diagnostics: readonly Diagnostic[]): Place {
  const edits = editsOf(source, diagnostics);
  return (offset) => {
    let shift = 0;
    for (const { span, text } of edits) {
      if (offset < span.start + shift) break;
      if (offset < span.start + shift + text.length) return span.start;
      shift += text.length - (span.end - span.start);
    }
    return offset - shift;
  };
}
