// Names of platforms.
import type { Spanned } from "../../text/source.ts";
import { nearestOf, replacing } from "../analysis.ts";
import type { Findings } from "../findings.ts";

const otherPlatformNames: Readonly<Record<string, string>> = {
  mac: "macos",
  osx: "macos",
  darwin: "macos",
  win: "windows",
  win32: "windows",
};

export function unknownPlatform({ value, span }: Spanned<string>, known: readonly string[], analysis: Findings): void {
  const meant = otherPlatformNames[value.toLowerCase()] ?? nearestOf(value, known);
  analysis.error("unknown-platform", `unknown platform \`${value}\``, {
    at: span,
    label: meant === undefined ? "" : `did you mean \`${meant}\`?`,
    help: meant === undefined ? [`the platforms are ${known.join(", ")}`] : [],
    fix: meant === undefined ? undefined : replacing(span, meant),
  });
}
