// Shell built-ins that evaluate or run their arguments.
import { assignmentOf } from "./assignments.ts";
import { type Danger, type HazardContext, isWindowsShell } from "./danger.ts";
import { namesIn, reachedBy } from "./inner.ts";
import { type CommandWord, literalStart, literalText } from "./pieces.ts";
import {
  countingBuiltins,
  declaringBuiltins,
  evaluatingBuiltins,
  hasEvaluator,
  modularBuiltins,
  namingBuiltins,
  namingPatterns,
} from "./programs.ts";
import { assignmentDangers } from "./special.ts";
import type { Carried, Flow } from "./taint.ts";

type Reason = Pick<Danger, "note" | "help">;

const nameReason: Reason = { note: "this is the name of a variable", help: ["write out the name"] };
const integerHelp = ["declare the parameter as `{integer}`"];

export function builtinDangers(name: string, args: readonly CommandWord[], context: HazardContext): readonly Danger[] {
  const { flow, everything, shell } = context;
  const reasons = (found: readonly Carried[], reason: Reason): readonly Danger[] =>
    found.map((carried) => ({ ...carried, ...reason }));
  const all = (words: readonly CommandWord[], reason: Reason): readonly Danger[] =>
    reasons([...flow.carriedBy(words, "deep"), ...flow.unknownIn(words)], reason);
  if (isWindowsShell(shell)) return [];
  if (name === "let")
    return reasons(flow.computedBy(args), {
      note: "`let` evaluates its arguments, and bash and zsh may run the value",
      help: integerHelp,
    });
  if (evaluatingBuiltins.has(name)) {
    const help =
      name === "trap"
        ? ["write a function and use its name: `end() { rm {file}; }; trap end EXIT`"]
        : [`remove \`${name}\` and run the command directly`];
    return [
      ...reasons([...everything().carriedBy(args, "deep"), ...flow.unknownIn(args)], {
        note: `\`${name}\` runs its arguments as a script`,
        help,
      }),
      ...(name === "alias" ? aliasDangers(args, context) : laterDangers(args, context)),
    ];
  }
  if (name === "for" || name === "select" || name === "function") return all(args.slice(0, 1), nameReason);
  if (name === "hash" || name === "jobs")
    return all(args, {
      note: `\`${name}\` loads programs and gives them names`,
      help: ["write out the words"],
    });
  if (namingBuiltins.has(name)) {
    const reason = {
      note: `\`${name}\` expects names of variables, which bash and zsh evaluate`,
      help: ["write out the name"],
    };
    return [...all(args, reason), ...reasons(flow.computedBy(args.flatMap((word) => subscriptIn(word, flow))), reason)];
  }
  if (declaringBuiltins.has(name)) return declarationDangers(name, args, context);
  if (name === "print") {
    const format = args.findIndex((word) => /^-[A-Za-z]*f/.test(literalText(word) ?? ""));
    if (format !== -1) return printfDangers(withFormat(args.slice(format)), context);
  }
  if (name === "print" && args.some((word) => /^-[A-Za-z]*P/.test(literalText(word) ?? "")))
    return all(args, { note: "`print -P` expands its arguments as a prompt", help: ["write `print -r --`"] });
  if (name === "print" && args.some((word) => /^-[A-Za-z]*v/.test(literalText(word) ?? "")))
    return all(args.slice(0, 2), nameReason);
  if (name === "print")
    return all(firstOperand(args), {
      note: "`print` reads what begins with a dash as options, which can run text",
      help: ["write `print -r --` before it"],
    });
  if (name === "printf") return printfDangers(args, context);
  const isArray = name === "set" && args.some((word) => /^[-+][A-Za-z]*A/.test(literalText(word) ?? ""));
  if ((name === "set" && !isArray) || name === "shopt" || name === "setopt" || name === "unsetopt")
    return all(shellOptions(name, args), {
      note: "an option of the shell can change how it reads the script",
      help: ["write out the name of the option, or declare choices"],
    });
  if (name === "[" || name === "test" || name === "[[") return testDangers(name, args, context);
  const naming = shell === "zsh" || name === "wait" ? namingPatterns.get(name) : undefined;
  if (naming) return namedDangers(args, naming, context);
  if (shell !== "zsh") return [];
  if (modularBuiltins.has(name))
    return all(args, { note: `\`${name}\` evaluates or runs some of its arguments`, help: ["write out the words"] });
  if (countingBuiltins.has(name))
    return reasons(flow.computedBy(args), {
      note: `\`${name}\` expects a number, which zsh evaluates`,
      help: integerHelp,
    });
  if (name === "repeat")
    return reasons(flow.computedBy(args.slice(0, 1)), {
      note: "`repeat` expects a number, which zsh evaluates",
      help: integerHelp,
    });
  if (isArray)
    return all(args, {
      note: "`set -A` expects the name of a variable, which zsh evaluates",
      help: ["write `x=(…)`"],
    });
  return [];
}

