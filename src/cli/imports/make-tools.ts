// Targets of a makefile as tools. A target that is only a list of commands becomes a script, in which `$(X)` is a
// value; one that depends on files or on functions of make is called by `make`.
import type { Parameter } from "../../schema/parameter.ts";
import type { ImportedSource, ImportedTool, SourceText, ToolCandidates } from "./imported-tool.ts";
import { MakeExpander } from "./make-expander.ts";
import { type MakeRule, type Makefile, readMake } from "./makefile.ts";
import { makeScript } from "./make-script.ts";
import { asAssignment, runnerCall, scriptNotes, valuesOf } from "./runner-tools.ts";

export function readMakefile({ text, fileName }: SourceText): ImportedSource {
  const file = readMake(text);
  const tools = [...file.rules.values()]
    .filter((rule) => isCommand(rule, file))
    .map((rule): ToolCandidates => {
      const translated = translatedTool(rule, file);
      return {
        name: rule.target,
        candidates: [
          ...(translated ? [translated] : []),
          calledTool(rule, {
            fileName,
            parameters: file.isPartlyRead ? [] : variablesOf(rule, file).map(asAssignment),
          }),
          calledTool(rule, { fileName, parameters: [] }),
        ],
      };
    });
  return { format: "makefile", tools, notes: [] };
}

/** Targets that people call: phony ones, and plain words that are documented or where nothing is phony. */
function isCommand({ target, doc, recipe, prerequisites }: MakeRule, { phony }: Makefile): boolean {
  if (!/^[A-Za-z][\w.-]*$/.test(target) || recipe.length + prerequisites.length === 0) return false;
  return phony.has(target) || (!target.includes(".") && (doc !== "" || phony.size === 0));
}

function translatedTool(rule: MakeRule, file: Makefile): ImportedTool | undefined {
  const expander = new MakeExpander(file);
  const script = makeScript(rule, file, expander);
  if (!script) return undefined;
  const parameters = expander.parameters();
  return {
    ...headOf(rule),
    parameters,
    runs: { kind: "script", shell: script.shell, parts: script.parts },
    environment: script.environment,
    requires: script.programs,
    notes: scriptNotes("make", script.parts),
  };
}

function headOf({ target, doc, recipe }: MakeRule): Pick<ImportedTool, "name" | "description"> {
  const line = recipe
    .map((one) => one.replace(/^[@+\s-]*/, "").trim())
    .find((one) => one !== "" && !one.startsWith("#"));
  return {
    name: target,
    description:
      doc !== "" ? doc : `Make \`${target}\`${line === undefined ? "" : `: \`${line.split("\n", 1)[0] ?? ""}\``}.`,
  };
}

function calledTool(
  rule: MakeRule,
  { fileName, parameters }: { readonly fileName: string; readonly parameters: readonly Parameter[] },
): ImportedTool {
  const isUsual = /^(?:GNUmakefile|makefile|Makefile)$/.test(fileName);
  const file = isUsual ? [] : ["-f", fileName];
  const call = runnerCall("make", {
    noun: "target",
    words: ["--silent", "--no-print-directory", ...file, rule.target, ...valuesOf(parameters)],
    parameters,
    place: "variable",
    shellText: rule.recipe.join("\n").replaceAll("$$", "$"),
  });
  const none = parameters.length === 0 ? ["it takes no variables here"] : [];
  return { ...headOf(rule), ...call, notes: [...call.notes, ...none] };
}

/** The variables that a caller of make would give: those with `?=`, and those that nothing sets. */
function variablesOf(rule: MakeRule, file: Makefile): readonly Parameter[] {
  const expander = new MakeExpander(file);
  const seen = new Set<string>();
  const visit = ({ target, recipe, prerequisites }: MakeRule): void => {
    if (seen.has(target)) return;
    seen.add(target);
    for (const line of recipe) expander.expand(line, target);
    for (const name of prerequisites) {
      const next = file.rules.get(name);
      if (next) visit(next);
    }
  };
  visit(rule);
  return expander.parameters();
}
