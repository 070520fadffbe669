// What looks as if it did something and would be plain text: `{name:lower}`, `{number of commits}`, `${name}`, and a
// default with `{name}` in it.
import { isJsonObject, type JsonObject } from "../../schema/json.ts";
import type { Diagnostic, Fix } from "../../text/diagnostic.ts";
import type { Expectation } from "../../tool/definition.ts";
import type { Shell } from "../../tool/command.ts";
import { type Declaration, spanWithin } from "../syntax/ast.ts";
import { type CommandSource, commandProblem, declarationOf, declaredHere } from "../kinds/command-problems.ts";
import { addedOption, parameterLine } from "../kinds/parameter-edit.ts";
import { bareText } from "./bare-text.ts";
import type { Findings } from "../findings.ts";

/** How other programs write a value, as the text of an expression in which `NAME` is the name. */
interface Form {
  readonly written: string;
  /** Elsewhere a shell reads it. */
  readonly isDirect?: true;
  /** A file that has the value in its place may mean the text. */
  readonly isUnplaced?: true;
  /** What it becomes is said at the parameter. */
  readonly isChanged?: true;
}

const BEFORE = String.raw`(?<![{$])\{`;
const AFTER = String.raw`\}(?!\})`;
const MODIFIER = String.raw`(?!\s*\?\s*["']?-)(?::-?[\w./-]*|\s*\|\s*\w+(?:\([^()]*\))?|,,?|\^\^?|\.\w+\(\)|\s*\?[^{}\n]*|\[(?!\d+\]\})[^\]{}\n]*\])`;
const forms: readonly Form[] = [
  // just, Mustache, Go and GitHub Actions; then make, and the texts of a usage.
  { written: String.raw`\$?\{\{[ \t]*(?:\.|(?:inputs|params|parameters|args)\.)?NAME[ \t]*\}\}`, isUnplaced: true },
  { written: String.raw`(?<!\\)\$\(NAME\)`, isDirect: true, isUnplaced: true },
  { written: String.raw`(?<![\w\\<>])<NAME>(?![\w<>])`, isDirect: true, isUnplaced: true },
  // A name that stands for several words.
  { written: String.raw`${BEFORE}(?:\.\.\.|…|\*)NAME${AFTER}` },
  { written: String.raw`${BEFORE}NAME(?:\.\.\.|…|\*|\+|\[@?\])${AFTER}` },
  // Templates and shells: `{name:lower}`, `{name | trim}`.
  { written: `${BEFORE}NAME${MODIFIER}${AFTER}`, isChanged: true },
];

/** Returns what is a place of a value only in other programs, and that nothing but a name stands in braces here. */
export function foreignForms(source: CommandSource, shell: Shell | "none", isUnplaced: boolean): readonly Diagnostic[] {
  // A block of PowerShell has braces of its own.
  if (shell === "pwsh") return [];
  const { text, span } = source.text;
  const outside = isUnplaced ? text : outsideSingleQuotes(text);
  const told = new Set<number>();
  return forms.flatMap((form) => {
    if ((form.isUnplaced ?? false) !== isUnplaced || (form.isDirect && shell !== "none")) return [];
    const found = outside.matchAll(new RegExp(form.written.replace("NAME", String.raw`([A-Za-z_][\w-]*)`), "g"));
    return [...found].flatMap(({ index, 0: whole, 1: name = "" }): readonly Diagnostic[] => {
      const place = { start: index, end: index + whole.length };
      const isPlaced = new RegExp(`(?<![{$])(?:\\{\\{)*\\{${name}\\}`).test(span.source.text);
      if (!declarationOf(source, name) || (form.isUnplaced && isPlaced) || told.has(index)) return [];
      const { source: file, start, end } = spanWithin(source.text, place.start, place.end);
      // In a step, a reference such as `{build.stdout}` has another name in the text.
      if (form.isUnplaced && file.text.slice(start, end) !== whole) return [];
      told.add(index);
      return [
        commandProblem(source, "unknown-placeholder", {
          message: `\`${whole}\` is plain text, because only a name can stand in braces`,
          ...place,
          related: declaredHere(source, name),
          help: [
            form.isChanged
              ? `write \`{${name}}\`, and say in its \`@param\` what it becomes: \`flag="…"\`, \`transform="…"\`, \`default=…\` or \`lower\``
              : "a list that stands alone is one word for each item",
            `for the literal text, write \`{${whole}}\``,
          ].slice(form.isUnplaced ? 2 : 0),
          ...(form.isChanged ? {} : { fix: replaced(source, place, `{${name}}`) }),
        }),
      ];
    });
  });
}

