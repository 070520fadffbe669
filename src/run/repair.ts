// The nearest call that would work: what the caller sent, with each plain fault repaired, and placeholders for the
// rest. Nothing runs for it, and the tool stays the called one.
import { isJsonObject, type Json, type JsonObject } from "../schema/json.ts";
import { validateArguments } from "../schema/validate.ts";
import type { Effect } from "../tool/definition.ts";
import type { ArgumentIssue, Losses } from "../tool/failure.ts";
import type { Tool } from "../tool/tool.ts";
import { inOwnShape } from "./foreign-shapes.ts";
import { namesFor } from "./repair-names.ts";
import { repairFields } from "./repair-value.ts";
import { unwrapArguments } from "./unwrap-arguments.ts";
import { parseLoosely } from "./parse-loosely.ts";

export interface Repair {
  /** They fit the schema, and pass `tool.check` if that can be known, with values in place of the placeholders. */
  readonly arguments: JsonObject;
  /** The paths of values that only the caller can know. */
  readonly placeholders: readonly string[];
  /** Absent if nothing is lost. */
  readonly losses?: Losses;
}

type Candidate = Omit<Repair, "losses">;

/** Returns a call that would be accepted, or undefined if none is known. */
export function repairedCall(tool: Tool, sent: unknown, issues: readonly ArgumentIssue[] = []): Repair | undefined {
  const unwrapped = unwrapArguments(tool, sent);
  const given = inOwnShape(tool.parameters, unwrapped);
  const example = tool.definition.examples.find((candidate) =>
    isAccepted(tool, { arguments: candidate, placeholders: [] }),
  );
  // What has become another parameter is not missing.
  const isMoved = (name: string): boolean => Object.hasOwn(unwrapped, name) && !Object.hasOwn(given, name);
  const faulty = new Set(issues.map(({ path }) => rootOf(path)).filter((name) => !isMoved(name)));
  // The result of an expression is not known here: a value that was at fault is replaced by an example.
  const kept = Object.fromEntries(
    Object.entries(given).filter(
      ([name]) =>
        !(
          faulty.has(name) &&
          tool.parameters.some((parameter) => parameter.name === name && parameter.transform !== undefined)
        ),
    ),
  );
  const repaired = repairFields(tool.parameters, kept, { path: "", depth: 0, example, faulty });
  const first: Candidate = { arguments: repaired.value, placeholders: repaired.placeholders };
  const accepted = [first, ...changed(tool, first, example)].find((candidate) => isAccepted(tool, candidate));
  if (!accepted)
    return (
      example && {
        arguments: example,
        placeholders: Object.keys(example),
        losses: { leftOut: Object.keys(unwrapped).slice(0, NAMES_LOOKED_AT_MAX), changed: [] },
      }
    );
  const isHarmless = tool.effects.length > 0 && tool.effects.every((effect) => harmless.has(effect));
  if (!isHarmless && (isLimited(given, accepted, tool) || hasFewerItems(given, accepted))) return undefined;
  const losses = lossesOf(given, {
    suggested: accepted.arguments,
    sentNames: namesFor(tool.parameters, given),
    placeholders: accepted.placeholders,
  });
  return {
    ...withSecretsNamed(tool, accepted),
    ...(losses.leftOut.length + losses.changed.length === 0 ? {} : { losses }),
  };
}

const harmless: ReadonlySet<Effect> = new Set(["read", "network"]);

/**
 * Whether the caller asks for a dry run or leaves something out. Such a caller must not be shown a call that does
 * everything.
 */
function isLimited(
  given: Readonly<Record<string, unknown>>,
  { arguments: args }: Candidate,
  { parameters }: Tool,
): boolean {
  const taken = new Set(namesFor(parameters, given).values());
  const names = Object.keys(given).slice(0, NAMES_LOOKED_AT_MAX);
  return names.some((name) => !taken.has(name) && !Object.hasOwn(args, name) && limitingWords.test(name));
}

