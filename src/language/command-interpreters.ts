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

function codeWords(interpreter: Interpreter, { args, context }: Spot): CodeWords {
  const code: CommandWord[] = [];
  const operands: CommandWord[] = [];
  const seen: string[] = [];
  const rule = interpreter.operands;
  let shifted: readonly CommandWord[] = [];
  let takesOptions = true;
  let hasCodeOption = false;
  for (let at = 0; at < args.length; at++) {
    const word = args[at];
    if (!word) break;
    const literal = literalText(word);
    const start = literalStart(word);
    const takesNext = takesOptions && literal !== undefined && (interpreter.codeAfter?.test(literal) ?? false);
    const isValue = takesOptions && !takesNext && literal !== undefined && (interpreter.valueOptions?.test(literal) ?? false);
    if (takesOptions && start === "" && word.pieces.some((piece) => piece.kind === "placeholder" && context.isFlags(piece))) code.push(word);
    if (takesOptions && interpreter.codeBehind?.test(start)) {
      code.push(word);
      hasCodeOption = true;
    }
    const next = takesNext || isValue ? args[at + 1] : undefined;
    // Only what comes before the program text can push it aside.
    const decides = takesOptions || (rule !== undefined && operands.length < rule.to && rule.to < Number.POSITIVE_INFINITY);
    if (decides && [word, ...(next ? [next] : [])].some(context.mayVanish)) shifted = args.slice(at + (next ? 2 : 1));
    if (literal !== undefined && (takesNext || isValue)) {
      seen.push(literal);
      at++;
      if (takesNext && next) code.push(next);
      hasCodeOption ||= takesNext;
    } else if (takesOptions && literal === "--") takesOptions = false;
    else if (takesOptions && /^[-+/]./.test(start)) seen.push(start);
    else {
      operands.push(word);
      takesOptions = takesOptions && rule?.to === Number.POSITIVE_INFINITY;
    }
    if (shifted.length > 0) break;
  }
  const applies = rule && (!rule.condition || seen.some((option) => rule.condition?.test(option))) && !(rule.unless && seen.some((option) => rule.unless?.test(option)));
  if (rule && applies) code.push(...operands.slice(rule.from, rule.to));
  const isCode = applies || hasCodeOption || (rule !== undefined && rule.condition === undefined && rule.unless === undefined);
  return { code, shifted: isCode ? shifted : [], hasOperands: !seen.includes("-s") && (hasCodeOption || operands.filter((word) => !context.mayVanish(word)).length > (rule?.from ?? 0) || (rule?.unless !== undefined && !applies)) };
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
