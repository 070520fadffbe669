// Which of several things a person wants; at first, all are marked.
import type { Terminal } from "../../core/tool/terminal.ts";
import { openPrompts } from "./host/prompts.ts";

/** Returns the names of those that are wanted, or undefined if the person gives up or wants none. */
export async function chooseSome(
  terminal: Terminal,
  message: string,
  named: readonly { readonly name: string; readonly about: string }[],
): Promise<readonly string[] | undefined> {
  const wanted = await openPrompts(terminal).selectSome(
    message,
    named.map(({ name, about }) => ({ value: name, label: name, hint: about })),
    named.map(({ name }) => name),
  );
  return wanted?.length === 0 ? undefined : wanted;
}
