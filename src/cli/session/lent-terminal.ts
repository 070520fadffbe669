// Gives the person's terminal to the command of a tool that is called at one.
import { mayHaveTerminal } from "../../run/may-have-terminal.ts";
import type { Session } from "../../run/session.ts";
import type { CommandContext } from "../command.ts";
import type { WaitingLine } from "../view/waiting-line.ts";

/** Only if nothing is redirected: a pipe or a file gets the output, and a program of it gets no keys. */
export function lentTo({ terminal, options }: CommandContext, waiting: WaitingLine): Pick<Session, "lendTerminal"> {
  const { input, output, errors, lend } = terminal;
  if (options.result !== "text" || !lend || !input.isTerminal || !output.isTerminal || !errors.isTerminal) return {};
  const lent = async (): Promise<(isForced: boolean) => void> => {
    const goOn = await waiting.rest();
    const giveBack = await lend();
    return (isForced) => {
      giveBack(isForced);
      goOn();
    };
  };
  return { lendTerminal: (tool) => (mayHaveTerminal(tool) ? lent() : undefined) };
}