/** Returns the text with blanks for what is in single quotes or behind a backslash. */
function outsideSingleQuotes(text: string): string {
  return text.replaceAll(/\\[^]|"(?:\\[^]|[^"\\])*"?|'[^']*'?/g, (found) =>
    found.startsWith('"') ? found.replaceAll(/\\[^]/g, "  ") : " ".repeat(found.length),
  );
}

/** The limit below which a word among others does not suggest a parameter. */
const NEAR_LENGTH_MIN = 3;
const WORDS = /(?<![{$])\{([A-Za-z_][\w-]*(?: [\w-]+){1,6})\}(?!\})/g;

/** Reports `{number of commits}`: a name has no spaces. */
export function wordsInBraces(source: CommandSource, shell: Shell | "none"): readonly Diagnostic[] {
  if (shell === "pwsh" || shell === "zsh" || shell === "cmd") return [];
  const { text } = source.text;
  const bare = bareText(text);
  return [...outsideSingleQuotes(text).matchAll(WORDS)].flatMap(({ index, 0: whole, 1: written = "" }) => {
    const words = written.split(" ");
    const isNamed = (name: string): boolean => declarationOf(source, name) !== undefined;
    const meant = [words.join("_"), words.join("-"), words.join("")].find(isNamed);
    const isNear = words.some((word) => word.length >= NEAR_LENGTH_MIN && isNamed(word));
    if (meant === undefined && (shell !== "none" || (bare[index] !== "{" && !isNear))) return [];
    const place = { start: index, end: index + whole.length };
    const literal = `for the literal text, write \`{${whole}}\``;
    return commandProblem(source, "unknown-placeholder", {
      message: `\`${whole}\` is plain text, because a name has no spaces`,
      ...place,
      ...(meant === undefined
        ? { help: ["write the name of a parameter, such as `{count}`, and say the rest in its `@param`", literal] }
        : { help: [literal], fix: replaced(source, place, `{${meant}}`) }),
    });
  });
}

/** Matches how a usage text says that an option may be left out: `[--since={since}]`, `[-n {count}]`. */
const OPTIONAL_GROUP = /(?<=^|[ \t])\[(--?[A-Za-z][\w-]*(?:=|[ \t]+)\{([A-Za-z_][\w-]*)\})\](?=[ \t]|$)/g;

/** Reports brackets around an option and its value, which would be a part of the words. */
export function optionalGroups(source: CommandSource): readonly Diagnostic[] {
  return [...source.text.text.matchAll(OPTIONAL_GROUP)].flatMap(({ index, 0: whole, 1: inner = "", 2: name = "" }) => {
    if (!declarationOf(source, name)) return [];
    const place = { start: index, end: index + whole.length };
    return commandProblem(source, "option-in-brackets", {
      message: `the brackets of \`${whole}\` are plain text: an option is left out with its value anyway`,
      ...place,
      related: declaredHere(source, name),
      fix: replaced(source, place, inner),
    });
  });
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

export function replaced(
  source: CommandSource,
  { start, end }: { readonly start: number; readonly end: number },
  text: string,
): Fix {
  return { title: `write \`${text}\``, edits: [{ span: spanWithin(source.text, start, end), text }] };
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
