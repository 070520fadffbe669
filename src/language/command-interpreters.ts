// Programs with program text among their words: finds those words.
import type { Danger, HazardContext } from "./command-hazards.ts";
import { type CommandWord, literalStart, literalText } from "./command-pieces.ts";
import { type Interpreter, interpreters, programName } from "./command-programs.ts";

export function interpreterDangers(name: string, args: readonly CommandWord[], context: HazardContext): readonly Danger[] {
  const found = interpreters.filter((interpreter) => interpreter.names.includes(name));
  return [...found.flatMap((interpreter) => codeDangers(name, interpreter, { args, context })), ...innerShells(args, context), ...makeDangers(name, args, context)];
}

interface Spot {
  readonly args: readonly CommandWord[];
  readonly context: HazardContext;
}

function codeDangers(name: string, interpreter: Interpreter, spot: Spot): readonly Danger[] {
  const words = codeWords(interpreter, spot.args);
  const reason = { note: `\`${name}\` reads this as a program`, help: [interpreter.help] };
  const dangers = spot.context.flow.carriedBy(words.code, "deep").map((carried) => ({ ...carried, ...reason }));
  if (!interpreter.readsInput || words.hasOperands) return dangers;
  return [...dangers, ...inputDangers(name, interpreter, spot.context)];
}

/** `… | sh` and `sh <<< {p}` run what comes in. */
function inputDangers(name: string, interpreter: Interpreter, context: HazardContext): readonly Danger[] {
  const reason = { note: `it reaches \`${name}\`, which runs what it reads`, help: [interpreter.help] };
  const hereStrings = context.command.redirections.filter((redirection) => redirection.operator === "<<<").map((redirection) => redirection.word);
  const carried = context.flow.carriedBy(hereStrings, "deep");
  const piped = context.command.isPipedInto ? context.flow.valueOf("@") : undefined;
  return [...carried, ...(piped ? [{ piece: piped }] : [])].map((one) => ({ ...one, ...reason }));
}

interface CodeWords {
  readonly code: readonly CommandWord[];
  /** A file to run, or program text: what comes in is only data. */
  readonly hasOperands: boolean;
}

function codeWords(interpreter: Interpreter, args: readonly CommandWord[]): CodeWords {
  const code: CommandWord[] = [];
  const operands: CommandWord[] = [];
  let takesOptions = true;
  const seen: string[] = [];
  let hasCodeOption = false;
  for (let at = 0; at < args.length; at++) {
    const word = args[at];
    if (!word) break;
    const literal = literalText(word);
    const start = literalStart(word);
    if (takesOptions && interpreter.codeBehind?.test(start)) {
      code.push(word);
      hasCodeOption = true;
    }
    if (takesOptions && literal !== undefined && interpreter.codeAfter?.test(literal)) {
      seen.push(literal);
      const next = args[++at];
      if (next) code.push(next);
      hasCodeOption = true;
    } else if (takesOptions && literal !== undefined && interpreter.valueOptions?.test(literal)) {
      seen.push(literal);
      at++;
    } else if (takesOptions && literal === "--") takesOptions = false;
    else if (takesOptions && /^[-+/]./.test(start)) seen.push(start);
    else {
      operands.push(word);
      takesOptions = takesOptions && interpreter.operands?.to === Number.POSITIVE_INFINITY;
    }
  }
  const rule = interpreter.operands;
  const applies = rule && (!rule.condition || seen.some((option) => rule.condition?.test(option))) && !(rule.unless && seen.some((option) => rule.unless?.test(option)));
  if (rule && applies) code.push(...operands.slice(rule.from, rule.to));
  return { code, hasOperands: operands.length > 0 || hasCodeOption };
}

/** A shell among the words of any program, as in `docker exec box sh -c "… {p}"`. */
function innerShells(args: readonly CommandWord[], context: HazardContext): readonly Danger[] {
  const [shells] = interpreters;
  if (!shells) return [];
  const at = args.findIndex((word, index) => shells.names.includes(programName(literalText(word) ?? "")) && /^-[A-Za-z]*c$/.test(literalText(args[index + 1]) ?? ""));
  const shell = literalText(args[at]);
  return shell === undefined ? [] : codeDangers(programName(shell), shells, { args: args.slice(at + 1), context });
}

/** `make NAME={p}`: make expands `$(shell …)` in what it is given. */
function makeDangers(name: string, args: readonly CommandWord[], context: HazardContext): readonly Danger[] {
  if (name !== "make" && name !== "gmake") return [];
  const assigned = args.filter((word) => literalStart(word).includes("="));
  return context.flow.carriedBy(assigned, "deep").map((carried) => ({ ...carried, note: "`make` expands `$(shell …)` in the values of its variables", help: ["pass it in the environment with `@env`, and read it in the recipe as `\"$$NAME\"`"] }));
}
