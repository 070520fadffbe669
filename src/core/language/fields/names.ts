// `@name`, `@wrapped`, and the texts for people: the name of a tool and its descriptions.
import { rowOf } from "../../text/row-of.ts";
import { platformChoices } from "../../tool/command.ts";
import type { DiagnosticCode } from "../../text/codes.ts";
import type { Effect } from "../../tool/definition.ts";
import type { Span, Spanned } from "../../text/source.ts";
import { type Analysis, nearestOf, partsOf } from "../analysis.ts";
import { type Findings, replacing } from "../findings.ts";
import type { Annotation, MappedText } from "../syntax/ast.ts";
import { matchRule, type RuleName } from "../syntax/grammar.ts";

const NAME_CHARACTERS_MAX = 64;
/** `name` of grammar/tool.ohm: a tool without an owner. */
const OWN_NAME = /^[A-Za-z_][A-Za-z0-9_-]*$/;
/** Tools that end an agent's turn; an agent must be able to rely on that. */
export const loopBreakingNames = ["task_completion", "ask_question", "converse"];
const REMOTE_FORM =
  "write a tool of an MCP server as `mcp:SERVER/TOOL`, with the server's name from `mcp_servers:` in your `config.yaml`";
export const effects: readonly Effect[] = ["read", "write", "run", "network"];

export interface NameOptions {
  /** The sub-folder of the file. */
  readonly owner?: string | undefined;
}

/** Returns undefined if a problem was reported. */
export function readName(analysis: Analysis, options: NameOptions): Spanned<string> | undefined {
  const annotation = analysis.first("name");
  if (!annotation && analysis.meant("name").length > 0) return undefined;
  const named = annotation ? readReference(annotation, "invalid-name", analysis) : nameOfFile(analysis);
  if (!named) return undefined;
  const { text, span } = named;
  const [owner, short] = splitOwner(text);
  if (text.startsWith("mcp:") || (owner !== undefined && owner !== options.owner)) {
    analysis.error("invalid-name", `\`${text}\` names an owner, but the folder decides the owner`, {
      at: span,
      help: [`write \`@name ${short}\``],
    });
  } else if (short.length > NAME_CHARACTERS_MAX) {
    analysis.error("invalid-name", `this name is longer than ${NAME_CHARACTERS_MAX} characters`, { at: span });
  } else if (loopBreakingNames.includes(short) && options.owner === undefined) {
    analysis.error("reserved-name", `\`${short}\` is reserved: it ends an agent's turn`, {
      at: span,
    });
  } else {
    checkFileName(short, span, analysis);
    return { value: options.owner === undefined ? short : `${options.owner}/${short}`, span };
  }
  return undefined;
}

/** What a tool may be made from: a misspelt one is reported as such. */
const MAKING = ["wrapped", "command", "script", "step", "code"];

/** A command without `@wrapped` is one for `run_command`. */
export function readBase(analysis: Analysis): Spanned<string> | undefined {
  const annotation = analysis.first("wrapped");
  const command = analysis.first("command") ?? analysis.first("script");
  if (command && (!annotation || wrappedShell(analysis) !== undefined))
    return { value: "run_command", span: command.keywordSpan };
  if (!annotation) {
    if (MAKING.every((keyword) => analysis.meant(keyword).length === 0)) missingWrapped(analysis);
    return undefined;
  }
  const name = readReference(annotation, "malformed-annotation", analysis);
  return name && { value: name.text, span: name.span };
}

/** What other programs call the tool that runs a command or a script, with the shell that this says. */
const SHELL_TOOLS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(["bash", "sh", "zsh", "pwsh", "cmd"].map((shell) => [shell, shell])),
  powershell: "pwsh",
  shell: "sh",
  terminal: "sh",
  run_shell: "sh",
  ...Object.fromEntries(
    ["script", "run_script", "exec", "execute", "command", "run", "run_program"].map((one) => [one, ""]),
  ),
};

/** Returns the shell that a `@wrapped` beside a command names; an empty text where it names none. */
export function wrappedShell(analysis: Analysis): string | undefined {
  const name = analysis.first("wrapped")?.text.text.toLowerCase() ?? "";
  const isRun = analysis.has("command") || analysis.has("script");
  return isRun ? rowOf(SHELL_TOOLS, name) : undefined;
}

function readReference(
  annotation: Annotation,
  code: "invalid-name" | "malformed-annotation",
  analysis: Analysis,
): MappedText | undefined {
  // Names differ from file to file, so the grammar would match each of them.
  if (OWN_NAME.test(annotation.text.text)) return annotation.text;
  const { part, problem } = matchRule("toolReference", annotation.text);
  const [name] = part?.parts ?? [];
  if (name) return name.text;
  const span = annotation.text.text === "" ? annotation.keywordSpan : annotation.text.span;
  const message =
    annotation.text.text === ""
      ? `\`@${annotation.keyword}\` needs the name of a tool`
      : `\`${annotation.text.text.slice(0, NAME_CHARACTERS_MAX)}\` is not a valid tool name`;
  const label = problem?.kind === "unexpected" && annotation.text.text === "" ? `expected ${problem.expected}` : "";
  analysis.error(code, message, {
    at: span,
    label,
    help: [
      annotation.text.text.startsWith("mcp:")
        ? REMOTE_FORM
        : "a name has letters, digits, `_` and `-`, and begins with a letter or `_`",
    ],
  });
  return undefined;
}

export function splitOwner(name: string): readonly [string | undefined, string] {
  const slash = name.lastIndexOf("/");
  return slash === -1 ? [undefined, name] : [name.slice(0, slash), name.slice(slash + 1)];
}

