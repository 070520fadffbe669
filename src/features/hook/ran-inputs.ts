// Where the input of a command comes from: its own redirection or pipe, or those of the brackets around it.
import { literalText, type PipeEnd, type Redirection, type SimpleCommand } from "../../core/shell/pieces.ts";

export interface RanInput {
  /** `written`: what a command writes to `>(…)`, or to a file that is open. `called`: the input of a function's caller. */
  readonly kind: "redirected" | "piped" | "written" | "called";
  readonly redirection?: Redirection;
  readonly from?: PipeEnd;
}

/** Returns undefined if it has the input of the whole script. */
export function inputOf(command: SimpleCommand): RanInput | undefined {
  const own = ownInput(command);
  if (own) return own;
  for (let group = command.group; group; group = group.outer) {
    const input = ownInput(group) ?? (group.isWritten ? { kind: "written" } : undefined);
    if (input) return input;
    if (group.kind === "function") return { kind: "called" };
  }
  return undefined;
}

/** Whether it is `exec < file`, which is the input of what follows. */
export function opensInput(command: SimpleCommand): boolean {
  const [program, ...others] = command.words;
  return others.length === 0 && literalText(program) === "exec" && ownInput(command) !== undefined;
}

function ownInput({ redirections, from }: Pick<SimpleCommand, "redirections" | "from">): RanInput | undefined {
  const redirection = redirections.findLast(({ operator }) => operator.startsWith("<"));
  if (redirection?.operator === "<&")
    return /^[1-9]/.test(literalText(redirection.word) ?? "1") ? { kind: "written" } : undefined;
  if (redirection) return { kind: "redirected", redirection };
  return from ? { kind: "piped", from } : undefined;
}
