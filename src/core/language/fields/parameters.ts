// `@param` and `@property`: a name, a type, options and words become a `Parameter`.
import type { Parameter, ParameterSchema } from "../../schema/parameter.ts";
import { Analysis, partOf } from "../analysis.ts";
import { readOptions, optionNames, plainOptionNames } from "./options.ts";
import { foreignType, plainTypeNames, schemaOfType, type TypeScope } from "./types.ts";
import { withConstraints } from "./constraints.ts";
import type { Annotation, Declaration, MappedText } from "../syntax/ast.ts";
import type { Part } from "../syntax/grammar.ts";
import { sliced } from "../syntax/mapped-text.ts";
import { checkLiteralDefaults } from "../checks/plain-text.ts";
import { replacing } from "../findings.ts";
import { meantPart, readWithRepairs } from "./parameter-repairs.ts";

const NAME_CHARACTERS_MAX = 64;
const GUESSED_CHARACTERS_MAX = 1_000;
const WORDS_CHARACTERS_MAX = 500;

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

/** Matches the first word of a description, in parentheses or not, and the character that the next one begins with. */
const FIRST_WORD = /^([(<]*)(array<\w+>|[^\s()<>,:;]+)[)>,:;]*(?:[ \t]+(\S+))?/;
/** A default where options lost their brackets. Other texts may be a sentence: `default branch`. */
const BARE_DEFAULT = /^\(?(?:default(?:s to|:|=)?[ \t]+|=[ \t]*)(?:-?\d|(?:true|false)\b)/;
/** Types of other languages that are no English words. */
const FOREIGN_TYPE = /^(?:int|bool|str)$/;

/**
 * Reports a type or an option that lost its braces or brackets, `@param n integer required How many`, and would be read
 * as the description: an error if the mistake is certain. `number of lines` and `required by law` may be meant.
 */
function checkBareWords(
  prose: MappedText,
  declared: { readonly hasType: boolean; readonly hasOptions: boolean },
  analysis: Analysis,
): void {
  const [, open = "", word = "", next = ""] = FIRST_WORD.exec(prose.text.slice(0, WORDS_CHARACTERS_MAX)) ?? [];
  const isType =
    !declared.hasType && (plainTypeNames.includes(word) || FOREIGN_TYPE.test(word) || word.startsWith("array<"));
  const isDefault = BARE_DEFAULT.test(prose.text);
  const isFirstOption = !declared.hasOptions && !isType && (isOption(word) || isDefault);
  if (!isType && !isFirstOption) return;
  const isSure =
    open !== "" || isDefault || word.includes("=") || /^(?:$|[[A-Z=])/.test(next) || (isType && isOption(next));
  if (!isSure && !isType && word !== "required") return;
  const say = isSure ? analysis.error.bind(analysis) : analysis.warn.bind(analysis);
  const at = sliced(prose, 0, open.length + word.length).span;
  const isMeant = isSure && isType && open === "" && !next.startsWith("=") && !isOption(next);
  say("malformed-annotation", "a type must be in braces, and options in brackets", {
    at,
    ...(isMeant ? { fix: replacing(at, `{${foreignType(word) ?? word}}`) } : {}),
    label: "this is read as the description",
    help: [
      `${isType ? `write \`{${foreignType(word) ?? word}}\`, and options such as \`[required]\` behind it` : "write options as `[required, default=5]`"}; a description that is meant begins with another word`,
    ],
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

/** Matches `(default: VALUE)` at the end of a description. */
const LAST_DEFAULT = /\([Dd]efault(?:s to)?[ :=]+([^\s()]+)\)\.?$/;

function isOption(word: string): boolean {
  const equals = word.indexOf("=");
  return equals === -1
    ? plainOptionNames.includes(word)
    : optionNames.includes(word.slice(0, equals)) && !/["[\]]/.test(word);
}
