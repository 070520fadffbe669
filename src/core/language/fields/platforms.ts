// `@platforms`: where a tool works.
import { type Platform, platformNames } from "../../tool/command.ts";
import type { Spanned } from "../../text/source.ts";
import { type Analysis, nearestOf, replacing } from "../analysis.ts";
import { readWords } from "./names.ts";
import type { Findings } from "../findings.ts";

const otherPlatformNames: Readonly<Record<string, string>> = {
  mac: "macos",
  osx: "macos",
  darwin: "macos",
  win: "windows",
  win32: "windows",
};

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
