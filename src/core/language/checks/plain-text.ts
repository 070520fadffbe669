// What looks as if it did something in a command, and is plain text: `{name:lower}`, `{number of commits}`, `{{name}}`,
// `{--dry-run}`, `{a|b}`, and a default with `{name}` in it. One message each; a fix only where one thing can be meant.
import type { Diagnostic, Fix } from "../../text/diagnostic.ts";
import type { DiagnosticCode } from "../../text/codes.ts";
import type { Shell } from "../../tool/command.ts";
import { languageOf } from "../../text/source-language.ts";
import { type Declaration, spanWithin } from "../syntax/ast.ts";
import {
  annotationStart,
  type CommandSource,
  commandProblem,
  declarationOf,
  declaredHere,
} from "../kinds/command-problems.ts";
import { addedOption, parameterLine } from "../kinds/parameter-edit.ts";
import { bareText } from "./bare-text.ts";
import type { Findings } from "../findings.ts";

interface Look {
  /** Matches it. */
  readonly pattern: RegExp;
  /** The text in which it is looked for: outside of single quotes, of all quotes and comments, or anywhere. */
  readonly within: "unquoted" | "bare" | "all";
  /** Where a shell reads the command, it means something else. */
  readonly isDirect?: true;
  readonly code?: DiagnosticCode;
  /** Returns undefined for what may be meant. */
  tell(found: Found, source: CommandSource): Told | undefined;
}

interface Found {
  readonly whole: string;
  readonly start: number;
  readonly end: number;
  /** The groups of the pattern. */
  readonly parts: readonly (string | undefined)[];
}

interface Told {
  readonly message: string;
  /** The parameter that is meant. */
  readonly name?: string;
  readonly help?: readonly string[];
  readonly fix?: Fix;
  readonly isWarning?: true;
}

const NAME = String.raw`([A-Za-z_][\w-]*)`;
const BEFORE = String.raw`(?<![{$])\{`;
const AFTER = String.raw`\}(?!\})`;
const MODIFIER = String.raw`(?!\s*\?\s*["']?-)(?::-?[\w./-]*|\s*\|\s*\w+(?:\([^()]*\))?|,,?|\^\^?|\.\w+\(\)|\s*\?[^{}\n]*|\[(?!\d+\]\})[^\]{}\n]*\])`;

function onlyNames(whole: string): string {
  return `\`${whole}\` is plain text, because only a name can stand in braces`;
}

/** How other programs write the value of a parameter. A file that has the value in its place may mean the text. */
function elsewhere({ whole, start, end, parts }: Found, source: CommandSource): Told | undefined {
  const name = parts.find((part) => part !== undefined) ?? "";
  const { source: file, ...at } = spanWithin(source.text, start, end);
  const isPlaced = new RegExp(`(?<![{$])(?:\\{\\{)*\\{${name}\\}`).test(file.text);
  // In a step, a reference such as `{build.stdout}` has another name in the text.
  if (!declarationOf(source, name) || isPlaced || file.text.slice(at.start, at.end) !== whole) return undefined;
  return { message: onlyNames(whole), name, fix: replaced(source, { start, end }, `{${name}}`) };
}

