// Options that other programs have before the name of a command.

/** Each with what is meant. */
const otherOptions: readonly (readonly [options: readonly string[], meant: string])[] = [
  [
    ["--json"],
    "for the result of a call as JSON, write `--result json`; other commands take `--json` after their name",
  ],
  [["--dry-run", "-n"], "write it after the tool's name: `dottool NAME … --dry-run`"],
  [["--chdir", "--directory", "-C"], "write `--cwd DIR`"],
  [["--list", "-l"], "`dottool list` shows the tools"],
  [["--init"], "write `dottool init`"],
  [["--check"], "write `dottool check`"],
];

/** Returns the message for the words of a command line whose options cannot be read. */
export function withMeantOption(problem: string): string {
  const unknown = /^unknown option `(.*?)`/.exec(problem)?.[1];
  const meant = unknown === undefined ? undefined : otherOptions.find(([options]) => options.includes(unknown))?.[1];
  return meant === undefined ? problem : `unknown option \`${unknown}\`; ${meant}`;
}
