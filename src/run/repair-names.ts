// Matches the names that a caller sent to parameters: the same name, another spelling, a typo, a part of it, or what is
// left.
import type { Parameter, ParameterSchema } from "../schema/parameter.ts";
import { hasSecrets } from "../schema/secrets.ts";
import { validateValue } from "../schema/validate.ts";
import { nearestNames } from "../text/suggest.ts";

/** The limit of misnamed arguments that are matched. A caller does not mean each of many more. */
const MISNAMED_MAX = 64;
const NAME_CHARACTERS_MAX = 200;

/** Maps a parameter's name to the sent name. Hidden parameters are not suggested. */
export function namesFor(
  parameters: readonly Parameter[],
  given: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { name } of parameters) if (Object.hasOwn(given, name) && given[name] !== undefined) found.set(name, name);
  const declared = new Set(parameters.map(({ name }) => name));
  const misnamed = new Set<string>();
  for (const name in given) {
    if (misnamed.size === MISNAMED_MAX) break;
    if (Object.hasOwn(given, name) && !declared.has(name) && name.length <= NAME_CHARACTERS_MAX) misnamed.add(name);
  }
  const offered = parameters.filter((parameter) => !parameter.hidden);
  const free = (): readonly Parameter[] => offered.filter((parameter) => !found.has(parameter.name));
  const take = (parameter: Parameter, name: string): void => {
    found.set(parameter.name, name);
    misnamed.delete(name);
  };
  // With secrets, no value is moved to another parameter by a guess.
  const isOpen = !hasSecrets(parameters);
  for (const meaning of [sameName, nearestName, ...(isOpen ? [otherWord, sharedWords] : [])]) {
    for (const name of misnamed) {
      const meant = meaning(name, offered);
      const parameter =
        meant && isNegated(name) === isNegated(meant.name) && free().find((candidate) => candidate === meant);
      if (parameter) take(parameter, name);
    }
  }
  const [only, ...others] = free().filter((parameter) => parameter.required);
  const [left, ...more] = misnamed;
  // If one parameter is missing and one argument is left over, they belong together.
  const isSure =
    isOpen && only && others.length === 0 && left !== undefined && more.length === 0 && !isSoughtFor(left, only);
  if (isSure && (fits(only.schema, given[left]) || typeof given[left] === "string")) take(only, left);
  return found;
}

/** What is searched for is not a folder to search in. */
function isSoughtFor(name: string, { schema }: Parameter): boolean {
  return schema.type === "string" && schema.format === "path" && SOUGHT.split(" ").includes(folded(name));
}

function sameName(name: string, offered: readonly Parameter[]): Parameter | undefined {
  return offered.find((parameter) => folded(name) === folded(parameter.name) || name === parameter.option);
}

function nearestName(name: string, offered: readonly Parameter[]): Parameter | undefined {
  const [nearest] = nearestNames(
    name,
    offered.map((parameter) => parameter.name),
  );
  return offered.find((parameter) => parameter.name === nearest);
}

/** Matches `path` to `file_path`, and `line` to `start_line` only if there is no `end_line`. */
function sharedWords(name: string, offered: readonly Parameter[]): Parameter | undefined {
  const [only, ...others] = offered.filter((parameter) => sharesWords(name, parameter.name));
  return others.length > 0 ? undefined : only;
}

/** Returns a parameter that others name by this word. */
function otherWord(name: string, offered: readonly Parameter[]): Parameter | undefined {
  for (const words of otherWords) {
    if (!words.includes(folded(name))) continue;
    const [only, ...others] = offered.filter((parameter) => words.includes(folded(parameter.name)));
    if (only && others.length === 0) return only;
  }
  return undefined;
}

const SOUGHT = "pattern query regex regexp expression search term keyword text needle";

/** Each line has the names that tools use for one parameter, in lower case without `_`; the best line comes first. */
const otherWords: readonly (readonly string[])[] = [
  "command cmd script bash shell code commandline",
  SOUGHT,
  "globs glob include includes includepattern filepattern files filter",
  "ignorecase i caseinsensitive insensitive nocase",
  "contextlines context c around",
  "maxmatches limit maxresults headlimit maxcount m",
  "matches limit maxresults headlimit maxcount m",
  "count limit n max maxcount maxresults number num numresults top",
  "lines n limit count number num",
  "maxentries limit maxresults",
  "todos plan items tasks todolist steps",
  "content step text title task description",
  "depth maxdepth level levels",
  "content contents text body data filetext filecontent newcontent",
  "filepath path file filename absolutepath targetfile source filepaths",
  "path dir directory folder directorypath folderpath root location relativeworkspacepath dirpath targetdirectory",
  "url uri link href address page",
  "workingdir cwd workdir directory workingdirectory dir folder dirpath path",
  "search old oldstr oldstring oldtext find from original",
  "replace new newstr newstring newtext replacement with to updated",
  "patterns pattern glob globs globpattern query",
  "startline offset from linestart first startlineoneindexed",
  "endline to lineend last endlineoneindexedinclusive",
].map((line) => line.split(" "));

/** Whether one name is the opposite of the other: `no_color` of `color`, however near. */
function isNegated(name: string): boolean {
  // `ignore_case` is no opposite: there is no `case`.
  return (
    folded(name) !== "ignorecase" && /^(?:no|not|non|never|without|disable|skip|exclude|ignore)(?=[-_A-Z])/.test(name)
  );
}

export function fits(schema: ParameterSchema, value: unknown): boolean {
  return validateValue(schema, value, "value").issues.length === 0;
}

function folded(name: string): string {
  return name.replaceAll(/[-_\s]/g, "").toLowerCase();
}

function sharesWords(one: string, other: string): boolean {
  const [a, b] = [wordsOf(one), wordsOf(other)];
  return a.length > 0 && b.length > 0 && (a.every((word) => b.includes(word)) || b.every((word) => a.includes(word)));
}

function wordsOf(name: string): readonly string[] {
  return name
    .slice(0, 100)
    .replaceAll(/([a-z\d])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[-_\s.]+/)
    .filter((word) => word !== "")
    .map((word) => word.replace(/(?<=..)s$/, ""));
}
