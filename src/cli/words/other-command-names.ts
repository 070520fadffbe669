// What other programs call a command, which people type from habit. A tool of that name goes first.

interface OtherName {
  /** The words behind `dottool`. */
  readonly command: string;
  /** What it does, where a name means more than one thing. */
  readonly does?: string;
}

const rows: readonly (readonly [names: string, command: string, does?: string])[] = [
  ["which where whereis locate edit open", "show", "says in which file it is"],
  ["info inspect describe view", "show"],
  ["serve server start", "mcp", "serves your tools to clients"],
  ["tools commands", "list"],
  ["validate lint verify", "check"],
  ["format prettier", "fmt"],
  ["create make generate scaffold", "new"],
  ["completion autocomplete", "completions"],
  ["version", "--version"],
  ["setup", "init"],
  ["upgrade", "update", "replaces packages by newer versions"],
  ["uninstall", "remove", "removes a package; a tool of your own goes with its file"],
  ["delete rm", "show", "says in which file it is, which you can delete"],
  ["ps jobs status", "runs", "lists the calls in the background"],
  [
    "log logs history",
    "doctor",
    "says where the log of calls is; `dottool runs` lists calls in the background, and `dottool audit` is about packages",
  ],
  ["rules policies", "policy", "shows the rules in force"],
  ["approve permit", "allow"],
  ["plan preview dry-run", "explain"],
  ["migrate", "import"],
  ["chat ask", "agent"],
];

const otherNames: ReadonlyMap<string, OtherName> = new Map(
  rows.flatMap(([names, command, does]) =>
    names.split(" ").map((name): [string, OtherName] => [name, { command, ...(does === undefined ? {} : { does }) }]),
  ),
);

export function otherCommand(name: string): OtherName | undefined {
  return otherNames.get(name.toLowerCase());
}

/** Returns the line to type, with the words that stood behind the other name if they are plain. */
export function lineOf({ command, does }: OtherName, words: readonly string[]): string {
  const isPlain = words.length <= 2 && words.every((word) => /^[A-Za-z_][\w./-]*$/.test(word));
  const takesWords = ["show", "check", "fmt", "new", "explain", "allow", "remove", "completions"].includes(command);
  const line = ["dottool", command, ...(isPlain && takesWords ? words : [])].join(" ");
  return does === undefined ? `run it like this: ${line}` : `\`${line}\` ${does}`;
}
