// Glob patterns for the paths of a walk: `*.ts` matches a name anywhere, `src/**/*.ts` a path from the top, and `!`
// removes matches.
import type { Host } from "../../core/tool/host.ts";
import type { ArgumentIssue } from "../../core/tool/failure.ts";

/** Tells for each path whether it matches. Returns `{tooSlow}` if the patterns take longer than `MATCHING_MS_MAX`. */
export type GlobFilter = (paths: readonly string[]) => readonly boolean[] | { readonly tooSlow: string };

export const GLOB_LENGTH_MAX = 1_000;
const MATCHING_MS_MAX = 1_000;
/** The limit of stars. With more, or with groups, a matcher may backtrack forever over one long name. */
const STARS_UNBOUNDED_MAX = 2;

export function checkGlobs(path: string, patterns: readonly string[]): readonly ArgumentIssue[] {
  return patterns.flatMap((pattern, index) => {
    const from = pattern.replace(/^!/, "");
    if (/^([\\/]|[A-Za-z]:[\\/])/.test(from) || from.split("/").includes("..")) {
      return [
        {
          path: `${path}[${index}]`,
          message: `expected a pattern below \`path\`, got "${pattern}"; pass the folder as \`path\``,
        },
      ];
    }
    return [];
  });
}

export async function globFilter(patterns: readonly string[], host: Host): Promise<GlobFilter> {
  if (patterns.length === 0) return (paths) => paths.map(() => true);
  const { default: picomatch } = await import("picomatch");
  const options = { dot: true, nonegate: true, windows: false } as const;
  const wanted = patterns.filter((pattern) => !pattern.startsWith("!")).map(fromTop);
  const unwanted = patterns.filter((pattern) => pattern.startsWith("!")).map((pattern) => fromTop(pattern.slice(1)));
  const isWanted = wanted.length === 0 ? () => true : picomatch(wanted, options);
  const isUnwanted = unwanted.length === 0 ? () => false : picomatch(unwanted, options);
  const match = (paths: readonly string[]): readonly boolean[] =>
    paths.map((path) => isWanted(path) && !isUnwanted(path));
  if (patterns.every(isQuick)) return match;
  return (paths) => {
    try {
      return host.runBounded(() => match(paths), MATCHING_MS_MAX);
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ETIMEDOUT")
        return { tooSlow: patterns.filter((pattern) => !isQuick(pattern)).join(" ") };
      throw error;
    }
  };
}

function fromTop(pattern: string): string {
  const path = pattern.replace(/^(\.\/+)+/, "").replace(/\/+$/, "");
  return path.includes("/") ? path : `**/${path}`;
}

function isQuick(pattern: string): boolean {
  return !/[({]/.test(pattern) && (pattern.match(/\*+/g) ?? []).length <= STARS_UNBOUNDED_MAX;
}
