// `@test` blocks: the tests of a definition.
import type { JsonObject } from "../../schema/json.ts";
import type { Span } from "../../text/source.ts";
import type { Expectation, ToolTest } from "../../tool/definition.ts";
import { type Analysis, nearestOf, partOf, replacing } from "../analysis.ts";
import { argumentsInWords, type Called } from "./arguments-in-words.ts";
import { readJson, readJsonObject } from "./json.ts";
import { readRegex } from "./options.ts";
import { type Annotation, type MappedText, spanWithin } from "../syntax/ast.ts";
import { matchRule, matchRuleWithRest, type Part } from "../syntax/grammar.ts";
import { sliced, trimmed } from "../syntax/mapped-text.ts";
import { unknownInputs } from "../checks/silent-literals.ts";

const LINE_FORM = "a line of a test must begin with `with`, `expect`, `setup`, `cleanup` or `about`";
const EXPECT_FORM = "`expect` is followed by an expectation and a value, such as `expect exit-code 0`";
const lineWords = ["with", "expect", "setup", "cleanup", "about"];
const expectations = [
  "exit-code",
  "output-contains",
  "output-equals",
  "output-matches",
  "output-not-contains",
  "error-contains",
  "file-exists",
  "file-contains",
  "directory-exists",
  "not-file-exists",
  "result",
] as const;

/** The limit for all tests of a file. */
const TEST_LINES_MAX = 2_000;

/** `called` is undefined if the parameters are not known here. */
export function readTests(analysis: Analysis, called: Called | undefined): readonly ToolTest[] {
  const seen = new Map<string, Part>();
  let linesLeft = TEST_LINES_MAX;
  return analysis.all("test").flatMap((annotation) => {
    const part = analysis.read(annotation, "test");
    const title = part && partOf(part, "testTitle");
    if (!part || !title) return [];
    const known = seen.get(title.text.text);
    if (known)
      analysis.error("test-malformed", "duplicate test name", {
        at: title.text.span,
        related: [{ span: known.text.span, text: "first used here" }],
      });
    seen.set(title.text.text, title);
    const folder = partOf(part, "folder") ? "definition" : "temporary";
    const lines = annotation.body ? logicalLines(annotation.body) : [];
    const next = lines[linesLeft];
    if (next)
      analysis.error("too-large", `the tests of a file have at most ${TEST_LINES_MAX} lines`, {
        at: next.span,
        label: "the rest is not read",
      });
    const read = lines.slice(0, linesLeft);
    linesLeft -= read.length;
    return [new TestReader(analysis, annotation).test({ name: title.text.text, folder, lines: read, called })];
  });
}

class TestReader {
  readonly #analysis: Analysis;
  readonly #annotation: Annotation;
  readonly #expectations: Expectation[] = [];
  readonly #setup: string[] = [];
  readonly #cleanup: string[] = [];
  #arguments: JsonObject | undefined;
  #with: Span | undefined;
  #description: string | undefined;

  constructor(analysis: Analysis, annotation: Annotation) {
    this.#analysis = analysis;
    this.#annotation = annotation;
  }

  test(head: {
    readonly name: string;
    readonly folder: ToolTest["folder"];
    readonly lines: readonly MappedText[];
    readonly called: Called | undefined;
  }): ToolTest {
    const { name, folder, lines, called } = head;
    for (const line of lines) this.#readLine(line, called);
    const names = called?.parameters.map((one) => one.name);
    for (const unknown of unknownInputs(this.#arguments, this.#expectations, names))
      this.#analysis.warn("test-malformed", `no parameter takes \`${unknown}\``, {
        at: this.#with ?? this.#annotation.keywordSpan,
        help: [`the parameters are ${(names ?? []).map((one) => `\`${one}\``).join(", ") || "none"}`],
      });
    if (!lines.some((line) => /^expect[ \t]/.test(line.text))) {
      this.#analysis.error("test-malformed", `the test \`${name}\` expects nothing, so it could never fail`, {
        at: this.#annotation.keywordSpan,
        help: ["indent lines such as `expect exit-code 0` below it"],
      });
    }
    return {
      name,
      ...(this.#description === undefined ? {} : { description: this.#description }),
      folder,
      arguments: this.#arguments ?? {},
      expectations: this.#expectations,
      setup: this.#setup,
      cleanup: this.#cleanup,
    };
  }

