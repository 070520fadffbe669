// Options that other programs have, which people type from habit.

/** Each with what is meant. */
const otherOptions: readonly (readonly [options: readonly string[], meant: string])[] = [
  [
    ["--json"],
    "for the result of a call as JSON, write `--result json`; other commands take `--json` after their name",
  ],
  [["--dry-run", "-n"], "write it after the tool's name: `dottool NAME … --dry-run`"],
  [["--chdir", "--directory", "-C"], "write `--cwd DIR`"],
  [["--init"], "write `dottool init`"],
  [["--check"], "write `dottool check`"],
  [["--plain", "--no-colour", "--color=never"], "write `--no-color` before the command"],
  [
    ["--no-input", "--non-interactive", "--batch"],
    "write `< /dev/null` at the end of the line: without a terminal to read from, nothing is asked",
  ],
];

export function meantByOption(option: string): string | undefined {
  return otherOptions.find(([options]) => options.includes(option))?.[1];
}

/** Returns the message for the words of a command line whose options cannot be read. */
export function withMeantOption(problem: string): string {
  const unknown = /^unknown option `(.*?)`/.exec(problem)?.[1];
  const meant = unknown === undefined ? undefined : meantByOption(unknown);
  return meant === undefined ? problem : `unknown option \`${unknown}\`; ${meant}`;
}
