// The options before the command or the tool's name. Words after the name belong to it.
import { helpOption, type OptionRow, readOptionsBefore } from "./option-words.ts";

export interface GlobalOptions {
  /** The values of `--tools`, in the order given. */
  readonly toolFolders: readonly string[];
  readonly result: ResultForm;
  /** The value of `--cwd`, relative to where the program was started. */
  readonly cwd?: string;
  /** A file for the trace of a call; relative to where the program was started. */
  readonly trace?: string;
  readonly isPlain: boolean;
  /** Whether a call goes on in a process of its own. */
  readonly detaches?: true;
  /** Whether models may make tools. */
  readonly allowsForge?: true;
  /** Whether the answer to `@confirm` is yes. */
  readonly isConfirmed?: true;
}

/** The form in which a call's result is printed. */
export type ResultForm = (typeof resultForms)[number];
const resultForms = ["text", "json", "model"] as const;

export const globalOptions = [
  { name: "tools", value: "DIR", does: "look for tools in DIR first (repeatable; also DOTTOOL_PATH)" },
  {
    name: "result",
    value: "FORM",
    choices: resultForms,
    does: "print a call's result as text, json (all of it) or model (what a model would get)",
  },
  { name: "cwd", value: "DIR", does: "run in DIR" },
  { name: "detach", does: "let a call go on in the background, and print the id of its run; see `runs`" },
  { name: "trace", value: "FILE", does: "write a trace of the call for an OpenTelemetry collector" },
  { name: "allow-forge", does: "let models make tools while they work: `forge_tool` and `run_forged`" },
  { name: "yes", does: "say yes to what a tool asks before it runs (`@confirm`), as in a script" },
  { name: "no-color", does: "disable colors (also NO_COLOR)" },
  { name: "list", short: "l", does: "list your own tools (also -l)" },
  { name: "version", short: "vV", does: "print the version" },
  { name: "bundle-info", does: "print what is in an executable made by `bundle`" },
  { name: "licenses", does: "print the licenses of the software in the executable" },
  helpOption,
] as const satisfies readonly OptionRow[];

type Name = (typeof globalOptions)[number]["name"];
type AsksFor = "help" | "list" | "version" | "licenses" | "bundle-info";

interface Read {
  readonly options: GlobalOptions;
  readonly asksFor?: AsksFor;
}

export type GlobalWords =
  | { readonly problem: string }
  | (Read & {
      /** From the command or the tool's name on. */
      readonly words: readonly string[];
    });

export const defaultOptions: GlobalOptions = { toolFolders: [], result: "text", isPlain: false };

export function readGlobalOptions(argv: readonly string[]): GlobalWords {
  const rows: readonly ((typeof globalOptions)[number] & OptionRow)[] = globalOptions;
  const read = readOptionsBefore(argv, rows, (bare) => `unknown option \`${bare}\``);
  if ("problem" in read) return read;
  const all = read.given.reduce<Read>((before, { option, value }) => withOption(before, option.name, value), {
    options: defaultOptions,
  });
  return { ...all, words: read.rest };
}

function withOption({ options, asksFor }: Read, name: Name, value: string): Read {
  const changed = (more: Partial<GlobalOptions>): Read => ({
    options: { ...options, ...more },
    ...(asksFor ? { asksFor } : {}),
  });
  switch (name) {
    case "tools":
      return changed({ toolFolders: [...options.toolFolders, value] });
    case "result":
      return changed({ result: resultForms.find((form) => form === value) ?? options.result });
    case "cwd":
      return changed({ cwd: value });
    case "trace":
      return changed({ trace: value });
    case "detach":
      return changed({ detaches: true });
    case "allow-forge":
      return changed({ allowsForge: true });
    case "yes":
      return changed({ isConfirmed: true });
    case "no-color":
      return changed({ isPlain: true });
    case "list":
    case "version":
    case "licenses":
    case "bundle-info":
    case "help":
      return { options, asksFor: asksFor ?? name };
  }
}

/** `word` is a name with its dashes. */
export function globalOption(word: string): OptionRow | undefined {
  return globalOptions.find(({ name }) => word === `--${name}`);
}

interface BehindName {
  readonly tool: string;
  readonly isCall: boolean;
  /** Present if it may be shown. */
  readonly value?: string | undefined;
}

/** Returns the message for one of these options after a tool's name; undefined if there is no such option. */
export function behindName(
  option: string,
  { tool, isCall, value }: BehindName,
): { readonly message: string; readonly takesValue: boolean } | undefined {
  const row = globalOption(option);
  if (!row) return undefined;
  const takesValue = row.value !== undefined;
  if (["--list", "--version", "--licenses", "--bundle-info"].includes(option))
    return { message: `is an option of dottool and does not take a tool: \`dottool ${option}\``, takesValue };
  const shown = takesValue
    ? ` ${value !== undefined && /^[\w./:@%+,][\w./:@%+,-]*$/.test(value) ? value : row.value}`
    : "";
  return {
    message: `is an option of dottool and goes before the tool's name: \`dottool ${option}${shown} ${isCall ? "call " : ""}${tool}\``,
    takesValue,
  };
}
