// The fields whose text has parts: how each text is read and written. The compiler asks for the reader of a new one.
import validRange from "semver/ranges/valid.js";
import type { Ask, DefinitionHead, Dependency, Requirement } from "../../tool/definition.ts";
import { type Analysis, partOf, partsOf } from "../analysis.ts";
import { type Findings, replacing } from "../findings.ts";
import { askArrow } from "../syntax/annotations.ts";
import { type MappedText, spanWithin } from "../syntax/ast.ts";
import { type MatchProblem, matchRule, type Part, type RuleName } from "../syntax/grammar.ts";
import { sliced, trimmed } from "../syntax/mapped-text.ts";
import { readJsonObject } from "./json.ts";
import { eachPartsField, type PartsFieldName, type TextValue } from "../text-fields.ts";

export interface PartsReader<Value> {
  /** Reports what is wrong; one text of a field that repeats may have several values. */
  read(text: MappedText, to: PartsProblems): readonly Value[];
  write(value: Value): string;
}

interface PartsProblems {
  readonly findings: Findings;
  /** Says how the text must be written, and where this one differs. */
  malformed(problem: MatchProblem): void;
}

const requirements: PartsReader<Requirement> = {
  read: (text, { findings, malformed }) =>
    partsOfText({ rule: "requires", inner: "requirement" }, text, malformed).flatMap((part) => {
      const named = partOf(part, "program")?.text;
      if (named === undefined || isPath(named, findings)) return [];
      return [{ program: named.text, ...readRange(partOf(part, "range"), findings) }];
    }),
  write: ({ program, range }) => (range === undefined ? program : `${program} ${range}`),
};

/** Whether a program is named by a path, which PATH is not searched for. */
function isPath({ text, span }: MappedText, findings: Findings): boolean {
  if (!/[/\\]/.test(text)) return false;
  const message = `\`@requires\` takes names of programs on PATH, and \`${text.slice(0, 64)}\` is a path`;
  findings.error("malformed-annotation", message, {
    at: span,
    label: "expected a name such as jq",
    help: ["leave it out: a command that starts a file needs no `@requires` for it"],
  });
  return true;
}

const dependencies: PartsReader<Dependency> = {
  read: (text, { findings, malformed }) =>
    partsOfText({ rule: "depends", inner: "dependency" }, text, malformed).flatMap((part) => {
      const tool = partOf(part, "toolName")?.text.text;
      const range = partOf(part, "dependencyRange") ?? partOf(part, "quotedRange");
      return tool === undefined ? [] : [{ tool, ...readRange(range, findings) }];
    }),
  write: ({ tool, range }) => (range === undefined ? tool : `${tool}@${/[\s,]/.test(range) ? `"${range}"` : range}`),
};

const NONE = "none";

export const asks: PartsReader<Ask> = {
  read: (text, { findings }) => {
    const arrow = askArrow.exec(text.text);
    if (!arrow || arrow.index === 0) {
      const slip = /=>|⇒|-->|–>/.exec(text.text);
      const at = slip ? spanWithin(text, slip.index, slip.index + slip[0].length) : text.span;
      findings.error("malformed-annotation", "an ask must be written as `TEXT → ARGUMENTS`", {
        at,
        label: arrow ? "expected what a person would say" : `expected \`→ {"NAME": VALUE}\`, or \`→ ${NONE}\``,
        fix: slip && !arrow ? replacing(at, "→") : undefined,
      });
      return [];
    }
    const said = text.text.slice(0, arrow.index).replaceAll(/\s+/g, " ");
    const given = trimmed(sliced(text, arrow.index + arrow[0].length));
    if (given.text === NONE) return [{ text: said }];
    const args = readJsonObject(given, "malformed-annotation", findings);
    return args ? [{ text: said, arguments: args }] : [];
  },
  write: ({ text, arguments: args }) => `${text} → ${args ? JSON.stringify(args) : NONE}`,
};

function partsOfText(
  { rule, inner }: { readonly rule: RuleName; readonly inner: RuleName },
  text: MappedText,
  malformed: (problem: MatchProblem) => void,
): readonly Part[] {
  const { part, problem } = matchRule(rule, text);
  if (problem) malformed(problem);
  return part ? partsOf(part, inner) : [];
}

function readRange(part: Part | undefined, findings: Findings): { readonly range?: string } {
  const range = part?.text.text.trim();
  if (!part || range === undefined) return {};
  if (validRange(range) !== null) return { range };
  findings.error("bad-version", `\`${range.slice(0, 64)}\` is not a valid version range`, {
    at: part.text.span,
    label: "expected a range such as >= 13 or ^1.2.0",
  });
  return {};
}

type ValueOf<Field> = Field extends readonly (infer Item)[] ? Item : NonNullable<Field>;
export type PartsValues = Pick<DefinitionHead, PartsFieldName>;

export const partsReaders: { readonly [Name in PartsFieldName]: PartsReader<ValueOf<DefinitionHead[Name]>> } = {
  requires: requirements,
  depends: dependencies,
  asks,
};

/** Returns the fields from their annotations: a list for one that repeats, and for any other a value if there is one. */
export function readParts(analysis: Analysis): PartsValues {
  const values = eachPartsField(({ keyword, repeats }, name) => {
    const { read } = partsReaders[name] as PartsReader<unknown>;
    const all = analysis
      .all(keyword)
      .flatMap((annotation) =>
        read(annotation.text, { findings: analysis, malformed: (problem) => analysis.malformed(annotation, problem) }),
      );
    return repeats ? all : all[0];
  });
  return withoutAbsent(values) as unknown as PartsValues;
}

/** Returns the texts of each field: a list for one that repeats, and for any other a text if it has a value. */
export function partsTexts(definition: PartsValues): Readonly<Partial<Record<PartsFieldName, TextValue>>> {
  const texts = eachPartsField(({ repeats }, name): TextValue | undefined => {
    const { write } = partsReaders[name] as PartsReader<unknown>;
    const value: unknown = definition[name];
    return repeats ? (value as readonly unknown[]).map(write) : value === undefined ? undefined : write(value);
  });
  return withoutAbsent(texts);
}

function withoutAbsent<Value>(values: Readonly<Record<string, Value | undefined>>): Readonly<Record<string, Value>> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}
