// What a program does with its words: which of them are program text to it, and which are a command that it runs.

/**
 * A row of the tables. Lists are names separated by blanks. An option that is in no list may take the next word or not.
 */
export interface ProgramRule {
  /**
   * Names as they stand in a command, without folder and version: `python3.12` is `python`. A subcommand has two words:
   * `git rebase`.
   */
  readonly names: string;
  /** Options that take nothing from the next word. */
  readonly plain?: string;
  readonly glued?: string;
  /** Options whose value is the rest of the word, or the next one. */
  readonly value?: string;
  /** Options that take the next two words: `--arg name VALUE`. */
  readonly pairs?: string;
  /** Options whose value is a file with program text, which may also be the input. */
  readonly file?: string;
  /** Options whose value is program text or chooses a program. */
  readonly code?: string;
  readonly gluedCode?: string;
  /** Words that end the options: no word after them is an option. */
  readonly ends?: string;
  /**
   * How options are written. `words`: `-eval` is one option and not five. `apart`: the value of `-o` in `-oe` is the
   * next word. `prefix`: PowerShell reads `-Comm x` and `-Command:x` as `-command`, in any case.
   */
  readonly style?: "words" | "apart" | "prefix";
  /** Limits the row to commands with a word that matches. */
  readonly when?: RegExp;
  /** Set if options may follow operands: all of them, or so many. */
  readonly permutes?: true | number;
  /** Set if the first word is letters of options without a dash: `tar cf`. */
  readonly oldStyle?: true;
  /** Set if `name=value` among the operands is the option `--name`. */
  readonly assigns?: true;
  /** The sign with which a word of program text begins; a `+` counts only before `--`. */
  readonly sign?: "+" | "!";
  /** Operands that are program text. */
  readonly text?: OperandRange;
  /**
   * Set if a value may be its program text as a whole, because that text can start nothing: always, or with one of these
   * options. A value within the author's own text would change it unnoticed.
   */
  readonly takesWhole?: true | { readonly with: string };
  /** The pattern of a program text that reads files: a call with such a value is refused. */
  readonly readsFiles?: string;
  /** How a definition passes such a file on. */
  readonly instead?: string;
  /** Operands that are the key of a setting and its value. For these keys, the value is program text. */
  readonly keys?: { readonly names: string; readonly without?: string };
  /** The operands at which a command begins that the program runs. */
  readonly runs?: OperandRange;
  /** Set if a command that begins with a dash is words of a shell: `flock f -c …`. */
  readonly runsShell?: true;
  /** Set if the input becomes words of the command. */
  readonly fills?: true;
  /** Words before the command that are not operands, such as `NAME=value` of env. */
  readonly skips?: RegExp;
  /** A command follows each of these words, up to `;` or `+`. */
  readonly commandAfter?: string;
  /** Set if the first operand is a subcommand, which may have a row of its own. */
  readonly hasSubcommands?: true;
  /** Set if some of the words are a command that runs elsewhere. */
  readonly reaches?: true;
  /**
   * Says when the program runs its input: if it has no operands but these, or always. With -1, only an operand can say
   * so.
   */
  readonly readsInput?: { readonly operands: number; readonly with?: string; readonly without?: string } | "always";
  /**
   * Where letters, digits and `_ . -` are harmless in its program text: anywhere, between slashes, as in `s/…/…/`, or
   * where a shell reads them as arguments.
   */
  readonly shellSafe?: "anywhere" | "slashes" | "arguments";
  /**
   * Options whose program text is an expression or a statement; `text` stands for operands. A plain word within it is a
   * name or a part of a string there, unless the text loads or runs something.
   */
  readonly statements?: string;
  /**
   * What its program text is: a shell's script, awk's, or a text that may run its arguments if the expression matches.
   */
  readonly script?: "shell" | "awk" | RegExp;
  /** Set if `[flags]` may give any option; the `reject` of the parameter decides which. */
  readonly trustsFlags?: true;
  /** Set if an option of `value` takes any word behind it, also one that begins with `-`. */
  readonly takesDash?: true;
  /** A note for messages, where "reads this as a program" would not be understood. */
  readonly note?: string;
  readonly help: string;
}

/** A range of operands, counted from 0. `with` and `without` are options. */
export interface OperandRange {
  readonly from: number;
  readonly to: number;
  readonly with?: string;
  readonly without?: string;
}

/** Returns the names of a row. Subcommands are written with a dot: `git.rebase`. */
export function namesOf(rule: ProgramRule): readonly string[] {
  return rule.names.split(" ").map((name) => name.replaceAll(".", " "));
}
