// Why a definition does not have its name, in words that point at both places.
import type { Diagnostic, Label } from "../text/diagnostic.ts";
import type { Span } from "../text/source.ts";
import type { CatalogueEntry, Place } from "./entry.ts";

export interface NamePlaces {
  /** Of the name in the definition. */
  readonly own: Span;
  /** Of the name in what stands in the way, where that is a definition. */
  readonly rival: Span | undefined;
}

export function diagnoseStanding(
  { name, standing }: CatalogueEntry,
  { own, rival }: NamePlaces,
): readonly Diagnostic[] {
  const at = nameLabel(own, standing.kind === "duplicate" ? "here again" : "not used");
  const related = rival ? [nameLabel(rival, standing.kind === "duplicate" ? "first used here" : "used instead")] : [];
  switch (standing.kind) {
    case "used":
    case "broken":
      return [];
    case "duplicate":
      return [
        {
          code: "duplicate-tool",
          severity: "error",
          message: `two definitions in one folder are called \`${name}\``,
          at,
          related,
          help: ["rename or remove one of them; until then the first is used"],
        },
      ];
    case "shadowed":
      return [
        {
          code: "shadowed-tool",
          severity: "warning",
          message: `\`${name}\` is hidden by ${describePlace(standing.by)}`,
          at,
          related,
          help: ["rename one of them to have both"],
        },
      ];
    case "refused":
      return [
        {
          code: "shadowed-tool",
          severity: "warning",
          message: `\`${name}\` is not used: a project that is not trusted cannot take the name of ${describePlace(standing.by)}`,
          at,
          related,
          help: [
            "rename it, or look at the project and trust it: `dottool trust`",
            "to use it all the same, name its folder yourself: `--tools .tools`",
          ],
        },
      ];
    case "reserved":
      return [
        {
          code: "reserved-name",
          severity: "error",
          message: `\`${name}\` is what ends an agent's turn, so no definition can have that name`,
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
