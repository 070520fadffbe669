// `@param` and `@property`: a name, a type, options and words become a `Parameter`.
import type { Parameter, ParameterSchema } from "../../schema/parameter.ts";
import { Analysis, partOf, replacing } from "../analysis.ts";
import { readOptions, optionNames, plainOptionNames } from "./options.ts";
import { foreignType, plainTypeNames, schemaOfType, type TypeScope } from "./types.ts";
import { withConstraints } from "./constraints.ts";
import type { Annotation, Declaration, MappedText } from "../syntax/ast.ts";
import type { Part } from "../syntax/grammar.ts";
import { sliced } from "../syntax/mapped-text.ts";
import { checkLiteralDefaults } from "../checks/silent-literals.ts";
import { meantPart, readWithRepairs } from "./parameter-repairs.ts";

const NAME_CHARACTERS_MAX = 64;
const GUESSED_CHARACTERS_MAX = 1_000;

export interface Declarations {
  readonly parameters: readonly Declaration[];
  /** All names, also of lines with mistakes, so that their uses are not reported. */
  readonly known: readonly Declaration[];
}

export function readParameters(analysis: Analysis, types: TypeScope): Declarations {
  const declared = new Map<string, Declaration>();
  const guessed: Declaration[] = analysis.meant("param").flatMap(guessedDeclaration);
  for (const annotation of analysis.all("param")) {
    const part = readWithRepairs(analysis, annotation, "param");
    const name = part && partOf(part, "name")?.text;
    const parameter = part && parameterOf(part, types, analysis);
    const known = name && declared.get(name.text);
    if (!name || !parameter) guessed.push(...meantDeclarations(annotation, types, analysis));
    else if (known)
      analysis.error("duplicate-parameter", `duplicate parameter \`${name.text}\``, {
        at: name.span,
        related: [{ span: known.span, text: "first declared here" }],
      });
    else declared.set(name.text, { parameter, span: name.span });
  }
  const parameters = [...declared.values()];
  checkLiteralDefaults(parameters, analysis);
  return { parameters, known: [...parameters, ...guessed.filter((one) => !declared.has(one.parameter.name))] };
}

/** What stands where a value goes is judged by what the line means, whose other mistakes are told once it is repaired. */
function meantDeclarations(annotation: Annotation, types: TypeScope, analysis: Analysis): readonly Declaration[] {
  const guessed = guessedDeclaration(annotation.text);
  const part = meantPart(annotation, "param");
  const parameter = part && parameterOf(part, types, new Analysis(analysis.file));
  return parameter ? guessed.map(({ span }) => ({ parameter, span })) : guessed;
}

