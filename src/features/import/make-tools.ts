// Targets of a makefile as tools. A target that is only a list of commands becomes a script, in which `$(X)` is a
// value; one with prerequisites or functions of make is called by `make`.
import type { Parameter } from "../../core/schema/parameter.ts";
import {
  type ImportedSource,
  type ImportedTool,
  type SourceText,
  merged,
  type Part,
  runText,
} from "./imported-tool.ts";
import { readEach } from "./expansions.ts";
import { MakeExpander } from "./make-expander.ts";
import { type MakeRule, type Makefile, readMake } from "./makefile.ts";
import { asAssignment, runnerCall, scriptNotes, valuesOf } from "./runner-tools.ts";
import type { Shell } from "../../core/tool/command.ts";
import { type ScriptLine, scriptOf } from "./script-lines.ts";

export function readMakefile({ text, fileName, beside }: SourceText): ImportedSource {
  const file = readMake(text, beside);
  const commands = [...file.rules].filter(([, rule]) => isCommand(rule, file));
  const tools = readEach(commands, (rule, name) => {
    const translated = translatedTool(rule, file);
    return {
      name,
      candidates: [
        ...(translated ? [translated] : []),
        calledTool(rule, {
          fileName,
          parameters: variablesOf(rule, file).map(asAssignment),
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
  const expander = new MakeExpander(file, rule.doc);
  const script = makeScript(rule, file, expander);
  if (!script) return undefined;
  const parameters = expander.parameters();
  const used = [...script.parts, ...script.environment.flatMap(({ value }) => value)];
  const isUsed = (name: string): boolean => used.some((part) => typeof part !== "string" && part.parameter === name);
  if (!parameters.every(({ name }) => isUsed(name))) return undefined;
  return {
    ...headOf(rule),
    parameters,
    runs: { kind: "script", shell: script.shell, parts: script.parts },
    environment: script.environment,
    requires: script.programs,
    notes: scriptNotes("make", script.parts),
  };
}

function headOf({ target, doc, recipe, prerequisites }: MakeRule): Pick<ImportedTool, "name" | "description"> {
  const before = prerequisites.filter((one) => /^[\w.-]+$/.test(one));
  const what = [...before, ...[runText(recipe) ?? []].flat()].map((one) => `\`${one}\``).join(", ");
  // `## build: Build it` is for a `help` that prints the names from there.
  const named = `\n${doc}`.indexOf(`\n${target}:`);
  const said = named === -1 ? doc : doc.slice(named + target.length + 1).replace(/^\s*(?:@\s)?\s*/, "");
  return {
    name: target,
    description: said !== "" ? said : `Make \`${target}\`${what === "" ? "" : `: ${what}`}.`,
  };
}

function calledTool(
  rule: MakeRule,
  { fileName, parameters }: { readonly fileName: string; readonly parameters: readonly Parameter[] },
): ImportedTool {
  const isUsual = /^(?:GNUmakefile|makefile|Makefile)$/.test(fileName);
  const file = isUsual ? [] : ["-f", fileName];
  // One of several values may be missing, and none may then be read as the word of an option.
  const end = parameters.length > 1 ? ["--"] : [];
  const call = runnerCall("make", {
    noun: "target",
    words: ["--silent", "--no-print-directory", ...file, ...end, rule.target, ...valuesOf(parameters)],
    parameters,
    place: "variable",
    shellText: rule.recipe.join("\n").replaceAll("$$", "$"),
  });
  const none = parameters.length === 0 ? ["it takes no variables here"] : [];
  return { ...headOf(rule), ...call, notes: [...call.notes, ...none] };
}

/** The variables that a caller of make would give: those with `?=`, and those that nothing sets. */
function variablesOf(rule: MakeRule, file: Makefile): readonly Parameter[] {
  const expander = new MakeExpander(file, rule.doc);
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

// The recipe of a target as one script.

interface MakeScript {
  readonly shell: Shell;
  readonly parts: readonly Part[];
  readonly environment: readonly { readonly name: string; readonly value: readonly Part[] }[];
  readonly programs: readonly string[];
}

/** Returns undefined if the target uses more of make. */
function makeScript(rule: MakeRule, file: Makefile, expander: MakeExpander): MakeScript | undefined {
  const started = shellOf(file);
  // Whether a file is newer, and what else is made, only make can tell.
  if (!file.phony.has(rule.target) || rule.isUncertain || rule.prerequisites.length > 0) return undefined;
  const lines = linesOf(rule, file, expander);
  if (!started || !lines || lines.length === 0) return undefined;
  const environment = [...file.variables].flatMap(([name, variable]) =>
    variable.isExported
      ? [{ name, value: variable.isUncertain ? undefined : expander.expand(variable.value, rule.target) }]
      : [],
  );
  if (environment.some(({ value }) => !value)) return undefined;
  const text = lines
    .flatMap(({ parts }) => parts)
    .filter((part) => typeof part === "string")
    .join("");
  return {
    shell: started.shell,
    parts: scriptOf(lines, started.options),
    environment: environment.map(({ name, value = [] }) => ({ name, value })),
    programs: /(?:^|[\s;&|(])make(?:\s|$)/.test(text) ? ["make"] : [],
  };
}

/** Make's own default is `/bin/sh -c`. */
function shellOf({ variables }: Makefile): { readonly shell: Shell; readonly options: string } | undefined {
  const [shellVariable, flagsVariable] = [variables.get("SHELL"), variables.get(".SHELLFLAGS")];
  if (shellVariable?.isUncertain || flagsVariable?.isUncertain) return undefined;
  const [, shell] =
    /^(?:\/usr\/bin\/env |\/(?:usr\/)?(?:local\/)?bin\/)?(sh|bash|zsh)$/.exec(shellVariable?.value ?? "sh") ?? [];
  const flags = (flagsVariable?.value ?? "-c")
    .replace(/\s*-?c$/, "")
    .replace(/(?<=-\w*)c(?=\s|$)/, "")
    .trim();
  if (shell !== "sh" && shell !== "bash" && shell !== "zsh") return undefined;
  return /^(?:-[eux]+(?:o pipefail)?|-o pipefail|(?:-[eux] ?)+(?:-o pipefail)?)?$/.test(flags)
    ? { shell, options: flags }
    : undefined;
}

function linesOf(
  { recipe, target }: MakeRule,
  file: Makefile,
  expander: MakeExpander,
): readonly ScriptLine[] | undefined {
  const lines: ScriptLine[] = [];
  for (const line of recipe) {
    const [prefix = ""] = /^[@+\s-]*/.exec(line) ?? [];
    const command = line.slice(prefix.length);
    const parts = expander.expand(command, target);
    if (!parts) return undefined;
    const isComment = typeof parts[0] === "string" && parts[0].startsWith("#");
    if (parts.length > 0 && !isComment) lines.push({ parts, ignoresFailure: prefix.includes("-") });
  }
  if (!file.isOneShell || lines.length < 2) return lines;
  if (lines.some(({ ignoresFailure }) => ignoresFailure)) return undefined;
  return [
    {
      parts: merged(lines.flatMap(({ parts }, index) => [...(index === 0 ? [] : ["\n"]), ...parts])),
      ignoresFailure: false,
    },
  ];
}
