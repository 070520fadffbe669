// What is built into shells and reads its words as more than words.
import type { Danger, HazardContext } from "./command-hazards.ts";
import { type CommandWord, literalStart, literalText } from "./command-pieces.ts";
import { countingBuiltins, declaringBuiltins, evaluatingBuiltins, namingBuiltins, specialVariable } from "./command-programs.ts";
import { ASSIGNMENT } from "./command-taint.ts";

type Reason = Pick<Danger, "note" | "help">;

const integerHelp = ["declare the parameter as `{integer}`"];

export function builtinDangers(name: string, args: readonly CommandWord[], context: HazardContext): readonly Danger[] {
  const { flow, everything } = context;
  const all = (words: readonly CommandWord[], reason: Reason): readonly Danger[] => flow.carriedBy(words, "deep").map((carried) => ({ ...carried, ...reason }));
  const computed = (words: readonly CommandWord[], reason: Reason): readonly Danger[] => flow.computedBy(words).map((carried) => ({ ...carried, ...reason }));
  if (name === "let") return computed(args, { note: "`let` computes its words, and bash and zsh run what a value holds", help: integerHelp });
  if (evaluatingBuiltins.has(name)) {
    const help = name === "trap" ? ["write a function and name that: `end() { rm {file}; }; trap end EXIT`"] : [`do without \`${name}\`: run the words themselves`];
    return everything.carriedBy(args, "deep").map((carried) => ({ ...carried, note: `\`${name}\` runs its words as a script`, help }));
  }
  if (name === "for" || name === "select" || name === "function") return all(args.slice(0, 1), { note: "a variable's name stands here", help: ["write the name out"] });
  if (namingBuiltins.has(name)) return all(args, { note: `\`${name}\` takes the names of variables, and bash and zsh compute what is in them`, help: ["write the name out"] });
  if (declaringBuiltins.has(name)) return declarationDangers(name, args, context);
  if (countingBuiltins.has(name)) return computed(args, { note: `\`${name}\` takes a number, and zsh computes it`, help: integerHelp });
  if (name === "repeat") return computed(args.slice(0, 1), { note: "`repeat` takes a number, and zsh computes it", help: integerHelp });
  if (name === "set" && args.some((word) => /^[-+][A-Za-z]*A/.test(literalText(word) ?? ""))) return all(args, { note: "`set -A` takes the name of a variable, and zsh computes what is in it", help: ["write `x=(…)`"] });
  if (name === "printf") return printfDangers(args, context);
  if (name === "print" && args.some((word) => /^-[A-Za-z]*P/.test(literalText(word) ?? ""))) return all(args, { note: "`print -P` expands its words as a prompt", help: ["write `print -r --`"] });
  if (name === "[" || name === "test" || name === "[[") return testDangers(name, args, context);
  return [];
}

function declarationDangers(name: string, args: readonly CommandWord[], context: HazardContext): readonly Danger[] {
  const options = args.map((word) => literalText(word) ?? "").filter((text) => /^[-+]/.test(text));
  const isComputed = name === "integer" || name === "float" || options.some((option) => /[iEFn]/.test(option));
  const isArray = options.some((option) => /[aA]/.test(option));
  return args.flatMap((word): readonly Danger[] => {
    const variable = ASSIGNMENT.exec(literalStart(word))?.[1];
    const reach = isArray && !isComputed && variable !== undefined ? "direct" : "deep";
    const carried = context.flow.carriedBy([word], reach);
    const toAll = (reason: Reason): readonly Danger[] => carried.map((one) => ({ ...one, ...reason }));
    if (variable === undefined) return toAll({ note: `\`${name}\` takes a name here`, help: [`write the name out: \`${name} NAME={name}\``] });
    if (specialVariable.test(variable)) return toAll({ note: `\`${variable}\` decides what runs, or is computed`, help: ["use a variable of another name, or choices of the parameter"] });
    const isKnownList = /^(?:declare|typeset|local)$/.test(name) && context.flow.isList(variable);
    if (isKnownList) return toAll({ note: `\`${variable}\` is a list, and \`${name}\` reads the value as one`, help: [`write the list in brackets: \`${variable}=({name})\``] });
    if (isComputed) return [...carried, ...context.flow.computedBy([valueOnly(word, variable)])].map((one) => ({ ...one, note: `\`${name}\` computes the value here`, help: integerHelp }));
    return isArray ? toAll({ note: `\`${name} ${options.join(" ")}\` reads the value as a list`, help: ["write the list in brackets: `x=({name})`"] }) : [];
  });
}

/** Without `NAME=`, which is no variable that is read. */
function valueOnly(word: CommandWord, variable: string): CommandWord {
  const [first, ...others] = word.pieces;
  return first?.kind === "text" ? { pieces: [{ kind: "text", text: first.text.slice(variable.length) }, ...others] } : word;
}

const NUMERIC_FORMAT = /%[-+ #0-9.*']*(?:hh|h|ll|l|j|z|t|L)?[diouxXaAeEfFgG(]|%[^A-Za-z%]*\*/;

function printfDangers(args: readonly CommandWord[], context: HazardContext): readonly Danger[] {
  const isVariable = literalText(args[0]) === "-v";
  const variable = isVariable ? args.slice(1, 2) : [];
  const from = isVariable ? 2 : literalText(args[0]) === "--" ? 1 : 0;
  const format = args[from];
  if (!format) return [];
  const text = literalText(format);
  const formatReason: Reason = { note: "the format of `printf` stands here", help: ["write `printf '%s\\n' {name}`"] };
  const numberReason: Reason = { note: "zsh computes what `printf` prints as a number", help: ["print it with `%s`, or declare the parameter as `{integer}`"] };
  const carried = (words: readonly CommandWord[], reason: Reason): readonly Danger[] => context.flow.carriedBy(words, "direct").map((one) => ({ ...one, ...reason }));
  const isNumeric = text === undefined || NUMERIC_FORMAT.test(text);
  return [
    ...carried(variable, { note: "a variable's name stands here", help: ["write the name out"] }),
    ...carried([format], formatReason),
    ...(isNumeric ? context.flow.computedBy(args.slice(from + 1)).map((one) => ({ ...one, ...numberReason })) : []),
  ];
}

const COMPUTING_TEST = /^-(?:eq|ne|lt|le|gt|ge|v|R|t)$/;

function testDangers(name: string, args: readonly CommandWord[], context: HazardContext): readonly Danger[] {
  const operator = args.map((word) => literalText(word) ?? "").find((text) => COMPUTING_TEST.test(text));
  if (operator === undefined) return [];
  return context.flow.computedBy(args).map((carried) => ({ ...carried, note: `\`${operator}\` in \`${name}\` makes bash or zsh compute the value`, help: ["declare the parameter as `{integer}`, or compare text with `=`"] }));
}