const looks: readonly Look[] = [
  // A shell that is named as a key of YAML.
  {
    pattern: /(?<=^\s*)(?:(?:ba|z)?sh|pwsh|powershell|cmd):(?=\s)/g,
    within: "all",
    code: "unknown-shell",
    tell: ({ whole }, { text }) => ({
      message: `\`${whole}\` would be run as a program of that name`,
      help: [
        languageOf(text.span.source) === "yaml"
          ? `write \`${whole}\` as the key`
          : "name the shell with `@shell`, or as the kind of the step",
      ],
    }),
  },
  // just, Mustache, Go and GitHub Actions; then make, and the texts of a usage.
  {
    pattern: new RegExp(String.raw`\$?\{\{[ \t]*(?:\.|(?:inputs|params|parameters|args)\.)?${NAME}[ \t]*\}\}`, "g"),
    within: "all",
    tell: elsewhere,
  },
  {
    pattern: new RegExp(String.raw`(?<!\\)\$\(${NAME}\)|(?<![\w\\<>])<${NAME}>(?![\w<>])`, "g"),
    within: "all",
    isDirect: true,
    tell: elsewhere,
  },
  // A name that stands for several words.
  {
    pattern: new RegExp(`${BEFORE}(?:(?:\\.\\.\\.|…|\\*)${NAME}|${NAME}(?:\\.\\.\\.|…|\\*|\\+|\\[@?\\]))${AFTER}`, "g"),
    within: "unquoted",
    tell: ({ whole, start, end, parts }, source) => {
      const name = parts.find((part) => part !== undefined) ?? "";
      if (!declarationOf(source, name)) return undefined;
      const help = ["a list that stands alone is one word for each item", `for the literal text, write \`{${whole}}\``];
      return { message: onlyNames(whole), name, help, fix: replaced(source, { start, end }, `{${name}}`) };
    },
  },
  // Templates and shells: `{name:lower}`, `{name | trim}`.
  {
    pattern: new RegExp(`${BEFORE}${NAME}${MODIFIER}${AFTER}`, "g"),
    within: "unquoted",
    tell: ({ whole, parts: [name = ""] }, source) =>
      declarationOf(source, name) && {
        message: onlyNames(whole),
        name,
        help: [
          `write \`{${name}}\`, and say in its \`@param\` what it becomes: \`flag="…"\`, \`transform="…"\`, \`default=…\` or \`lower\``,
          `for the literal text, write \`{${whole}}\``,
        ],
      },
  },
  {
    pattern: /(?<![{$])\{([A-Za-z_][\w-]*(?: [\w-]+){1,6})\}(?!\})/g,
    within: "bare",
    isDirect: true,
    tell: ({ whole }) => ({
      message: `\`${whole}\` is plain text, because a name has no spaces`,
      help: [
        "write the name of a parameter, such as `{count}`, and say the rest in its `@param`",
        `for the literal text, write \`{${whole}}\``,
      ],
    }),
  },
  // What usage texts have: the choices of a value, and an option that may be left out.
  {
    pattern: /(?<=^|[\s=])(?<=(?:--([A-Za-z][\w-]*)[= ])?)\{\w[\w.-]*(?:\|\w[\w.-]*)+\}(?=\s|$)/g,
    within: "bare",
    isDirect: true,
    tell: choicesInBraces,
  },
  {
    pattern: /(?<=^|[ \t])\[(--?[A-Za-z][\w-]*(?:=|[ \t]+)\{([A-Za-z_][\w-]*)\})\](?=[ \t]|$)/g,
    within: "all",
    isDirect: true,
    code: "option-in-brackets",
    tell: ({ whole, start, end, parts: [inner = "", name = ""] }, source) =>
      declarationOf(source, name) && {
        message: `the brackets of \`${whole}\` are plain text: an option is left out with its value anyway`,
        name,
        fix: replaced(source, { start, end }, inner),
      },
  },
  // A switch: `{--dry-run}`, `{force?--force}`, `{force ? "--force" : ""}`.
  {
    pattern: /\{(?:([A-Za-z_][\w-]*)[ \t]*\?[ \t]*)?["']?(--?[A-Za-z][\w-]*)["']?(?:[ \t]*:[ \t]*(?:""|'')?)?[ \t]*\}/g,
    within: "all",
    tell: switchInBraces,
  },
  // `{name` without its brace. awk and jq use braces too, so nothing else may be open behind it.
  {
    pattern: /(?<!\{)\{([A-Za-z_][\w-]*)(?=[ \t\n"'/.,:;|]|$)(?=[^{}]*(?:$|\{([A-Za-z_][\w-]*)\}))/g,
    within: "all",
    tell: ({ whole, start, end, parts: [name = "", next] }, source) =>
      declarationOf(source, name) && (next === undefined || declarationOf(source, next))
        ? {
            message: `\`${whole}\` is plain text, because its brace is not closed`,
            help: [`for the literal text, write \`{${whole}\``],
            fix: replaced(source, { start, end }, `{${name}}`),
            isWarning: true,
          }
        : undefined,
  },
  {
    pattern: /(?<![{$])\{((?=[\w-]*[^\0-\x7f])[\p{L}\p{M}\p{N}_-]+)\}(?!\})/gu,
    within: "all",
    isDirect: true,
    tell: ({ whole, parts: [name] }, { text: { span } }) =>
      // Its declaration is told where it stands.
      new RegExp(`(?:^|\\s)${name}(?=[\\s:]|$)`, "m").test(span.source.text)
        ? undefined
        : {
            message: `\`${whole}\` is plain text, because a name has letters from a to z, digits, \`_\` and \`-\``,
            help: ["give the parameter such a name, and say what it means in its description"],
          },
  },
];

/** A parameter with these choices, which the fix declares if there is none. It has the name of an option before it. */
function choicesInBraces({ whole, start, end, parts: [option = "choice"] }: Found, source: CommandSource): Told {
  const words = whole.slice(1, -1).split("|");
  const known = source.declarations.find(
    ({ parameter: { schema } }) => "choices" in schema && schema.choices?.map(String).join() === words.join(),
  );
  const free = [option, "choice", ...words.keys()].map((one) => (typeof one === "number" ? `choice${one + 2}` : one));
  const name = known?.parameter.name ?? free.find((one) => !declarationOf(source, one)) ?? option;
  const isNumbers = words.every((word) => /^\d+$/.test(word));
  const type = words.map((word) => (isNumbers ? word : JSON.stringify(word))).join("|");
  const line = `@param ${name} {${type}} [required]`;
  const { title, edits } = replaced(source, { start, end }, `{${name}}`);
  const [{ span } = { span: source.text.span }] = edits;
  const at = languageOf(span.source) === "tool" ? annotationStart(span.source.text, span.start) : undefined;
  const both = `${title}, and \`${line}\``;
  if (!known && at === undefined) return { message: onlyNames(whole), help: [both] };
  const added = known || at === undefined ? [] : [{ span: { ...span, start: at, end: at }, text: `${line}\n` }];
  return { message: onlyNames(whole), fix: { title: known ? title : both, edits: [...added, ...edits] } };
}

function switchInBraces(
  { whole, start, end, parts: [named, option = ""] }: Found,
  source: CommandSource,
): Told | undefined {
  const bare = option.replace(/^--?/, "");
  const declared = [named, bare, bare.replaceAll("-", "_")]
    .flatMap((name) => (name === undefined ? [] : (declarationOf(source, name) ?? [])))
    .find(({ parameter }) => parameter.schema.type === "boolean");
  if (!declared) return undefined;
  const { name, flag } = declared.parameter;
  const line = flag === undefined ? parameterLine(declared) : undefined;
  const { edits } = replaced(source, { start, end }, `{${name}}`);
  const added = line ? [addedOption(declared, line, `flag="${option}"`)] : [];
  const title = `write \`{${name}}\`, and \`flag="${option}"\` in its \`@param\``;
  const isWhole = line !== undefined || flag === option;
  return {
    message: onlyNames(whole),
    name,
    ...(isWhole ? { fix: { title, edits: [...edits, ...added] } } : { help: [title] }),
  };
}

/** Returns what is plain text in the command. */
export function plainTexts(source: CommandSource, shell: Shell | "none"): readonly Diagnostic[] {
  // A block of PowerShell has braces of its own.
  if (shell === "pwsh") return [];
  const { text } = source.text;
  const texts = { all: text, unquoted: outsideSingleQuotes(text), bare: bareText(text) };
  const told = new Set<number>();
  return looks.flatMap(({ pattern, within, isDirect, code = "unknown-placeholder", tell }) => {
    if (isDirect && shell !== "none") return [];
    return [...texts[within].matchAll(pattern)].flatMap((match): readonly Diagnostic[] => {
      const [whole, ...parts] = match;
      const place = { start: match.index, end: match.index + whole.length };
      const found = told.has(place.start) ? undefined : tell({ whole, ...place, parts }, source);
      if (!found) return [];
      told.add(place.start);
      const { name, isWarning, ...details } = found;
      const related = name === undefined ? {} : { related: declaredHere(source, name) };
      const problem = commandProblem(source, isWarning ? "unclosed-quote" : code, { ...details, ...place, ...related });
      return [isWarning ? { ...problem, severity: "warning" } : problem];
    });
  });
}

/** Returns the text with blanks for what is in single quotes or behind a backslash. */
function outsideSingleQuotes(text: string): string {
  return text.replaceAll(/\\[^]|"(?:\\[^]|[^"\\])*"?|'[^']*'?/g, (found) =>
    found.startsWith('"') ? found.replaceAll(/\\[^]/g, "  ") : " ".repeat(found.length),
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

/** Matches a tag of Go's templates, which docker, kubectl, helm, gh and go read: `{{.Name}}`, `{{json .}}`. */
const GO_TAG =
  /(?<!\{)\{\{(-?[ \t]*(?:[.$](?=[\w \t}|-])[^{}']*|(?:range|if|with|else if)[ \t]+(?:[.$]|(?:and|eq|gt|index|len|lt|ne|not|or)\b)[^{}']*|(?:base64decode|join|json|printf|len|index|slice|split|table|tablerow|timeago|timefmt|toJson|truncate|upper|lower|color|hyperlink|pluck)[ \t][^{}']*|end|else)[ \t]*-?)\}\}(?!\})/g;

/** Reports tags of a command's own templates: without a shell, two braces are the text of one. */
export function goTemplates(source: CommandSource): readonly Diagnostic[] {
  const { text } = source.text;
  const tags = [...text.matchAll(GO_TAG)];
  // A path of kubectl has one brace, and a block of awk may have two.
  const [first] = tags.filter(([, inner = ""]) => !/^(?:end|else)$/.test(inner));
  if (!first || /\bjsonpath\b|\bawk\b/.test(text)) return [];
  // One tag shows what all of them are.
  const edits = [...text.matchAll(/(?<!\{)\{\{([^{}']+)\}\}(?!\})/g)].map(({ index, 0: tag, 1: inner }) => ({
    span: spanWithin(source.text, index, index + tag.length),
    text: `{{{{${inner}}}}}`,
  }));
  return [
    commandProblem(source, "unknown-placeholder", {
      message: `\`${first[0]}\` is the text \`${first[0].slice(1, -1)}\` here: two braces stand for one`,
      start: first.index,
      end: first.index + first[0].length,
      fix: { title: `write \`{{{{${first[1]}}}}}\``, edits },
    }),
  ];
}
