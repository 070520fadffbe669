// What a `@param`, `@property` or `@type` means that is not written as the grammar says: all slips of a line are read at
// once, and written in our spelling.
import { rowOf } from "../../text/row-of.ts";
import { foreignType, plainTypeNames } from "./types.ts";

/** A line longer than this is not searched for mistakes. */
const CHARACTERS_MAX = 2_000;

/** The options that take no value, and those that take one. */
const PLAIN = ["required", "optional", "flags", "secret", "stdin", "lower", "upper", "trim", "hidden", "unique"];
const VALUED = ["default", "min", "max", "pattern", "reject", "flag", "option", "env", "example", "help", "transform"];
const OTHER_NAMES: Readonly<Record<string, string>> = { minimum: "min", maximum: "max", regex: "pattern" };
const VALUED_NAMES = [...VALUED, ...Object.keys(OTHER_NAMES)];

/** What the grammar accepts and would not read as it is meant, and what belongs there. */
const OTHERWISE: readonly (readonly [slip: RegExp, expected: string])[] = [
  [
    new RegExp(
      String.raw`(?<=[[,][ \t]*(?:optional,?[ \t]+)?)(?:${VALUED_NAMES.join("|")})(?:[ \t]*:|[ \t]+[^\s,\]=])`,
    ),
    "`=` before the value of an option",
  ],
  [/(?<=^[\w.-]+(?:[ \t]+\{[^{}]*\})?[ \t]*)=[ \t]*[^\s=]/, "the default in brackets"],
  [/(?<=\{[ \t]*)(?:flag|switch|secret|password)(?=[ \t]*\})/, "a type; how a value is given is an option"],
];

/** Matches what stands before the words: the name, the type, a default behind it, and the options. */
const HEAD =
  /^[\w.-]+(?:[ \t]+\{[^{}]*\})?(?:[ \t]*=[ \t]*[^\s=]*|[ \t]*\[(?:"(?:[^"\\]|\\.)*"|\/(?:[^/\\[]|\\.|\[[^\]]*\])+\/|[^\]"])*\])?/;

export interface Otherwise {
  readonly at: number;
  readonly expected: string;
}

/** Finds what would not be read as it is meant in a line that the grammar accepts. */
export function meantOtherwise(text: string, isType: (name: string) => boolean): Otherwise | undefined {
  const [whole = ""] = HEAD.exec(text.slice(0, CHARACTERS_MAX)) ?? [];
  const head = whole.replaceAll(/"(?:[^"\\]|\\.)*"/g, (quoted) => `"${"_".repeat(quoted.length - 2)}"`);
  for (const [slip, expected] of OTHERWISE) {
    const at = head.search(slip);
    if (at !== -1 && !isType(/^\w+/.exec(head.slice(at))?.[0] ?? " ")) return { at, expected };
  }
  return undefined;
}

interface Meant {
  name: string;
  type: string | undefined;
  readonly options: string[];
}

export interface MeantDeclaration {
  /** The name, the type and the options. */
  readonly head: string;
  /** The head, and the words behind it. */
  readonly text: string;
}

/** Returns undefined if a part of the line has no certain meaning. */
export function meantDeclaration(text: string): MeantDeclaration | undefined {
  if (text.length > CHARACTERS_MAX) return undefined;
  const meant: Meant = { name: "", type: undefined, options: [] };
  let [rest, isJsdoc] = [text, false];
  for (;;) {
    rest = rest.trimStart();
    const read: number | undefined =
      (meant.type === undefined ? readBraces(rest, meant) : undefined) ??
      readBrackets(rest, meant) ??
      readName(rest, meant);
    if (read === undefined) return undefined;
    if (read === 0) break;
    isJsdoc ||= meant.name === "";
    rest = rest.slice(read);
  }
  if (meant.name === "") return undefined;
  const [, assigned = "", after = ""] = /^=[ \t]*("[^"\\]*"|[^\s"'[\]{},=]+)(?=[ \t]|$)(.*)$/s.exec(rest) ?? [];
  if (assigned !== "") {
    meant.options.push(`default=${assigned}`);
    rest = after.trimStart();
  }
  // JSDoc writes brackets around the names of what may be left out.
  const has = (name: string): boolean =>
    meant.options.some((option) => option === name || option.startsWith(`${name}=`));
  if (isJsdoc && !has("optional") && !has("default") && !has("required")) meant.options.push("required");
  const options = [...new Set(meant.options)].filter((option) => option !== "optional" || !has("default"));
  const shown = isJsdoc ? options.filter((option) => option !== "optional") : options;
  const head = [
    meant.name,
    ...(meant.type === undefined ? [] : [`{${meant.type}}`]),
    ...(shown.length === 0 ? [] : [`[${shown.join(", ")}]`]),
  ].join(" ");
  const words = isJsdoc ? rest.replace(/^[-–—][ \t]+/, "") : rest;
  return { head, text: words === "" ? head : `${head} ${words}` };
}

