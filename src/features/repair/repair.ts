// The nearest call that would work: what the caller sent, with each plain fault repaired, and placeholders for the
// rest. Finding it runs nothing. It calls the same tool, and is shown only if each sent value is accounted for.
import { validateArguments } from "../../core/schema/validate.ts";
import type { ArgumentIssue } from "../../core/schema/argument-issue.ts";
import type { Effect } from "../../core/tool/definition.ts";
import type { Tool } from "../../core/tool/tool.ts";
import { inOwnShape, type Shaped } from "./foreign-shapes.ts";
import { type Attempt, repairFields } from "./repair-value.ts";
import {
  type Account,
  accountFor,
  folded,
  isWithin,
  keyOf,
  type Path,
  pathText,
  type SuggestedArguments,
} from "./suggestion.ts";
import { unwrapArguments } from "./unwrap-arguments.ts";

/** The arguments fit the schema, and pass `tool.check` if that can be known, with values in place of placeholders. */
export type Suggestion = SuggestedArguments & Account;

/** Nothing is suggested, because a call that changes something would be made without these values. */
interface Withheld {
  readonly withheld: readonly string[];
}

/** Returns a call that would be accepted, or undefined if none is known. */
export function repairedCall(
  tool: Tool,
  sent: unknown,
  issues: readonly ArgumentIssue[] = [],
): Suggestion | Withheld | undefined {
  const shaped = inOwnShape(tool.parameters, unwrapArguments(tool, sent));
  const isHarmless = tool.effects.length > 0 && tool.effects.every((effect) => harmless.has(effect));
  // The result of an expression is not known here, so a value that was at fault has to be filled in.
  const toFillIn = issues
    .map(({ path }) => rootOf(path))
    .filter((name) => tool.parameters.some((one) => one.name === name && one.transform !== undefined));
  for (const { call, attempt } of attempts(tool, shaped.given, { isHarmless, toFillIn })) {
    if (issuesOf(tool, call).length > 0) continue;
    const account = accountFor({ ...shaped, trace: attempt.trace }, call);
    if (!account) return undefined;
    const lost = account.lost.filter((name) => !isHarmless && !isRemark(name, shaped.given, tool));
    // A call with something to fill in is not copied as it is.
    if (lost.length > 0 && call.placeholders.length === 0) return { withheld: lost };
    const changed = [...new Set([...account.changed, ...shaped.changed])];
    return { ...call, ...account, changed };
  }
  return undefined;
}

const harmless: ReadonlySet<Effect> = new Set(["read", "network"]);

/** Names of parameters that comment on a call and change nothing in it. */
const remarks: ReadonlySet<string> = new Set(
  "explanation justification reason reasoning thought thoughts taskprogress requiresapproval".split(" "),
);
/** What a call that waits for its end does anyway, if these are false. */
const background = /^(?:isbackground|runinbackground|background|dangerouslydisablesandbox|withescalatedpermissions)$/;

function isRemark(name: string, given: Shaped["given"], { parameters }: Tool): boolean {
  const word = folded(name);
  const isOfCommand = word === "description" && parameters.some((one) => one.name === "command");
  return remarks.has(word) || isOfCommand || (background.test(word) && given[name] === false);
}

interface AttemptOptions {
  readonly isHarmless: boolean;
  readonly toFillIn: readonly string[];
}

interface Made {
  readonly call: SuggestedArguments;
  readonly attempt: Attempt;
}

/** Yields the call, then what is left of it without what the tool itself refuses, such as words that start with `-`. */
function* attempts(tool: Tool, given: Shaped["given"], { isHarmless, toFillIn }: AttemptOptions): Generator<Made> {
  const make = (refused: Iterable<string>, names: readonly string[] = []): Made => {
    const attempt: Attempt = {
      trace: { targets: new Map(), parsed: new Map(), repeated: new Set() },
      refused: new Set(refused),
      toFillIn: new Set([...toFillIn, ...names]),
      isHarmless,
    };
    const { value, placeholders } = repairFields(tool.parameters, given, { path: [], sentPath: [], attempt });
    return { call: { arguments: value, placeholders, ...(attempt.each ? { each: attempt.each } : {}) }, attempt };
  };
  const first = make([]);
  yield first;
  const refused = issuesOf(tool, first.call).map(({ path }) => path);
  const sentFor = (path: string): readonly string[] => sentPlaces(path, first.attempt);
  yield make(refused.flatMap(sentFor));
  const roots = [...new Set(refused.map(rootOf))];
  // If two exclude each other, the last one is removed: the first was meant first.
  for (const name of roots.toReversed()) yield make(sentFor(name));
  yield make([], roots);
}

/** Returns the keys of the sent values that are at this place in the call. */
function sentPlaces(path: string, { trace }: Attempt): readonly string[] {
  return [...trace.targets].flatMap(([key, places]) =>
    places
      .map((place) => pathText(place.path))
      .filter((place) => isWithin(path, place))
      .map((place) => keyOf([...(JSON.parse(key) as Path), ...partsOfPath(path.slice(place.length))])),
  );
}

function partsOfPath(rest: string): Path {
  return [...rest.matchAll(/\.([^.[]+)|\[(\d+)\]/g)].map(([, name, index]) => name ?? Number(index));
}

/** Returns what the tool would refuse, as far as that is known before the placeholders are filled in. */
function issuesOf(tool: Tool, { arguments: args, placeholders }: SuggestedArguments): readonly ArgumentIssue[] {
  const validated = validateArguments(tool.parameters, args, {
    owner: tool.definition.name.value,
    environment: () => undefined,
  });
  // Transforms come before the check and secrets from elsewhere, so it is not known whether these fit.
  const isUnknown = (path: string): boolean =>
    placeholders.some((place) => isWithin(path, rootOf(place))) ||
    tool.parameters.some(({ name, secret, transform }) => (secret || transform !== undefined) && name === rootOf(path));
  const issues = validated.arguments ? (tool.check?.(validated.arguments) ?? []) : validated.issues;
  return issues.filter(({ path }) => !isUnknown(path));
}

function rootOf(path: string): string {
  return path.split(/[.[]/, 1)[0] ?? "";
}
