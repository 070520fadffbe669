// What one program reads as data: some of its words, and some other input.

/**
 * A row. Lists are words separated by white space. An option that is in no list makes every value of its command
 * unknown.
 */
export interface DataRow {
  /** Subcommands are written with a dot: `git.log`. */
  readonly names: string;
  /** The manual that is the source of the row. */
  readonly from: string;
  /** Set if the program is a different one on other platforms. Windows has only rows of its own. */
  readonly platform?: "macos" | "windows";
  /** Set if no word, option or not, can name a program or a file to write. */
  readonly anywhere?: true;
  /** Words that do more than read, before and after `--`. No other word does, and none of them has a second form. */
  readonly except?: string;
  /** The operands that are data, counted from 0. */
  readonly operands?: { readonly from: number; readonly to: number };
  /** The program text that operand 0 may be without harm; `1` is a placeholder for any number. */
  readonly script?: RegExp;
  /** The sign with which an operand begins that is data. */
  readonly sign?: "+";
  /** Options without a value; `-#` is any number. One that is also in `data` takes its value only after `=`. */
  readonly plain?: string;
  /** Options whose value is data. */
  readonly data?: string;
  /** Options whose value may only be the author's. */
  readonly fixed?: string;
  /** Options that must come before the operands; `|` separates alternatives. */
  readonly needs?: string;
  /** Says that `-name` is one option and not four. */
  readonly style?: "words";
  /** Set if `--` does not end its options. */
  readonly ignoresDashes?: true;
  /** Set if the first operand is a subcommand with a row of its own. */
  readonly hasSubcommands?: true;
  readonly input?: true;
  /** Variables whose values are data. */
  readonly variables?: string;
  /** Set if the program runs files of its folder. No value may choose that folder or be written to a file before. */
  readonly loads?: true;
  /** What the program does besides reading. */
  readonly does?: readonly ("write" | "network")[];
}
