// `@sandbox`, `@network` and `@writes`: what a tool's commands may reach.
import { hostPattern } from "../../tool/confinement.ts";
import type { DeclaredSecurity } from "../../tool/definition.ts";
import type { Spanned } from "../../text/source.ts";
import type { Analysis } from "../analysis.ts";
import { unknownPlaceholder } from "../kinds/command-problems.ts";
import type { Declaration } from "../syntax/ast.ts";
import type { Findings } from "../findings.ts";

type Reach = Pick<DeclaredSecurity, "sandbox" | "hosts" | "writes">;

export function checkReach(reach: Reach, analysis: Analysis): void {
  if (reach.sandbox !== "none" && reach.sandbox !== "limits") return;
  for (const keyword of ["network", "writes"] as const) {
    const first = analysis.first(keyword);
    if (first)
      analysis.error("misplaced-annotation", `\`@${keyword}\` has no effect with \`@sandbox ${reach.sandbox}\``, {
        at: first.keywordSpan,
        help: ["write `@sandbox strict`, or leave out the level: it is the default then"],
      });
  }
}

/** `@network` and `@writes` mean nothing without the sandbox, so they ask for it. */
export function reachOf<Part extends Reach>(reach: Part): Part {
  return reach.sandbox === undefined && (reach.hosts || reach.writes) ? { ...reach, sandbox: "strict" } : reach;
}

export function isHost({ value, span }: Spanned<string>, findings: Findings): boolean {
  if (hostPattern.test(value)) return true;
  findings.error("malformed-annotation", `\`${value.slice(0, 64)}\` is not a host`, {
    at: span,
    help: ["write a name such as `api.github.com`, `*.github.com` or `github.com:22`, or `*` for every public host"],
  });
  return false;
}

/** Says whether each `{name}` of a path or host is a parameter, and reports the first that is not. */
export function namesParameters(
  { value, span }: Spanned<string>,
  parameters: readonly Declaration[],
  findings: Findings,
): boolean {
  const odd = [...value.matchAll(/\{([^{}]*)\}/g)].find(
    ([, name = ""]) => !parameters.some(({ parameter }) => parameter.name === name),
  );
  if (!odd) return true;
  const [, name = ""] = odd;
  // A word in quotes may have escapes, so a place in it is not known.
  const isAsWritten = span.end - span.start === value.length;
  const text = { text: value, span, offsetAt: (index: number) => (isAsWritten ? span.start + index : span.start) };
  const piece = { name: name.slice(0, 64), start: odd.index };
  const { fix, ...problem } = unknownPlaceholder({ text, declarations: parameters }, piece);
  findings.add([{ ...problem, ...(isAsWritten && fix ? { fix } : {}) }]);
  return false;
}
