// Reads `@param`, `@property` and `@type`, and knows what people write instead. If a slip is certain, the message has
// its repair.
import type { Fix } from "../../text/diagnostic.ts";
import type { Analysis } from "../analysis.ts";
import { foreignName, foreignNameIn } from "./ascii-names.ts";
import { type Annotation, type MappedText, spanWithin } from "../syntax/ast.ts";
import { matchDeclaration, type MatchProblem, type Part } from "../syntax/grammar.ts";

type DeclarationRule = "param" | "property" | "namedType";

/** A line longer than this is not searched for mistakes. */
const REPAIRED_CHARACTERS_MAX = 2_000;

interface Repair {
  readonly title: string;
  apply(text: string): string;
}

/** Matches `{"a", "b"}`, `{a, b}`, `{enum<a,b>}`, `{enum("a"|"b")}`. */
const LISTED_CHOICES =
  /\{[ \t]*(?:(?:enum|choices?|one_?of)[ \t]*[<([])?((?:[ \t]*(?:"[^"\\{}]*"|'[^'\\{}]*'|[\w.-]+)[ \t]*[,|])+[ \t]*(?:"[^"\\{}]*"|'[^'\\{}]*'|[\w.-]+))[ \t]*[>)\]]?[ \t]*\}/i;

/** Matches `{1, 2}`, `{enum<1,2>}`. */
const LISTED_NUMBERS =
  /\{[ \t]*(?:(?:enum|choices?|one_?of)[ \t]*[<([][ \t]*)?(-?\d+(?:\.\d+)?(?:[ \t]*[,|][ \t]*-?\d+(?:\.\d+)?)+)[ \t]*[>)\]]?[ \t]*\}/i;

/** Matches `NAME {TYPE} = VALUE`, also with choices without quotes. */
const ASSIGNED_DEFAULT = /^([\w.-]+(?:[ \t]+\{[^{}]*\})?)[ \t]*=[ \t]*("[^"\\]*"|[^\s"'[\]{},=]+)(?=[ \t]|$)/;

/** Matches `{TYPE} [NAME]` and `{TYPE} [NAME=VALUE]`. */
const OPTIONAL_OF_JSDOC = /^(?:(\{[^{}]*\})[ \t]+)?\[[ \t]*([A-Za-z_][\w.-]*)[ \t]*(?:=[ \t]*([^\]]*?)[ \t]*)?\]/;

const repairs: readonly Repair[] = [
  {
    title: "write what the command gets as `flag`",
    apply: (text) =>
      text
        .replace(/^(--?)([A-Za-z_][\w-]*)[ \t]+(\{(?!boolean\})[^{}]*\})/, '$2 $3 [flag="$1$2 {value}"]')
        .replace(/^(--?)([A-Za-z_][\w-]*)(?:[ \t]+\{boolean\})?/, '$2 {boolean} [flag="$1$2"]'),
  },
  { title: "remove the `?`: it is optional without", apply: (text) => text.replace(/^([\w.-]+)\?/, "$1") },
  {
    title: "write `[required]`",
    apply: (text) =>
      text.replace(/^([\w.-]+)!(?:[ \t]+(\{[^{}]*\}))?/, (_whole, name: string, type?: string) =>
        [name, ...(type === undefined ? [] : [type]), "[required]"].join(" "),
      ),
  },
  {
    title: "write `{array<string>}`",
    apply: (text) =>
      text.replace(/^([\w.-]+)([*+])(?=[ \t]|$)(?![ \t]+\{)/, (_whole, name: string, mark: string) =>
        [name, "{array<string>}", ...(mark === "+" ? ["[required]"] : [])].join(" "),
      ),
  },
  {
    title: "write the name first, and `default` in brackets",
    apply: optionalOfJsdoc,
  },
  {
    title: "remove the `?`: it is optional without",
    apply: (text) => text.replace(/^([\w.-]+[ \t]+\{[^{}]*)\?[ \t]*\}/, "$1}"),
  },
  {
    title: "write `=` in options",
    apply: (text) => text.replaceAll(/([[,][ \t]*)(default|min|max|flag|pattern|example)[ \t]*:[ \t]*/g, "$1$2="),
  },
  { title: "put the name before the type", apply: (text) => text.replace(/^(\{[^{}]*\})[ \t]+([\w.-]+)/, "$2 $1") },
  {
    title: "put the type before the options",
    apply: (text) => text.replace(/^([\w.-]+)[ \t]+(\[[^\]]*\])[ \t]+(\{[^{}]*\})/, "$1 $3 $2"),
  },
  {
    title: "put the options after the type",
    apply: (text) => text.replace(/^(\[[^\]]*\])[ \t]+([\w.-]+)[ \t]+(\{[^{}]*\})/, "$2 $3 $1"),
  },
  { title: "add a space before the type", apply: (text) => text.replace(/^([\w.-]+)\{/, "$1 {") },
  {
    title: "add a space after the type",
    apply: (text) => text.replace(/^([\w.-]+[ \t]+\{[^{}]*\})(?=[^ \t])/, "$1 "),
  },
  { title: "remove the colon", apply: (text) => text.replace(/^([\w.-]+):[ \t]*/, "$1 ") },
  {
    title: "put the choices in quotes",
    apply: (text) => text.replace(/\{[ \t]*(\w+(?:[ \t]*\|[ \t]*\w+)+)[ \t]*\}/, quotedChoices),
  },
  {
    title: "write the choices as `{1|2}`",
    apply: (text) =>
      text.replace(LISTED_NUMBERS, (_whole, numbers: string) => `{${numbers.split(/[ \t,|]+/).join("|")}}`),
  },
  { title: 'write the choices as `{"a"|"b"}`', apply: (text) => text.replace(LISTED_CHOICES, listedChoices) },
  { title: "write `array<…>`", apply: (text) => text.replace(/\{[ \t]*(\w+)\[\][ \t]*\}/, "{array<$1>}") },
  {
    title: "close the brace",
    apply: (text) =>
      text.replace(
        /^([\w.-]+[ \t]+\{(?:string|integer|number|boolean|object|path|url|array<\w+>))(?=$|[ \t])(?![^{[]*\})/,
        "$1}",
      ),
  },
  { title: "close the array", apply: (text) => text.replace(/\{(array<\w+)\}/, "{$1>}") },
];

/** Returns undefined if a problem was reported. */
export function readWithRepairs(analysis: Analysis, annotation: Annotation, rule: DeclarationRule): Part | undefined {
  const assigned = rule === "param" ? assignedDefault(annotation.text) : undefined;
  if (assigned) {
    analysis.malformed(annotation, assigned.problem, assigned.fix);
    return undefined;
  }
  const match = matchDeclaration(rule, annotation.text);
  if (match.part) return match.part;
  const foreign = rule === "namedType" ? undefined : foreignNameIn(annotation.text.text);
  if (foreign) {
    const at = spanWithin(annotation.text, foreign.at, foreign.at + foreign.name.length);
    const { message, ...more } = foreignName(foreign.name, at);
    analysis.error("invalid-name", message, { at, ...more });
    return undefined;
  }
  const fix = match.problem.kind === "unexpected" ? sureRepair(annotation.text, rule) : undefined;
  analysis.malformed(annotation, match.problem, fix);
  return undefined;
}

/** Returns the first repair after which the rule matches. */
function sureRepair(mapped: MappedText, rule: DeclarationRule): Fix | undefined {
  if (mapped.text.length > REPAIRED_CHARACTERS_MAX) return undefined;
  for (const repair of repairs) {
    const repaired = repair.apply(mapped.text);
    if (repaired === mapped.text) continue;
    const whole = { text: repaired, span: mapped.span, offsetAt: mapped.offsetAt };
    if (matchDeclaration(rule, whole).part) return { title: repair.title, edits: [smallestEdit(mapped, repaired)] };
  }
  return undefined;
}

/** `NAME {TYPE} = VALUE text` would have the text `= VALUE text`, and no default. */
function assignedDefault(mapped: MappedText): { readonly problem: MatchProblem; readonly fix: Fix } | undefined {
  const match = mapped.text.length > REPAIRED_CHARACTERS_MAX ? null : ASSIGNED_DEFAULT.exec(mapped.text);
  if (!match) return undefined;
  const [whole, before = "", value = ""] = match;
  const at = whole.indexOf("=", before.length);
  return {
    problem: { kind: "unexpected", span: spanWithin(mapped, at, at + 1), expected: `\`[default=${value}]\`` },
    fix: {
      title: `write \`[default=${value}]\``,
      edits: [{ span: spanWithin(mapped, before.length, whole.length), text: ` [default=${value}]` }],
    },
  };
}

function optionalOfJsdoc(text: string): string {
  const [whole, type, name = "", value = ""] = OPTIONAL_OF_JSDOC.exec(text) ?? [];
  if (whole === undefined) return text;
  const inner = /^(["'])(.*)\1$/.exec(value)?.[2] ?? value;
  const written = /^[\w./@:+-]+$/.test(inner) ? inner : JSON.stringify(inner);
  const words = [name, ...(type === undefined ? [] : [type]), ...(value === "" ? [] : [`[default=${written}]`])];
  return words.join(" ") + text.slice(whole.length);
}

function quotedChoices(_whole: string, choices: string): string {
  return `{${choices
    .split("|")
    .map((choice) => JSON.stringify(choice.trim()))
    .join("|")}}`;
}

function listedChoices(_whole: string, choices: string): string {
  const words = [...choices.matchAll(/"([^"]*)"|'([^']*)'|([\w.-]+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? "",
  );
  return `{${words.map((word) => JSON.stringify(word)).join("|")}}`;
}

function smallestEdit(mapped: MappedText, repaired: string): Fix["edits"][number] {
  const text = mapped.text;
  let start = 0;
  while (start < text.length && text[start] === repaired[start]) start++;
  let tail = 0;
  while (
    tail < text.length - start &&
    tail < repaired.length - start &&
    text[text.length - 1 - tail] === repaired[repaired.length - 1 - tail]
  )
    tail++;
  return { span: spanWithin(mapped, start, text.length - tail), text: repaired.slice(start, repaired.length - tail) };
}