const NAMES_LOOKED_AT_MAX = 1_000;
const limitingWords =
  /(?:^|[-_\s]|(?<=[a-z])(?=[A-Z]))(?:dry|simulate|preview|pretend|check|only|except|exclude|ignore|skip|keep|confirm|prompt|backup|safe|no|not|filter|where|readonly)(?:$|[-_\s]|run|ed|s?$|(?=[A-Z]))/i;

function hasFewerItems(given: Readonly<Record<string, unknown>>, { arguments: args }: Candidate): boolean {
  return Object.entries(args).some(([name, value]) => {
    const sent = Object.hasOwn(given, name) ? given[name] : undefined;
    return Array.isArray(value) && Array.isArray(sent) && value.length < new Set(sent).size;
  });
}

/** Repairs what the tool itself refuses: words that start with `-`, two parameters that exclude each other. */
function changed(
  tool: Tool,
  { arguments: args, placeholders }: Candidate,
  example: JsonObject | undefined,
): readonly Candidate[] {
  const validated = validateArguments(tool.parameters, args, { owner: "", environment: () => undefined });
  const refused = validated.arguments ? (tool.check?.(validated.arguments) ?? []) : validated.issues;
  const roots = [...new Set(refused.map(({ path }) => rootOf(path)))];
  if (roots.length === 0) return [];
  const isNeeded = (name: string): boolean =>
    tool.parameters.some((parameter) => parameter.name === name && parameter.required);
  const without = (names: readonly string[]): Candidate => ({
    arguments: Object.fromEntries(Object.entries(args).filter(([name]) => !names.includes(name))),
    placeholders: placeholders.filter((path) => !names.includes(rootOf(path))),
  });
  const optional = roots.filter((name) => Object.hasOwn(args, name) && !isNeeded(name));
  // Of two that exclude each other, the last is removed, since the first was meant first.
  const fewer = optional.length === 0 ? [] : [...optional.map((name) => without([name])).reverse(), without(optional)];
  const filled = repairFields(tool.parameters, without(roots).arguments, {
    path: "",
    depth: 0,
    example,
    faulty: new Set(roots),
  });
  return [
    {
      arguments: withoutRefused(
        args,
        refused.map(({ path }) => path),
      ),
      placeholders,
    },
    ...fewer,
    { arguments: filled.value, placeholders: [...new Set([...placeholders, ...filled.placeholders])] },
  ];
}

/** Removes refused items from their lists, and makes text of what has to be text in an open object. */
function withoutRefused(args: JsonObject, paths: readonly string[]): JsonObject {
  const refused = new Set(paths);
  return Object.fromEntries(
    Object.entries(args).map(([name, value]): [string, Json] => {
      if (Array.isArray(value)) return [name, value.filter((_item, index) => !refused.has(`${name}[${index}]`))];
      if (!isJsonObject(value)) return [name, value];
      return [
        name,
        Object.fromEntries(
          Object.entries(value).map(([key, item]) => [
            key,
            refused.has(`${name}.${key}`) && typeof item !== "object" ? String(item) : item,
          ]),
        ),
      ];
    }),
  );
}

function isAccepted(tool: Tool, { arguments: args, placeholders }: Candidate): boolean {
  const validated = validateArguments(tool.parameters, args, {
    owner: tool.definition.name.value,
    environment: () => undefined,
  });
  const toFillIn = new Set(placeholders.map(rootOf));
  // Transforms come before the check and secrets from elsewhere, so it is not known whether these fit.
  const isUnknown = (path: string): boolean =>
    toFillIn.has(rootOf(path)) ||
    tool.parameters.some(({ name, secret, transform }) => (secret || transform !== undefined) && name === rootOf(path));
  const issues = validated.arguments ? (tool.check?.(validated.arguments) ?? []) : validated.issues;
  return issues.every(({ path }) => isUnknown(path));
}

/** The code that shows the call shows dots for these. */
function withSecretsNamed(tool: Tool, { arguments: args, placeholders }: Candidate): Candidate {
  const secrets = tool.parameters.filter(
    ({ name, secret }) => secret && Object.hasOwn(args, name) && !placeholders.includes(name),
  );
  return { arguments: args, placeholders: [...placeholders, ...secrets.map(({ name }) => name)] };
}

