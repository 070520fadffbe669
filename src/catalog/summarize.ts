// What lists and searches know of a definition without it.
import { codeEffects, commandEffects, ownEffects, raisedEffects } from "../builder/effects.ts";
import { firstSentence } from "../text/first-sentence.ts";
import { positionOf, type SourceFile } from "../text/source.ts";
import { type ToolDefinition, underlyingTools } from "../tool/definition.ts";
import type { ReadDefinition } from "./definition-reader.ts";
import type { FoundFile } from "./discover.ts";
import type { DefinitionSummary } from "./entry.ts";
import { nameless } from "./loaded-definition.ts";

export function summarizeDefinition(definition: ToolDefinition): DefinitionSummary {
  const { name, title, description, tags, keywords, category, requires, depends, platforms, deprecated } = definition;
  const { start, end, source } = name.span;
  return {
    name: name.value,
    title,
    summary: firstSentence(description),
    ...effectsIn(definition),
    tags,
    keywords,
    requires,
    ...(underlyingTools(definition).length === 0 ? {} : { standsOn: underlyingTools(definition) }),
    ...(depends.length === 0 ? {} : { dependsOn: depends.map(({ tool }) => tool) }),
    ...(category === undefined ? {} : { category }),
    ...(platforms === undefined ? {} : { platforms }),
    ...(deprecated === undefined ? {} : { isDeprecated: true }),
    nameStart: start,
    nameEnd: end,
    line: positionOf(source, start).line,
  };
}

export function effectsIn(
  definition: ToolDefinition,
): Pick<DefinitionSummary, "effects" | "inheritsFrom" | "mayDoAnything"> {
  const { declaredEffects } = definition;
  if (definition.kind === "base") return { effects: declaredEffects };
  if (definition.kind === "code") {
    const inheritsFrom = underlyingTools(definition);
    return {
      effects: raisedEffects(codeEffects, declaredEffects),
      ...(inheritsFrom.length === 0 ? {} : { inheritsFrom }),
    };
  }
  if (definition.kind === "steps") {
    const { effects, isUnknown } = ownEffects(definition);
    return {
      effects,
      ...(isUnknown ? { mayDoAnything: true } : {}),
      inheritsFrom: underlyingTools(definition).filter((name) => name !== "run_command"),
    };
  }
  if (definition.kind === "wrapped" && definition.commands.length > 0) return { effects: commandEffects(definition) };
  return { effects: declaredEffects, inheritsFrom: [definition.base.value] };
}

/** Returns what `list` can show of a definition with errors. */
export function summarizeBroken(
  file: FoundFile,
  source: SourceFile,
  { writtenName }: ReadDefinition,
): DefinitionSummary {
  if (!writtenName) return nameless(file);
  const { name, start, end } = writtenName;
  const owned = file.owner === undefined ? name : `${file.owner}/${name}`;
  return {
    ...nameless(file),
    name: owned,
    title: name,
    nameStart: start,
    nameEnd: end,
    line: positionOf(source, start).line,
  };
}
