// An option that belongs to the value behind it: `-k {filter}`, `--env {env}`, and `--since={start}`. Where the value may
// be left out, the option is left out with it. Alone, it would take the next word as its value.
import { optionUsuallyTakes, type OptionTakes } from "../../shell/option-takes.ts";
import type { PlaceholderPiece } from "../../shell/pieces.ts";
import type { Parameter } from "../../schema/parameter.ts";
import type { Checked, Diagnostic } from "../../text/diagnostic.ts";
import type { Shell, ShellPlaceholder, Word, WordPlaceholder } from "../../tool/command.ts";
import { type CommandSource, commandProblem, declarationOf, declaredHere } from "./command-problems.ts";

const OPTION = /^--?[A-Za-z][\w-]*$/;
const TIED_OPTION = /^--?[A-Za-z][\w-]*=$/;
/** Matches `image.tag=`, as in `--set image.tag={tag}`. */
const ASSIGNED = /^[A-Za-z_][\w.-]*=$/;
/** Matches an option with the blanks behind it. Text that follows a value may go on with its word: `{name}-n {count}`. */
const LAST_OPTION = /(?<=[ \t])(--?[A-Za-z][\w-]*)[ \t]+$/;
/** The same in cmd, whose programs have options such as `/K`. */
const LAST_OPTION_OF_CMD = /(?<=[ \t])((?:--?|\/)[A-Za-z][\w-]*)[ \t]+$/;
const LAST_TIED_OPTION = /(?<=[ \t])(--?[A-Za-z][\w-]*=)$/;

/** What the option before a value takes, where a row says so. */
type Takes = ReadonlyMap<PlaceholderPiece, OptionTakes>;

/** `pieces` are those of the placeholders that are a word alone, by the index of the word. */
export function withOwnOptions(
  words: readonly Word[],
  pieces: readonly (PlaceholderPiece | undefined)[],
  { source, takes }: Spot,
): Checked<readonly Word[]> {
  const made: Word[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const [index, word] of words.entries()) {
    const [first, second, ...others] = word.parts;
    const [option, ...rest] = made.at(-1)?.parts ?? [];
    const piece = pieces[index];
    if (typeof first === "string" && typeof second === "object" && others.length === 0 && TIED_OPTION.test(first))
      made.push(
        mayBeAbsent(second, source)
          ? flagged(word, second, [[first, second.startsInner ? { ...VALUE, startsInner: true } : VALUE]])
          : word,
      );
    else if (
      typeof first === "string" &&
      typeof second === "object" &&
      others.length === 0 &&
      ASSIGNED.test(first) &&
      typeof option === "string" &&
      rest.length === 0 &&
      OPTION.test(option) &&
      optionUsuallyTakes(option) !== "nothing" &&
      mayBeAbsent(second, source)
    ) {
      const value: Word["parts"] = [first, second.startsInner ? { ...VALUE, startsInner: true } : VALUE];
      made.splice(-1, 1, flagged(word, second, [[option], value]));
    } else if (
      typeof first === "object" &&
      typeof option === "string" &&
      rest.length === 0 &&
      OPTION.test(option) &&
      piece
    ) {
      const own = ownOption(option, piece, { source, takes });
      if (typeof own === "object") diagnostics.push(own);
      if (own === true && mayBeAbsent(first, source)) made.splice(-1, 1, flagged(word, first, [[option], [VALUE]]));
      else made.push(word);
    } else made.push(word);
  }
  return { value: made, diagnostics };
}

type ScriptPart = string | ShellPlaceholder;

interface Spot {
  readonly source: CommandSource;
  readonly takes: Takes;
  readonly shell?: Shell;
  readonly isOfCmdlet?: boolean;
}

/** `pieceOf` tells what was read for a part; without it, no rows are asked. */
export function withOwnOptionsOfScript(
  parts: readonly ScriptPart[],
  pieceOf: ReadonlyMap<ScriptPart, PlaceholderPiece>,
  spot: Spot,
): Checked<readonly ScriptPart[]> {
  const made: ScriptPart[] = [];
  const diagnostics: Diagnostic[] = [];
  const last = spot.shell === "cmd" ? LAST_OPTION_OF_CMD : LAST_OPTION;
  for (const [index, part] of parts.entries()) {
    const before = made.at(-1);
    const piece = pieceOf.get(part);
    const isWord = typeof part !== "string" && part.quoting === "bare" && part.standsFor !== "value";
    if (!isWord || typeof before !== "string" || !piece) {
      made.push(part);
      continue;
    }
    const [whole, option = ""] = (part.isWholeWord ? last : LAST_TIED_OPTION).exec(before) ?? [];
    const after = parts[index + 1];
    const isLast = after === undefined || (typeof after === "string" && /^(?:[ \t\n;&|)]|$)/.test(after));
    const own =
      whole !== undefined &&
      (part.isWholeWord ? ownOption(option, piece, { ...spot, isOfCmdlet: part.standsFor === "argument" }) : isLast);
    if (typeof own === "object") diagnostics.push(own);
    if (whole === undefined || own !== true || !mayBeAbsent(part, spot.source)) made.push(part);
    else {
      const flag = part.isWholeWord ? [{ parts: [option] }, { parts: [VALUE] }] : [{ parts: [option, VALUE] }];
      made.splice(-1, 1, before.slice(0, -whole.length), { ...part, isWholeWord: true, hasOwnOption: true, flag });
    }
  }
  return { value: made, diagnostics };
}

const VALUE: WordPlaceholder = { placeholder: "value" };

