// The words after a tool's name become its arguments. Text is converted by the declared type only; what does not
// convert is passed on as it is, so that the gate words every problem the same way for people and for models.
import { convertText, valueOfText } from "../../core/schema/convert-text.ts";
import type { ArgumentIssue } from "../../core/schema/argument-issue.ts";
import { isJsonObject, type Json, type JsonObject } from "../../core/schema/json.ts";
import type { Parameter, ParameterSchema } from "../../core/schema/parameter.ts";
import { MASK } from "../../core/schema/describe.ts";
import { hasSecrets } from "../../core/schema/secrets.ts";
import {
  arrayParameter,
  findParameter,
  fitsText,
  nearParameter,
  positionalParameters,
  rawParameter,
  shortParameter,
} from "../../core/run/find-parameter.ts";
import { behindName } from "./global-options.ts";

export interface ToolWords {
  readonly arguments: JsonObject;
  /** The mistakes that only a command line can have. */
  readonly issues: readonly ArgumentIssue[];
  /** The value given for all arguments if it is not an object: other JSON, or text that is not JSON. */
  readonly whole?: Json;
}

/** `short` are the words after `dottool NAME`, and `call` those after `dottool call NAME`. */
export type CallForm = "short" | "call";

export function asksForHelp(words: readonly string[], parameters: readonly Parameter[], form: CallForm): boolean {
  if (words[0] === "--help") return true;
  if (form === "short" && rawParameter(parameters, words)) return false;
  const end = words.indexOf("--");
  const own = end === -1 ? words : words.slice(0, end);
  return own.some(
    (word) =>
      (word === "--help" && findParameter("help", parameters) === undefined) ||
      (word === "-h" && findParameter("h", parameters) === undefined),
  );
}

/**
 * After `call`, `--json` is all the arguments, whatever the tool's own parameters are called. Standard input, for
 * `--json -`, is read by the caller.
 */
export function readsInput(words: readonly string[], parameters: readonly Parameter[], form: CallForm): boolean {
  if (form === "short" && (rawParameter(parameters, words) || findParameter("json", parameters))) return false;
  return words.some((word, index) => word === "--json=-" || (word === "--json" && words[index + 1] === "-"));
}

interface ToolWordsOptions {
  readonly parameters: readonly Parameter[];
  readonly form: CallForm;
  /** The text of standard input, if `readsInput` says so. */
  readonly input?: string;
  /** The name that was called, for messages. */
  readonly tool?: string;
}

export function readToolWords(words: readonly string[], options: ToolWordsOptions): ToolWords {
  const raw = options.form === "short" ? rawParameter(options.parameters, words) : undefined;
  const reader = new WordReader(options);
  if (raw) for (const word of words) reader.addTo(raw, word);
  else reader.read(words);
  return {
    arguments: Object.fromEntries(reader.values),
    issues: reader.issues,
    ...(reader.whole === undefined || reader.values.size > 0 ? {} : { whole: reader.whole }),
  };
}

/** Parameters that `--cwd` may be meant for: the gate suggests the right one in its call. */
const OTHER_CWD = /^(?:working|work)?[-_]?(?:dir|directory|folder)$/i;

class WordReader {
  readonly values = new Map<string, Json>();
  readonly issues: ArgumentIssue[] = [];
  whole: Json | undefined;
  readonly #parameters: readonly Parameter[];
  readonly #form: CallForm;
  readonly #input: string | undefined;
  readonly #tool: string;
  /** The parameter for words that name no parameter. */
  readonly #array: Parameter | undefined;
  readonly #bareWords: string[] = [];
  /** How many of these stand before the last `--LIST VALUE` of that array. */
  #beforeList: number | undefined;

  constructor(options: ToolWordsOptions) {
    this.#parameters = options.parameters;
    this.#form = options.form;
    this.#input = options.input;
    this.#tool = options.tool ?? "NAME";
    this.#array = arrayParameter(options.parameters);
  }