/** Guesses the name in a line with a mistake: the first word outside of braces and brackets. */
function guessedDeclaration(mapped: MappedText): readonly Declaration[] {
  const text = mapped.text
    .slice(0, GUESSED_CHARACTERS_MAX)
    // The name of JSDoc's `{TYPE} [NAME=VALUE]`.
    .replace(/^(?:\{[^{}]*\}[ \t]*)?\[(?=[A-Za-z_])/, (group) => " ".repeat(group.length))
    .replace(/\{[^{}]*\}?|\[[^[\]]*\]?/g, (group) => " ".repeat(group.length));
  const found = /[A-Za-z_][\w-]*/.exec(text);
  if (!found) return [];
  const span = sliced(mapped, found.index, found.index + found[0].length).span;
  return [{ parameter: { name: found[0], description: "", schema: { type: "string" }, required: false }, span }];
}

/** Reads a `param` or `property`. Returns undefined if a problem was reported. */
export function parameterOf(part: Part, types: TypeScope, analysis: Analysis): Parameter | undefined {
  const isProperty = part.rule === "property";
  const name = partOf(part, isProperty ? "propertyName" : "name");
  if (!name) return undefined;
  if (name.text.text.length > NAME_CHARACTERS_MAX)
    analysis.error("invalid-name", `this name is longer than ${NAME_CHARACTERS_MAX} characters`, {
      at: name.text.span,
    });
  const type = partOf(part, "type");
  const prose = partOf(part, "prose");
  const plain: ParameterSchema | undefined = type ? schemaOfType(type, types, analysis) : { type: "string" };
  if (prose)
    checkBareWords(
      prose.text,
      { hasType: type !== undefined, hasOptions: partOf(part, "options") !== undefined },
      analysis,
    );
  const options = readOptions(partOf(part, "options"), { name: name.text.text, isProperty }, analysis);
  if (!plain) return undefined;
  const schema = withConstraints(plain, options);
  const fields = options.fieldsOf(schema, plain);
  const required = options.has("required") || (isProperty && !options.has("optional") && fields.default === undefined);
  if (prose && !required && fields.default === undefined) checkSaidDefault(prose.text, analysis);
  return { name: name.text.text, description: prose?.text.text ?? "", schema, required, ...fields };
}

// `@param n integer required How many`: types and options that lost their braces and brackets, and would be read as the
// description.

/** The limit of such words. A longer row is ordinary text. */
const WORDS_MAX = 8;
const WORDS_CHARACTERS_MAX = 500;

interface Bare {
  readonly type?: string;
  readonly options: readonly string[];
  readonly end: number;
  /** Whether the type is in parentheses, `(integer)`, with which no sentence begins. */
  readonly isBracketed: boolean;
  /** Whether nothing, a new sentence or options follow. */
  readonly isApart: boolean;
}

/**
 * Reports an error if the mistake is certain, else a warning. `number of lines` and `required by law` may be meant as
 * they are.
 */
function checkBareWords(
  prose: MappedText,
  declared: { readonly hasType: boolean; readonly hasOptions: boolean },
  analysis: Analysis,
): void {
  const bare = bareWords(prose.text, declared);
  if (!bare) return;
  const { type, options } = bare;
  const at = sliced(prose, 0, bare.end).span;
  const written = [
    ...(type === undefined ? [] : [`{${type}}`]),
    ...(options.length === 0 ? [] : [`[${options.join(", ")}]`]),
  ].join(" ");
  const message =
    type === undefined
      ? "an option must be in brackets"
      : options.length === 0
        ? "a type must be in braces"
        : "a type must be in braces, and options in brackets";
  const details = { at, label: "this is read as the description" };
  if (bare.isBracketed || bare.isApart || (type !== undefined && options.length > 0))
    analysis.error("malformed-annotation", message, { ...details, fix: replacing(at, written) });
  else if (type !== undefined || options[0] === "required")
    analysis.warn("malformed-annotation", message, {
      ...details,
      help: [`write \`${written}\` if that is meant; otherwise begin the description with another word`],
    });
}

/** A program may have the default itself, so nothing is repaired. */
function checkSaidDefault(prose: MappedText, analysis: Analysis): void {
  const found = LAST_DEFAULT.exec(prose.text);
  if (!found) return;
  analysis.warn("malformed-annotation", "this default is only part of the description", {
    at: sliced(prose, found.index, found.index + found[0].length).span,
    help: [`for a call that gives no value to use it, write \`[default=${found[1] ?? ""}]\` before the description`],
  });
}

/**
 * Matches a word, `default: VALUE`, `default 20` or `= VALUE`. Other texts may be a sentence: `default branch`, `defaults
 * to main branches`.
 */
const BARE_WORD =
  /\(?default(?:s to|:|=)[ \t]+(?:-?\d[^ \t]*|[^ \t]*[.,;)](?=[ \t]|$)|[^ \t]+(?=[ \t]*$|[ \t]+[^a-z \t]))|\(?default[ \t]+(?:-?\d[\d.]*|true|false)(?=[ \t.,;)]|$)[^ \t]*|=[ \t]*[^ \t]+|[^ \t]+/g;
const SAID_DEFAULT = /^(\(?)(?:default(?:s to|:|=)?[ \t]+|=[ \t]*)(.*?)\.?$/;
/** Types of other languages that are no English words. */
const FOREIGN_TYPE = /^(?:int|bool|str)$/;
/** Matches `(default: VALUE)` at the end of a description. */
const LAST_DEFAULT = /\([Dd]efault(?:s to)?[ :=]+([^\s()]+)\)\.?$/;

/** Returns undefined if the text begins with neither. */
function bareWords(
  text: string,
  declared: { readonly hasType: boolean; readonly hasOptions: boolean },
): Bare | undefined {
  let type: string | undefined;
  const options: string[] = [];
  let end = 0;
  let isBracketed = false;
  let next = "";
  let index = -1;
  for (const found of text.slice(0, WORDS_CHARACTERS_MAX).matchAll(BARE_WORD)) {
    index++;
    const written = found[0].replace(SAID_DEFAULT, "$1default=$2");
    const [, open = "", word = ""] = /^([(<]*)(.*?)[)>,:;]*$/.exec(written) ?? [];
    const whole = word.includes("<") ? `${word}>` : word;
    const isType =
      index === 0 &&
      !declared.hasType &&
      (plainTypeNames.includes(word) || FOREIGN_TYPE.test(word) || /^array<\w+>$/.test(whole));
    if (!isType && (declared.hasOptions || index >= WORDS_MAX || !isOption(word))) {
      next = found[0];
      break;
    }
    if (isType) type = foreignType(word) ?? whole;
    else options.push(word);
    isBracketed ||= open !== "";
    end = found.index + found[0].length;
  }
  return end === 0
    ? undefined
    : { ...(type === undefined ? {} : { type }), options, end, isBracketed, isApart: /^(?:$|[[A-Z])/.test(next) };
}

function isOption(word: string): boolean {
  const equals = word.indexOf("=");
  return equals === -1
    ? plainOptionNames.includes(word)
    : optionNames.includes(word.slice(0, equals)) && !/["[\]]/.test(word);
}