  #readLine(line: MappedText, called: Called | undefined): void {
    const written = writtenAsExpectation(line.text);
    if (written !== undefined) {
      this.#analysis.error("test-malformed", `an expectation is written as \`${written}\``, {
        at: line.span,
        fix: replacing(line.span, written, `write \`${written}\``),
      });
      return;
    }
    const { part, problem } = matchRuleWithRest("testLine", line, { words: 2, hasBrackets: false });
    const inner = part?.parts[0];
    const rest = inner && partOf(inner, "rest");
    if (problem && !this.#isMistyped(line))
      this.#analysis.unreadable("test-malformed", /^expect\b/.test(line.text) ? EXPECT_FORM : LINE_FORM, problem);
    if (!inner || !rest) return;
    switch (inner.rule) {
      case "with":
        if (this.#arguments)
          this.#analysis.error("test-malformed", "a test can have only one `with`", { at: inner.text.span });
        else {
          this.#with = rest.text.span;
          this.#arguments = this.#readArguments(rest.text, called);
        }
        break;
      case "about":
        if (this.#description !== undefined)
          this.#analysis.error("test-malformed", "a test can have only one `about`", { at: inner.text.span });
        this.#description = rest.text.text;
        break;
      case "setup":
        this.#setup.push(rest.text.text);
        break;
      case "cleanup":
        this.#cleanup.push(rest.text.text);
        break;
      case "expect": {
        const kind = partOf(inner, "expectation");
        const expectation = kind && this.#expectation(kind, rest.text);
        if (expectation) this.#expectations.push(expectation);
        break;
      }
    }
  }

  #readArguments(mapped: MappedText, called: Called | undefined): JsonObject {
    const meant = called && !/^[[{"]/.test(mapped.text) ? argumentsInWords(mapped.text, called) : undefined;
    if (!meant) return readJsonObject(mapped, "test-malformed", this.#analysis) ?? {};
    this.#analysis.error("test-malformed", "the arguments of a test must be a JSON object", {
      at: mapped.span,
      fix: replacing(mapped.span, JSON.stringify(meant)),
    });
    return meant;
  }

  /** Reports a misspelled first word, as in `expects exit-code 0`. */
  #isMistyped(line: MappedText): boolean {
    const word = /^[\w-]{3,20}(?=[ \t:]|$)/.exec(line.text)?.[0] ?? "";
    const near = lineWords.includes(word) ? undefined : nearestOf(word, lineWords);
    if (near === undefined) return false;
    const at = spanWithin(line, 0, word.length);
    this.#analysis.error("test-malformed", LINE_FORM, {
      at,
      label: `did you mean \`${near}\`?`,
      fix: replacing(at, near),
    });
    return true;
  }

  #expectation(part: Part, rest: MappedText): Expectation | undefined {
    const kind = expectations.find((known) => known === part.text.text);
    switch (kind) {
      case undefined:
        return this.#unknownExpectation(part);
      case "exit-code":
        return /^\d{1,3}$/.test(rest.text)
          ? { kind, exitCode: Number(rest.text) }
          : this.#refuse(rest, "expected a number such as 0");
      case "output-contains":
      case "output-equals":
      case "output-not-contains":
      case "error-contains":
        return { kind, text: unquoted(rest.text) };
      case "output-matches": {
        const regex = matchRule("regex", rest);
        const pattern = regex.part
          ? readRegex(rest, this.#analysis)
          : this.#refuse(rest, "expected a regular expression between slashes");
        return pattern && { kind, source: pattern.source, flags: pattern.flags };
      }
      case "file-exists":
      case "directory-exists":
      case "not-file-exists":
        return { kind, path: unquoted(rest.text) };
      case "file-contains":
        return this.#fileContains(rest);
      case "result": {
        const value = readJson(rest, "test-malformed", this.#analysis);
        return value === undefined ? undefined : { kind, value };
      }
    }
  }

  #fileContains(rest: MappedText): Expectation | undefined {
    const { part, problem } = matchRuleWithRest("pathAndText", rest, { words: 1, hasBrackets: false });
    const whole = problem && rest.text.startsWith('"') ? matchRule("pathAndText", rest) : { part, problem };
    const [path, text] = whole.part?.parts ?? [];
    if (path && text) return { kind: "file-contains", path: unquoted(path.text.text), text: unquoted(text.text.text) };
    if (whole.problem)
      this.#analysis.unreadable("test-malformed", "`expect file-contains` needs a path and text", whole.problem);
    return undefined;
  }

  #unknownExpectation(part: Part): undefined {
    const near = nearestOf(part.text.text, expectations);
    this.#analysis.error("test-malformed", `unknown expectation \`${part.text.text}\``, {
      at: part.text.span,
      label: near === undefined ? "" : `did you mean \`${near}\`?`,
      help: near === undefined ? [`the expectations are ${expectations.join(", ")}`] : [],
      fix: near === undefined ? undefined : replacing(part.text.span, near),
    });
  }

  #refuse(rest: MappedText, label: string): undefined {
    this.#analysis.error("test-malformed", "this expectation cannot be read", { at: rest.span, label });
  }
}