/** Checks `wait -p {p}`, and `wait {p}`, whose value may begin with that option. */
function namedDangers(args: readonly CommandWord[], option: RegExp, { flow }: HazardContext): readonly Danger[] {
  const isOption = (word: CommandWord | undefined): boolean => word !== undefined && option.test(literalStart(word));
  const named = args.filter(
    (word, index) =>
      isOption(word) ||
      (isOption(args[index - 1]) &&
        option.exec(literalStart(args[index - 1] ?? word))?.[0] === literalText(args[index - 1])),
  );
  const found = [
    ...flow.carriedBy([...named, ...firstOperand(args)], "deep"),
    ...flow.unknownIn(named),
    ...flow.computedBy(named.flatMap((word) => subscriptIn(word, flow))),
  ];
  return found.map((carried) => ({ ...carried, ...nameReason }));
}

/** Returns the words that name options of the shell: `set -o {x}`, `set -e{x}`, `shopt -s {x}`. */
function shellOptions(name: string, args: readonly CommandWord[]): readonly CommandWord[] {
  if (name !== "set") return args;
  const end = args.findIndex((word) => /^(?:--?|[^-+].*)$/s.test(literalText(word) ?? ""));
  const before = args.slice(0, end === -1 ? undefined : end);
  return before.filter(
    (word, index) =>
      (/^[-+]/.test(literalStart(word)) && literalText(word) === undefined) ||
      /^[-+][A-Za-z]*o$/.test(literalText(before[index - 1]) ?? ""),
  );
}

/** Returns the first operand, or what may be one: a value may be an option. */
function firstOperand(args: readonly CommandWord[]): readonly CommandWord[] {
  const first = args.find(
    (word, index) =>
      (!/^-./.test(literalStart(word)) && !/^-[A-Za-z]*[CfuvxX]$/.test(literalText(args[index - 1]) ?? "")) ||
      literalText(word) === "--",
  );
  return first === undefined || literalStart(first) !== "" ? [] : [first];
}

