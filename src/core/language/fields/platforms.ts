// Names of platforms.
import { rowOf } from "../../text/row-of.ts";
import type { Spanned } from "../../text/source.ts";
import { nearestOf } from "../analysis.ts";
import type { Findings } from "../findings.ts";

const otherPlatformNames: Readonly<Record<string, string>> = {
  mac: "macos",
  osx: "macos",
  darwin: "macos",
  win: "windows",
  win32: "windows",
};

export function unknownPlatform({ value, span }: Spanned<string>, known: readonly string[], analysis: Findings): void {
  analysis.unknown("unknown-platform", `unknown platform \`${value}\``, {
    at: span,
    meant: rowOf(otherPlatformNames, value.toLowerCase()) ?? nearestOf(value, known),
    help: [`the platforms are ${known.join(", ")}`],
  });
}
