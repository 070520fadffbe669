// A definition as JSON text and back, for caches and for the executable. Spans lose their source on the way out, and
// get one that reads its text when asked on the way in.
import type { SourceFile, Spanned } from "../text/source.ts";
import type { Origin, ParameterValue, ToolDefinition } from "../tool/definition.ts";
import type { Preset } from "../tool/template.ts";

/** Leaves out `source`, wherever it is. */
export function storeDefinition(definition: ToolDefinition, source: SourceFile): string {
  return JSON.stringify(definition, (_key, value: unknown) => (value === source ? undefined : value));
}

type FilePlace = Pick<Extract<Origin, { kind: "file" }>, "scope" | "isUnapproved">;

/** `json` is what `storeDefinition` wrote, in this version of dottool. */
export function reviveDefinition(json: string, source: SourceFile, place: FilePlace): ToolDefinition {
  const stored = JSON.parse(json) as ToolDefinition;
  const spanned = <T>(value: Spanned<T>): Spanned<T> => ({
    value: value.value,
    span: { source, start: value.span.start, end: value.span.end },
  });
  const head = { name: spanned(stored.name), origin: { kind: "file", source, ...place } } as const;
  if (stored.kind === "base") return { ...stored, ...head };
  if (stored.kind === "steps" || stored.kind === "code") return { ...withSource(stored, source), ...head };
  const defaults = stored.defaults.map(
    ({ parameter, value }): ParameterValue => ({ parameter: spanned(parameter), value: spanned(value) }),
  );
  const base = spanned(stored.base);
  if (stored.kind === "alias") return { ...stored, ...head, base, defaults };
  const presets = stored.presets.map(
    ({ parameter, text }): Preset => ({ parameter: spanned(parameter), text: spanned(text) }),
  );
  return { ...stored, ...head, base, defaults, presets };
}

/** Gives every span in a value that was just parsed its source. */
function withSource<T>(value: T, source: SourceFile): T {
  if (typeof value !== "object" || value === null) return value;
  const entries = value as Record<string, unknown>;
  for (const [key, inner] of Object.entries(entries))
    entries[key] = key === "span" ? { source, ...(inner as object) } : withSource(inner, source);
  return value;
}

/** A source whose text is read when first asked for. */
export function lazySource(path: string, readText: () => string): SourceFile {
  let text: string | undefined;
  return {
    path,
    get text() {
      return (text ??= readText());
    },
  };
}
