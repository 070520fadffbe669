// `@requires`, `@depends` and `@platforms`: what a tool needs to work.
import validRange from "semver/ranges/valid.js";
import { type Platform, platformNames } from "../../tool/command.ts";
import type { Dependency, Requirement } from "../../tool/definition.ts";
import type { Spanned } from "../../text/source.ts";
import { type Analysis, nearestOf, partOf, partsOf, replacing } from "../analysis.ts";
import { readWords } from "./names.ts";
import type { MappedText } from "../syntax/ast.ts";
import type { Findings } from "../findings.ts";
import { type MatchProblem, matchRule, type Part, type RuleName } from "../syntax/grammar.ts";
import type { PartsReader } from "./parts.ts";
import { sliced } from "../syntax/mapped-text.ts";

const otherPlatformNames: Readonly<Record<string, string>> = {
  mac: "macos",
  osx: "macos",
  darwin: "macos",
  win: "windows",
  win32: "windows",
};

export const requirements: PartsReader<Requirement> = {
  read: (text, { findings, malformed }) =>
    partsOfText({ rule: "requires", inner: "requirement" }, text, malformed).flatMap((part) => {
      const program = partOf(part, "program")?.text.text;
      return program === undefined ? [] : [{ program, ...readRange(partOf(part, "range"), findings) }];
    }),
  write: ({ program, range }) => (range === undefined ? program : `${program} ${range}`),
};

export const dependencies: PartsReader<Dependency> = {
  read: (text, { findings, malformed }) =>
    isUnquoted(text, findings)
      ? []
      : partsOfText({ rule: "depends", inner: "dependency" }, text, malformed).flatMap((part) => {
          const tool = partOf(part, "toolName")?.text.text;
          const range = partOf(part, "dependencyRange") ?? partOf(part, "quotedRange");
          return tool === undefined ? [] : [{ tool, ...readRange(range, findings) }];
        }),
  write: ({ tool, range }) => (range === undefined ? tool : `${tool}@${/[\s,]/.test(range) ? `"${range}"` : range}`),
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

/** Whether a range has a space without quotes, as in `own/lib@>=1 <2`; the space would end it. */
function isUnquoted(text: MappedText, findings: Findings): boolean {
  const found =
    /@((?:[<>=^~][^\s",@]*|[\d.x*]+)(?:[ \t]+(?:[<>=~^]+[ \t]*|-[ \t]+|\|\|[ \t]*)[\d.x*]+)+)(?=[\s,]|$)/.exec(
      text.text,
    );
  const range = found?.[1];
  if (!found || range === undefined) return false;
  const { span } = sliced(text, found.index + 1, found.index + 1 + range.length);
  findings.error("bad-version", "a range with spaces must be in quotes", {
    at: span,
    fix: replacing(span, `"${range}"`),
  });
  return true;
}

function readRange(part: Part | undefined, analysis: Findings): { readonly range?: string } {
  const range = part?.text.text.trim();
  if (!part || range === undefined) return {};
  if (validRange(range) !== null) return { range };
  analysis.error("bad-version", `\`${range.slice(0, 64)}\` is not a valid version range`, {
    at: part.text.span,
    label: "expected a range such as >= 13 or ^1.2.0",
  });
  return {};
}

/** Returns undefined for every platform. */
export function readPlatforms(analysis: Analysis): readonly Platform[] | undefined {
  if (!analysis.has("platforms")) return undefined;
  const found = new Set<Platform>();
  for (const word of readWords("platforms", analysis)) {
    const { value, span } = word;
    if (isPlatform(value)) found.add(value);
    else if (value === "unix")
      analysis.error("unknown-platform", "`unix` is not allowed here: it stands for two platforms", {
        at: span,
        fix: replacing(span, "linux macos"),
      });
    else unknownPlatform(word, platformNames, analysis);
  }
  return platformNames.filter((platform) => found.has(platform));
}

function isPlatform(word: string): word is Platform {
  return platformNames.some((platform) => platform === word);
}

export function unknownPlatform({ value, span }: Spanned<string>, known: readonly string[], analysis: Findings): void {
  const meant = otherPlatformNames[value.toLowerCase()] ?? nearestOf(value, known);
  analysis.error("unknown-platform", `unknown platform \`${value}\``, {
    at: span,
    label: meant === undefined ? "" : `did you mean \`${meant}\`?`,
    help: meant === undefined ? [`the platforms are ${known.join(", ")}`] : [],
    fix: meant === undefined ? undefined : replacing(span, meant),
  });
}
