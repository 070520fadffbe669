// Programs that treat words with a leading dash differently from getopt(3), where `--` ends the options and all words
// after it are operands. Those that read options after `--`, or pass words on behind it, are in grammar/programs.yaml.
import { ignoresDashes, passesDashes as passing } from "../../generated/program-data.ts";
import { utilities } from "../../generated/program-words.ts";

/** Programs without options, or whose options have no effect. */
const withoutOptions = "test [ [[ : true false for foreach select case esac done fi } return exit break continue shift";

/** Programs that only print, whatever their options. */
const printing = "echo basename dirname realpath readlink cat ls head tail seq expr sleep cd pushd";

const AS_PATH = "as a `{path}`, or with `./` before it";

const deafNames = new Map(
  ignoresDashes.flatMap(({ names, instead = AS_PATH }) => names.split(" ").map((name) => [name, instead] as const)),
);
const passingNames = new Set(passing.flatMap(({ names }) => names.split(" ").map((name) => name.replace(".", " "))));
const optionless = new Set(withoutOptions.split(" "));
const printers = new Set(printing.split(" "));
const utilityValues = new Map(
  utilities.flatMap(({ names, value }) => names.split(" ").map((name) => [name, new Set(value.split(" "))] as const)),
);

/**
 * Returns what to write for a program that does not know `--`. `name` has the form used in the tables of
 * programs.ts.
 */
export function insteadOfDashes(name: string): string | undefined {
  return deafNames.get(name);
}

export function passesDashes(name: string): boolean {
  return passingNames.has(name);
}

export function readsOptions(name: string): boolean {
  return !optionless.has(name);
}

export function onlyPrints(name: string): boolean {
  return printers.has(name);
}

/** Whether the option takes a value, or undefined if that is not known. */
export function utilityTakesValue(name: string, option: string): boolean | undefined {
  return utilityValues.get(name)?.has(option);
}
