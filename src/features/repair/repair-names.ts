// Matches the names that a caller sent to parameters: the same name in another spelling, a word that others use for it,
// or a slip of the keyboard. A name that is only similar may mean something else, as `bcc` beside `cc` does.
import type { Parameter, ParameterSchema } from "../../core/schema/parameter.ts";
import { hasSecrets } from "../../core/schema/secrets.ts";
import { validateValue } from "../../core/schema/validate.ts";
import { folded } from "./suggestion.ts";

/** The limit of misnamed arguments that are matched. A caller does not mean each of many more. */
const MISNAMED_MAX = 64;
const NAME_CHARACTERS_MAX = 200;

type Fields = Readonly<Record<string, unknown>>;
type Meaning = (name: string, offered: readonly Parameter[]) => readonly Parameter[];

/** Maps a parameter's name to the sent name. Hidden parameters are not suggested. */
export function namesFor(parameters: readonly Parameter[], given: Fields): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { name } of parameters) if (Object.hasOwn(given, name) && given[name] !== undefined) found.set(name, name);
  const declared = new Set(parameters.map(({ name }) => name));
  const misnamed = new Set<string>();
  for (const name in given) {
    if (misnamed.size === MISNAMED_MAX) break;
    if (Object.hasOwn(given, name) && !declared.has(name) && name.length <= NAME_CHARACTERS_MAX) misnamed.add(name);
  }
  const offered = parameters.filter((parameter) => !parameter.hidden);
  // Another word for a parameter may be the word for a secret.
  const meanings: readonly Meaning[] = hasSecrets(parameters)
    ? [sameName, slippedName]
    : [sameName, otherWord, slippedName, withFiller];
  for (const meaning of meanings)
    for (const name of misnamed) {
      const [meant, ...others] = meaning(name, offered);
      if (!meant || others.length > 0 || found.has(meant.name)) continue;
      if (meaning !== sameName && !mayBe(meant.schema, given[name])) continue;
      found.set(meant.name, name);
      misnamed.delete(name);
    }
  return found;
}

/** A flag is never the value of another kind of parameter, nor the other way round. */
function mayBe(schema: ParameterSchema, value: unknown): boolean {
  const isFlag = typeof value === "boolean" || (typeof value === "string" && /^(?:true|false)$/i.test(value.trim()));
  return schema.type === "boolean" ? isFlag || fits(schema, value) || value === 0 || value === 1 : !isFlag;
}

const sameName: Meaning = (name, offered) =>
  offered.filter((parameter) => folded(name) === folded(parameter.name) || name === parameter.option).slice(0, 1);

/** Returns the parameters that others name by this word. */
const otherWord: Meaning = (name, offered) => {
  for (const { own, others } of otherWords) {
    if (!own.includes(folded(name)) && !others.includes(folded(name))) continue;
    const meant = offered.filter((parameter) => own.includes(folded(parameter.name)));
    if (meant.length === 1) return meant;
  }
  return [];
};

const slippedName: Meaning = (name, offered) =>
  offered.filter((parameter) => isSlip(folded(name), folded(parameter.name)));

const SLIP_CHARACTERS_MIN = 4;

/**
 * Whether one text is the other with a letter left out, doubled or swapped with the next, but not the first one. A
 * wrong letter makes another word: `state` is not `stage`. A final `s` is no other word, however short.
 */
export function isSlip(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (`${short}s` === long) return short.length > 1;
  if (long.length < SLIP_CHARACTERS_MIN || short[0] !== long[0] || /\d/.test(long)) return false;
  let at = 0;
  while (at < short.length && short[at] === long[at]) at++;
  return short.length === long.length
    ? short[at] === long[at + 1] && short[at + 1] === long[at] && short.slice(at + 2) === long.slice(at + 2)
    : short.slice(at) === long.slice(at + 1);
}

const fillers: ReadonlySet<string> = new Set(["name", "value", "text", "string", "str", "input", "param", "the", "my"]);

/** Matches `city_name` to `city`, and `query` to `query_text`. */
const withFiller: Meaning = (name, offered) => {
  const bare = withoutFillers(name);
  return bare === "" ? [] : offered.filter((parameter) => withoutFillers(parameter.name) === bare);
};

function withoutFillers(name: string): string {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[-_\s.]+/)
    .filter((word) => !fillers.has(word))
    .join("");
}

/**
 * Each line has our names of one parameter, then the words that others have for it, in small letters without `_`; the
 * best line comes first.
 */
const otherWords = [
  "command | cmd script bash shell code commandline input",
  "pattern query regex regexp searchterm keyword | expression search term text needle q",
  "globs glob include | includes includepattern filepattern files filter glob globs include pattern fileglob",
  "files | globs glob include includepattern filepattern path paths file filename filepath",
  "ignorecase | i caseinsensitive insensitive nocase",
  "contextlines context | c around contextlines",
  "maxmatches | limit maxresults headlimit maxcount m",
  "matches limit | limit maxresults headlimit maxcount m maxmatches",
  "count limit n max | limit count n max maxcount maxresults number num numresults top size k",
  "lines | n limit count number num numlines",
  "maxentries maxpaths | limit maxresults",
  "literal | fixedstrings f fixed isliteral",
  "outputmode | mode",
  "todos | plan items tasks todolist steps",
  "content body text message | contents content text body data filetext filecontent newcontent codecontent message step title task description",
  "depth | maxdepth level levels",
  "filepath file path | path filepath file filename absolutepath targetfile source filepaths paths files",
  "path | dir directory folder directorypath folderpath root location relativeworkspacepath dirpath targetdirectory searchpath searchdirectory",
  "url | uri link href address page urls",
  "workingdir | cwd workdir directory workingdirectory dir folder dirpath path",
  "search | old oldstr oldstring oldtext find original targetcontent",
  "replace | new newstr newstring newtext replacement updated replacementcontent",
  "replaceall | all allowmultiple global",
  "edits | replacementchunks changes replacements",
  "patterns | pattern glob globs globpattern query",
  "startline | offset from linestart first startlineoneindexed",
  "endline | to lineend last endlineoneindexedinclusive",
  "zipcode postalcode postcode zip plz | zipcode postalcode postcode zip plz",
  "query | q search searchterm searchquery keywords terms question prompt",
  "question | prompt message text",
  "suggestions | options choices followup",
  "result | message answer summary finalanswer",
].map((line) => {
  const [own = "", others = ""] = line.split("|").map((words) => words.trim());
  return { own: own.split(" "), others: others.split(" ") };
});

export function fits(schema: ParameterSchema, value: unknown): boolean {
  return validateValue(schema, value, "value").issues.length === 0;
}
