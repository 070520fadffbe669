// Annotations about the machine and its user: privileges, isolation, answers; and about the parameters in the schema.
import type { DeclaredSecurity, DefinitionHead, Effect, Interaction, SchemaPart } from "../../tool/definition.ts";
import type { Analysis } from "../analysis.ts";
import { durationMs, readChoice } from "./limits.ts";
import { readWords } from "./names.ts";
import { requiredText } from "./texts.ts";
import { isHost, namesParameters, readSandbox } from "./sandbox.ts";
import { parseTemplate } from "../syntax/template.ts";
import type { Spanned } from "../../text/source.ts";
import type { Declaration } from "../syntax/ast.ts";
import { nearestOf, replacing } from "../findings.ts";
import { sliced, trimmed } from "../syntax/mapped-text.ts";

type ReadAsks = Pick<DefinitionHead, "security" | "schemaOmits">;

export function readAsks(analysis: Analysis, parameters: readonly Declaration[]): ReadAsks {
  const security = readSecurity(analysis, parameters);
  const omits = readOmits(analysis);
  const confirm = analysis.first("confirm");
  if (confirm) analysis.add(parseTemplate(confirm.text, parameters).diagnostics);
  return {
    ...(security ? { security } : {}),
    ...(omits.length === 0 ? {} : { schemaOmits: omits }),
  };
}

/** Says whether the places of values in a permission are parameters; a host is none. */
function isWhole(word: Spanned<string>, parameters: readonly Declaration[], analysis: Analysis): boolean {
  const host = /^network:external:(.*\{.*)$/.exec(word.value)?.[1];
  return host === undefined ? namesParameters(word, parameters, analysis) : isHost({ ...word, value: host }, analysis);
}

const keywords = ["privilege", "isolation", "permissions", "justification", "sandbox", "network", "writes"];

function readSecurity(analysis: Analysis, parameters: readonly Declaration[]): DeclaredSecurity | undefined {
  const [privilege, isolation] = [analysis.first("privilege"), analysis.first("isolation")];
  const permissions = readWords("permissions", analysis).flatMap(({ value, span }) => {
    if (isPermission(value)) return isWhole({ value, span }, parameters, analysis) ? [value] : [];
    analysis.error("malformed-annotation", `\`${value.slice(0, 64)}\` is not a permission`, {
      at: span,
      help: [PERMISSIONS],
    });
    return [];
  });
  const reason = analysis.first("justification");
  const justification = reason && requiredText(reason, analysis);
  if (!keywords.some((keyword) => analysis.has(keyword))) return undefined;
  const chosen = <Word extends string>(
    annotation: NonNullable<typeof privilege>,
    words: readonly Word[],
  ): Word | undefined => {
    const choice = readChoice(annotation, words, analysis);
    return words.find((word) => word === choice);
  };
  const rights = privilege && chosen(privilege, ["same-as-user", "reduced", "elevated"]);
  const level = isolation && chosen(isolation, ["none", "process", "container"]);
  return {
    ...(rights ? { privilege: rights } : {}),
    ...(level ? { isolation: level } : {}),
    permissions,
    ...(justification === undefined ? {} : { justification }),
    ...readSandbox(analysis, parameters),
  };
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

const schemaParts: readonly SchemaPart[] = ["descriptions", "defaults", "examples"];

function readOmits(analysis: Analysis): readonly SchemaPart[] {
  const words = readWords("schema-omits", analysis);
  for (const { value, span } of words) {
    if (schemaParts.some((part) => part === value)) continue;
    const near = nearestOf(value, schemaParts);
    analysis.error("malformed-annotation", "a schema can leave out `descriptions`, `defaults` and `examples`", {
      at: span,
      fix: near === undefined ? undefined : replacing(span, near),
    });
  }
  return schemaParts.filter((part) => words.some(({ value }) => value === part));
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
