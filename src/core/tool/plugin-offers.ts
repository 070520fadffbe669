// What a plugin has besides tools: prompts and resources for clients of the Model Context Protocol, which `dottool mcp`
// serves, forms of `dottool export`, and formats of `dottool import`.
import type { JsonObject } from "../schema/json.ts";
import type { Content } from "./call.ts";
import type { Effect } from "./definition.ts";
import type { AskableClient } from "./tool.ts";

export interface PromptSpec {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly arguments?: readonly PromptArgument[];
  /** A text is one message of the user. */
  messages(
    args: Readonly<Record<string, string>>,
    context: PromptContext,
  ): string | readonly PromptMessage[] | Promise<string | readonly PromptMessage[]>;
}

export interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required?: boolean;
  /** Completes what a person types. */
  readonly suggestions?: readonly string[];
}

export interface PromptMessage {
  readonly role: "user" | "assistant";
  readonly content: Content;
}

/** `client` is there where it can be asked. */
export interface PromptContext {
  readonly signal: AbortSignal;
  readonly client?: AskableClient;
}

export interface ResourceSpec {
  /** Whole, or with names in braces, each of which stands for a piece without `/`: `notes://{day}/text`. */
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly mediaType: string;
  /**
   * Reads a resource. `values` are those of the names in braces. Bytes are sent as they are. Returns undefined if there
   * is nothing at this address.
   */
  read(
    uri: string,
    values: Readonly<Record<string, string>>,
  ): string | Uint8Array | undefined | Promise<string | Uint8Array | undefined>;
}

/** A form of `dottool export`. */
export interface ExporterSpec {
  /** The word behind `dottool export`. */
  readonly name: string;
  /** What it makes, with its article: `a table of the tools, in Markdown`. */
  readonly does: string;
  /** Returns files by their paths below the output; `""` is the output itself, one file. */
  files(exported: ExportedFolder): ExportedFiles | Promise<ExportedFiles>;
}

export type ExportedFiles = Readonly<Record<string, string | Uint8Array>>;

/** A tool folder as `package.json` describes it, and its tools. */
export interface ExportedFolder {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly tools: readonly {
    readonly name: string;
    readonly title: string;
    readonly description: string;
    /** JSON Schema. */
    readonly inputSchema: JsonObject;
    readonly effects: readonly Effect[];
  }[];
}

/** A format of files of another program, for `dottool import`. */
export interface ImporterSpec {
  /** What files of this format are called in messages. */
  readonly name: string;
  recognizes(source: ImporterSource): boolean;
  /** Returns the text of a `.tool` file for each tool; one with a mistake is not imported, and said. */
  read(source: ImporterSource): readonly ImportedText[] | Promise<readonly ImportedText[]>;
}

export interface ImporterSource {
  /** The base name of the file, or of the address. */
  readonly fileName: string;
  readonly text: string;
}

export interface ImportedText {
  readonly name: string;
  readonly text: string;
  /** What is not carried over, each as a sentence without its dot. */
  readonly notes?: readonly string[];
}

/** The contributions of plugins besides tools. */
export interface PluginOffers {
  readonly prompts: readonly PromptSpec[];
  readonly resources: readonly ResourceSpec[];
  readonly exporters: readonly ExporterSpec[];
  readonly importers: readonly ImporterSpec[];
}
