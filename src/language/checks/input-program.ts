// Programs and the values that reach them without a placeholder. They may run standard input, or take a part of it, or
// an environment variable, as an option.
import type { Span } from "../../text/source.ts";
import type { CommandTemplate } from "../../tool/command.ts";
import type { Declaration } from "../syntax/ast.ts";
import { scriptDangers } from "../../shell/hazards.ts";
import { optionFlow } from "../../shell/options.ts";
import { type CommandWord, literalText, type PlaceholderPiece, type ReadScript } from "../../shell/pieces.ts";
import type { OptionUse } from "../../shell/readers.ts";
import { scanScript } from "../../shell/scan.ts";
import { readScript } from "../kinds/command-windows.ts";

/** The command as written. Undefined if standard input is only data. */
export function programReadingInput(command: CommandTemplate): string | undefined {
  const script = scriptOf(command);
  const given = { words: [{ pieces: [input] }], redirections: [], isList: true as const };
  const isRun = (one: ReadScript): boolean =>
    scriptDangers(
      { declarations: [declared] },
      { ...one, commands: [given, ...one.commands], feedsInput: true, text: script.text, depth: 0 },
    ).length > 0;
  if (!isRun(script)) return undefined;
  const reader = script.commands.find((one) => isRun({ ...script, commands: [one] })) ?? script.commands[0];
  return literalText(reader?.words[0]) ?? "the script";
}

/** A script's use of a value that comes from outside. */
export interface GivenUse {
  /** The variable that becomes several words, because it has no quotes. */
  readonly split?: string;
  /** The program that would read a part of it as an option, so that a guard of the whole does not help. */
  readonly cut?: OptionUse;
  /** The program that would read it as an option. */
  readonly whole?: OptionUse;
  /** Set if xargs runs the program. */
  readonly isFed?: boolean;
}

/** What the values that a script gets may contain together. */
export interface GivenValues {
  readonly mayHoldDash: boolean;
  readonly mayBecomeWords: boolean;
}

/** `from` is `STDIN`, or the name of an environment variable. */
export function useOfGiven(command: CommandTemplate, from: string, values: GivenValues): GivenUse {
  // Words that become options are only analyzed in shells of Unix.
  if (command.kind === "shell" && (command.shell === "pwsh" || command.shell === "cmd")) return {};
  const script = scriptOf(command);
  const flow = optionFlow(script, {
    isValue: () => false,
    beginsWord: () => false,
    mayVanish: () => false,
    mayHoldDash: () => values.mayHoldDash,
    mayName: () => false,
    isWild: () => values.mayBecomeWords,
    given: new Map([[from, input]]),
  });
  const [[split], [cut], whole] = [flow.splits, flow.cuts, flow.guards.get(input)];
  const isFed = (cut?.use ?? whole)?.word.pieces.some((piece) => piece.kind === "placeholder") ?? false;
  return {
    ...(split ? { split: split.expansion.text } : {}),
    ...(cut ? { cut: cut.use } : {}),
    ...(whole ? { whole } : {}),
    isFed,
  };
}

/** Placeholders are checked with the command itself, so a plain word replaces them here. */
function scriptOf(command: CommandTemplate): ReadScript & { readonly text: string } {
  if (command.kind === "direct")
    return {
      commands: [{ words: command.words.map(toWord), redirections: [] }],
      feedsInput: true,
      regions: [],
      text: "",
    };
  const { shell } = command;
  const text = command.parts.map((part) => (typeof part === "string" ? part : "1")).join("");
  if (shell === "pwsh" || shell === "cmd") return { ...readScript(text, shell), shell, text };
  return { ...scanScript(text, { knowsTests: shell !== "sh", knowsSubscripts: shell === "zsh" }), shell, text };
}

const input: PlaceholderPiece = { kind: "placeholder", name: "stdin", start: 0, end: 0, quoting: "bare" };
const nowhere: Span = { source: { path: "", text: "" }, start: 0, end: 0 };
const declared: Declaration = {
  parameter: { name: input.name, description: "", schema: { type: "string" }, required: true },
  span: nowhere,
};

function toWord({ parts }: { readonly parts: readonly (string | object)[] }): CommandWord {
  return { pieces: [{ kind: "text", text: parts.map((part) => (typeof part === "string" ? part : "1")).join("") }] };
}