/** Checks text in single quotes that `trap` and `eval` run later, where it runs or computes a variable. */
function laterDangers(args: readonly CommandWord[], context: HazardContext): readonly Danger[] {
  const text = args.map((word) => literalText(word) ?? "").join(" ");
  const own = /\$\{?[1-9@*]/.test(text) ? context.flow.valueOf("@") : undefined;
  const reached = reachedBy(text, own ? [{ pieces: [own] }] : [], context);
  return context
    .inner(text, reached, { isZsh: context.shell === "zsh", isFed: false })
    .map(({ through: _inside, ...danger }) => danger);
}

/** Checks `alias -g Q='| sh'`: its words appear elsewhere in the script. */
function aliasDangers(args: readonly CommandWord[], { flow }: HazardContext): readonly Danger[] {
  const piece = flow.valueOf("@");
  const texts = args.map((word) => literalText(word) ?? "");
  const isMore = texts.some((text) => /^-[a-z]*[gs]|[|;&$`<>()"']/.test(text));
  const runs = isMore && texts.some((text) => hasEvaluator(` ${text.replace(/^[^=]*=/, "")} `));
  return piece && runs
    ? [
        {
          piece,
          note: "an `alias` may name a program that runs its arguments",
          help: ["write a function, or the command itself"],
        },
      ]
    : [];
}

function declarationDangers(name: string, args: readonly CommandWord[], context: HazardContext): readonly Danger[] {
  const options = args.map((word) => literalText(word) ?? "").filter((text) => /^[-+]/.test(text));
  const isComputed = name === "integer" || name === "float" || options.some((option) => /[iEFn]/.test(option));
  const isArray = options.some((option) => /[aA]/.test(option));
  return args.flatMap((word): readonly Danger[] => {
    const { name: variable, value } = assignmentOf(word) ?? {};
    const reach = isArray && !isComputed && variable !== undefined ? "direct" : "deep";
    const carried = context.flow.carriedBy([word], reach);
    const unnamed = context.flow.unknownIn([word]);
    const toAll = (reason: Reason): readonly Danger[] => carried.map((one) => ({ ...one, ...reason }));
    if (variable === undefined)
      return [...carried, ...unnamed].map((one) => ({
        ...one,
        note: `\`${name}\` expects a name here`,
        help: [`write out the name: \`${name} NAME={name}\``],
      }));
    const special = assignmentDangers(word, context);
    if (special.length > 0) return special;
    const isKnownList = /^(?:declare|typeset|local)$/.test(name) && context.flow.isList(variable);
    if (isKnownList)
      return toAll({
        note: `\`${variable}\` is a list, and \`${name}\` reads the value as one`,
        help: [`write the list in brackets: \`${variable}=({name})\``],
      });
    if (isComputed)
      return context.flow
        .computedBy(value ? [value] : [])
        .map((one) => ({ ...one, note: `\`${name}\` evaluates the value here`, help: integerHelp }));
    return isArray
      ? toAll({
          note: `\`${name} ${options.join(" ")}\` reads the value as a list`,
          help: ["write the list in brackets: `x=({name})`"],
        })
      : [];
  });
}

