// The rules of one or two `config.yaml`, indexed by the names of tools, so that only relevant rules are checked.
import type { Effect } from "../tool/definition.ts";
import type { PreparedCall, Tool } from "../tool/tool.ts";
import type { Caller, MatchedRule } from "../tool/policy.ts";
import { callViews, type CallView, namesBelow } from "./call-views.ts";
import { allows, refuses, refusesAlways } from "./match-rule.ts";
import type { ConfiguredRule, MatchContext } from "./rule.ts";
import { unescapedText } from "./text-pattern.ts";

export interface Match extends MatchedRule {
  readonly fingerprint: string;
  readonly isSandboxed?: true;
  readonly isOutside?: true;
}

export interface Policy {
  readonly ruleCount: number;
  /** Returns the matching rules with a decision. */
  matches(call: PreparedCall, caller: Caller, context: MatchContext): readonly Match[];
  /** Returns whether a rule denies every call of a tool, which reaches tools of these names. */
  denies(names: ReadonlySet<string>, effects: readonly Effect[], caller: Caller): boolean;
  /** Returns the matching rules with a rate, whatever they decide. */
  rates(
    call: PreparedCall,
    caller: Caller,
    context: MatchContext,
  ): readonly (ConfiguredRule & Required<Pick<ConfiguredRule, "rate">>)[];
}

const noPolicy: Policy = { ruleCount: 0, matches: () => [], denies: () => false, rates: () => [] };

export function createPolicy(rules: readonly ConfiguredRule[]): Policy {
  if (rules.length === 0) return noPolicy;
  const index = indexOf(rules);
  const candidates = new WeakMap<Tool, readonly ConfiguredRule[]>();
  const candidatesOf = (tool: Tool): readonly ConfiguredRule[] => {
    const known = candidates.get(tool);
    if (known) return known;
    const names = namesBelow(tool);
    const found = index.about(names);
    candidates.set(tool, found);
    return found;
  };
  const spent = new WeakMap<PreparedCall["call"], { ms: number }>();
  const spentBy = ({ call }: PreparedCall): { ms: number } => {
    const made = spent.get(call) ?? { ms: 0 };
    spent.set(call, made);
    return made;
  };
  const matching = (
    call: PreparedCall,
    caller: Caller,
    { context, isWanted }: { readonly context: MatchContext; readonly isWanted: (rule: ConfiguredRule) => boolean },
  ): readonly ConfiguredRule[] | undefined => {
    const wanted = candidatesOf(call.tool).filter(
      (rule) => isWanted(rule) && (rule.frontEnds.length === 0 || rule.frontEnds.includes(caller)),
    );
    if (wanted.length === 0) return [];
    const views = callViews(call, context.cwd);
    return (
      views &&
      wanted.filter((rule) =>
        isAbout(rule, { views, names: namesBelow(call.tool) }, { ...context, spent: spentBy(call) }),
      )
    );
  };
  return {
    ruleCount: rules.length,
    matches: (call, caller, context) => {
      const matched = matching(call, caller, { context, isWanted: ({ decision }) => decision !== undefined });
      if (!matched)
        return [
          {
            name: "policy",
            decision: "deny",
            reason: "it makes more calls than the rules can check",
            fingerprint: "",
          },
        ];
      return matched.flatMap(({ place, decision, reason, fingerprint, isSandboxed, isOutside }) =>
        decision === undefined
          ? []
          : [
              {
                name: place,
                decision,
                reason,
                fingerprint,
                ...(isSandboxed ? { isSandboxed } : {}),
                ...(isOutside ? { isOutside } : {}),
              },
            ],
      );
    },
    denies: (names, effects, caller) =>
      index
        .about(names)
        .some(
          (rule) =>
            rule.decision === "deny" &&
            (rule.frontEnds.length === 0 || rule.frontEnds.includes(caller)) &&
            refusesAlways(rule, { names, effects }),
        ),
    rates: (call, caller, context) =>
      (matching(call, caller, { context, isWanted: ({ rate }) => rate !== undefined }) ?? []).flatMap((rule) =>
        rule.rate ? [{ ...rule, rate: rule.rate }] : [],
      ),
  };
}

function isAbout(
  rule: ConfiguredRule,
  seen: { readonly views: readonly CallView[]; readonly names: ReadonlySet<string> },
  context: MatchContext,
): boolean {
  return rule.decision === "allow" ? allows(rule, seen.views, context) : refuses(rule, seen, context);
}

/** Indexes the rules by tool, because most name theirs. */
function indexOf(rules: readonly ConfiguredRule[]): { about(names: ReadonlySet<string>): readonly ConfiguredRule[] } {
  const named = new Map<string, number[]>();
  const open: number[] = [];
  for (const [number, { tools }] of rules.entries()) {
    if (tools.length === 0 || !tools.every(({ isLiteral }) => isLiteral)) open.push(number);
    else
      for (const { written } of tools)
        named.set(unescapedText(written), [...(named.get(unescapedText(written)) ?? []), number]);
  }
  return {
    about: (names) => {
      const numbers = new Set([
        ...open.filter((number) => isOpenFor(rules[number], names)),
        ...[...names].flatMap((name) => named.get(name) ?? []),
      ]);
      return [...numbers].sort((one, other) => one - other).flatMap((number) => rules[number] ?? []);
    },
  };
}

function isOpenFor(rule: ConfiguredRule | undefined, names: ReadonlySet<string>): boolean {
  return (
    rule !== undefined &&
    (rule.tools.length === 0 || rule.tools.some((tool) => [...names].some((name) => tool.matches(name, "exactly"))))
  );
}
