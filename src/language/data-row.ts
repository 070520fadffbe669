// What one program reads as data: some of its words, and some other input.

/** Lists are words with white space between. An option that no list has makes every value of its command unknown. */
export interface DataRow {
  /** Subcommands are written with a dot: `git.log`. */
  readonly names: string;
  /** The manual that says so. */
  readonly from: string;
  /** Elsewhere, another program has the name. */
  readonly platform?: "macos";
  /** Set if no word, option or not, can name a program or a file to write. */
  readonly anywhere?: true;
  /** Words that do more than read, before and after `--`. No other word does, and none of them has a second form. */
  readonly except?: string;
  /** The operands that are data, counted from 0. */
  readonly operands?: { readonly from: number; readonly to: number };
  /** Operand 0 is program text, and harmless where it looks like this; `1` is a placeholder for any number. */
  readonly script?: RegExp;
  /** An operand that begins with it is data. */
  readonly sign?: "+";
  /** Options without a value; `-#` is any number. One that is also in `data` takes its value only after `=`. */
  readonly plain?: string;
  /** Options whose value is data. */
  readonly data?: string;
  /** Options whose value may only be the author's. */
  readonly fixed?: string;
  /** Options that must precede the operands; `|` separates alternatives. */
  readonly needs?: string;
  /** `-name` is one option and not four. */
  readonly style?: "words";
  /** `--` does not end its options. */
  readonly ignoresDashes?: true;
  /** The first operand is a subcommand with a separate row. */
  readonly hasSubcommands?: true;
  /** Standard input is data. */
  readonly input?: true;
  /** Variables whose values are data. */
  readonly variables?: string;
  /** Set if the program runs files of its folder. No value may choose that folder or be written to a file before. */
  readonly loads?: true;
  /** What the program does besides reading. */
  readonly does?: readonly ("write" | "network")[];
}