/** Reads `{TYPE}`. Returns how many characters were read: 0 without one, undefined for one that is not certain. */
function readBraces(text: string, meant: Meant): number | undefined {
  if (!text.startsWith("{")) return undefined;
  const [whole, inner = ""] = /^\{((?:"(?:[^"\\]|\\.)*"|\/(?:[^/\\\n]|\\.)+\/|[^{}"])*)\}/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  meant.type = typeOf(inner.trim(), meant);
  return meant.type === undefined ? undefined : whole.length;
}

const ITEM = String.raw`"(?:[^"\\]|\\.)*"|'[^'\\]*'|[\w.+-]+`;
const LISTED = new RegExp(
  String.raw`^(?:(?:enum|choices?|one_?of)[ \t]*[<([]?)?[ \t]*((?:${ITEM})(?:[ \t]*[|,][ \t]*(?:${ITEM}))*)[ \t]*[>)\]]?$`,
  "i",
);

/** Returns a type in our spelling. Options that it has in it, such as a range, are added. */
function typeOf(written: string, meant: Meant): string | undefined {
  const [, type = "", mark] = /^\??[ \t]*(.*?)[ \t]*(\?)?$/s.exec(written) ?? [];
  if ((mark ?? written[0]) === "?") meant.options.push("optional");
  if (type === "") return undefined;
  if (/^(?:flag|switch)$/i.test(type)) return flagOf(`--${meant.name}`, meant);
  if (/^--?[A-Za-z][\w-]*$/.test(type)) return flagOf(type, meant);
  if (/^(?:secret|password)$/i.test(type)) {
    meant.options.push("secret");
    return "string";
  }
  const [, number = "", low = "", high = ""] =
    /^([A-Za-z]\w*)[ \t]*[(,:]?[ \t]*(-?[\d.]*\d)[ \t]*(?:\.\.\.?|-|–|to)[ \t]*(-?\d[\d.]*)\)?$/.exec(type) ?? [];
  if (number !== "") {
    meant.options.push(`min=${low}`, `max=${high}`);
    return ownName(number);
  }
  const [, from = "", to = ""] = /^(-?[\d.]*\d)[ \t]*(?:\.\.\.?|-|–)[ \t]*(-?\d[\d.]*)$/.exec(type) ?? [];
  if (from !== "") {
    meant.options.push(`min=${from}`, `max=${to}`);
    return /\./.test(from + to) ? "number" : "integer";
  }
  const [, matched = "string", pattern = ""] = /^(?:(\w+)[ \t]+)?(\/.+\/[a-z]*)$/.exec(type) ?? [];
  if (pattern !== "") {
    meant.options.push(`pattern=${pattern}`);
    return ownName(matched);
  }
  const [, many] =
    /^(\w+)[ \t]*(?:\[\]|\.\.\.|…|[*+])$/.exec(type) ??
    /^(?:\.\.\.|…)(\w+)$/.exec(type) ??
    /^(?:list|array|set)s?[ \t]*(?:of[ \t]+|[<([][ \t]*)(\w+)[ \t]*[>)\]]?$/i.exec(type) ??
    [];
  if (many !== undefined) {
    const item = [many, many.replace(/s$/, "")].find((one) => plainTypeNames.includes(ownName(one)));
    if (type.endsWith("+")) meant.options.push("required");
    return item === undefined ? undefined : `array<${ownName(item)}>`;
  }
  if (/^[A-Za-z_][\w-]*$/.test(type)) return ownName(type);
  if (/^array[ \t]*<.*>$/.test(type)) return type;
  const [, listed] = LISTED.exec(type) ?? [];
  return listed === undefined ? undefined : choicesOf(listed);
}

function flagOf(option: string, meant: Meant): string | undefined {
  if (option === "--") return undefined;
  meant.options.push(`flag="${option}"`);
  return "boolean";
}

function ownName(type: string): string {
  return foreignType(type) ?? type;
}

const OTHER_TYPE = /^(?:int|float|bool|str|null|undefined|none|nil|file|list|array|dict)$/i;

/** Returns `"a"|"b"` or `1|2`. Types are no choices: `{string|number}` means either of them. */
function choicesOf(listed: string): string | undefined {
  const items = [...listed.matchAll(new RegExp(ITEM, "g"))].map(([item]) =>
    item.startsWith('"') ? item : item.startsWith("'") ? JSON.stringify(item.slice(1, -1)) : item,
  );
  if (items.every((item) => plainTypeNames.includes(item.toLowerCase()) || OTHER_TYPE.test(item))) return undefined;
  const isNumbers = items.every((item) => /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(item));
  return items.map((item) => (isNumbers || item.startsWith('"') ? item : JSON.stringify(item))).join("|");
}

