// Diagnostics for a definition that does not get its name. They point at both places.
import type { Diagnostic, Label } from "../text/diagnostic.ts";
import type { Span } from "../text/source.ts";
import type { CatalogueEntry, Place } from "./entry.ts";

export interface NamePlaces {
  /** The span of the name in the definition. */
  readonly own: Span;
  /** The span of the rival's name, if the rival is a definition. */
  readonly rival: Span | undefined;
}

export function diagnoseResolution(
  { name, resolution }: CatalogueEntry,
  { own, rival }: NamePlaces,
): readonly Diagnostic[] {
  const at = nameLabel(own, resolution.kind === "duplicate" ? "here again" : "not used");
  const related = rival ? [nameLabel(rival, resolution.kind === "duplicate" ? "first used here" : "used instead")] : [];
  switch (resolution.kind) {
    case "used":
    case "broken":
      return [];
    case "duplicate":
      return [
        {
          code: "duplicate-tool",
          severity: "error",
          message: `duplicate definition of \`${name}\` in one folder`,
          at,
          related,
          help: ["rename or remove one of them; until then, the first is used"],
        },
      ];
    case "shadowed":
      return [
        {
          code: "shadowed-tool",
          severity: "warning",
          message: `\`${name}\` is shadowed by ${describePlace(resolution.by)}`,
          at,
          related,
          help: ["rename one of them to use both"],
        },
      ];
    case "refused":
      return [
        {
          code: "shadowed-tool",
          severity: "warning",
          message: `\`${name}\` is not used: an untrusted project cannot replace ${describePlace(resolution.by)}`,
          at,
          related,
          help: [
            "rename it, or review and trust the project: `dottool trust`",
            "to use it anyway, name its folder: `--tools .tools`",
          ],
        },
      ];
    case "reserved":
      return [
        {
          code: "reserved-name",
          severity: "error",
          message: `the name \`${name}\` is reserved: it ends an agent's turn`,
          at,
          related: [],
          help: ["rename it"],
        },
      ];
  }
}

function nameLabel(span: Span, text: string): Label {
  return { span, text };
}

function describePlace(place: Place): string {
  switch (place.scope) {
    case "base":
      return "a base tool";
    case "builtin":
      return "a built-in tool";
    case "given":
      return `the tool in \`${place.path}\``;
    case "project":
      return `the project's tool in \`${place.path}\``;
    case "user":
      return `your own tool in \`${place.path}\``;
    case "global":
      return `this machine's tool in \`${place.path}\``;
  }
}
