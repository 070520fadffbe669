// The input of each command of a script, and where its output goes: pipes, redirections, brackets and functions.
import {
  type CommandGroup,
  literalText,
  type PipeEnd,
  type ReadScript,
  type Redirection,
  type SimpleCommand,
} from "./pieces.ts";
import { type Transfer, noText, type Text, type TextContext, textFrom, wordText } from "./text.ts";

export interface Streams {
  inputOf(command: SimpleCommand, context: TextContext): Text;
  /** Returns what `exec <<< …` feeds to all commands after it. */
  opened(context: TextContext): readonly Transfer[];
  /** The output of commands, assigned to what prints it in turn. */
  readonly outputs: readonly Transfer[];
}

/**
 * Follows inputs and outputs. `input` stands for what the script reads, `functionOutput` for what its functions print;
 * no variable has these names.
 */
export function streamsOf(
  { commands }: ReadScript,
  { input, functionOutput }: { readonly input: string; readonly functionOutput: string },
): Streams {
  const groups = groupsOf(commands);
  const piped = new Set<PipeEnd | undefined>([...commands, ...groups].map(({ from }) => from));
  const outputs = [
    ...commands.flatMap((command): readonly Transfer[] =>
      command.group && !piped.has(command) ? [{ target: command.group, text: textFrom(command) }] : [],
    ),
    ...[...groups].flatMap((group): readonly Transfer[] => {
      if (group.kind === "function") return [{ target: functionOutput, text: textFrom(group) }];
      return (group.kind === "group" || group.kind === "subshell") && group.outer && !piped.has(group)
        ? [{ target: group.outer, text: textFrom(group) }]
        : [];
    }),
  ];
  const known = new Map<CommandGroup, Text>();
  const groupInput = (group: CommandGroup | undefined, context: TextContext): Text => {
    const passed: CommandGroup[] = [];
    let found: Text | undefined;
    for (let inner = group; inner && !found; inner = inner.kind === "function" ? undefined : inner.outer) {
      passed.push(inner);
      found = known.get(inner) ?? redirected(inner.redirections, context) ?? (inner.from && textFrom(inner.from));
    }
    found ??= textFrom(input);
    for (const one of passed) known.set(one, found);
    return found;
  };
  const opened: Streams["opened"] = (context) =>
    commands
      .filter(({ words }) => literalText(words[0]) === "exec")
      .flatMap(({ redirections }) => {
        const text = redirected(redirections, context);
        return text ? [{ target: input, text }] : [];
      });
  const inputOf: Streams["inputOf"] = (command, context) => {
    // The input may be a file that `exec` has opened.
    if (command.redirections.some(({ operator }) => operator === "<&")) return textFrom(input);
    return (
      redirected(command.redirections, context) ??
      (command.from ? textFrom(command.from) : groupInput(command.group, context))
    );
  };
  return { outputs, opened, inputOf };
}

function groupsOf(commands: readonly SimpleCommand[]): ReadonlySet<CommandGroup> {
  const groups = new Set<CommandGroup>();
  for (const command of commands)
    for (let group = command.group; group && !groups.has(group); group = group.outer) groups.add(group);
  return groups;
}

/** Returns the input that the redirections give, or undefined without any. A file holds no value. */
function redirected(redirections: readonly Redirection[], context: TextContext): Text | undefined {
  const last = redirections.findLast(({ operator }) => operator.startsWith("<") && operator !== "<&");
  if (!last) return undefined;
  if (last.operator.startsWith("<<")) return wordText(last.word, context);
  const [only] = last.word.pieces;
  return only?.kind === "expansion" && only.group ? textFrom(only.group) : noText;
}
