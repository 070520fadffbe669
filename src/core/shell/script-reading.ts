// What a script of sh, bash or zsh can do with its values, by the rows of its programs. Where every value is data, the
// author's tags describe the script as they describe a command without a shell.
import type { ShellCommand, ShellPlaceholder } from "../tool/command.ts";
import type { OpenValue } from "../tool/open-value.ts";
import { assignmentOf } from "./assignments.ts";
import { type CommandWord, literalText, type Redirection, type SimpleCommand } from "./pieces.ts";
import { scanScript } from "./scan.ts";
import { type Machine, readProcess } from "./data-positions.ts";
import { freeIn, type ReadWord, type ValuePart } from "./data-words.ts";

export interface ScriptReading {
  /** What its programs do besides reading, by their manuals. Undefined if a value may be more than data. */
  readonly does?: Effects;
  /** The values that may be more than data, where it is they that decide this. */
  readonly open?: readonly OpenValue[];
}

type Effects = NonNullable<ShellCommand["does"]>;

interface ScriptContext {
  readonly machine: Machine;
  readonly valueOf: (name: string) => ValuePart;
}

interface CommandContext extends ScriptContext {
  readonly text: string;
  /** The placeholders by their offsets in the text: one place may have an option of its own, and another not. */
  readonly places: ReadonlyMap<number, ShellPlaceholder>;
}

interface CommandReading {
  readonly program: string;
  readonly open: readonly OpenValue[];
  readonly runsFiles: boolean;
  readonly does: Effects;
  /** The value that chooses the folder of the commands. */
  readonly folder?: string;
}

/** Built-ins that run text or a file, and programs that run what they read. */
const RUNNERS = new Set(["eval", "source", ".", "trap", "xargs", "parallel", "exec", "declare", "typeset"]);

/** Words of the grammar and built-ins that run nothing: what they do with a value is seen where it is used. */
const HARMLESS = new Set([
  "for",
  "select",
  "case",
  "cd",
  "read",
  "set",
  "shift",
  "exit",
  "return",
  "break",
  "continue",
]);

export function readScriptValues({ parts, shell }: ShellCommand, context: ScriptContext): ScriptReading {
  let text = "";
  const places = new Map<number, ShellPlaceholder>();
  for (const part of parts) {
    if (typeof part === "object") places.set(text.length, part);
    text += typeof part === "string" ? part : `{${part.placeholder}}`;
  }
  const script = scanScript(text, { knowsTests: shell !== "sh", knowsSubscripts: shell === "zsh" });
  if (script.trouble || script.regions.some(({ kind }) => kind === "backquotes")) return {};
  const read = script.commands.map((command) => readSimple(command, { text, places, ...context }));
  const known = read.filter((one) => one !== undefined);
  const folder = known.find((one) => one.folder !== undefined)?.folder;
  const inFolder = folder === undefined ? [] : known.filter(({ runsFiles }) => runsFiles);
  const open = [
    ...known.flatMap((one) => one.open),
    ...inFolder.map(({ program }): OpenValue => ({ value: folder ?? "", program, by: "folder" })),
  ];
  const does = [...new Set(known.flatMap((one) => one.does))];
  // What it has written may be what a program runs.
  const runsWritten = does.includes("write") && known.some(({ runsFiles }) => runsFiles);
  if (open.length > 0) return { open };
  return known.length < read.length || runsWritten ? {} : { does };
}

