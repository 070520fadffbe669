// What the readers of other programs' files give: tools as data, before they are definitions.
import type { Parameter } from "../../schema/parameter.ts";
import type { Platform, Shell } from "../../tool/command.ts";
import type { DeclaredSecurity, Effect } from "../../tool/definition.ts";

/** Literal text, or the value of a parameter. */
export type Part = string | { readonly parameter: string };

export interface ImportedTool {
  /** As the source calls it; `toolNames` makes a tool name of it. */
  readonly name: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly runs: Runs;
  /** Relative to the folder of the source file. */
  readonly folder?: string;
  readonly environment?: readonly { readonly name: string; readonly value: readonly Part[] }[];
  /** Programs that must exist. */
  readonly requires?: readonly string[];
  readonly platforms?: readonly Platform[];
  readonly confirm?: string;
  readonly timeoutMs?: number;
  readonly security?: Omit<DeclaredSecurity, "permissions">;
  readonly tags?: readonly Effect[];
  /** Text of a shell that the command runs, such as a script of npm: it may read variables of the caller. */
  readonly shellText?: string;
  /** Differences from the original, as sentences without a full stop. */
  readonly notes: readonly string[];
}

export type Runs =
  | {
      readonly kind: "script";
      readonly shell: Shell;
      readonly parts: readonly Part[];
      readonly checks?: readonly Check[];
    }
  /** Words of a command that no shell reads. */
  | { readonly kind: "command"; readonly words: readonly (readonly Part[])[] }
  /** Another tool with some parameters set; the values are templates. */
  | {
      readonly kind: "wraps";
      readonly tool: string;
      readonly presets: readonly (readonly [name: string, value: string])[];
    };

/** A condition of the language that must hold before the script runs, and what is said if it does not. */
export interface Check {
  readonly condition: string;
  readonly message: string;
}

/** A tool of the source: the first candidate that is a correct definition is taken. */
export interface ToolCandidates {
  readonly name: string;
  readonly candidates: readonly ImportedTool[];
  /** Why nothing is imported, if there are no candidates. */
  readonly leftOut?: string;
}

export interface ImportedSource {
  /** What the source is, as in "an npm package": for messages. */
  readonly format: string;
  readonly tools: readonly ToolCandidates[];
  /** What is not carried over of the file as a whole. */
  readonly notes: readonly string[];
}

export interface SourceText {
  /** The base name of the file, or of the address. */
  readonly fileName: string;
  readonly text: string;
  /** The names of the files beside it; empty for an address. */
  readonly neighbours: ReadonlySet<string>;
}

/** Reads one format. Throws `Unreadable` if the text is not of its format. */
export type SourceReader = (source: SourceText) => ImportedSource;

export class Unreadable extends Error {}

export function stringParameter(name: string, description: string, more: Partial<Parameter> = {}): Parameter {
  return { name, description, schema: { type: "string" }, required: false, ...more };
}

/** A list of words that may be options. */
export function wordsParameter(name: string, description: string, more: Partial<Parameter> = {}): Parameter {
  return {
    name,
    description,
    schema: { type: "array", items: { type: "string" } },
    required: false,
    flags: true,
    ...more,
  };
}

/** A name for a parameter: `dry-run` and `DRY_RUN` stay; other characters become `_`. */
export function parameterNameOf(text: string): string {
  const name = text.replaceAll(/[^A-Za-z0-9_-]+/g, "_").slice(0, 64);
  return /^[A-Za-z_]/.test(name) ? name : `_${name}`.slice(0, 64);
}

/** Joins texts that stand side by side. */
export function merged(parts: readonly Part[]): readonly Part[] {
  const done: Part[] = [];
  for (const part of parts) {
    const last = done.at(-1);
    if (typeof part === "string" && typeof last === "string") done[done.length - 1] = last + part;
    else if (part !== "") done.push(part);
  }
  return done;
}
