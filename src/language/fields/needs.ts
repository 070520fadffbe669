// `@requires`, `@depends` and `@platforms`: what a tool needs to work.
import validRange from "semver/ranges/valid.js";
import { type Platform, platformNames } from "../../tool/command.ts";
import type { Dependency, Requirement } from "../../tool/definition.ts";
import type { Spanned } from "../../text/source.ts";
import { type Analysis, nearestOf, partOf, partsOf, replacing } from "../analysis.ts";
import { readWords } from "./names.ts";
import type { Annotation } from "../syntax/ast.ts";
import type { Findings } from "../findings.ts";
import type { Part, RuleName } from "../syntax/grammar.ts";
import { sliced } from "../syntax/mapped-text.ts";

const otherPlatformNames: Readonly<Record<string, string>> = {
  mac: "macos",
  osx: "macos",
  darwin: "macos",
  win: "windows",
  win32: "windows",
};

export function readRequirements(analysis: Analysis): readonly Requirement[] {
  return readEach("requires", "requirement", analysis).flatMap((part) => requirementOf(part, analysis));
}

export function requirementOf(part: Part, findings: Findings): readonly Requirement[] {
  const program = partOf(part, "program")?.text.text;
  return program === undefined ? [] : [{ program, ...readRange(partOf(part, "range"), findings) }];
}

export function readDependencies(analysis: Analysis): readonly Dependency[] {
  return readEach("depends", "dependency", analysis).flatMap((part) => dependencyOf(part, analysis));
}

export function dependencyOf(part: Part, findings: Findings): readonly Dependency[] {
  const tool = partOf(part, "toolName")?.text.text;
  return tool === undefined
    ? []
    : [{ tool, ...readRange(partOf(part, "dependencyRange") ?? partOf(part, "quotedRange"), findings) }];
}

function readEach(keyword: "requires" | "depends", inner: RuleName, analysis: Analysis): readonly Part[] {
  return analysis.all(keyword).flatMap((annotation) => {
    if (keyword === "depends" && isUnquoted(annotation, analysis)) return [];
    const part = analysis.read(annotation, keyword);
    return part ? partsOf(part, inner) : [];
  });
}

/** Whether a range has a space without quotes, as in `own/lib@>=1 <2`; the space would end it. */
function isUnquoted({ text }: Annotation, analysis: Analysis): boolean {
  const found =
    /@((?:[<>=^~][^\s",@]*|[\d.x*]+)(?:[ \t]+(?:[<>=~^]+[ \t]*|-[ \t]+|\|\|[ \t]*)[\d.x*]+)+)(?=[\s,]|$)/.exec(
      text.text,
    );
  const range = found?.[1];
  if (!found || range === undefined) return false;
  const { span } = sliced(text, found.index + 1, found.index + 1 + range.length);
  analysis.error("bad-version", "a range with spaces must be in quotes", {
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
