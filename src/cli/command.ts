// The parts of a command: its help texts, its options, and its function.
import { exitCodes } from "../core/run/exit-code.ts";
import { printable } from "../core/text/display.ts";
import type { Host } from "../core/tool/host.ts";
import type { Tool } from "../core/tool/tool.ts";
import type { HandedOver, Terminal } from "../core/tool/terminal.ts";
import type { GlobalOptions } from "./words/global-options.ts";
import type { OptionRow } from "./words/option-words.ts";
import { jsonText } from "./view/json-text.ts";

interface CommandHead {
  /** The forms of the command, one line each, without `dottool`. */
  readonly usage: readonly string[];
  /** A full description. */
  readonly about: string;
  readonly options: readonly OptionRow[];
  readonly examples: readonly (readonly [line: string, does: string])[];
  /** The kind of its words, for completion; files if absent. */
  readonly completes?: "tools" | "commands" | "shells" | "codes" | "runs";
}

export interface WordsCommand extends CommandHead {
  readonly kind: "words";
  /** The fewest and the most words beside its options. */
  readonly words: readonly [minimum: number, maximum: number];
  /** Set if it reads a file itself where a word names one. */
  readonly takesFiles?: true;
  /** Returns the exit code. */
  run(input: CommandInput, context: CommandContext): Promise<number>;
}

/** Hands words on to a tool, so it reads them itself; only a first `--help` is read before. */
export interface RawCommand extends CommandHead {
  readonly kind: "raw";
  run(words: readonly string[], context: CommandContext): Promise<number>;
}

export type Command = WordsCommand | RawCommand;

export interface CommandInput {
  readonly words: readonly string[];
  has(option: string): boolean;
  /** The last value given. */
  value(option: string): string | undefined;
  /** Every value given. */
  values(option: string): readonly string[];
}

export interface CommandContext {
  readonly terminal: Terminal;
  readonly options: GlobalOptions;
  /** Absent: the host of this program. */
  readonly host?: Host;
  /** Set if another process has begun the session of `mcp`. */
  readonly handedOver?: HandedOver;
  /** Called with a tool before that is called. Throws if it must not be called here. */
  readonly admit?: (tool: Tool) => void;
}

/** `message` may repeat typed text. `command` is absent if the options before the command are wrong. */
export function reportUsage(terminal: Terminal, message: string, command?: string): number {
  terminal.errors.write(
    `failed[usage]: ${printable(message)}\n  = \`dottool ${command === undefined ? "" : `${command} `}--help\` shows the usage\n`,
  );
  return exitCodes.usage;
}

/** Prints a value, for commands with `--json`. */
export function writeJson(terminal: Terminal, value: unknown): void {
  terminal.output.write(`${jsonText(value)}\n`);
}
