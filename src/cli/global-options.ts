// The options before the command or the tool's name. Words after the name belong to it.
import { didYouMean } from "../text/suggest.ts";

export interface GlobalOptions {
  /** The values of `--tools`, in the order given. */
  readonly toolFolders: readonly string[];
  readonly result: ResultForm;
  /** The value of `--cwd`, relative to where the program was started. */
  readonly cwd?: string;
  /** A file for the trace of a call; relative to where the program was started. */
  readonly trace?: string;
  readonly isPlain: boolean;
  /** Whether models may make tools. */
  readonly allowsForge?: true;
}

/** The form in which a call's result is printed. */
export type ResultForm = (typeof resultForms)[number];
const resultForms = ["text", "json", "model"] as const;

export const globalOptionRows: readonly (readonly [option: string, does: string])[] = [
  ["--tools DIR", "look for tools in DIR first (repeatable; also DOTTOOL_PATH)"],
  ["--result FORM", "print a call's result as text, json (all of it) or model (what a model would get)"],
  ["--cwd DIR", "run in DIR"],
  ["--trace FILE", "write a trace of the call for an OpenTelemetry collector"],
  ["--allow-forge", "let models make tools while they work: `forge_tool` and `run_forged`"],
  ["--no-color", "disable colors (also NO_COLOR)"],
  ["--version", "print the version"],
  ["--licenses", "print the licenses of the software in the executable"],
  ["--help", "print this help"],
];

/** Values for completion; an option that is not listed takes files. */
export const globalOptionValues: Readonly<Record<string, readonly string[]>> = { "--result": resultForms };

const switches = ["--no-color", "--allow-forge", "--help", "--version", "--licenses"] as const;
const withValue = ["--tools", "--result", "--cwd", "--trace"] as const;
type Switch = (typeof switches)[number];
type WithValue = (typeof withValue)[number];

type AsksFor = "help" | "version" | "licenses";
const asked = { "--help": "help", "--version": "version", "--licenses": "licenses" } as const;

export type GlobalWords =
  | { readonly problem: string }
  | {
      readonly options: GlobalOptions;
      readonly asksFor?: AsksFor /** From the command or the tool's name on. */;
      readonly words: readonly string[];
    };

export const defaultOptions: GlobalOptions = { toolFolders: [], result: "text", isPlain: false };

export function readGlobalOptions(argv: readonly string[]): GlobalWords {
  let options = defaultOptions;
  let asksFor: AsksFor | undefined;
  let index = 0;
  for (; index < argv.length; index++) {
    const word = argv[index] ?? "";
    if (!word.startsWith("-") || word === "-") break;
    if (word === "--") {
      index++;
      break;
    }
    const equals = word.indexOf("=");
    const name = short[word] ?? (equals === -1 ? word : word.slice(0, equals));
    if (isSwitch(name)) {
      if (equals !== -1) return { problem: `\`${name}\` does not take a value` };
      if (name === "--no-color") options = { ...options, isPlain: true };
      else if (name === "--allow-forge") options = { ...options, allowsForge: true };
      else asksFor ??= asked[name];
    } else if (isWithValue(name)) {
      const value = equals === -1 ? argv[++index] : word.slice(equals + 1);
      if (value === undefined || value === "") return { problem: `\`${name}\` needs a value` };
      const changed = withOption(options, name, value);
      if ("problem" in changed) return changed;
      options = changed;
    } else {
      return { problem: `unknown option \`${name}\`${didYouMean(name, [...switches, ...withValue])}` };
    }
  }
  return { options, words: argv.slice(index), ...(asksFor ? { asksFor } : {}) };
}

const short: Readonly<Record<string, Switch>> = { "-h": "--help", "-v": "--version", "-V": "--version" };

function isSwitch(name: string): name is Switch {
  return switches.some((known) => known === name);
}

function isWithValue(name: string): name is WithValue {
  return withValue.some((known) => known === name);
}

function withOption(
  options: GlobalOptions,
  name: WithValue,
  value: string,
): GlobalOptions | { readonly problem: string } {
  switch (name) {
    case "--tools":
      return { ...options, toolFolders: [...options.toolFolders, value] };
    case "--cwd":
      return { ...options, cwd: value };
    case "--trace":
      return { ...options, trace: value };
    case "--result": {
      const form = resultForms.find((known) => known === value);
      return form
        ? { ...options, result: form }
        : { problem: `\`--result\` must be one of ${resultForms.join(", ")}; got \`${value}\`` };
    }
  }
}

export function isGlobalOption(option: string): boolean {
  return isWithValue(option) || isSwitch(option);
}

export interface BehindName {
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
  const takesValue = isWithValue(option);
  if (!takesValue && !isSwitch(option)) return undefined;
  if (option === "--version" || option === "--licenses")
    return { message: `is an option of dottool and does not take a tool: \`dottool ${option}\``, takesValue };
  const placeholder =
    globalOptionRows.find(([row]) => row.startsWith(`${option} `))?.[0].slice(option.length + 1) ?? "VALUE";
  const shown = takesValue
    ? ` ${value !== undefined && /^[\w./:@%+,][\w./:@%+,-]*$/.test(value) ? value : placeholder}`
    : "";
  return {
    message: `is an option of dottool and goes before the tool's name: \`dottool ${option}${shown} ${isCall ? "call " : ""}${tool}\``,
    takesValue,
  };
}
