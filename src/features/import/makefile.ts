// Reads the rules and variables of a makefile, as the manual of GNU make describes them.
import { commentText } from "./imported-tool.ts";

export interface Makefile {
  readonly variables: ReadonlyMap<string, MakeVariable>;
  readonly rules: ReadonlyMap<string, MakeRule>;
  readonly phony: ReadonlySet<string>;
  /** Whether all lines of a recipe run in one shell: `.ONESHELL:`. */
  readonly isOneShell: boolean;
  /** Whether it has what only make can follow: `$(eval …)`, other prefixes of recipes, bare `export`, some includes. */
  readonly isPartlyRead: boolean;
}

interface MakeVariable {
  readonly value: string;
  /** Set by `?=`: the caller's value comes first. */
  readonly isDefault: boolean;
  readonly isExported: boolean;
  /** Set if it depends on conditions, on other lines or on commands. */
  readonly isUncertain: boolean;
}

export interface MakeRule {
  readonly target: string;
  readonly prerequisites: readonly string[];
  readonly recipe: readonly string[];
  readonly doc: string;
  /** Set if it depends on a condition. */
  readonly isUncertain: boolean;
}

const ASSIGNMENT = /^(?:(export|override|private)\s+)*([\w.-]+)\s*(\?=|:::=|::=|:=|\+=|!=|=)\s*(.*)$/s;
const RULE = /^([^:=#\t][^:=#]*?)\s*(?:&?::?)(?!=)\s*([^#]*?)\s*(?:#+\s*(.*))?$/s;
const DEFINE = /^(?:(?:override|export)\s+)*define\s+([\w.-]+)/;
const OWN_VARIABLE = /^(?:(?:export|override|private)\s+)*[\w.-]+\s*(?:[?:+!]|::)?=/;
const CONDITION = /^(?:ifeq|ifneq|ifdef|ifndef)\b/;
/** Others, such as `.env`, may have values that are nobody else's. */
const INCLUDED = /(?:^|\/)(?:(?:GNU)?[Mm]akefile[\w.-]*|[\w-]+\.ma?k)$/;
const INCLUDED_MAX = 50;

/** `beside` returns the text of a file that is included. */
export function readMake(text: string, beside?: (path: string) => string | undefined): Makefile {
  const variables = new Map<string, MakeVariable>();
  const rules = new Map<string, MakeRule>();
  const phony = new Set<string>();
  /** Many write the description beside or above the `.PHONY` of one target. */
  const phonyDocs = new Map<string, string>();
  const exported = new Set<string>();
  let [isOneShell, isPartlyRead] = [false, false];
  let depth = 0;
  let comment: string[] = [];
  let current: string[] = [];
  let isInText = false;
  let includedCount = 0;
  const lines = [...logicalLines(text)];
  for (const [index, line] of lines.entries()) {
    const bare = line.trim();
    const [, defined] = DEFINE.exec(bare) ?? [];
    // Only make reads what stands between `define` and `endef`: the variable is uncertain, and nothing else.
    if (defined !== undefined)
      variables.set(defined, { value: "", isDefault: false, isExported: false, isUncertain: true });
    if (isInText || defined !== undefined) {
      isInText = !/^endef\b/.test(bare);
      continue;
    }
    if (line.startsWith("\t")) {
      for (const target of current) addLine(rules, target, line.slice(1));
      continue;
    }
    if (bare.startsWith("#")) comment.push(bare);
    else if (CONDITION.test(bare)) depth++;
    else if (/^endif\b/.test(bare)) depth = Math.max(0, depth - 1);
    else if (/^else\b/.test(bare)) continue;
    else if (/^(?:-|s)?include\b/.test(bare)) {
      const files = bare.split(/\s+/).slice(1);
      const texts = files.map((file) => (INCLUDED.test(file) && depth === 0 ? beside?.(file) : undefined));
      includedCount += files.length;
      if (texts.includes(undefined) || includedCount > INCLUDED_MAX) isPartlyRead = true;
      else lines.splice(index + 1, 0, ...texts.flatMap((one = "") => logicalLines(one)));
    } else if (/^(?:undefine|load|\.RECIPEPREFIX|export\s*$)/.test(bare)) isPartlyRead = true;
    else if (/^(?:un)?export\s+[\w\s.-]+$/.test(bare))
      for (const name of bare.split(/\s+/).slice(1)) exported.add(name);
    else if (ASSIGNMENT.test(line)) setVariable(variables, line, depth > 0);
    else if (bare !== "") {
      const [, targets = "", written = "", doc = ""] = RULE.exec(line) ?? [];
      // `vpath`, `$(info …)` and `$(error …)` set no variable.
      if (targets === "" && !/^(?:vpath\b|\$[({](?:info|warning|error)\b)/.test(bare)) isPartlyRead = true;
      // A variable for one target: only that target is left to make.
      const isOwn = OWN_VARIABLE.test(written);
      const prerequisites = isOwn ? "" : written;
      const names = targets.split(/\s+/).filter((name) => name !== "");
      const shown = doc === "" ? commentText(comment) : doc;
      if (names.includes(".PHONY")) {
        const made = prerequisites.split(/\s+/);
        for (const name of made) phony.add(name);
        if (made.length === 1) phonyDocs.set(prerequisites, shown);
      }
      if (names.includes(".ONESHELL")) isOneShell = true;
      const isUncertain = depth > 0 || isOwn;
      for (const target of names)
        addRule(rules, {
          target,
          prerequisites,
          doc: doc || phonyDocs.get(target) || commentText(comment),
          isUncertain,
        });
      current = names;
    }
    if (!bare.startsWith("#")) comment = [];
  }
  for (const [name, variable] of variables)
    if (exported.has(name)) variables.set(name, { ...variable, isExported: true });
  return { variables, rules, phony, isOneShell, isPartlyRead };
}

/** Lines joined at backslashes. In a recipe, the backslash and the line end stay: the shell reads them. */
function logicalLines(text: string): readonly string[] {
  const lines: string[] = [];
  let isOpen = false;
  for (const line of text.replaceAll("\r\n", "\n").split("\n")) {
    const last = lines.at(-1) ?? "";
    const isRecipe = last.startsWith("\t");
    if (isOpen && isRecipe) lines[lines.length - 1] = `${last}\n${line.replace(/^\t/, "")}`;
    else if (isOpen) lines[lines.length - 1] = `${last.slice(0, -1).trimEnd()} ${line.trim()}`;
    else lines.push(line);
    isOpen = /(?:^|[^\\])(?:\\\\)*\\$/.test(line);
  }
  return lines;
}

function setVariable(variables: Map<string, MakeVariable>, line: string, isConditional: boolean): void {
  const [, , name = "", operator = "=", value = ""] = ASSIGNMENT.exec(line) ?? [];
  const before = variables.get(name);
  if (operator === "?=" && before && !before.isDefault) return;
  const text = value.replace(/(?:^|\s+)#.*$/s, "").trimEnd();
  variables.set(name, {
    value: operator === "+=" && before ? `${before.value} ${text}` : text,
    isDefault: operator === "?=" && !isConditional,
    isExported: /^export\b/.test(line) || before?.isExported === true,
    isUncertain: isConditional || operator === "!=" || (operator === "+=" && (!before || before.isUncertain)),
  });
}

interface RuleHead extends Pick<MakeRule, "target" | "doc" | "isUncertain"> {
  readonly prerequisites: string;
}

function addRule(rules: Map<string, MakeRule>, { target, prerequisites, doc, isUncertain }: RuleHead): void {
  const [ordinary = "", recipe] = prerequisites.split(/;(.*)/s);
  const before = rules.get(target);
  rules.set(target, {
    target,
    prerequisites: [
      ...(before?.prerequisites ?? []),
      ...ordinary.split(/\s+/).filter((name) => name !== "" && name !== "|"),
    ],
    recipe: [...(before?.recipe ?? []), ...(recipe === undefined ? [] : [recipe.trim()])],
    doc: before?.doc || doc,
    // A second recipe takes the place of the first.
    isUncertain: isUncertain || before?.isUncertain === true || (before?.recipe.length ?? 0) > 0,
  });
}

function addLine(rules: Map<string, MakeRule>, target: string, line: string): void {
  const rule = rules.get(target);
  if (rule) rules.set(target, { ...rule, recipe: [...rule.recipe, line] });
}