/** Returns undefined if what it does with its values is not known. */
function readSimple(command: SimpleCommand, context: CommandContext): CommandReading | undefined {
  const read = (words: readonly CommandWord[]): readonly ReadWord[] => words.flatMap((word) => wordsOf(word, context));
  const at = command.words.findIndex((word) => !assignmentOf(word));
  const first = at === -1 ? command.words.length : at;
  const assigned = command.words.slice(0, first);
  const isOwn = first === command.words.length && assigned.every((word) => isOwnName(assignmentOf(word)?.name));
  if (command.isList || (!isOwn && freeIn(read(assigned)).length > 0)) return undefined;
  const does: Effects = command.redirections.some(writesFile) ? ["write"] : [];
  const harmless: CommandReading = { program: "", open: [], runsFiles: false, does };
  if (first === command.words.length) return harmless;
  const [name, ...words] = command.words.slice(first);
  const program = literalText(name);
  if (program === undefined || RUNNERS.has(program)) return undefined;
  if (program === "export") return words.every(isFixedAssignment) ? harmless : undefined;
  if (HARMLESS.has(program))
    return isHarmless(program, words) ? { ...harmless, ...folderOf(program, read(words)) } : undefined;
  const { row, open, runsFiles } = readProcess(read(command.words.slice(first)), context.machine);
  const isFed = command.from !== undefined || command.redirections.some(({ operator }) => operator.startsWith("<"));
  if (isFed && !row?.input) return undefined;
  return { program, open, runsFiles, does: [...(row?.does ?? []), ...does] };
}

function folderOf(program: string, words: readonly ReadWord[]): Pick<CommandReading, "folder"> {
  const [folder] = program === "cd" ? freeIn(words) : [];
  return folder === undefined ? {} : { folder };
}

/** Whether no program reads the variable, so that each of its uses is in the script. */
function isOwnName(name = ""): boolean {
  return /^[a-z]/.test(name) && !/_proxy$|^path$/.test(name);
}

function isFixedAssignment(word: CommandWord): boolean {
  return assignmentOf(word) !== undefined && literalText(word) !== undefined;
}

/** Whether it sets variables of the script's own, and no options that pass all of them to programs. */
function isHarmless(program: string, [name, ...others]: readonly CommandWord[]): boolean {
  if (program === "for" || program === "select") return isOwnName(literalText(name));
  const texts = [name, ...others].map((word) => literalText(word));
  if (program === "read") return texts.every((text) => text === undefined || text.startsWith("-") || isOwnName(text));
  return program !== "set" || texts.every((text) => /^(?:[-+][euxfo]+|pipefail|errexit|nounset)$/.test(text ?? ""));
}

/** `/dev/null` and other streams do not count as files. */
function writesFile({ operator, word }: Redirection): boolean {
  if (!operator.includes(">")) return false;
  const target = literalText(word) ?? "";
  return (
    target !== "/dev/null" && !(operator.endsWith("&") && /^(?:\d+|-)$/.test(target)) && !/^&(?:\d+|-)$/.test(target)
  );
}

function wordsOf(word: CommandWord, { text, places, valueOf }: CommandContext): readonly ReadWord[] {
  const [only, ...others] = word.pieces;
  if (only?.kind === "placeholder" && others.length === 0) {
    const flag = places.get(only.start)?.flag;
    const value = valueOf(only.name);
    if (flag)
      return flag.map(({ parts: words }, index) => ({
        parts: words.map((part) => (typeof part === "string" ? part : value)),
        mayBeAbsent: index === 0,
        isMany: false,
      }));
    const { schema, required, default: usual } = value.parameter;
    const isMany = schema.type === "array";
    const mayBeAbsent = isMany ? (schema.minimumItems ?? 0) === 0 : !required && usual === undefined;
    return [{ parts: [value], mayBeAbsent, isMany }];
  }
  // File names may begin with a dash.
  if (only?.kind === "text" && /^(?:[*?]|\[.+\])/.test(only.text) && text[word.start ?? 0] === only.text[0])
    return [{ parts: [expansionPart(only.text)], mayBeAbsent: true, isMany: true }];
  const isSplit = word.pieces.some((piece) => piece.kind === "expansion" && piece.isQuoted !== true);
  const read = word.pieces.map((piece) => {
    if (piece.kind === "text") return piece.text;
    return piece.kind === "placeholder" ? valueOf(piece.name) : expansionPart(piece.text);
  });
  return [{ parts: read.filter((part) => part !== ""), mayBeAbsent: isSplit, isMany: isSplit }];
}

/** What the shell puts in may be any text. */
function expansionPart(text: string): ValuePart {
  return {
    value: text,
    parameter: { name: text, description: "", schema: { type: "string" }, required: false, flags: true },
    isFree: true,
  };
}