function fileNameOf(path: string): string | undefined {
  return /([^/\\]+)\.tool$/i.exec(path)?.[1];
}

/** Whether the file is `NAME.tool`, or `NAME.windows.tool` for one platform. */
function isNamed(file: string, name: string): boolean {
  return file === name || platformChoices.some((platform) => file === `${name}.${platform}`);
}

function checkFileName(name: string, span: Spanned<string>["span"], analysis: Analysis): void {
  const file = fileNameOf(span.source.path);
  if (file === undefined || isNamed(file.toLowerCase(), name.toLowerCase())) return;
  analysis.warn("file-name-differs", `the tool \`${name}\` is defined in the file \`${file}.tool\``, {
    at: span,
    help: ["give both the same name, so that people can find the file"],
  });
}

/** A file without `@name` defines the tool that it is called after. */
function nameOfFile(analysis: Analysis): Pick<MappedText, "text" | "span"> | undefined {
  const span = firstPlace(analysis);
  const text = fileNameOf(analysis.file.source.path);
  if (text !== undefined && matchRule("toolReference", { text, span, offsetAt: () => span.start }).part)
    return { text, span };
  const said = text === undefined ? "" : `, and \`${text}\` cannot be a name`;
  analysis.error("missing-name", `this file does not name its tool${said}`, { at: span, help: ["add `@name NAME`"] });
  return undefined;
}

function missingWrapped(analysis: Analysis): void {
  const { text } = analysis.file.source;
  const line = bareCommand(analysis);
  if (line)
    return analysis.error("missing-wrapped", "this file does not say which tool it is made from", {
      at: line,
      label: "this is text, not a command",
      fix: replacing({ ...line, end: line.start }, "@command ", "write `@command` before it"),
    });
  analysis.error("missing-wrapped", "this file does not say which tool it is made from", {
    at: firstPlace(analysis),
    help: [
      /^#!/.test(text)
        ? "a script is written below `@script`, indented, with `{NAME}` where a value goes; a program stays in a file of its own, which `@command` starts"
        : "add a `@command`, or `@wrapped TOOL` to give a tool another name; a definition in YAML is in a file whose name ends with `.yaml`",
    ],
  });
}

/** Returns the last line if it can only be meant as a command: below an annotation, with the value of a parameter. */
function bareCommand({ file: { source }, annotations }: Analysis): Span | undefined {
  const { text } = source;
  const end = text.trimEnd().length;
  const start = text.lastIndexOf("\n", end - 1) + 1;
  const line = text.slice(start, end);
  if (!annotations.some(({ span }) => span.start < start) || !/^[\w./~-]+(?:[ \t]|$)/.test(line)) return undefined;
  const names = annotations.flatMap(({ keyword, text: { text: own } }) =>
    keyword === "param" ? (/^-*([\w-]+)/.exec(own)?.[1] ?? []) : [],
  );
  return names.some((name) => line.includes(`{${name}}`)) ? { source, start, end } : undefined;
}

function firstPlace(analysis: Analysis): Spanned<string>["span"] {
  return (
    analysis.first("name")?.span ??
    analysis.annotations[0]?.keywordSpan ?? {
      ...analysis.file.description.span,
      end: analysis.file.description.span.start,
    }
  );
}

export interface Tags {
  readonly declaredEffects: readonly Effect[];
  readonly tags: readonly string[];
}

export function readTags(analysis: Analysis): Tags {
  const read = readWords("tags", analysis);
  for (const word of read) checkTag(word, analysis);
  const words = [...new Set(read.map((word) => word.value))];
  return tagged(words);
}

/** Returns the effects among the words, and the other words. */
export function tagged(words: readonly string[]): Tags {
  return {
    declaredEffects: effects.filter((effect) => words.includes(effect)),
    tags: words.filter((word) => !isEffect(word)),
  };
}

/**
 * Checks a tag. Any word is one, but a word one letter off an effect is a mistake, with which the tool would declare
 * less than meant.
 */
export function checkTag(
  { value, span }: Spanned<string>,
  findings: Findings,
  code: DiagnosticCode = "malformed-annotation",
): void {
  const near = isEffect(value) ? undefined : nearestOf(value, effects);
  if (near === undefined || Math.abs(near.length - value.length) > 1) return;
  findings.warn(
    code,
    `\`${value.slice(0, NAME_CHARACTERS_MAX)}\` is a custom tag and does not say what the tool may do`,
    { at: span, label: `did you mean \`${near}\`?` },
  );
}

function isEffect(word: string): boolean {
  return effects.some((effect) => effect === word);
}

export function readWords(keyword: string, analysis: Analysis): readonly Spanned<string>[] {
  const rule: RuleName = "words";
  const found = analysis.all(keyword).map((annotation) => analysis.read(annotation, rule));
  return found.flatMap((part) =>
    part ? partsOf(part, "word").map((word) => ({ value: unquoted(word.text.text), span: word.text.span })) : [],
  );
}

/** Removes the quotes of a word, which may have blanks and commas in them. */
function unquoted(word: string): string {
  return /^"[^]*"$/.test(word) ? textOr(word) : word;
}

function textOr(word: string): string {
  try {
    return String(JSON.parse(word));
  } catch {
    return word;
  }
}

/** Returns a title: `webFetch` and `web_fetch` are "Web Fetch". */
export function titleOf(name: string): string {
  const [, short] = splitOwner(name);
  const words = short
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .split(/[\s_-]+/)
    .filter((word) => word !== "");
  return words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join(" ");
}
