// What the words of a command make of the program that stands first, and of those that it runs: `env nice sh -c …`.
import { type Operand, operandsIn, readArguments, type ReadArguments } from "./command-arguments.ts";
import { absenceHelp, type Danger, type HazardContext } from "./command-hazards.ts";
import { builtinDangers } from "./command-builtins.ts";
import { interpreterDangers, isInput, type ProgramWords } from "./command-interpreters.ts";
import { type CommandPiece, type CommandWord, literalStart, literalText, placeholdersIn, type PlaceholderPiece } from "./command-pieces.ts";
import { programName, rulesOf } from "./command-programs.ts";
import type { ProgramRule } from "./command-rule.ts";
import { assignmentDangers } from "./command-special.ts";

/** Wrappers in wrappers, such as `sudo env nice sh`. */
const WRAPPERS_MAX = 8;

/** What a place where the command may begin, or not, takes from that: so few guesses on guesses are made. */
const GUESS_DEPTH = 3;
const GUESSES_MAX = 3;

export function programDangers(words: readonly CommandWord[], context: HazardContext, depth: number): readonly Danger[] {
  const [program, ...args] = words;
  if (!program) return [];
  const literal = literalText(program);
  // Where `$sudo` is empty, the next word is the program.
  if (literal === undefined) return [...asProgram(program, context), ...(context.mayVanish(program) && depth < WRAPPERS_MAX ? programDangers(args, context, depth + 1) : [])];
  const read = (literal === "." || literal === "source") && args[0] && isInput(args[0]) && context.fed ? [{ piece: context.fed, note: `it may reach \`${literal}\`, which runs what it reads`, help: ["read it with `read -r` or `cat`"] }] : [];
  return [...read, ...builtinDangers(literal, args, context), ...namedDangers({ name: programName(literal), literal, args }, context, depth)];
}

function asProgram(program: CommandWord, context: HazardContext): readonly Danger[] {
  // Written in full view, even a choice would say what runs; a variable may have been given anything else by then.
  const { flow, everything } = context;
  const carried = placeholdersIn([program]).length > 0 ? everything.carriedBy([program], "deep") : [...flow.carriedBy([program], "deep"), ...flow.unknownIn([program])];
  return carried.map((one) => ({ ...one, note: "", help: [], isProgram: true }));
}

function namedDangers(program: ProgramWords, context: HazardContext, depth: number): readonly Danger[] {
  const known = interpreterDangers(program, context);
  if (depth >= WRAPPERS_MAX) return known;
  const { name, args } = program;
  const inner = rulesOf(name).flatMap((rule): readonly Danger[] => {
    const read = readArguments(rule, args, context);
    const commands = [...commandsOf(rule, { args, read, fed: context.fed }), ...commandsAfter(rule, args, context)];
    const subcommands = rule.hasSubcommands ? read.operands.filter(({ least }) => least === 0) : [];
    return [
      ...read.skipped.flatMap((word) => assignmentDangers(word, context)),
      ...commands.flatMap((words, index) => programDangers(words, context, depth + (index === 0 ? 1 : GUESS_DEPTH))),
      ...shiftedDangers(rule, { program, read }, context),
      ...subcommands.flatMap((operand) => subcommandDangers(operand, program, { context, depth })),
    ];
  });
  return [...known, ...inner];
}

function subcommandDangers({ word, at }: Operand, { name, literal, args }: ProgramWords, { context, depth }: { readonly context: HazardContext; readonly depth: number }): readonly Danger[] {
  const subcommand = literalText(word);
  if (subcommand === undefined) return [];
  return namedDangers({ name: `${name} ${subcommand}`, literal: `${literal} ${subcommand}`, args: args.slice(at + 1) }, context, depth + 1);
}

/** Where an option is not known, there are two places where the command may begin. */
function commandsOf(rule: ProgramRule, { args, read, fed }: { readonly args: readonly CommandWord[]; readonly read: ReadArguments; readonly fed: PlaceholderPiece | undefined }): readonly (readonly CommandWord[])[] {
  const begins = operandsIn(rule.runs, read);
  return [...begins.slice(0, GUESSES_MAX), ...begins.slice(GUESSES_MAX).slice(-1)].map(({ at }) => {
    const words = rule.fills && fed ? filled(args, { from: at, fed }) : args.slice(at);
    const isForShell = rule.runsShell && words[0] !== undefined && literalStart(words[0]).startsWith("-");
    return isForShell ? [textWord("sh"), ...(literalText(words[0]) === "--command" ? [textWord("-c"), ...words.slice(1)] : words)] : words;
  });
}

/** `timeout {limit} ls {p}`: without a limit, `ls` is one and the value runs. */
function shiftedDangers(rule: ProgramRule, { program, read }: { readonly program: ProgramWords; readonly read: ReadArguments }, context: HazardContext): readonly Danger[] {
  const at = operandsIn(rule.runs, read)[0]?.at;
  if (at === undefined || !program.args.slice(0, at).some(context.mayVanish)) return [];
  const note = `\`${program.literal}\` runs this when a word before it is missing`;
  return context.flow.carriedBy(program.args.slice(at + 1), "deep").map((carried) => ({ ...carried, note, help: [absenceHelp] }));
}

/** Every `find … -exec COMMAND ;`, where `{}` is a path that may hold a value. */
function commandsAfter(rule: ProgramRule, args: readonly CommandWord[], { flow }: HazardContext): readonly (readonly CommandWord[])[] {
  if (rule.commandAfter === undefined) return [];
  const starts = rule.commandAfter.split(" ");
  const firstAt = args.findIndex((word) => flow.carriedBy([word], "deep").length > 0);
  const path = flow.carriedBy(args.slice(firstAt, firstAt + 1), "deep")[0]?.piece;
  return args.flatMap((word, index) => {
    if (!starts.includes(literalText(word) ?? "")) return [];
    const behind = args.slice(index + 1);
    const end = behind.findIndex((one) => /^[;+]$/.test(literalText(one) ?? ""));
    const words = end === -1 ? behind : behind.slice(0, end);
    const piece = firstAt < index ? path : undefined;
    return [piece === undefined ? words : words.map((one) => (literalText(one) === "{}" ? one : replaced(one, "{}", piece)))];
  });
}

/** What comes in stands behind the words of xargs' command, or in the place of what `-I` names. */
function filled(args: readonly CommandWord[], { from, fed }: { readonly from: number; readonly fed: PlaceholderPiece }): readonly CommandWord[] {
  const options = args.slice(0, from).map((word) => literalText(word) ?? "");
  const words = args.slice(from);
  const marks = options.flatMap((option, index) => {
    if (/^-[A-Za-z0-9]*[IJ]$/.test(option)) return [options[index + 1] ?? ""];
    const [, glued] = /^(?:-[0oprtx]*[IJi]|--replace=?)(.*)$/.exec(option) ?? [];
    return glued === undefined ? [] : [glued === "" ? "{}" : glued];
  });
  if (marks.length === 0) return [...words, { pieces: [fed] }];
  return words.map((word) => marks.reduce((made, mark) => replaced(made, mark, fed), word));
}

function replaced(word: CommandWord, mark: string, piece: PlaceholderPiece): CommandWord {
  if (mark === "") return word;
  const pieces = word.pieces.flatMap((one): readonly CommandPiece[] => (one.kind === "text" ? one.text.split(mark).flatMap((text, index) => (index === 0 ? [{ kind: "text" as const, text }] : [piece, { kind: "text" as const, text }])) : [one]));
  return { pieces };
}

function textWord(text: string): CommandWord {
  return { pieces: [{ kind: "text", text }] };
}
