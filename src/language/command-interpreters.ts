// Programs with program text among their words: finds those words.
import { absenceHelp, type Danger, type HazardContext } from "./command-hazards.ts";
import { type CommandWord, literalStart, literalText } from "./command-pieces.ts";
import { type Interpreter, interpreters, programName } from "./command-programs.ts";

/** `literal`: as written, for messages. */
export function interpreterDangers(program: { readonly name: string; readonly literal: string }, args: readonly CommandWord[], context: HazardContext): readonly Danger[] {
  const found = interpreters.filter((interpreter) => interpreter.names.includes(program.name));
  const spot = { args, context, program: program.literal };
  return [...found.flatMap((interpreter) => codeDangers(interpreter, spot)), ...innerShells(args, context), ...makeDangers(program.name, args, context)];
}

interface Spot {
  readonly args: readonly CommandWord[];
  readonly context: HazardContext;
  /** As written. */
  readonly program: string;
}

function codeDangers(interpreter: Interpreter, spot: Spot): readonly Danger[] {
  const words = codeWords(interpreter, spot);
  const reason = { note: `\`${spot.program}\` reads this as a program`, help: [interpreter.help] };
  const flow = interpreter.takesPlainText ? spot.context.wild : spot.context.flow;
  const dangers = [...flow.carriedBy(words.code, "deep").map((carried) => ({ ...carried, ...reason })), ...shiftedDangers(words.shifted, spot)];
  if (!interpreter.readsInput || words.hasOperands) return dangers;
  return [...dangers, ...inputDangers(interpreter, spot)];
}

/** Behind a word that may not be there, every word may stand where the program text should. */
function shiftedDangers(words: readonly CommandWord[], { program, context }: Spot): readonly Danger[] {
  const note = `\`${program}\` reads this as a program when the word before it is missing`;
  return context.flow.carriedBy(words, "deep").map((carried) => ({ ...carried, note, help: [absenceHelp] }));
}

/** `… | sh` and `sh <<< {p}` run what comes in, from however far. */
function inputDangers(interpreter: Interpreter, { program, context }: Spot): readonly Danger[] {
  const reason = { note: `it may reach \`${program}\`, which runs what it reads`, help: [interpreter.help] };
  return context.fed ? [{ piece: context.fed, ...reason }] : [];
}

interface CodeWords {
  readonly code: readonly CommandWord[];
  /** Code too, where a word before them is missing. */
  readonly shifted: readonly CommandWord[];
  /** A file to run, or program text: what comes in is only data. */
  readonly hasOperands: boolean;
}

/** Reads the words left to right as the program would, options first. */
function codeWords(interpreter: Interpreter, { args, context }: Spot): CodeWords {
  const { codeAfter, codeBehind, valueOptions, operands: rule } = interpreter;
  const code: CommandWord[] = [];
  const operands: CommandWord[] = [];
  const options: string[] = [];
  let shifted: readonly CommandWord[] = [];
  let takesOptions = true;
  let hasCodeOption = false;
  let mayHaveOption = false;
  for (let at = 0; at < args.length && shifted.length === 0; at++) {
    const word = args[at];
    if (!word) break;
    const start = literalStart(word);
    const option = takesOptions ? literalText(word) : undefined;
    const takesCode = option !== undefined && (codeAfter?.test(option) ?? false);
    const next = takesCode || (option !== undefined && (valueOptions?.test(option) ?? false)) ? args[at + 1] : undefined;
    if (takesOptions && (codeBehind?.test(start) || (start === "" && word.pieces.some((piece) => piece.kind === "placeholder" && context.isFlags(piece))))) code.push(word);
    // What stands before the program text can push other words into its place, and a variable may even hold `-c`.
    const decides = takesOptions || (rule !== undefined && operands.length < rule.to && rule.to < Number.POSITIVE_INFINITY);
    mayHaveOption ||= takesOptions && isVariable(word);
    if (decides && ((takesOptions && isVariable(word)) || context.mayVanish(word) || (next && context.mayVanish(next)))) shifted = args.slice(at + (next ? 2 : 1));
    hasCodeOption ||= takesCode || (takesOptions && (codeBehind?.test(start) ?? false));
    if (next) {
      options.push(option ?? "");
      if (takesCode) code.push(next);
      at++;
    } else if (option === "--") takesOptions = false;
    else if (takesOptions && /^[-+/]./.test(start)) options.push(start);
    else {
      operands.push(word);
      takesOptions = takesOptions && rule?.to === Number.POSITIVE_INFINITY;
    }
  }
  const applies = rule !== undefined && (!rule.condition || options.some((option) => rule.condition?.test(option))) && !(rule.unless && options.some((option) => rule.unless?.test(option)));
  if (rule && applies) code.push(...operands.slice(rule.from, rule.to));
  const isData = hasCodeOption || operands.filter((word) => !context.mayVanish(word)).length > (rule?.from ?? 0) || (rule?.unless !== undefined && !applies);
  return { code, shifted: applies || hasCodeOption || mayHaveOption ? shifted : [], hasOperands: isData && !options.includes("-s") };
}

/** Nothing but variables and substitutions, in quotes or not. */
function isVariable(word: CommandWord): boolean {
  return word.pieces.some((piece) => piece.kind === "expansion") && word.pieces.every((piece) => piece.kind === "expansion" || (piece.kind === "text" && piece.text === ""));
}

/** A shell among the words of any program, as in `docker exec box sh -c "… {p}"`. */
function innerShells(args: readonly CommandWord[], context: HazardContext): readonly Danger[] {
  const [shells] = interpreters;
  if (!shells) return [];
  const at = args.findIndex((word, index) => shells.names.includes(programName(literalText(word) ?? "")) && /^-[A-Za-z]*c$/.test(literalText(args[index + 1]) ?? ""));
  const shell = literalText(args[at]);
  return shell === undefined ? [] : codeDangers(shells, { args: args.slice(at + 1), context, program: shell });
}

/** make expands `$(shell …)` in the variables that it is given, and every word with `=` in it gives it one. */
function makeDangers(name: string, args: readonly CommandWord[], context: HazardContext): readonly Danger[] {
  if (name !== "make" && name !== "gmake") return [];
  const help = ["let only plain words through: `pattern=/[a-z0-9_-]+/`, or choices", "pass text in the environment with `@env`, and read it in the recipe as `\"$$NAME\"`"];
  return context.wild.carriedBy(args, "deep").map((carried) => ({ ...carried, note: "`make` expands `$(shell …)` in what it is given", help }));
}
