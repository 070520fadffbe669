// The suggestion of a failure: the call that was probably meant, and for an unknown tool the names that were.
import { unofferedNames } from "../../core/tool/base-tool-names.ts";
import { nearestNames, namesWithoutPrefix } from "../../core/text/suggest.ts";
import type { ToolCall } from "../../core/tool/call.ts";
import { hasSecrets } from "../../core/schema/secrets.ts";
import type { Failure, SuggestedCall } from "../../core/tool/failure.ts";
import { foreignCall } from "./foreign-shapes.ts";
import { foreignNames } from "./foreign-names.ts";
import type { Fitting, FittingOptions, MeantNames } from "../../core/run/suggest.ts";
import { secretMasks } from "../../core/run/secret-masks.ts";
import type { Session } from "../../core/run/session.ts";
import { suggestedCall, suggestionOf } from "./suggested-call.ts";

const NAMES_MAX = 3;
const KNOWN_SHOWN_MAX = 50;
/** The minimum length for suggestions, because one letter off in a shorter name may be another word. */
const SLIP_CHARACTERS_MIN = 4;
const NAME_CHARACTERS_MAX = 200;

export async function withSuggestion(failure: Failure, call: ToolCall, session: Session): Promise<Failure> {
  if (failure.kind === "unknown-tool") return unknownTool(call, session);
  const tool = session.registry.find(call.tool);
  if (failure.kind !== "invalid-arguments" || !tool) return failure;
  const repair = await suggestedCall(call, { tool, session, issues: failure.issues });
  const suggested: Failure = { ...failure, ...suggestionOf(repair) };
  const masks = await secretMasks(tool, [call.arguments], session.host);
  return masks ? masks.failure(suggested) : suggested;
}

async function unknownTool(call: ToolCall, session: Session): Promise<Failure> {
  const names = await namesFor(session);
  const foreign = foreignCall(namesWithoutPrefix(call.tool).at(-1) ?? call.tool, call.arguments);
  const tools = foreign?.tools.filter((name) => names.includes(name)) ?? [];
  const { nearest, sure } = tools.length > 0 ? { nearest: tools, sure: new Set(tools) } : meantNames(call.tool, names);
  const meant = tools.length > 0 ? { ...call, arguments: foreign?.arguments } : call;
  const fitting = await fittingCall(meant, { nearest, sure, session });
  return {
    kind: "unknown-tool",
    name: call.tool,
    nearest,
    ...fitting,
    ...(nearest.length === 0 && names.length <= KNOWN_SHOWN_MAX ? { known: names } : {}),
  };
}

/**
 * Returns the names to suggest. A model learns of no more tools than it is offered; a person learns from the call
 * itself what is not trusted.
 */
async function namesFor(session: Session): Promise<readonly string[]> {
  const names = session.registry.names().filter((name) => session.isOffered?.(name) !== false);
  if (session.audience === "person") return names;
  const distrusted = (await session.distrusted?.(names)) ?? new Set();
  return names.filter((name) => !unofferedNames.includes(name) && !distrusted.has(name));
}

export function meantNames(wanted: string, names: readonly string[]): MeantNames {
  if (wanted.length > NAME_CHARACTERS_MAX) return { nearest: [], sure: new Set() };
  const forms = namesWithoutPrefix(wanted);
  const same = forms.flatMap((form) => names.filter((name) => folded(name) === folded(form)));
  // An owner that was left out is a surer guess than a name that looks alike.
  const owned = forms.flatMap((form) => names.filter((name) => name.endsWith(`/${form}`)));
  const foreign = forms.flatMap((form) => foreignNames.get(folded(form)) ?? []).filter((name) => names.includes(name));
  const known = [...same, ...owned];
  const near = forms.flatMap((form) => [...nearestNames(form, names), ...withSameWords(form, names)]);
  const slips = forms.flatMap((form) =>
    form.length < SLIP_CHARACTERS_MIN ? [] : nearestNames(form, names, { editsMax: 1 }),
  );
  // A slip in the name of a tool that is there is likelier than another agent's name for one.
  const sure = new Set(known.length > 0 ? [...known, ...foreign] : [...slips, ...foreign]);
  const nearest = [...(known.length > 0 || foreign.length > 0 ? sure : new Set(near))].slice(0, NAMES_MAX);
  return { nearest, sure };
}

/** Returns `deploy` for `deploy_service`, and `deploy_service` for `deploy`. */
function withSameWords(wanted: string, names: readonly string[]): readonly string[] {
  const words = wordsOf(wanted);
  const isWithin = (some: ReadonlySet<string>, all: ReadonlySet<string>): boolean =>
    some.size > 0 && [...some].every((word) => all.has(word));
  return names.filter((name) => isWithin(words, wordsOf(name)) || isWithin(wordsOf(name), words));
}

function wordsOf(name: string): ReadonlySet<string> {
  const spaced = name.replaceAll(/(?<=[a-z\d])(?=[A-Z])/g, " ").toLowerCase();
  return new Set(spaced.split(/[-_./\s]+/).filter((word) => word !== ""));
}

function folded(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.\s]/g, "");
}

export async function fittingCall(
  call: ToolCall,
  { nearest, sure, session, argumentsFor }: FittingOptions,
): Promise<Fitting> {
  let best: { readonly suggested: SuggestedCall; readonly lost: number } | undefined;
  let withheld: Fitting["withheld"];
  for (const name of nearest) {
    const tool = await session.registry.resolve(name);
    if (!tool || (await session.distrust?.(name))) continue;
    const onlyReads = tool.effects.length > 0 && tool.effects.every((effect) => effect === "read");
    if (!onlyReads && !sure.has(name)) continue;
    const repair = await suggestedCall(
      { ...call, tool: name, ...(argumentsFor ? { arguments: argumentsFor(tool) } : {}) },
      { tool, session },
    );
    if (!repair) continue;
    if ("withheld" in repair) {
      // A name may be a secret that was sent in the wrong place.
      if (!hasSecrets(tool.parameters)) withheld ??= { tool: name, names: repair.withheld };
      continue;
    }
    const plain = { kind: "invalid-arguments", tool: name, issues: [], ...suggestionOf(repair) } as const;
    const masks = await secretMasks(tool, [repair.arguments], session.host);
    const masked = masks?.failure(plain) ?? plain;
    if (masked.kind !== "invalid-arguments") continue;
    const { example = {}, placeholders = [], losses } = masked;
    const suggested = { tool: name, arguments: example, placeholders, ...(losses ? { losses } : {}) };
    // A tool that needs nothing accepts any call, so that says little.
    const lost =
      placeholders.length +
      (losses?.leftOut.length ?? 0) +
      (losses?.changed.length ?? 0) +
      (Object.keys(example).length === 0 ? 1 : 0);
    if (!best || lost < best.lost) best = { suggested, lost };
    if (lost === 0) break;
  }
  return best ? { suggested: best.suggested } : withheld ? { withheld } : {};
}