  read(words: readonly string[]): void {
    for (let index = 0; index < words.length; index++) {
      const word = words[index] ?? "";
      if (word === "--") {
        this.#placeBareWords(words.slice(index + 1));
        return;
      }
      if (word.startsWith("--")) index += this.#readOption(word.slice(2), words[index + 1]);
      else if (word.startsWith("-") && word.length > 1 && !/^-\.?\d/.test(word))
        index += this.#refuseShort(word, words[index + 1]);
      else if (!this.#readPair(word)) this.#bareWords.push(word);
    }
    this.#placeBareWords([]);
  }

  addTo(parameter: Parameter, text: string): void {
    if (parameter.schema.type === "array") {
      const known = this.values.get(parameter.name);
      // The item is added in place: with tens of thousands of words, a copy for each would take seconds.
      const items: Json[] = Array.isArray(known) ? known : [];
      if (items !== known) this.values.set(parameter.name, items);
      for (const item of itemsOf(parameter.schema.items, text)) items.push(item);
    } else if (this.values.has(parameter.name)) {
      this.issues.push({ path: parameter.name, message: "is given more than once" });
    } else {
      this.values.set(parameter.name, valueOfText(parameter.schema, text));
    }
  }

  /** Returns how many further words were used. */
  #readOption(option: string, next: string | undefined): 0 | 1 {
    const equals = option.indexOf("=");
    const name = equals === -1 ? option : option.slice(0, equals);
    const tied = equals === -1 ? undefined : option.slice(equals + 1);
    const parameter = name === "json" && this.#form === "call" ? undefined : findParameter(name, this.#parameters);
    if (!parameter) return this.#readOther(name, tied, next);
    if (tied !== undefined) {
      this.addTo(parameter, tied);
      return 0;
    }
    if (parameter.schema.type === "boolean") {
      if (next !== "true" && next !== "false") {
        this.addTo(parameter, "true");
        return 0;
      }
      // It could be the flag's value or a separate word, so the value must be written with `=`.
      this.issues.push({
        path: parameter.name,
        message: `the value of a flag goes after \`=\`: \`--${name}=${next}\`${this.#array ? `; a word for \`${this.#array.name}\` goes after \`--\`` : ""}`,
      });
      this.addTo(parameter, next);
      return 1;
    }
    if (next === undefined || next === "--" || (next.startsWith("--") && this.#isOption(next))) {
      this.issues.push({
        path: parameter.name,
        message: `\`--${name}\` needs a value; write one that starts with dashes as \`--${name}=--value\``,
      });
      return 0;
    }
    this.addTo(parameter, next);
    if (parameter === this.#array) this.#beforeList = this.#bareWords.length;
    return 1;
  }

