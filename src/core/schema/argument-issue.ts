// One problem with the arguments of a call.

export interface ArgumentIssue {
  /** `name`, `name[0]`, `name.inner`; empty for the arguments as a whole. */
  readonly path: string;
  /** `expected array<string>, got the string "*.ts"`. */
  readonly message: string;
  /** How it would be accepted together with another argument. */
  readonly help?: string;
}
