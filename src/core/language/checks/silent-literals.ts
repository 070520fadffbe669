// What looks as if it did something and would be plain text: `{name:lower}`, `{number of commits}`, `${name}`, and a
// default with `{name}` in it.
import { isJsonObject, type JsonObject } from "../../schema/json.ts";
import type { Diagnostic, Fix } from "../../text/diagnostic.ts";
import type { Expectation } from "../../tool/definition.ts";
import type { Shell } from "../../tool/command.ts";
import { type Declaration, spanWithin } from "../syntax/ast.ts";
import { usuallyTakes } from "../kinds/command-own-option.ts";
import { type CommandSource, commandProblem, declarationOf, declaredHere } from "../kinds/command-problems.ts";
import { addedOption, parameterLine } from "../kinds/parameter-edit.ts";
import { bareText } from "./bare-text.ts";
import type { Findings } from "../findings.ts";

/** Matches braces that hold more than a name. */
const BRACES = /\{([A-Za-z_][\w-]*)([^{}\n]+)\}(?!\})/y;
/** Matches what templates of other programs and shells write after a name. */
const MODIFIER =
  /^(?!\s*\?\s*["']?-)(?::-?[\w./-]*|\s*\|\s*\w+(?:\([^()]*\))?|,,?|\^\^?|\.\w+\(\)|\s*\?.*|\[(?!\d+\]$)[^\]]*\])$/;
/** Matches what other languages write at a name that stands for several words. */
const SEVERAL = /^(?:\.\.\.|…|\*|\+|\[\]|\[@\])$/;
/** Matches what other languages write before such a name. */
const SEVERAL_BEFORE = /\{(?:\.\.\.|…|\*)([A-Za-z_][\w-]*)\}(?!\})/y;
/** The limit below which a word among others does not suggest a parameter. */
const NEAR_LENGTH_MIN = 3;
const WORDS = /^(?: [\w-]+){1,6}$/;

/** Reports braces outside of single quotes that hold more than the name of a parameter. */
export function oddBraces(source: CommandSource, shell: Shell | "none"): readonly Diagnostic[] {
  const { text } = source.text;
  // A block of PowerShell has braces of its own.
  if (shell === "pwsh" || !/\{(?:[A-Za-z_][\w-]*[^\w{}-]|\.\.\.|…|\*)/.test(text)) return [];
  const found: Diagnostic[] = [];
  let quote = "";
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? "";
    if (character === "\\" && quote !== "'") at++;
    else if (quote === "" ? character === "'" || character === '"' : character === quote)
      quote = quote === "" ? character : "";
    else if (character === "{" && quote !== "'" && !/[{$]/.test(text[at - 1] ?? " ")) {
      BRACES.lastIndex = at;
      const [whole, name = "", rest = ""] = BRACES.exec(text) ?? [];
      SEVERAL_BEFORE.lastIndex = at;
      const [spread, spreadName = ""] = SEVERAL_BEFORE.exec(text) ?? [];
      if (spread !== undefined && declarationOf(source, spreadName))
        found.push(severalWords(source, { whole: spread, name: spreadName, at }));
      const problem = whole === undefined ? undefined : problemOf(source, { whole, name, rest, at, quote, shell });
      if (problem) found.push(problem);
    }
  }
  return found;
}

/** Matches how a usage text says that an option may be left out: `[--since={since}]`, `[-n {count}]`. */
const OPTIONAL_GROUP = /(?<=^|[ \t])\[((--?[A-Za-z][\w-]*)(=|[ \t]+)\{([A-Za-z_][\w-]*)\})\](?=[ \t]|$)/g;

/** Reports brackets around an option and its value, which would be a part of the words. */
export function optionalGroups(source: CommandSource): readonly Diagnostic[] {
  return [...source.text.text.matchAll(OPTIONAL_GROUP)].flatMap(
    ({ index, 0: whole, 1: inner = "", 2: option = "", 3: between, 4: name = "" }): readonly Diagnostic[] => {
      const declared = declarationOf(source, name);
      if (!declared) return [];
      const place = { start: index, end: index + whole.length };
      const goesAlong = between === "=" || usuallyTakes(option, declared.parameter) === "value";
      return [
        commandProblem(source, "option-in-brackets", {
          message: `the brackets of \`${whole}\` are plain text`,
          ...place,
          related: declaredHere(source, name),
          ...(goesAlong
            ? { fix: replaced(source, place, inner) }
            : { help: [`write \`{${name}}\` alone, and \`[flag="${option} {value}"]\` in its \`@param\``] }),
        }),
      ];
    },
  );
}

/** Matches the home folder as a shell knows it. In quotes it is text for a shell, too. */
const HOME_PATH = /(?<=(?:^|[ \t])(?:--?[\w-]+=)?)~\/(?=[\w.])/g;

/** Programs that read `~` themselves, or pass words on to another machine. */
const READS_HOME =
  /^[ \t]*(?:sudo[ \t]+)?(?:adb|docker|git|kubectl|lxc|nerdctl|podman|rclone|rsync|scp|ssh|vagrant)(?![\w-])/;

/** Reports `~/` in a command without a shell, which its program would get as it is; `at` is where `@shell` goes. */
export function homePaths(source: CommandSource, at: number | undefined): readonly Diagnostic[] {
  const { text, span } = source.text;
  // A program of that form is found; a shell does not look behind a `=`, so it is written as a variable.
  const found = [...bareText(text).matchAll(HOME_PATH)].filter(({ index }) => index > 0);
  const [first] = found;
  if (!first || READS_HOME.test(text)) return [];
  const added = at === undefined ? [] : [{ span: { source: span.source, start: at, end: at }, text: "@shell sh\n" }];
  const edits = found.map(({ index }) => ({ span: spanWithin(source.text, index, index + 2), text: '"$HOME"/' }));
  return [
    commandProblem(source, "needs-shell", {
      message: "`~/` is your home folder only for a shell, and this command runs without one",
      start: first.index,
      end: first.index + 2,
      ...(at === undefined
        ? { help: ['add `@shell sh`, and write `"$HOME"/`'] }
        : { fix: { title: 'write `"$HOME"/` below `@shell sh`', edits: [...added, ...edits] } }),
    }),
  ];
}

interface Braces {
  readonly whole: string;
  readonly name: string;
  readonly rest: string;
  readonly at: number;
  readonly quote: string;
  readonly shell: Shell | "none";
}

function problemOf(source: CommandSource, { whole, name, rest, at, quote, shell }: Braces): Diagnostic | undefined {
  const place = { start: at, end: at + whole.length };
  const isDeclared = declarationOf(source, name) !== undefined;
  if (isDeclared && SEVERAL.test(rest)) return severalWords(source, { whole, name, at });
  if (isDeclared && MODIFIER.test(rest))
    return commandProblem(source, "unknown-placeholder", {
      message: `\`${whole}\` is plain text, because only a name can stand in braces`,
      ...place,
      related: declaredHere(source, name),
      help: [helpFor(name, rest), `for the literal text, write \`{${whole}}\``],
    });
  if (!WORDS.test(rest) || shell === "zsh" || shell === "cmd") return undefined;
  const words = `${name}${rest}`.split(" ");
  const meant = [words.join("_"), words.join("-"), words.join("")].find(
    (one) => declarationOf(source, one) !== undefined,
  );
  const isNear = words.some((word) => word.length >= NEAR_LENGTH_MIN && declarationOf(source, word) !== undefined);
  if (meant === undefined && (shell !== "none" || (quote !== "" && !isNear))) return undefined;
  const fix: Fix | undefined = meant === undefined ? undefined : replaced(source, place, `{${meant}}`);
  return commandProblem(source, "unknown-placeholder", {
    message: `\`${whole}\` is plain text, because a name has no spaces`,
    ...place,
    help: [
      ...(fix ? [] : ["write the name of a parameter, such as `{count}`, and say the rest in its `@param`"]),
      `for the literal text, write \`{${whole}}\``,
    ],
    ...(fix ? { fix } : {}),
  });
}

/** Says how a list is written whose items are words of their own. */
function severalWords(source: CommandSource, { whole, name, at }: Pick<Braces, "whole" | "name" | "at">): Diagnostic {
  const place = { start: at, end: at + whole.length };
  return commandProblem(source, "unknown-placeholder", {
    message: `\`${whole}\` is plain text, because only a name can stand in braces`,
    ...place,
    related: declaredHere(source, name),
    help: ["a list that stands alone is one word for each item", `for the literal text, write \`{${whole}}\``],
    fix: replaced(source, place, `{${name}}`),
  });
}

export function replaced(
  source: CommandSource,
  { start, end }: { readonly start: number; readonly end: number },
  text: string,
): Fix {
  return { title: `write \`${text}\``, edits: [{ span: spanWithin(source.text, start, end), text }] };
}

function helpFor(name: string, rest: string): string {
  if (/^:-/.test(rest)) return `write \`{${name}}\`, and \`[default=${rest.slice(2)}]\` in its \`@param\``;
  if (/low|,/i.test(rest)) return `write \`{${name}}\`, and \`[lower]\` in its \`@param\``;
  if (/up|\^/i.test(rest)) return `write \`{${name}}\`, and \`[upper]\` in its \`@param\``;
  if (/trim/i.test(rest)) return `write \`{${name}}\`, and \`[trim]\` in its \`@param\``;
  return `write \`{${name}}\`, and say in its \`@param\` what it becomes: \`flag="…"\` or \`transform="…"\``;
}

/** Returns `${name}` and `$name` of parameters: variables of a shell, and no placeholders. */
export function dollarsOf(
  source: CommandSource,
): readonly { readonly start: number; readonly end: number; readonly name: string }[] {
  return [...source.text.text.matchAll(/(?<![\\$])\$(?:\{([A-Za-z_][\w-]*)\}|([A-Za-z_]\w*))/g)].flatMap(
    ({ index, 0: written, 1: braced, 2: plain }) => {
      const name = braced ?? plain ?? "";
      return declarationOf(source, name) ? [{ start: index, end: index + written.length, name }] : [];
    },
  );
}

/** Matches what others write for a switch: `{--dry-run}`, `{force?--force}`, `{force ? "--force" : ""}`. */
const SWITCH =
  /\{(?:([A-Za-z_][\w-]*)[ \t]*\?[ \t]*)?["']?(--?[A-Za-z][\w-]*)["']?(?:[ \t]*:[ \t]*(?:""|'')?)?[ \t]*\}/g;

/** Reports a switch in braces that belongs to a boolean, which would be plain text. */
export function switchesInBraces(source: CommandSource): readonly Diagnostic[] {
  return [...source.text.text.matchAll(SWITCH)].flatMap(({ index, 0: whole, 1: named, 2: option = "" }) => {
    const bare = option.replace(/^--?/, "");
    const declared = [named, bare, bare.replaceAll("-", "_")]
      .flatMap((name) => (name === undefined ? [] : (declarationOf(source, name) ?? [])))
      .find(({ parameter }) => parameter.schema.type === "boolean");
    if (!declared) return [];
    const { name, flag } = declared.parameter;
    const place = { start: index, end: index + whole.length };
    const line = flag === undefined ? parameterLine(declared) : undefined;
    const fix = replaced(source, place, `{${name}}`);
    const added = line ? [addedOption(declared, line, `flag="${option}"`)] : [];
    const isWhole = line !== undefined || flag === option;
    return [
      commandProblem(source, "unknown-placeholder", {
        message: `\`${whole}\` is plain text, because only a name can stand in braces`,
        ...place,
        related: declaredHere(source, name),
        ...(isWhole
          ? {
              fix: {
                title: `write \`{${name}}\`, and \`flag="${option}"\` in its \`@param\``,
                edits: [...fix.edits, ...added],
              },
            }
          : { help: [`write \`{${name}}\`, and \`[flag="${option}"]\` in its \`@param\``] }),
      }),
    ];
  });
}

/**
 * Says that a default is used as it is written, if it names a parameter. In a language whose older readers would have
 * replaced the name, that is an error.
 */
export function checkLiteralDefaults(
  declarations: readonly Declaration[],
  findings: Pick<Findings, "warn" | "error">,
  severity: "warn" | "error" = "warn",
): void {
  const names = new Set(declarations.map(({ parameter }) => parameter.name));
  for (const { parameter, span } of declarations) {
    const text = typeof parameter.default === "string" ? parameter.default : "";
    const named = [...text.matchAll(/(?<![{$])\{([A-Za-z_][\w-]*)\}(?!\})/g)].find(([, name = ""]) => names.has(name));
    if (named)
      findings[severity]("default-mismatch", `\`${named[0]}\` in the default of \`${parameter.name}\` is plain text`, {
        at: span,
        label: `its default is the text \`${text.slice(0, 80)}\``,
        help: [
          "a default cannot be made of another parameter; put the text where the value goes, or make it in a script or a step",
        ],
      });
  }
}

/** Returns the inputs of a test that no parameter takes; a test may show that they are refused. */
export function unknownInputs(
  inputs: JsonObject | undefined,
  expectations: readonly Expectation[],
  names: readonly string[] | undefined,
): readonly string[] {
  const expectsFailure = expectations.some(
    (one) => one.kind === "error-contains" || (one.kind === "exit-code" && one.exitCode !== 0),
  );
  if (!names || expectsFailure || !isJsonObject(inputs)) return [];
  return Object.keys(inputs).filter((name) => !names.includes(name));
}