function rootOf(path: string): string {
  return path.split(/[.[]/, 1)[0] ?? "";
}

// What a suggested call has lost or changed of the one that was sent, so that the suggestion says so: names alone,
// because values may be secret.

interface LossOptions {
  readonly suggested: JsonObject;
  /** The sent name of each parameter. */
  readonly sentNames: ReadonlyMap<string, string>;
  /** The paths of values that are marked already. */
  readonly placeholders: readonly string[];
}

const VALUE_CHARACTERS_MAX = 20_000;

function lossesOf(given: Readonly<Record<string, unknown>>, options: LossOptions): Losses {
  const { suggested, sentNames, placeholders } = options;
  const parameterOf = new Map([...sentNames].map(([parameter, sent]) => [sent, parameter]));
  const kept = new Set(leavesOf(suggested));
  const leftOut: string[] = [];
  const changed: string[] = [];
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null || value === "" || value === "null") continue;
    const parameter = parameterOf.get(name);
    if (parameter === undefined || !Object.hasOwn(suggested, parameter)) {
      // It may have become a part of another value.
      if (!leavesOf(value).every((leaf) => kept.has(leaf)) || leavesOf(value).length === 0) leftOut.push(name);
    } else if (
      !placeholders.some(
        (path) => path === parameter || path.startsWith(`${parameter}[`) || path.startsWith(`${parameter}.`),
      ) &&
      !isSame(value, suggested[parameter])
    )
      changed.push(parameter);
  }
  return { leftOut, changed };
}

function isSame(sent: unknown, suggested: unknown): boolean {
  if (typeof suggested === "boolean") return truths.get(leavesOf(sent).join(" ")) === suggested;
  const [one, other] = [leavesOf(sent), leavesOf(suggested)];
  if (
    one.join("") === other.join("") ||
    (one.every((leaf) => other.includes(leaf)) && other.every((leaf) => one.includes(leaf)))
  )
    return true;
  // `"10s"`, `"2 KiB"` and `"2 lines"` say what their number means; a text may hold all of an object.
  if (typeof sent === "string" && typeof suggested === "number") return /^\s*[+-]?[\d.,_]+\s*[a-z]+\s*$/i.test(sent);
  const text = typeof suggested === "string" && typeof sent === "object" ? fold(suggested) : undefined;
  return text !== undefined && one.length > 0 && one.every((leaf) => text.includes(leaf));
}

const DEPTH_MAX = 20;

/** Returns the values in a value, without what has no meaning: their case, blanks, quotes and form. */
function leavesOf(value: unknown, depth = 0): readonly string[] {
  if (value === null || value === undefined || depth > DEPTH_MAX) return [];
  if (typeof value === "object" && !(value instanceof Date))
    return Object.values(value).flatMap((one) => leavesOf(one, depth + 1));
  if (typeof value === "boolean") return [String(value)];
  if (value instanceof Date && Number.isNaN(value.getTime())) return [];
  const text = value instanceof Date ? value.toISOString() : String(value as string);
  const data =
    /^\s*(?:[[{]|```|\w+: |- )/.test(text) && text.length <= VALUE_CHARACTERS_MAX ? parseLoosely(text) : undefined;
  return typeof data === "object" && data !== null ? leavesOf(data, depth + 1) : [fold(text)];
}

const truths: ReadonlyMap<string, boolean> = new Map([
  ...["true", "yes", "y", "on", "1"].map((word) => [word, true] as const),
  ...["false", "no", "n", "off", "0", "none"].map((word) => [word, false] as const),
]);

function fold(text: string): string {
  return text
    .slice(0, VALUE_CHARACTERS_MAX)
    .trim()
    .replace(/^(?:https?:)?\/\//i, "")
    .toWellFormed()
    .replaceAll(/(?<=\d)[./](?=\d)/g, "")
    .replaceAll(/[\s"'`_,\0\uFFFD-]/g, "")
    .replace(/^[v#@$](?=[\da-f])/i, "")
    .toLowerCase();
}
