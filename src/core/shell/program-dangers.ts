// Dangers in the arguments of a command, for its program and for the programs that this one runs: `env nice sh -c …`.
import { type OperandWord, operandsIn, readArguments, type ReadArguments } from "./arguments.ts";
import { absenceHelp, type Danger, type HazardContext, isWindowsShell } from "./danger.ts";
import { builtinDangers } from "./builtins.ts";
import { interpreterDangers, isInput, type ProgramWords } from "./interpreters.ts";
import { commandsBehind, commandsIn, GUESS_DEPTH, withPiece, WRAPPERS_MAX } from "./inner-commands.ts";
import { type CommandWord, literalStart, literalText, placeholdersIn } from "./pieces.ts";
import { programName, rulesFor } from "./programs.ts";
import type { ProgramRule } from "./rule.ts";
import { assignmentDangers } from "./special.ts";

export function programDangers(
  words: readonly CommandWord[],
  context: HazardContext,
  depth: number,
): readonly Danger[] {
  const [program, ...args] = words;
  if (!program) return [];
  const literal = literalText(program);
  // If `$sudo` is empty, the next word is the program.
  if (literal === undefined)
    return [
      ...asProgram(program, context),
      ...(context.mayVanish(program) && depth < WRAPPERS_MAX ? programDangers(args, context, depth + 1) : []),
    ];
  const read =
    !isWindowsShell(context.shell) &&
    (literal === "." || literal === "source") &&
    args[0] &&
    isInput(args[0]) &&
    context.fed
      ? [
          {
            piece: context.fed,
            note: `the value may reach \`${literal}\`, which runs what it reads`,
            help: ["read it with `read -r` or `cat`"],
          },
        ]
      : [];
  return [
    ...read,
    ...builtinDangers(literal, args, context),
    ...namedDangers({ name: programName(literal), literal, args }, context, depth),
  ];
}

const pwshHelp = ["to choose between programs, write a `switch`", "to print the value, write `Write-Output {name}`"];
const cmdHelp = ['to choose between programs, write an `if "{name}"=="…"` for each'];

function asProgram(program: CommandWord, context: HazardContext): readonly Danger[] {
  // The program must be written out: even a choice would decide what runs, and a variable may have been given anything
  // else by then.
  const { flow, everything, shell } = context;
  const carried =
    placeholdersIn([program]).length > 0
      ? everything().carriedBy([program], "deep")
      : [...flow.carriedBy([program], "deep"), ...flow.unknownIn([program])];
  const help = shell === "pwsh" ? pwshHelp : shell === "cmd" ? cmdHelp : [];
  return carried.map((one) => ({ ...one, note: "", help, isProgram: true }));
}

function namedDangers(program: ProgramWords, context: HazardContext, depth: number): readonly Danger[] {
  const known = interpreterDangers(program, context);
  if (depth >= WRAPPERS_MAX) return known;
  const { name, args } = program;
  const inner = rulesFor(name, args, context.shell).flatMap((rule): readonly Danger[] => {
    const read = readArguments(rule, args, context);
    const wrapped = commandsIn(rule, { args, read, fed: context.fed }).map(({ words }) => words);
    const commands = [...wrapped, ...commandsWithPath(rule, args, context)];
    const subcommands = rule.hasSubcommands ? read.operands.filter(({ least }) => least === 0) : [];
    return [
      ...read.skipped.flatMap((word) => assignmentDangers(word, context)),
      ...commands.flatMap((words, index) => programDangers(words, context, depth + (index === 0 ? 1 : GUESS_DEPTH))),
      ...shiftedDangers(rule, { program, read }, context),
      ...begunDangers(rule, program, context),
      ...subcommands.flatMap((operand) => subcommandDangers(operand, program, { context, depth })),
    ];
  });
  return [...known, ...inner];
}

/** Checks `find . -e{p}`: the value may finish `-exec`. */
function begunDangers(
  { commandAfter }: ProgramRule,
  { literal, args }: ProgramWords,
  context: HazardContext,
): readonly Danger[] {
  const names = commandAfter?.split(" ").filter((name) => name.startsWith("-")) ?? [];
  return args.flatMap((word) => {
    const start = literalStart(word);
    const name = names.find((one) => start !== "" && one.startsWith(start) && literalText(word) === undefined);
    if (name === undefined || word.pieces.some((piece) => piece.kind === "placeholder" && context.isFlags(piece)))
      return [];
    const note = `\`${literal}\` runs what follows \`${name}\`, which the value may finish`;
    return context.flow
      .carriedBy([word], "deep")
      .map((carried) => ({ ...carried, note, help: ["write out the name, or declare choices"] }));
  });
}

function subcommandDangers(
  { word, at }: OperandWord,
  { name, literal, args }: ProgramWords,
  { context, depth }: { readonly context: HazardContext; readonly depth: number },
): readonly Danger[] {
  const subcommand = literalText(word);
  if (subcommand === undefined) return [];
  return namedDangers(
    { name: `${name} ${subcommand}`, literal: `${literal} ${subcommand}`, args: args.slice(at + 1) },
    context,
    depth + 1,
  );
}

/** Checks `timeout {limit} ls {p}`: without a limit, `ls` takes its place and the value runs. */
function shiftedDangers(
  rule: ProgramRule,
  { program, read }: { readonly program: ProgramWords; readonly read: ReadArguments },
  context: HazardContext,
): readonly Danger[] {
  const at = operandsIn(rule.runs, read)[0]?.at;
  if (at === undefined || !program.args.slice(0, at).some(context.mayVanish)) return [];
  const note = `\`${program.literal}\` runs this if an argument before it is missing`;
  return context.flow
    .carriedBy(program.args.slice(at + 1), "deep")
    .map((carried) => ({ ...carried, note, help: [absenceHelp] }));
}

type Words = readonly CommandWord[];

/** Returns the commands of `find … -exec`, with the path in place of `{}` where it may hold a value. */
function commandsWithPath(rule: ProgramRule, args: readonly CommandWord[], { flow }: HazardContext): readonly Words[] {
  const commands = commandsBehind(rule, args);
  const firstAt = commands.length === 0 ? -1 : args.findIndex((word) => flow.carriedBy([word], "deep").length > 0);
  const path = flow.carriedBy(args.slice(firstAt, firstAt + 1), "deep")[0]?.piece;
  const withPath = (word: CommandWord): CommandWord =>
    path && literalText(word) === "{}" ? withPiece(word, "{}", path) : word;
  return commands.map(({ words, at }) => (firstAt < at - 1 ? words.map(withPath) : words));
}
