// What a tool asks of the machine and its user: permissions, answers, and parts of its schema.
import type { DeclaredSecurity, Effect, Interaction } from "../../tool/definition.ts";
import type { Analysis } from "../analysis.ts";
import { durationMs } from "./limits.ts";
import { isHost, namesParameters } from "./sandbox.ts";
import type { Spanned } from "../../text/source.ts";
import type { Declaration } from "../syntax/ast.ts";
import { sliced, trimmed } from "../syntax/mapped-text.ts";

/** Says whether it is a permission, and the places of values in it are parameters; a host is none. */
export function acceptedPermission(
  word: Spanned<string>,
  analysis: Analysis,
  parameters: readonly Declaration[],
): boolean {
  const host = /^network:external:(.*\{.*)$/.exec(word.value)?.[1];
  if (isPermission(word.value))
    return host === undefined
      ? namesParameters(word, parameters, analysis)
      : isHost({ ...word, value: host }, analysis);
  analysis.error("malformed-annotation", `\`${word.value.slice(0, 64)}\` is not a permission`, {
    at: word.span,
    help: [PERMISSIONS],
  });
  return false;
}

/**
 * Adds the effects of the permissions, hosts and paths. A tool without tags keeps the effect `run`, which assumes the
 * most.
 */
export function permittedEffects(
  security: DeclaredSecurity | undefined,
  declared: readonly Effect[],
): readonly Effect[] {
  const asked = (security?.permissions ?? []).flatMap((permission): Effect[] =>
    permission.startsWith("network")
      ? ["network"]
      : permission.startsWith("process")
        ? ["run"]
        : permission.startsWith("filesystem:write")
          ? ["write"]
          : ["read"],
  );
  if (security?.hosts) asked.push("network");
  if (security?.writes) asked.push("write");
  if (asked.length === 0) return declared;
  const all = new Set<Effect>([...declared, ...(declared.length === 0 ? (["run"] as const) : []), ...asked]);
  return (["read", "write", "run", "network"] as const).filter((effect) => all.has(effect));
}

export const PERMISSIONS =
  "the permissions are `filesystem:read:PATH`, `filesystem:write:PATH`, `network:external:HOST` and `process`";

export function isPermission(text: string): boolean {
  return ["filesystem:read", "filesystem:write", "network", "process"].some(
    (kind) => text === kind || text.startsWith(`${kind}:`),
  );
}

/** Reads `@interactive timeout=30s y`: how long to wait, and the answer after that. */
export function readInteraction(analysis: Analysis): Interaction | undefined {
  const annotation = analysis.first("interactive");
  if (!annotation) return undefined;
  const { text } = annotation;
  const timeout = /^timeout=(\S+)(?:\s+|$)/.exec(text.text);
  const timeoutMs =
    timeout?.[1] === undefined
      ? undefined
      : durationMs(sliced(text, "timeout=".length, "timeout=".length + timeout[1].length), analysis);
  const answer = trimmed(sliced(text, timeout?.[0].length ?? 0)).text;
  const stdin = analysis.first("stdin");
  if (stdin)
    analysis.error(
      "misplaced-annotation",
      "an interactive tool reads answers from its input, so it cannot have a `@stdin`",
      { at: stdin.keywordSpan, related: [{ span: annotation.keywordSpan, text: "" }] },
    );
  // `""` is the Enter key.
  const given = answer === '""' ? "" : answer;
  return { ...(timeoutMs === undefined ? {} : { timeoutMs }), ...(answer === "" ? {} : { defaultResponse: given }) };
}
