// What a program does with its words: which of them it reads as a program, and which are a command that it runs.

/** Lists are names with a blank between. An option that is in none of them may take the next word, or not. */
export interface ProgramRule {
  /**
   * As they stand in a command, without folder and version: `python3.12` is `python`. A subcommand has two words:
   * `git rebase`.
   */
  readonly names: string;
  /** Options without a value, and those whose value is in the same word if they have one. */
  readonly plain?: string;
  readonly glued?: string;
  /** Options whose value is the rest of the word, or the next one. */
  readonly value?: string;
  /** Those of them whose value is a file with program text: it may be what comes in. */
  readonly file?: string;
  /** The same, where the value is program text or chooses a program. */
  readonly code?: string;
  readonly gluedCode?: string;
  /** Words that end the options: no word after them is an option. */
  readonly ends?: string;
  /**
   * `words`: `-eval` is one option and not five. `apart`: the value of `-o` in `-oe` is the next word. `prefix`: as
   * PowerShell reads `-Comm x` and `-Command:x` for `-command`, in any case.
   */
  readonly style?: "words" | "apart" | "prefix";
  /** The row is only for commands with such a word. */
  readonly when?: RegExp;
  /** Options may follow operands. */
  readonly permutes?: true;
  /** The first word is letters of options without a dash: `tar cf`. */
  readonly oldStyle?: true;
  /** `name=value` among the operands is the option `--name`. */
  readonly assigns?: true;
  /** A word that begins with it is program text; a `+` only before `--`. */
  readonly sign?: "+" | "!";
  /** Operands that are program text. */
  readonly text?: OperandRange;
  /** Operands that are the key of a setting and its value: of these keys, the value is program text. */
  readonly keys?: { readonly names: string; readonly without?: string };
  /** Where the command begins that it runs. */
  readonly runs?: OperandRange;
  /** The command is words of a shell where it begins with a dash: `flock f -c …`. */
  readonly runsShell?: true;
  /** What comes in becomes words of the command. */
  readonly fills?: true;
  /** Words before the command that are not operands, such as `NAME=value` of env. */
  readonly skips?: RegExp;
  /** A command follows each of these words, up to `;` or `+`. */
  readonly commandAfter?: string;
  /** The first operand is a subcommand, which may have a separate row. */
  readonly hasSubcommands?: true;
  /** Some of its words are a command for elsewhere. */
  readonly reaches?: true;
  /** Runs what comes in: when it has no operand but these, or always; -1: only where an operand says so. */
  readonly readsInput?: { readonly operands: number; readonly with?: string; readonly without?: string } | "always";
  /**
   * What letters, digits and `_ . -` can do in its program text: nothing much, or nothing between slashes, as in
   * `s/…/…/`.
   */
  readonly shellSafe?: "anywhere" | "slashes";
  /**
   * What its program text is: a shell's script, awk's, or one that may run what it is given where it fits the
   * expression.
   */
  readonly script?: "shell" | "awk" | RegExp;
  /** `[flags]` may give it any option: which ones is for the `reject` of the parameter. */
  readonly trustsFlags?: true;
  /** What is true of the place, where "reads this as a program" would not be understood. */
  readonly note?: string;
  readonly help: string;
}

/** Operands are counted from 0; `with` and `without` are options. */
export interface OperandRange {
  readonly from: number;
  readonly to: number;
  readonly with?: string;
  readonly without?: string;
}

export const EVERY = Number.POSITIVE_INFINITY;

/** Subcommands are written with a dot: `git.rebase`. */
export function namesOf(rule: ProgramRule): readonly string[] {
  return rule.names.split(" ").map((name) => name.replaceAll(".", " "));
}
