// The values that commands of a script assign to its variables, and to `$1`, `$@` and the like.
import { assignmentOf } from "./assignments.ts";
import { type CommandWord, literalStart, literalText, type ReadScript, type SimpleCommand } from "./pieces.ts";
import { type PrintContext, printedText } from "./prints.ts";
import { withoutPrefixes } from "./settings.ts";
import { cutText, type Transfer, joinedTexts, type Text, textFrom, wordText } from "./text.ts";

const NAME = /^[A-Za-z_]\w*/;

/** Returns the function that a command calls. After `command` and similar words, a name is a program's. */
export function calledFunction(
  command: SimpleCommand,
  functions: ReadonlySet<string>,
): readonly CommandWord[] | undefined {
  const words = command.words.slice(command.words.findIndex((word) => !assignmentOf(word)));
  return functions.has(literalText(words[0]) ?? "") ? words.slice(1) : undefined;
}

export function transfersOf(command: SimpleCommand, context: PrintContext): readonly Transfer[] {
  const assigned = command.words.flatMap((word): readonly Transfer[] => {
    const assignment = assignmentOf(word);
    if (!assignment) return [];
    // The keys of a map can be read too: `m[{p}]=1`.
    const keys = literalStart(word).includes("[")
      ? word.pieces.map((piece) => wordText({ pieces: [piece] }, context))
      : [];
    return [wordText(assignment.value, context), ...keys].map((text) => ({ target: assignment.name, text }));
  });
  if (command.isList) return [];
  const called = calledFunction(command, context.functions);
  if (called)
    return [
      ...assigned,
      { target: context.positional, text: joinedTexts(called.map((word) => wordText(word, context))) },
    ];
  return [...assigned, ...builtinTransfers(command, context)];
}

function builtinTransfers(command: SimpleCommand, context: PrintContext): readonly Transfer[] {
  const [program, ...args] = withoutPrefixes(command.words);
  const names = args.map((word) => literalText(word) ?? "");
  const toAll = (targets: readonly string[], text: Text): readonly Transfer[] =>
    targets.flatMap((target) => NAME.exec(target)?.slice(0, 1) ?? []).map((target) => ({ target, text }));
  const several = (words: readonly CommandWord[]): Text =>
    joinedTexts(words.map((word) => wordText(word, context, true)));
  switch (literalText(program)) {
    case "for":
    case "select":
    case "foreach":
      return toAll(names.slice(0, 1), names[1] === "in" ? several(args.slice(2)) : textFrom(context.positional));
    case "read":
    case "mapfile":
    case "readarray":
    case "getln":
    case "sysread":
    case "vared":
      return toAll([...names, "REPLY", "MAPFILE"], cutText(context.inputOf(command)));
    case "getopts":
      return toAll(["OPTARG"], cutText(textFrom(context.positional)));
    case "set":
      return [
        { target: context.positional, text: several(args) },
        ...(/^[-+][A-Za-z]*A$/.test(names[0] ?? "") ? toAll(names.slice(1, 2), several(args.slice(2))) : []),
      ];
    case "printf":
    case "print":
      return toAll(
        names.flatMap((name, index) =>
          name === "-v" ? (names[index + 1] ?? "") : name.startsWith("-v") ? name.slice(2) : [],
        ),
        printedText(command, context),
      );
    case "[[":
      return names.includes("=~") ? toAll(["BASH_REMATCH", "MATCH", "match"], cutText(several(args))) : [];
    default:
      return [];
  }
}

/** Returns assignments by `${x:=…}`. */
export function defaultTransfers({ regions }: ReadScript, context: PrintContext): readonly Transfer[] {
  return regions.flatMap(({ kind, inside }) => {
    const [first] = inside?.pieces ?? [];
    const name =
      kind === "parameter expansion" && first?.kind === "text" ? /^([A-Za-z_]\w*):?=/.exec(first.text)?.[1] : undefined;
    return name === undefined || !inside
      ? []
      : [
          {
            target: name,
            text: joinedTexts(inside.pieces.slice(1).map((piece) => wordText({ pieces: [piece] }, context))),
          },
        ];
  });
}