/** Matches each conversion of a format; a `*` takes a number too. */
const CONVERSION = /%(?:%|[-+ #0-9.']*(?:(\*)[-+ #0-9.*']*)?(?:hh|h|ll|l|j|z|t|L)?([A-Za-z(]|$))/g;

const TEXT = /^[sbqcn]?$/;

function printfDangers(args: readonly CommandWord[], context: HazardContext): readonly Danger[] {
  const isVariable = literalText(args[0]) === "-v";
  const variable = isVariable ? args.slice(1, 2) : [];
  const from = isVariable ? 2 : literalText(args[0]) === "--" ? 1 : 0;
  const format = args[from];
  if (!format) return [];
  const text = literalText(format);
  const { flow } = context;
  const formatReason: Reason = { note: "this is the format of `printf`", help: ["write `printf '%s\\n' {name}`"] };
  const numberReason: Reason = {
    note: "zsh evaluates what `printf` prints as a number",
    help: ["print it with `%s`, or declare the parameter as `{integer}`"],
  };
  const carried = (words: readonly CommandWord[], reason: Reason): readonly Danger[] =>
    context.flow.carriedBy(words, "direct").map((one) => ({ ...one, ...reason }));
  const numbers = context.shell === "zsh" ? numbersOf(text, args.slice(from + 1), context) : [];
  return [
    ...[
      ...flow.carriedBy(variable, "direct"),
      ...flow.unknownIn(variable),
      ...flow.computedBy(variable.flatMap((word) => subscriptIn(word, flow))),
    ].map((one) => ({ ...one, ...nameReason })),
    ...carried([format], formatReason),
    ...context.flow.computedBy(numbers).map((one) => ({ ...one, ...numberReason })),
  ];
}

/** Turns the words of `print -rf FORMAT -- …` into those of `printf`. */
function withFormat([option, ...args]: readonly CommandWord[]): readonly CommandWord[] {
  const glued = /^-[A-Za-z]*?f(.+)$/s.exec(literalText(option) ?? "")?.[1];
  const [format, ...words] =
    glued === undefined ? args : [{ pieces: [{ kind: "text" as const, text: glued }] }, ...args];
  const first = words.findIndex((word) => !/^-[A-Za-z-]*$/.test(literalText(word) ?? ""));
  return format ? [format, ...(first === -1 ? [] : words.slice(first))] : [];
}

/** Returns the words that the format prints as numbers, or all of them if that is not known. */
function numbersOf(
  format: string | undefined,
  words: readonly CommandWord[],
  { mayVanish }: HazardContext,
): readonly CommandWord[] {
  const conversions = [...(format ?? "").matchAll(CONVERSION)].filter(([whole]) => whole !== "%%");
  if (format === undefined || conversions.some((match) => match[1] !== undefined)) return words;
  if (conversions.every((match) => TEXT.test(match[2] ?? ""))) return [];
  // After a word that may be missing, any of the conversions may print each word.
  const first = words.findIndex(mayVanish);
  const known = first === -1 ? words.length : first;
  return words.filter(
    (_word, index) => index >= known || !TEXT.test(conversions[index % Math.max(conversions.length, 1)]?.[2] ?? ""),
  );
}

/** Returns the variables in the subscript of a literal `-v a[i]`: `'a[$i]'` is expanded when it is evaluated. */
function subscriptIn(word: CommandWord, { variables }: Flow): readonly CommandWord[] {
  const [, name = "", subscript] = /^(\w+)\[(.*)\]$/.exec(literalText(word) ?? "") ?? [];
  return subscript === undefined || variables.isMap(name) || /^[@*]$/.test(subscript)
    ? []
    : [{ pieces: [{ kind: "text", text: namesIn(subscript) }] }];
}

const COMPARISON = /^-(?:eq|ne|lt|le|gt|ge)$/;

/**
 * Checks `[ $x = y ]`: a word that becomes several, or may be an operator, can put a `-v` before another word, which is
 * then a subscript.
 */
function operatorDangers(
  name: string,
  args: readonly CommandWord[],
  { flow, spreads }: HazardContext,
): readonly Danger[] {
  const isRisky = (word: CommandWord): boolean =>
    flow.computedBy([word]).length > 0 && flow.carriedBy([word], "deep").length > 0;
  const words = args.filter((word, index) => {
    const before = args[index - 1];
    return (
      isRisky(word) && (spreads(word) || (before !== undefined && literalText(before) === undefined && isRisky(before)))
    );
  });
  return flow.carriedBy(words, "deep").map((one) => ({
    ...one,
    note: `\`${name}\` may read this as an operator, or as the subscript after one`,
    help: ['put `"…"` around the variable, and use one operator between two values'],
  }));
}

/** Checks the tests. Only `[[ … ]]` computes what it compares; both kinds compute the subscripts after `-v`. */
function testDangers(name: string, args: readonly CommandWord[], context: HazardContext): readonly Danger[] {
  const { flow, shell } = context;
  const operators = name === "[[" ? [] : operatorDangers(name, args, context);
  const because = (operator: string, carried: readonly Carried[]): readonly Danger[] =>
    carried.map((one) => ({
      ...one,
      note: `\`${operator}\` in \`${name}\` makes bash or zsh evaluate the value`,
      help: ["declare the parameter as `{integer}`, or compare text with `=`"],
    }));
  return [
    ...operators,
    ...args.flatMap((word, index) => {
      const operator = literalText(word) ?? "";
      const [before, after] = [args.slice(Math.max(index - 1, 0), index), args.slice(index + 1, index + 2)];
      if (COMPARISON.test(operator))
        return name === "[[" ? because(operator, flow.computedBy([...before, ...after])) : [];
      if (operator === "-v" || operator === "-R")
        return because(operator, [
          ...flow.carriedBy(after, "deep"),
          ...flow.unknownIn(after),
          ...flow.computedBy(after.flatMap((one) => subscriptIn(one, flow))),
        ]);
      return operator === "-t" && shell === "zsh" ? because(operator, flow.computedBy(after)) : [];
    }),
  ];
}
