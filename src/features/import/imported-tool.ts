// What the readers of other programs' files give: tools as data, before they are definitions.
import type { Parameter } from "../../core/schema/parameter.ts";
import type { Platform, Shell } from "../../core/tool/command.ts";
import type { Effect } from "../../core/tool/definition.ts";

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
  readonly tags?: readonly Effect[];
  /** Text of a shell that the command runs, such as a script of npm: it may read variables of the caller. */
  readonly shellText?: string;
  /** Differences from the original, as sentences without a full stop. */
  readonly notes: readonly string[];
}

export type Runs =
  | { readonly kind: "script"; readonly shell: Shell; readonly parts: readonly Part[] }
  /** Words of a command that no shell reads; a list is one word of several parts. */
  | { readonly kind: "command"; readonly words: readonly (Part | readonly Part[])[] }
  /** Another tool with some parameters set; the values are templates. */
  | {
      readonly kind: "wraps";
      readonly tool: string;
      readonly presets: readonly (readonly [name: string, value: string])[];
    }
  | { readonly kind: "steps"; readonly steps: readonly ImportedStep[] }
  /** JavaScript for the sandbox, with the hosts that it may reach. */
  | { readonly kind: "code"; readonly code: string; readonly hosts: readonly string[] };

/** One step after the other; a part may be the output of an earlier one, by its name. */
export interface ImportedStep {
  readonly name: string;
  readonly does:
    | { readonly kind: "script"; readonly shell: Shell; readonly parts: readonly Part[] }
    | { readonly kind: "prompt"; readonly parts: readonly Part[] }
    | { readonly kind: "reads"; readonly path: string };
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
  /** Text for the user's `config.yaml`, if the source has servers. */
  readonly settings?: string;
  /** Commands to run after that. */
  readonly next?: readonly string[];
}

export interface SourceText {
  /** The base name of the file, or of the address. */
  readonly fileName: string;
  readonly text: string;
  /** Its path with `/`, from the folder in which calls are made or absolute; absent for an address. */
  readonly path?: string;
  /** Absent for a file. */
  readonly address?: string;
  /** The address of the API, in place of those that a description names. */
  readonly server?: string;
  /** The names of the files beside it; empty for an address. */
  readonly neighbours: ReadonlySet<string>;
  /** Returns the text of a file by its path from this one; undefined if it cannot be read. Absent for an address. */
  readonly beside?: (path: string) => string | undefined;
  /** Returns the paths of files in a folder beside it, from this one. Absent for an address. */
  readonly filesIn?: (folder: string) => readonly string[];
}

/** A script in one of the folders of mise; the name of the task is behind the folder. */
export const MISE_FILE = /(?:^|\/)(?:\.?mise-tasks|\.?mise\/tasks|\.config\/mise\/tasks)\/(.+)$/;

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

/** What words for the end of `lines` are: they go to the last of several commands. `noun` is "task" or "script". */
export function endWordsText(noun: string, lines: readonly string[]): string {
  const text = lines.join("\n").trim();
  const last =
    text
      .split(/&&|\|\|?|[;\n]/)
      .at(-1)
      ?.trim() ?? "";
  return last === text || last === "" || /["'`()]/.test(last)
    ? `Words for the end of the ${noun}`
    : `Words for \`${last}\`, with which the ${noun} ends`;
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

/** A script as the body of an annotation keeps it: without empty lines around it, and without blanks in empty lines. */
export function scriptBody(parts: readonly Part[]): readonly Part[] {
  const joined = merged(parts);
  return merged(
    joined.map((part, index) => {
      if (typeof part !== "string") return part;
      const started = index === 0 ? part.replace(/^(?:[ \t]*\n)+/, "") : part;
      const ended = index === joined.length - 1 ? started.replace(/(?:\n[ \t]*)+$/, "") : started;
      return ended.replaceAll(/\n[ \t]+(?=\n)/g, "\n");
    }),
  );
}

/** Returns the first command that does more than print or prepare, for the description of a tool that has none. */
export function runText(lines: readonly string[]): string | undefined {
  const whole = lines.join("\n").replaceAll(/[ \t]*\\\n\s*/g, " ");
  const commands = whole
    .split("\n")
    .map((line) =>
      line
        .trim()
        .replace(/^[@+\s-]+/, "")
        .replace(/^[({]\s+(.*?)[;\s]*[)}]?$/, "$1"),
    )
    .filter((line) => /^[^#]*\w/.test(line));
  const first = commands.find((line) => !PREPARES.test(line)) ?? commands[0];
  return first === undefined || first.length <= RUN_CHARACTERS_MAX ? first : `${first.slice(0, RUN_CHARACTERS_MAX)}…`;
}

const PREPARES =
  /^(?:(?:echo|printf|cd|set|mkdir|export|source|\.|:|true|sleep)(?:\s[^&|;]*)?|\w+=(?:"[^"]*"|\$\([^()]*\)|\S*))$/;
const RUN_CHARACTERS_MAX = 120;

/** Without the answers at its end, as in `Delete it? [y|N]`: `@confirm` says which it takes. */
export function questionOf(text: string): string {
  return text.replace(/\s*[[(]\s*y(?:es)?\s*[/|]\s*no?\s*[\])]\s*([?:]?)\s*$/i, "$1").replace(/:$/, "");
}

/** Returns the comment above an item as its description. Lines with `##` are meant for it; `# ---` is an ornament. */
export function commentText(comment: readonly string[]): string {
  const marked = comment.filter((line) => /^##+\s*[^#\s]/.test(line));
  return (marked.length > 0 ? marked : comment)
    .filter((line) => /^#+!?\s*$|[\p{L}\p{N}]/u.test(line))
    .map((line) => line.replace(/^#+!?[ \t]?/, ""))
    .join("\n")
    .trim();
}
