// A question before a command does what nothing takes back, and the option that answers it where nobody can be asked.
import { exitCodes } from "../../core/run/exit-code.ts";
import type { CommandContext, CommandInput } from "../command.ts";

interface Question {
  /** The question without `[y/N]`. */
  readonly text: string;
  /** What `--yes` does, and what the command says that it did not do. */
  readonly does: string;
  readonly notDone: string;
}

/** Returns an exit code if the answer is no, or nobody can be asked; both are said. */
export async function refusedByPerson(
  { text, does, notDone }: Question,
  { input, context }: { readonly input: CommandInput; readonly context: CommandContext },
): Promise<number | undefined> {
  const { errors, input: answers } = context.terminal;
  if (input.has("yes")) return undefined;
  if (!answers.isTerminal || !errors.isTerminal) {
    errors.write(`failed[package]: cannot ask without a terminal\n  = \`--yes\` ${does} without a question\n`);
    return exitCodes.denied;
  }
  if (/^y(?:es)?$/i.test((await answers.ask(`${text} [y/N] `))?.trim() ?? "")) return undefined;
  errors.write(`${notDone}\n`);
  return exitCodes.denied;
}
