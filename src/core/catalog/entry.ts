// One definition as `list` shows it, and how its name resolves.
import type { Effect, Requirement, Scope } from "../tool/definition.ts";
import type { Platform } from "../tool/command.ts";

/** The summary of a definition, known without reading all of it. Caches store it as it is. */
export interface DefinitionSummary {
  /** The name with its owner, or the file's own name if the definition has no readable one. */
  readonly name: string;
  readonly title: string;
  /** The first sentence of the description. */
  readonly summary: string;
  /** The effects of the definition itself: declared, and inferred from its commands. */
  readonly effects: readonly Effect[];
  /** Set if its own commands may do anything, and no tags say what they do. */
  readonly mayDoAnything?: true;
  /** The tools whose effects are added to those of its own commands. */
  readonly inheritsFrom?: readonly string[];
  /** The tools that it wraps, aliases or calls, if any. A key of rows of the cache. */
  readonly standsOn?: readonly string[];
  /** Names from `@depends`, if there are any. */
  readonly dependsOn?: readonly string[];
  readonly tags: readonly string[];
  readonly keywords: readonly string[];
  readonly category?: string;
  readonly requires: readonly Requirement[];
  readonly platforms?: readonly Platform[];
  readonly isDeprecated?: true;
  /** UTF-16 offsets of the name in the text. */
  readonly nameStart: number;
  readonly nameEnd: number;
  /** 1-based, of `@name`. */
  readonly line: number;
}

export interface DefinitionPlace {
  /** With `base`, the tool is made in TypeScript, so `path` is empty and `line` is 0. */
  readonly scope: Scope | "base";
  /** The path as shown to people, with `builtin:` before those inside the executable. */
  readonly path: string;
  /** 1-based. */
  readonly line: number;
}

/** Why a call of its name does not reach a definition; `used` if it does. */
export type Resolution =
  | { readonly kind: "used" }
  /**
   * The definition has errors. If it is the nearest, its name reaches nothing: a farther tool of that name is not what
   * its author meant.
   */
  | { readonly kind: "broken" }
  | { readonly kind: "shadowed"; readonly by: DefinitionPlace }
  /** The same tool folder has another one of its name before it. */
  | { readonly kind: "duplicate"; readonly of: DefinitionPlace }
  /** Its `@platforms` leave out this one, and the same tool folder has another one of its name for it. */
  | { readonly kind: "other-platform" }
  /** A project may not take the name of a tool that comes from outside of it. */
  | { readonly kind: "refused"; readonly by: DefinitionPlace }
  /** The name of a tool that ends an agent's turn. */
  | { readonly kind: "reserved" };

export interface CatalogueEntry extends DefinitionSummary {
  readonly scope: Scope;
  /** The path as shown to people, with `builtin:` before those inside the executable. */
  readonly path: string;
  readonly errorCount: number;
  readonly warningCount: number;
  readonly resolution: Resolution;
}
