// What an author is told while writing a definition: how a text goes on, and what a word in it means. Editors and programs
// that embed dottool ask for it; the feature that answers is in features/lsp.
import type { SourceFile, Span } from "../text/source.ts";
import type { ToolRegistry } from "../tool/registry.ts";

/** What is known beside the text. */
export interface KnownAround {
  /** Complete. */
  readonly registry: Pick<ToolRegistry, "names" | "find">;
  /** The names of the user's secrets. */
  readonly secrets: readonly string[];
}

export interface Suggestion {
  /** The word, which replaces the text at `span`. */
  readonly text: string;
  readonly span: Span;
  readonly kind: "annotation" | "key" | "kind" | "option" | "parameter" | "step" | "tool" | "type" | "value";
  /** One line. */
  readonly does: string;
}

export interface Explained {
  readonly span: Span;
  /** Markdown. */
  readonly text: string;
}

export interface AuthorHelp {
  /** `offset` is in UTF-16 units. Any text has an answer. */
  suggestions(source: SourceFile, offset: number, around: KnownAround): readonly Suggestion[];
  /** Undefined if there is nothing to say. */
  explained(source: SourceFile, offset: number, around: KnownAround): Explained | undefined;
}

declare module "../tool/feature.ts" {
  interface Parts {
    authorHelp: AuthorHelp;
  }
}
