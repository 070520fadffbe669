// Programs that run what they read from standard input: a value in `@stdin` would be program text there.
import type { Span } from "../text/source.ts";
import type { CommandTemplate } from "../tool/command.ts";
import type { Declaration } from "./ast.ts";
import { scriptDangers } from "./command-hazards.ts";
import { type CommandWord, literalText, type PlaceholderPiece, type ReadScript } from "./command-pieces.ts";
import { scanScript } from "./command-scan.ts";

/** The command of it as written; undefined where standard input is only data. */
export function programReadingInput(command: CommandTemplate): string | undefined {
  if (command.kind === "shell" && (command.shell === "pwsh" || command.shell === "cmd")) return undefined;
  // Other values are checked with the command itself: a word that is none stands for them.
  const text = command.kind === "shell" ? command.parts.map((part) => (typeof part === "string" ? part : "1")).join("") : "";
  const script: ReadScript = command.kind === "shell" ? scanScript(text, { knowsTests: command.shell !== "sh" }) : { commands: [{ words: command.words.map(toWord), redirections: [] }], feedsInput: true, regions: [] };
  const given = { words: [{ pieces: [input] }], redirections: [], isList: true as const };
  const isRun = (one: ReadScript): boolean => scriptDangers({ declarations: [declared] }, { ...one, commands: [given, ...one.commands], feedsInput: true, text, depth: 0 }).length > 0;
  if (!isRun(script)) return undefined;
  const reader = script.commands.find((one) => isRun({ ...script, commands: [one] })) ?? script.commands[0];
  return literalText(reader?.words[0]) ?? "the script";
}

const input: PlaceholderPiece = { kind: "placeholder", name: "stdin", start: 0, end: 0, quoting: "bare" };
const nowhere: Span = { source: { path: "", text: "" }, start: 0, end: 0 };
const declared: Declaration = { parameter: { name: input.name, description: "", schema: { type: "string" }, required: true }, span: nowhere };

function toWord({ parts }: { readonly parts: readonly (string | object)[] }): CommandWord {
  return { pieces: [{ kind: "text", text: parts.map((part) => (typeof part === "string" ? part : "1")).join("") }] };
}
