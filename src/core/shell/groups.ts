// Which commands of a script share an input and an output: those on both sides of a `|`, in brackets, or between words
// such as `while` and `done`.
import type { CommandGroup, PipeEnd, Redirection, SimpleCommand } from "./pieces.ts";

/** The groups that are open while the commands between two brackets are read. */
export class CommandGroups {
  readonly #base: CommandGroup;
  #current: CommandGroup;
  /** The pipe into the current command. */
  #from: PipeEnd | undefined;
  /** The group that has just ended. Redirections and a `|` after it belong to it. */
  #closed: CommandGroup | undefined;
  #isFunction = false;

  constructor(base: CommandGroup) {
    this.#base = base;
    this.#current = base;
  }

  get current(): CommandGroup {
    return this.#current;
  }

  /** Whether a group has just ended, which is the command then. */
  get hasEnded(): boolean {
    return this.#closed !== undefined;
  }

  /** The group and the pipe of the current command. */
  get place(): Pick<SimpleCommand, "group" | "from"> {
    return { group: this.#current, ...(this.#from ? { from: this.#from } : {}) };
  }

  /** Opens a group for `$(…)` in a word, which reads the input of the current command, or for `>(…)`. */
  substitution(opener?: string): CommandGroup {
    const group = this.#inner("substitution");
    return opener === ">(" ? { ...group, isWritten: true } : group;
  }

  /** Marks what follows as the body of a function. */
  define(): void {
    this.#isFunction = true;
  }

  open(kind: "group" | "subshell" = "group"): void {
    this.#current = this.#inner(this.#isFunction ? "function" : kind);
    this.#from = undefined;
    this.#isFunction = false;
  }

  close(): void {
    this.#closed = this.#current;
    this.#current = this.#current.outer ?? this.#base;
  }

  /** Opens a group for brackets whose commands are read elsewhere. */
  subshell(): CommandGroup {
    this.open("subshell");
    const opened = this.#current;
    this.close();
    return opened;
  }

  /** Ends a command. `command` is undefined if there was only a group. */
  end(command: SimpleCommand | undefined, redirections: readonly Redirection[], operator: string): void {
    const end = this.#closed ?? command;
    this.#closed?.redirections.push(...redirections);
    this.#closed = undefined;
    // After `|`, the command may begin on the next line.
    if (end || operator === "|") this.#from = operator === "|" ? end : undefined;
    if (end) this.#isFunction = false;
  }

  #inner(kind: CommandGroup["kind"]): CommandGroup {
    return { kind, outer: this.#current, ...(this.#from ? { from: this.#from } : {}), redirections: [] };
  }
}
