// `@test` blocks: the tests of a definition.
import type { Expectation, ToolTest } from "../../tool/definition.ts";
import { isJsonObject, type JsonObject } from "../../schema/json.ts";
import { type Analysis, nearestOf, partOf } from "../analysis.ts";
import type { Called } from "./examples.ts";
import { readJson, readJsonObject } from "./json.ts";
import { readRegex } from "./options.ts";
import { withoutQuotes } from "./values.ts";
import type { Annotation, MappedText } from "../syntax/ast.ts";
import { matchRule, matchRuleWithRest, type Part } from "../syntax/grammar.ts";
import { sliced, trimmed } from "../syntax/mapped-text.ts";

const LINE_FORM = "a line of a test must begin with `with`, `expect`, `setup`, `cleanup` or `about`";
const EXPECT_FORM = "`expect` is followed by an expectation and a value, such as `expect exit-code 0`";
const expectationKinds = [
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
    return [readTest(annotation, { name: title.text.text, folder, lines: read, called }, analysis)];
  });
}

interface WrittenTest {
  readonly name: string;
  readonly folder: ToolTest["folder"];
  readonly lines: readonly MappedText[];
  readonly called: Called | undefined;
}

function readTest(annotation: Annotation, written: WrittenTest, analysis: Analysis): ToolTest {
  const { name, folder, lines, called } = written;
  const said = new Map<string, MappedText[]>();
  const expectations: Expectation[] = [];
  for (const line of lines) {
    const { part, problem } = matchRuleWithRest("testLine", line, { words: 2, hasBrackets: false });
    if (problem) analysis.unreadable("test-malformed", /^expect\b/.test(line.text) ? EXPECT_FORM : LINE_FORM, problem);
    const inner = part?.parts[0];
    const rest = inner && partOf(inner, "rest")?.text;
    if (!inner || !rest) continue;
    const known = said.get(inner.rule);
    if (known && (inner.rule === "with" || inner.rule === "about"))
      analysis.error("test-malformed", `a test can have only one \`${inner.rule}\``, { at: inner.text.span });
    else if (known) known.push(rest);
    else said.set(inner.rule, [rest]);
    const kind = partOf(inner, "expectation");
    const expectation = kind && readExpectation(kind.text, rest, analysis);
    if (expectation) expectations.push(expectation);
  }
  const texts = (word: string): readonly string[] => (said.get(word) ?? []).map(({ text }) => text);
  const [given] = said.get("with") ?? [];
  const inputs = (given && readJsonObject(given, "test-malformed", analysis)) ?? {};
  const [description] = texts("about");
  const names = called?.parameters.map((one) => one.name);
  for (const unknown of unknownInputs(inputs, expectations, names))
    analysis.warn("test-malformed", `no parameter takes \`${unknown}\``, {
      at: given?.span ?? annotation.keywordSpan,
      help: [`the parameters are ${(names ?? []).map((one) => `\`${one}\``).join(", ") || "none"}`],
    });
  if (!lines.some((line) => /^expect[ \t]/.test(line.text)))
    analysis.error("test-malformed", `the test \`${name}\` expects nothing, so it could never fail`, {
      at: annotation.keywordSpan,
      help: ["indent lines such as `expect exit-code 0` below it"],
    });
  const about = description === undefined ? {} : { description };
  return { name, ...about, folder, arguments: inputs, expectations, setup: texts("setup"), cleanup: texts("cleanup") };
}

function readExpectation(word: MappedText, rest: MappedText, analysis: Analysis): Expectation | undefined {
  const kind = expectationKinds.find((known) => known === word.text);
  const refuse = (label: string): undefined =>
    void analysis.error("test-malformed", "this expectation cannot be read", { at: rest.span, label });
  switch (kind) {
    case undefined:
      return void analysis.unknown("test-malformed", `unknown expectation \`${word.text}\``, {
        at: word.span,
        meant: nearestOf(word.text, expectationKinds),
        help: [`the expectations are ${expectationKinds.join(", ")}`],
      });
    case "exit-code":
      return /^\d{1,3}$/.test(rest.text)
        ? { kind, exitCode: Number(rest.text) }
        : refuse("expected a number such as 0");
    case "output-contains":
    case "output-equals":
    case "output-not-contains":
    case "error-contains":
      return { kind, text: withoutQuotes(rest.text) };
    case "output-matches": {
      const pattern = matchRule("regex", rest).part
        ? readRegex(rest, analysis)
        : refuse("expected a regular expression between slashes");
      return pattern && { kind, source: pattern.source, flags: pattern.flags };
    }
    case "file-exists":
    case "directory-exists":
    case "not-file-exists":
      return { kind, path: withoutQuotes(rest.text) };
    case "file-contains": {
      const isQuoted = rest.text.startsWith('"');
      const { part, problem } = isQuoted
        ? matchRule("pathAndText", rest)
        : matchRuleWithRest("pathAndText", rest, { words: 1, hasBrackets: false });
      const [path, text] = part?.parts ?? [];
      if (problem) analysis.unreadable("test-malformed", "`expect file-contains` needs a path and text", problem);
      return path && text && { kind, path: withoutQuotes(path.text.text), text: withoutQuotes(text.text.text) };
    }
    case "result": {
      const value = readJson(rest, "test-malformed", analysis);
      return value === undefined ? undefined : { kind, value };
    }
  }
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
