// What the words of a command make of the program that stands first, and of those that it runs: `env nice sh -c …`.
import { assignmentDangers, absenceHelp, type Danger, type HazardContext } from "./command-hazards.ts";
import { builtinDangers } from "./command-builtins.ts";
import { interpreterDangers } from "./command-interpreters.ts";
import { type CommandWord, literalStart, literalText, placeholdersIn } from "./command-pieces.ts";
import { programName, wrappers } from "./command-programs.ts";
import { ASSIGNMENT } from "./command-taint.ts";

/** Wrappers in wrappers, such as `sudo env nice sh`. */
const WRAPPERS_MAX = 8;

/** What the words make of the program that stands first. */
export function programDangers(words: readonly CommandWord[], context: HazardContext, depth: number): readonly Danger[] {
  const [program, ...args] = words;
  if (!program) return [];
  const literal = literalText(program);
  // Where `$sudo` is empty, the next word is the program.
  if (literal === undefined) return [...asProgram(program, context), ...(context.mayVanish(program) && depth < WRAPPERS_MAX ? programDangers(args, context, depth + 1) : [])];
  const name = programName(literal);
  const known = [...builtinDangers(literal, args, context), ...interpreterDangers({ name, literal }, args, context)];
  const wrapped = depth < WRAPPERS_MAX ? wrappedProgram(name, args, context) : undefined;
  if (!wrapped) return known;
  const assignments = wrapped.assignments.flatMap((word) => assignmentDangers(word, context));
  const note = `\`${literal}\` runs this when a word before it is missing`;
  const shifted = wrapped.shifted ? context.flow.carriedBy(wrapped.words.slice(1), "deep").map((carried) => ({ ...carried, note, help: [absenceHelp] })) : [];
  return [...known, ...assignments, ...programDangers(wrapped.words, context, depth + 1), ...shifted];
}

function asProgram(program: CommandWord, context: HazardContext): readonly Danger[] {
  // Written in full view, even a choice would say what runs; a variable may have been given anything else by then.
  const { flow, everything } = context;
  const carried = placeholdersIn([program]).length > 0 ? everything.carriedBy([program], "deep") : flow.carriedBy([program], "deep");
  return carried.map((one) => ({ ...one, note: "", help: [], isProgram: true }));
}

interface Wrapped {
  readonly assignments: readonly CommandWord[];
  readonly words: readonly CommandWord[];
  /** A word before them may be missing, and then they stand elsewhere. */
  readonly shifted: boolean;
}

function wrappedProgram(name: string, args: readonly CommandWord[], context: HazardContext): Wrapped | undefined {
  if (name === "find") {
    const at = args.findIndex((word) => /^-(?:exec|execdir|ok|okdir)$/.test(literalText(word) ?? ""));
    return at === -1 ? undefined : { assignments: [], words: args.slice(at + 1), shifted: false };
  }
  const wrapper = wrappers.find((candidate) => candidate.names.includes(name));
  if (!wrapper) return undefined;
  const assignments: CommandWord[] = [];
  let operands = wrapper.operands;
  let at = 0;
  for (; at < args.length; at++) {
    const word = args[at];
    if (!word) break;
    const start = literalStart(word);
    if (start === "--") continue;
    // `command -v NAME` only looks.
    if (name === "command" && /^-p?[vV]$/.test(literalText(word) ?? "")) return undefined;
    if (wrapper.valueOptions?.test(literalText(word) ?? "")) at++;
    else if (name === "env" && ASSIGNMENT.test(start)) assignments.push(word);
    else if (start.startsWith("-") && start !== "-") continue;
    else if (operands > 0) operands--;
    else break;
  }
  return { assignments, words: args.slice(at), shifted: args.slice(0, at).some(context.mayVanish) };
}