/** Reads `[OPTIONS]`, or `[NAME]` and `[NAME=VALUE]` where JSDoc has an optional name. */
function readBrackets(text: string, meant: Meant): number | undefined {
  if (!text.startsWith("[")) return undefined;
  const inner = balanced(text);
  if (inner === undefined) return undefined;
  const [, name = "", value] = /^[ \t]*([A-Za-z_][\w.-]*)[ \t]*(?:=[ \t]*(.*?)[ \t]*)?$/s.exec(inner) ?? [];
  if (meant.name === "" && name !== "" && !PLAIN.includes(name)) {
    meant.name = name;
    meant.options.push(...(value ? [`default=${writtenValue(value)}`] : ["optional"]));
  } else {
    const options = optionsOf(inner);
    if (options === undefined) return undefined;
    meant.options.push(...options);
  }
  return inner.length + 2;
}

/** Returns what is between the first bracket and its partner. Brackets in quotes and expressions do not count. */
function balanced(text: string): string | undefined {
  let depth = 0;
  for (const { 0: found, index } of text.matchAll(
    /"(?:[^"\\]|\\.)*"|=[ \t]*\/(?:[^/\\[]|\\.|\[(?:[^\]\\]|\\.)*\])+\/|[[\]]/g,
  )) {
    if (found === "[") depth += 1;
    else if (found === "]" && --depth === 0) return text.slice(1, index);
  }
  return undefined;
}

const KEY = /^([A-Za-z_][\w-]*)/;
/** Where a value without quotes ends: at a comma or a space before another option, or at a comma before nothing. */
const VALUE_END = new RegExp(
  String.raw`(?:[ \t]*,[ \t]*|[ \t]+)(?:${[...PLAIN, ...VALUED_NAMES].join("|")})(?=[ \t]*(?:[:=,]|$)|[ \t]+)|[ \t]*$`,
);

function optionsOf(inner: string): readonly string[] | undefined {
  const options: string[] = [];
  for (let rest = inner.replace(/^[ \t,]+/, ""); rest !== ""; rest = rest.replace(/^[ \t,]+/, "")) {
    const [, key] = KEY.exec(rest) ?? [];
    if (key === undefined) return undefined;
    const name = rowOf(OTHER_NAMES, key) ?? key;
    const after = rest.slice(key.length);
    if (VALUED.includes(name)) {
      const [gap = ""] = /^[ \t]*[:=]?[ \t]*/.exec(after) ?? [];
      const value = valueAt(after.slice(gap.length), name);
      if (value === "") return undefined;
      options.push(`${name}=${name === "pattern" || name === "reject" ? regexOf(value) : writtenValue(value)}`);
      rest = after.slice(gap.length + value.length);
    } else {
      // `required: true` is `required`; an option that nobody knows is told later.
      const [whole, said = "true"] = /^(?:[ \t]*[:=][ \t]*([^,\]\s]+))?/.exec(after) ?? [""];
      if (PLAIN.includes(name))
        options.push(...(said === "true" || said === "yes" ? [name] : name === "required" ? ["optional"] : []));
      else options.push(`${key}${whole.replace(/^[ \t]*[:=][ \t]*/, "=")}`);
      rest = after.slice(whole.length);
    }
  }
  return options;
}

function valueAt(text: string, name: string): string {
  const isRegex = name === "pattern" || name === "reject";
  const [quoted] =
    /^(?:"(?:[^"\\]|\\.)*"|'[^']*')(?=[ \t]*(?:,|$)|[ \t])/.exec(text) ??
    (isRegex ? /^\/(?:[^/\\[]|\\.|\[(?:[^\]\\]|\\.)*\])+\/[a-z]*/.exec(text) : null) ??
    [];
  if (quoted !== undefined) return quoted;
  const inner = text.startsWith("[") ? balanced(text) : undefined;
  return inner === undefined ? text.slice(0, VALUE_END.exec(text)?.index) : `[${inner}]`;
}

function writtenValue(value: string): string {
  // Without quotes it would begin an expression: `/dev/sda`.
  if (/^\/[^/]*\//.test(value)) return JSON.stringify(value);
  if (/^(?:[\w./@:+~-]+|"(?:[^"\\]|\\.)*"|\[.*\]|\{.*\})$/s.test(value)) return value;
  return JSON.stringify(/^'.*'$/s.test(value) ? value.slice(1, -1) : value);
}

function regexOf(value: string): string {
  if (value.startsWith("/")) return value;
  const source = /^(["']).*\1$/s.test(value) ? value.slice(1, -1) : value;
  return `/${source.replaceAll(/(?<!\\)\//g, "\\/")}/`;
}

/** Reads `NAME`, with the marks of other languages. */
function readName(text: string, meant: Meant): number | undefined {
  if (meant.name !== "") return 0;
  const [whole, name = "", marks = ""] = /^([A-Za-z_][\w.-]*?)([?!*+:]*)(?=[ \t{[=]|$)/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  meant.name = name;
  if (/[*+]/.test(marks)) meant.type = "array<string>";
  if (/[!+]/.test(marks)) meant.options.push("required");
  return whole.length;
}
