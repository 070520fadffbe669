// Which commands of a script share an input and an output: those on both sides of a `|`, in brackets, and between such
// words as `while` and `done`.
import type { CommandGroup, PipeEnd, Redirection, SimpleCommand } from "./command-pieces.ts";

/** The groups that are open while the commands between two brackets are read. */
export class CommandGroups {
  readonly #base: CommandGroup;
  #current: CommandGroup;
  /** What is piped into the command that is read. */
  #from: PipeEnd | undefined;
  /** The group that has just ended: redirections and a `|` behind it are its own. */
  #closed: CommandGroup | undefined;
  #isFunction = false;

  constructor(base: CommandGroup) {
    this.#base = base;
    this.#current = base;
  }

  get current(): CommandGroup {
    return this.#current;
  }

  /** What belongs to the command that is read. */
  get place(): Pick<SimpleCommand, "group" | "from"> {
    return { group: this.#current, ...(this.#from ? { from: this.#from } : {}) };
  }

  /** `$(…)` in a word reads what the command reads. */
  substitution(): CommandGroup {
    return this.#inner("substitution");
  }

  /** What follows is the body of a function. */
  define(): void {
    this.#isFunction = true;
  }

  open(): void {
    this.#current = this.#inner(this.#isFunction ? "function" : "group");
    this.#from = undefined;
    this.#isFunction = false;
  }

  close(): void {
    this.#closed = this.#current;
    this.#current = this.#current.outer ?? this.#base;
  }

  /** Brackets, whose commands are read elsewhere. */
  subshell(): CommandGroup {
    this.open();
    const opened = this.#current;
    this.close();
    return opened;
  }

  /** `command`: where there is one beside the group that has ended. */
  end(command: SimpleCommand | undefined, redirections: readonly Redirection[], operator: string): void {
    const end = this.#closed ?? command;
    this.#closed?.redirections.push(...redirections);
    this.#closed = undefined;
    // Behind `|` the command may begin on the next line.
    if (end || operator === "|") this.#from = operator === "|" ? end : undefined;
    if (end) this.#isFunction = false;
  }

  #inner(kind: CommandGroup["kind"]): CommandGroup {
    return { kind, outer: this.#current, ...(this.#from ? { from: this.#from } : {}), redirections: [] };
  }
}