  #readOther(name: string, tied: string | undefined, next: string | undefined): 0 | 1 {
    if (name === "json") {
      const text = tied ?? next;
      if (text === undefined)
        this.issues.push({
          path: "--json",
          message: `needs the arguments as a JSON object, or \`-\` for standard input; for a JSON result, use \`dottool --result json ${this.#form === "call" ? "call " : ""}${this.#tool}\``,
        });
      else this.#addJson(text === "-" ? (this.#input ?? "") : text);
      return tied === undefined && text !== undefined ? 1 : 0;
    }
    const negated =
      name.startsWith("no-") && tied === undefined ? findParameter(name.slice(3), this.#parameters) : undefined;
    if (negated?.schema.type === "boolean") {
      this.addTo(negated, "false");
      return 0;
    }
    const isOwn =
      nearParameter(name, this.#parameters) !== undefined ||
      (name === "cwd" && this.#parameters.some((parameter) => OTHER_CWD.test(parameter.name)));
    const value = tied ?? (next?.startsWith("-") ? undefined : next);
    const misplaced = isOwn
      ? undefined
      : behindName(`--${name}`, {
          tool: this.#tool,
          isCall: this.#form === "call",
          ...(hasSecrets(this.#parameters) ? {} : { value }),
        });
    if (misplaced) {
      this.issues.push({ path: `--${name}`, message: misplaced.message });
      return misplaced.takesValue && tied === undefined && value !== undefined ? 1 : 0;
    }
    if (
      name.startsWith("no-") &&
      tied === undefined &&
      nearParameter(name.slice(3), this.#parameters)?.schema.type === "boolean"
    ) {
      // The gate's suggestion for the name must keep the meaning.
      this.values.set(name.slice(3), false);
      return 0;
    }
    // Passed on as an argument, so that the gate refuses it with the nearest name; a mistyped flag uses no further
    // word.
    const hasValue =
      tied === undefined &&
      next !== undefined &&
      !next.startsWith("-") &&
      nearParameter(name, this.#parameters)?.schema.type !== "boolean";
    this.values.set(name === "" ? "--" : name, tied ?? (hasValue ? next : true));
    return hasValue ? 1 : 0;
  }

  #isOption(word: string): boolean {
    const name = word.slice(2).split("=", 1)[0] ?? "";
    return (
      name === "json" ||
      findParameter(name, this.#parameters) !== undefined ||
      findParameter(name.replace(/^no-/, ""), this.#parameters) !== undefined
    );
  }

  /** Returns how many further words were used. */
  #refuseShort(word: string, next: string | undefined): 0 | 1 {
    const meant = this.#array?.flags
      ? undefined
      : shortParameter(
          word,
          next,
          this.#parameters.filter(({ name }) => !this.values.has(name)),
        );
    if (meant) {
      this.issues.push({ path: word, message: `there are no short options; write \`--${meant.name}\`` });
      // The suggested call gets the value in its place.
      const isBare = meant.schema.type === "boolean" || next === undefined;
      this.addTo(meant, isBare ? "true" : next);
      return isBare ? 0 : 1;
    }
    this.issues.push({
      path: word,
      message: this.#array
        ? `words of \`${this.#array.name}\` that start with \`-\` go after \`--\``
        : "there are no short options",
    });
    if (this.#array) this.#bareWords.push(word);
    return 0;
  }

  #readPair(word: string): boolean {
    const equals = word.indexOf("=");
    const name = word.slice(0, Math.max(0, equals));
    const parameter = name === "" ? undefined : findParameter(name, this.#parameters);
    if (!parameter) {
      if (!this.#array && this.#readColonPair(word)) return true;
      // If a word fits nowhere else, it is a mistyped pair, which the gate refuses with the nearest name.
      const isPair =
        name !== "" && !this.#array && !this.values.has(name) && nearParameter(name, this.#parameters) !== undefined;
      if (isPair) this.values.set(name, word.slice(equals + 1));
      return isPair;
    }
    this.addTo(parameter, word.slice(equals + 1));
    return true;
  }

  #readColonPair(word: string): boolean {
    const colon = word.indexOf(":");
    const parameter = colon > 0 ? findParameter(word.slice(0, colon), this.#parameters) : undefined;
    if (!parameter) return false;
    const value = word.slice(colon + 1);
    this.issues.push({
      path: parameter.name,
      message: `is written \`${parameter.name}=${parameter.secret ? MASK : value}\``,
    });
    if (!this.values.has(parameter.name)) this.addTo(parameter, value);
    return true;
  }

  /** `after` are the words after `--`. Where there is an array, they are only for that. */
  #placeBareWords(after: readonly string[]): void {
    const last = this.#array ? after : [];
    const { before, optional, behind } = positionalParameters(this.#parameters);
    const isFree = ({ name }: Parameter): boolean => !this.values.has(name);
    const words = [...this.#bareWords, ...(this.#array ? [] : after)];
    // The suggested call has the last words behind an option of the list in the other places.
    const outside = before.filter(isFree).length - (this.#beforeList ?? Infinity);
    if (this.#beforeList !== undefined && outside > 0 && words.length - this.#beforeList > outside)
      words.splice(this.#beforeList, 0, ...words.splice(-outside));
    const [only] = words;
    if (words.length === 1 && only !== undefined && this.#isAllArguments(only)) return this.#addJson(only);
    for (const parameter of before.filter(isFree)) this.#place(words.shift(), parameter);
    for (let count = words.length; count > 0; count--) {
      const [word = ""] = words.splice(0, 1);
      const open = optional.filter(isFree);
      // One that does not fit the only parameter is refused for its type.
      const place = open.find(({ schema }) => fitsText(schema, word)) ?? (optional.length === 1 ? open[0] : undefined);
      if (place) this.addTo(place, word);
      else words.push(word);
    }
    // A word before an option of the list need not be one of its items.
    const [lone] = words;
    if (lone !== undefined && words.length === 1 && this.#beforeList !== undefined && !this.#array?.required) {
      const [place, ...others] = this.#parameters.filter(
        (one) => isFree(one) && !one.required && !one.hidden && isWord(one) && fitsText(one.schema, lone),
      );
      if (place && others.length === 0) this.#place(words.shift(), place);
    }
    // The array, which comes first, keeps at least one word.
    const ends = behind.filter(isFree);
    const kept = last.length > 0 || ends.length === 0 ? 0 : 1;
    const taken = words.splice(Math.max(kept, words.length - ends.length));
    for (const parameter of ends) this.#place(taken.shift(), parameter);
    if (!this.#array) for (const word of words) this.#refuseBare(word);
    else this.#addItems(this.#array, [words, last]);
  }

  /** Adds words to the list in the order in which they are typed. Behind an option of it, they may be more of its items. */
  #addItems(list: Parameter, [words, last]: readonly [words: readonly string[], last: readonly string[]]): void {
    const placed = this.#bareWords.length - words.length;
    const before = Math.max(0, (this.#beforeList ?? 0) - placed);
    const given = before > 0 ? this.values.get(list.name) : undefined;
    if (given !== undefined) this.values.delete(list.name);
    for (const word of words.slice(0, before)) this.addTo(list, word);
    if (Array.isArray(given)) (this.values.get(list.name) as Json[]).push(...given);
    for (const word of [...words.slice(before), ...last]) this.addTo(list, word);
    if (this.#beforeList === undefined || words.length === 0 || placed <= this.#beforeList) return;
    const message = `is followed by words for it and for others: write \`--${list.name}\` before each of its values, or put the others first`;
    this.issues.push({ path: list.name, message });
  }

  /** Whether a word is the arguments as JSON, as models write them: an object of parameters only. */
  #isAllArguments(word: string): boolean {
    if (!word.startsWith("{")) return false;
    const value = valueOfText({ type: "string", format: "any" }, word);
    const names = isJsonObject(value) ? Object.keys(value) : [];
    return names.length > 0 && names.every((name) => this.#parameters.some((parameter) => parameter.name === name));
  }

  #place(word: string | undefined, parameter: Parameter): void {
    if (word !== undefined) this.addTo(parameter, word);
  }

  #refuseBare(word: string): void {
    this.issues.push({ path: word, message: this.#whereTo() });
    // The suggested call gets the value in the first place where it fits.
    const offered = this.#parameters.filter((parameter) => !parameter.hidden);
    // If there are secret parameters, the word may be a secret.
    const places = offered.length === 1 || !hasSecrets(offered) ? offered : [];
    const place = places.find(
      ({ name, schema }) =>
        schema.type !== "object" && !this.values.has(name) && (offered.length === 1 || fitsText(schema, word)),
    );
    if (place) this.addTo(place, word);
  }

  #whereTo(): string {
    const offered = this.#parameters.filter((parameter) => !parameter.hidden);
    if (offered.length === 0) return "the tool has no parameters";
    const open = offered.filter(({ name }) => !this.values.has(name)).map(({ name }) => `\`--${name}\``);
    return open.length === 0
      ? "all parameters have their values; a value of several words goes in quotes"
      : `say which parameter it is for: ${open.join(", ")}`;
  }

  #addJson(text: string): void {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch (error) {
      const meant = findParameter("json", this.#parameters) ? "; the parameter `json` is written `json=…`" : "";
      this.issues.push({
        path: "--json",
        message: `is not JSON: ${error instanceof Error ? error.message : String(error)}${meant}`,
      });
      this.whole = text;
      return;
    }
    if (!isJsonObject(value)) {
      this.issues.push({ path: "--json", message: 'expected an object with the arguments, such as {"name": "value"}' });
      this.whole = value as Json;
      return;
    }
    for (const [name, given] of Object.entries(value)) {
      if (this.values.has(name)) this.issues.push({ path: name, message: "is given more than once" });
      else this.values.set(name, given);
    }
  }
}

/** Text items stay unchanged; only items with a structure are parsed as JSON. */
function itemsOf(items: ParameterSchema, text: string): readonly Json[] {
  if (items.type !== "object" && items.type !== "array") return [valueOfText(items, text)];
  const converted = convertText({ type: "array", items }, text).value;
  return Array.isArray(converted) ? converted : [text];
}

function isWord({ secret, schema: { type } }: Parameter): boolean {
  return !secret && type !== "array" && type !== "object" && type !== "boolean";
}