// Expectations as a sentence or a comparison: `expect output == x`, `expect exit code 1`, `expect success`.

const COMPARED: readonly (readonly [form: RegExp, kind: (typeof expectations)[number]])[] = [
  [
    /^(?!exit-code[ \t])(?:exit(?:[-_ ]?(?:code|status))?|status|code|return-?code)[ \t]*(?:==?|:|is|equals)?[ \t]*(?=\d{1,3}$)/i,
    "exit-code",
  ],
  [/^exit-code[ \t]+(?:==?|:|is|equals)[ \t]*(?=\d{1,3}$)/, "exit-code"],
  [/^(?:output|stdout)[ \t]*(?:==?|:|is|equals)[ \t]+/, "output-equals"],
  [/^(?:output|stdout)[ \t]+(?:contains|includes|has)[ \t]+/, "output-contains"],
  [/^(?:output|stdout)[ \t]+(?:does not contain|not[- ]contains?)[ \t]+/, "output-not-contains"],
  [/^(?:output|stdout)[ \t]*(?:matches|=~|~)[ \t]*(?=\/)/, "output-matches"],
  [/^(?:stderr|error)[ \t]+(?:contains|includes|has)[ \t]+/, "error-contains"],
  [/^(?:success|ok|succeeds)$/, "exit-code"],
];
const EXISTS = /^(?:(file|directory|folder)[ \t]+)?(\S+)[ \t]+exists$/;

/** Returns the line as it has to be written. Undefined if it is not one of these. */
function writtenAsExpectation(line: string): string | undefined {
  const text = /^expect[ \t]+(.+)$/s.exec(line)?.[1]?.replace(/^\{([\w-]+)\}/, "$1");
  if (text === undefined) return undefined;
  for (const [form, kind] of COMPARED) {
    const found = form.exec(text);
    if (found) return `expect ${kind} ${text.slice(found[0].length) || "0"}`;
  }
  const [, what, path] = EXISTS.exec(text) ?? [];
  if (path === undefined || (what === undefined && expectations.some((known) => known === path))) return undefined;
  return `expect ${what === "directory" || what === "folder" ? "directory" : "file"}-exists ${path}`;
}

/** Joins lines: one that is indented deeper than the first continues the line above it. */
function logicalLines(body: MappedText): readonly MappedText[] {
  const ends: { readonly start: number; end: number }[] = [];
  for (let start = 0; start <= body.text.length; ) {
    const newline = body.text.indexOf("\n", start);
    const end = newline === -1 ? body.text.length : newline;
    const last = ends.at(-1);
    if (last && /[ \t]/.test(body.text[start] ?? "")) last.end = end;
    else if (end > start) ends.push({ start, end });
    start = end + 1;
  }
  return ends.map((line) => trimmed(sliced(body, line.start, line.end)));
}

/** Removes double quotes, in which a text can have spaces at its ends and `\n`. */
function unquoted(text: string): string {
  return text.startsWith('"') && matchesString(text) ? String(JSON.parse(text)) : text;
}

function matchesString(text: string): boolean {
  try {
    return typeof JSON.parse(text) === "string";
  } catch {
    return false;
  }
}