function flagged(word: Word, placeholder: WordPlaceholder, flag: readonly Word["parts"][]): Word {
  return { ...word, parts: [{ ...placeholder, hasOwnOption: true, flag: flag.map((parts) => ({ parts })) }] };
}

/** A list may be empty, even if it is required. */
function mayBeAbsent(placeholder: WordPlaceholder, source: CommandSource): boolean {
  const parameter = declarationOf(source, placeholder.placeholder)?.parameter;
  return parameter !== undefined && placeholder.flag === undefined && isOptional(parameter);
}

function isOptional({ required, default: fallback, schema }: Parameter): boolean {
  return schema.type === "array" || (!required && fallback === undefined);
}

/** Returns a diagnostic if it cannot be told whether the option belongs to a value that may be left out. */
function ownOption(
  option: string,
  piece: PlaceholderPiece,
  { source, takes, shell, isOfCmdlet }: Spot,
): boolean | Diagnostic {
  const parameter = declarationOf(source, piece.name)?.parameter;
  if (!parameter || parameter.flag !== undefined) return false;
  // Without a test, `find … -delete` would take everything.
  if (/^-[a-z]{2,}$/.test(option) && ACTS_ON_ALL.test(source.text.text)) return false;
  const guess = isOfCmdlet ? takesOfCmdlet : option.startsWith("/") ? takesSlash : usuallyTakes;
  const known = takes.get(piece) ?? guess(option, parameter);
  if (known === "value") return true;
  if (known === "nothing" || !isOptional(parameter)) return false;
  if (parameter.schema.type === "array" && (parameter.required || parameter.default !== undefined)) return false;
  return unclearOption(source, { option, piece, isLast: known === "last", ...(shell ? { shell } : {}) });
}

/** Switches of cmdlets. Other parameters of theirs take a value. */
const SWITCH_OF_CMDLET =
  /^-(?:AllMatches|Append|AsArray|AsHashtable|AsJob|AsPlainText|AsString|CaseSensitive|Character|Compress|Confirm|Debug|Descending|Directory|File|Force|Hidden|Leaf|Line|List|Name|NoClobber|NoNewline|NotMatch|NoTypeInformation|Parent|PassThru|Quiet|Raw|ReadOnly|Recurse|Resolve|SimpleMatch|SkipCertificateCheck|Stable|System|Unique|UseBasicParsing|Verbose|Wait|WhatIf|Word)$/i;

function takesOfCmdlet(option: string): OptionTakes {
  return SWITCH_OF_CMDLET.test(option) ? "nothing" : "value";
}

/** Most options with a slash are switches, so only a name or a number tells of a value. */
function takesSlash(option: string, { name, schema }: Parameter): OptionTakes | undefined {
  const [short, long] = [plain(option).slice(1), plain(name)];
  const isNumber = schema.type === "integer" || schema.type === "number";
  return isNumber || long.startsWith(short) || short.startsWith(long) ? "value" : undefined;
}

const ACTS_ON_ALL = /[ \t]-(?:delete|exec|execdir|ok|okdir)\b/;

/**
 * Returns what an option takes that no row knows. By the names of both it is a value, and so it is if the value could
 * hardly be an operand.
 */
export function usuallyTakes(option: string, { name, schema }: Parameter): OptionTakes | undefined {
  const [short, long] = [plain(option), plain(name)];
  if (long === short || (short.length === 1 && long.startsWith(short))) return "value";
  const usual = optionUsuallyTakes(option);
  if (usual !== undefined) return usual;
  if (long.startsWith(short) || short.startsWith(long)) return "value";
  if (schema.type === "integer" || schema.type === "number" || (short.length > 2 && long.includes(short)))
    return "value";
  return schema.type === "array" || isFile(schema) || OPERAND.test(name) || /^-[A-Za-z]{2,3}$/.test(option)
    ? undefined
    : "value";
}

function isFile(schema: Parameter["schema"]): boolean {
  return schema.type === "string" && (schema.format === "path" || schema.format === "url");
}

/** Names of what programs work on. */
const OPERAND =
  /^(?:args|arguments|arg|branch|commands?|container|dirs?|directory|files?|folders?|hosts?|image|input|modules?|packages?|pkg|paths?|service|sources?|src|targets?|tasks?|tests?|urls?|words)$/;

function plain(name: string): string {
  return name.replaceAll(/[-_]/g, "").toLowerCase();
}

function unclearOption(
  source: CommandSource,
  {
    option,
    piece,
    isLast,
    shell,
  }: {
    readonly option: string;
    readonly piece: PlaceholderPiece;
    readonly isLast: boolean;
    readonly shell?: Shell;
  },
): Diagnostic {
  const value = `{${piece.name}}`;
  const ways = isLast
    ? [`write \`${option.slice(0, -1)} -${option.at(-1)} ${value}\``]
    : [
        `if \`${option}\` takes it, write \`${value}\` alone, and \`[flag="${option} {value}"]\` in its \`@param\``,
        shell === "pwsh" || shell === "cmd"
          ? `if \`${option}\` takes no value, write it behind: \`${value} ${option}\``
          : `if \`${option}\` takes no value, write \`${option} -- ${value}\`, or another word between them`,
      ];
  return commandProblem(source, "unclear-option", {
    message: isLast
      ? `without a value for \`${value}\`, the letters of \`${option}\` would have to stay and its \`${option.at(-1)}\` go`
      : `without a value for \`${value}\`, it is not clear whether \`${option}\` stays`,
    ...piece,
    related: declaredHere(source, piece.name),
    help: [...ways, `if there always is a value, write \`[required]\` in its \`@param\``],
  });
}
