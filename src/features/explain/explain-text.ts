// The effects of a call, as text: rows of a name and a text.
import { inYaml } from "../../core/language/yaml-words.ts";
import { isYamlPath } from "../../core/text/source-language.ts";
import { inOwnName } from "../../core/text/program-name.ts";
import { commandLine, quoteWord } from "../../core/base/quote.ts";
import { STEP_OUTPUT_BYTES_MAX } from "../../core/tool/step.ts";
import { boundFacts } from "../../core/run/call-facts.ts";
import type { CallerDecision } from "./decisions.ts";
import { printable } from "../../core/text/display.ts";
import type { Explanation } from "./explain-call.ts";
import type { ProcessPlan } from "./explain-process.ts";
import type { ActionExplanation, StepExplanation } from "./explain-steps.ts";
import { wallLines } from "../confinement/wall.ts";
import { limitsText, sizeText } from "../../cli/view/limits-text.ts";

export type TextRows = readonly (readonly [name: string, text: string])[];

/** Returns the rows that have a text. */
function present(all: readonly (readonly [name: string, text: string | false | undefined])[]): TextRows {
  return all.flatMap(([name, text]) => (text === undefined || text === false ? [] : [[name, text] as const]));
}

export function callRows(explanation: Explanation): TextRows {
  const { tool, place, effects, mayRun = [], limits, python, decisions, always, engine = "" } = explanation;
  return present([
    ["tool", place === "" ? `\`${tool}\`` : `\`${tool}\` in ${printable(place)}`],
    ...madeOf(explanation),
    ["effects", effectsText(effects)],
    ["may run", mayRun.length > 0 && mayRun.join("; ")],
    ["limits", limitsText(limits)],
    ["sandbox", sandboxText(explanation)],
    ["Python", python && wallLines(`strict, ${engine}`, python).join("\n")],
    ...decisionRows(decisions),
    ...(always ? boundFacts(always) : []),
  ]);
}

function effectsText(effects: Explanation["effects"]): string {
  return effects.length === 0 ? "unknown, so treated as the worst case" : effects.join(", ");
}

function sandboxText({ sandbox, reaches, noSandbox, engine = "" }: Explanation): string {
  if (noSandbox?.kind === "unavailable") return `${sandbox}: refused, because ${noSandbox.reasons.join("; ")}`;
  return reaches ? wallLines(`${sandbox}, ${engine}`, reaches).join("\n") : sandbox;
}

/** Groups callers with the same decision. */
function decisionRows(decisions: readonly CallerDecision[]): TextRows {
  const groups = new Map<string, string[]>();
  for (const { frontEnd, decision, rules, isAgreed, allowWith } of decisions) {
    const agreed = isAgreed
      ? " (approved)"
      : allowWith === undefined
        ? ""
        : ` (\`${inOwnName(allowWith.replace(/ --for \w+/, ""))}\` allows it)`;
    const text = [`${decision}${agreed}`, ...rules.map((rule) => `(${rule.name}: ${rule.reason})`)].join(" ");
    groups.set(text, [...(groups.get(text) ?? []), frontEnd]);
  }
  return [...groups].map(([text, names]) => [`for ${whoOf(names)}`, text]);
}

/** People are the person at the terminal and the author of a program; the other callers are models. */
function whoOf(names: readonly string[]): string {
  const text = names.join(", ");
  return text
    .replace("person, program", "people")
    .replace("mcp, exec, agent", "models")
    .replace("people, models", "everyone");
}

function madeOf(explanation: Explanation): TextRows {
  const { place, process, getsTerminal, steps, folder, output, provider, outputFile, base, tool } = explanation;
  if (process)
    return [
      ...processRows(process),
      ["folder", printable(process.cwd)],
      ["environment", environmentText(process, place)],
      ["standard input", inputText(process, getsTerminal)],
    ];
  if (!steps) return actionRows({ tool, calls: base }, folder);
  const cleanup = steps.filter(({ isCleanup }) => isCleanup).length;
  return present([
    ["steps", `${steps.length - cleanup}${cleanup === 0 ? "" : `, and ${cleanup} to clean up`}`],
    ["folder", printable(folder)],
    ["result", output],
    ["prompts go to", provider && `\`${provider}\``],
    ["result goes to", outputFile && `\`${outputFile}\``],
  ]);
}

function inputText({ stdin, interactive }: ProcessPlan, getsTerminal = false): string {
  if (getsTerminal) return "the terminal, if you call it at one; else closed";
  if (!interactive) return stdin === undefined ? "closed" : JSON.stringify(stdin);
  const { timeout_s: seconds, default: answer } = interactive;
  const otherwise = answer === undefined ? "closed" : JSON.stringify(answer);
  return `what you type at the terminal; ${otherwise} ${seconds === undefined ? "" : `after ${JSON.stringify(seconds)} s, or `}without a terminal`;
}

function processRows({ argv, script }: ProcessPlan): TextRows {
  if (!script) return [["runs", commandLine(argv)]];
  return [
    ["runs", `${commandLine(argv.slice(0, script.index))} with this script`],
    ["script", script.text],
    ...script.values.map((value, index) => [`$${index + 1}`, quoteWord(value)] as const),
  ];
}

function setText({ environment }: ProcessPlan): string {
  return Object.entries(environment.set)
    .map(([name, value]) => `${name}=${quoteWord(value)}`)
    .join(", ");
}

/** For this caller, and then for a model. `place` is that of the definition. */
function environmentText(plan: ProcessPlan, place: string): string {
  const set = setText(plan);
  const { passed, file, withheld = [], toModel, unset = [] } = plan.environment;
  const given = toModel ? `your environment, ${passed.length} variables` : `from your environment: ${passed.join(" ")}`;
  const sentences = [
    [
      ...(set === "" ? [] : [set]),
      ...(file === undefined ? [] : [`the variables of ${file}, hidden in the output`]),
      `${set === "" && file === undefined ? "" : "and "}${given}`,
    ].join(", "),
    ...(withheld.length === 0 ? [] : [`${secretHelp(withheld[0] ?? "", place)}: ${withheld.join(" ")}`]),
    ...(toModel ? [`a model's call gets only ${toModel.join(" ")}`] : []),
    ...(unset.length === 0 ? [] : [`not set, so the script ends where it reads it: ${unset.join(" ")}`]),
  ];
  return sentences.join("; ");
}

function secretHelp(name: string, place: string): string {
  const help = `secrets are passed only with a line such as \`@env ${name}=secret:${name}\``;
  return isYamlPath(place.replace(/:\d+$/, "")) ? inYaml(help) : help;
}

/** `count, after clone` */
export function stepTitle({ name, after, isCleanup }: StepExplanation): string {
  return `${name}${isCleanup ? ", to clean up" : after.length === 0 ? "" : `, after ${after.join(" and ")}`}`;
}

/** `folder` is where the call runs. A step shows its folder only if it differs. */
export function stepRows(step: StepExplanation, folder: string): TextRows {
  const { when, forEach, retries, timeoutMs, continuesOnError, isOnce, output, cacheMs, fallback, effects } = step;
  const isLimited = output.mode !== "stream" && output.bytesMax !== STEP_OUTPUT_BYTES_MAX;
  return present([
    ["when", when],
    ["for each of", forEach && itemsText(forEach)],
    ...actionRows(step, folder),
    ["attempts", retries && retries.attempts > 1 && attemptsText(retries)],
    ...(fallback
      ? actionRows(fallback, folder).map(([name, text], index) => [index === 0 ? `else ${name}` : name, text] as const)
      : []),
    ["limit", timeoutMs !== undefined && secondsText(timeoutMs)],
    ["once", isOnce && "is not repeated when its run is resumed"],
    ["failure", continuesOnError && "does not fail the other steps"],
    ["output", output.mode === "stream" ? "passed on as it comes" : isLimited && `up to ${sizeText(output.bytesMax)}`],
    ["cached for", cacheMs !== undefined && secondsText(cacheMs)],
    ["effects", effects.length === 0 && step.code ? "none" : effectsText(effects)],
  ]);
}

function itemsText({ items, concurrency, isQueued }: NonNullable<StepExplanation["forEach"]>): string {
  return `${items}${concurrency > 1 ? `, ${concurrency} at once` : ""}${isQueued ? ", by workers" : ""}`;
}

function attemptsText({ attempts, delayMs, isExponential }: NonNullable<StepExplanation["retries"]>): string {
  const apart =
    delayMs === 0 ? "" : `, ${secondsText(delayMs)} apart${isExponential ? ", each time twice as long" : ""}`;
  return `up to ${attempts}${apart}`;
}

function actionRows({ tool, process, calls, code, provider }: ActionExplanation, folder: string): TextRows {
  if (process) {
    const { cwd, stdin } = process;
    return present([
      ...processRows(process),
      ["folder", cwd !== folder && printable(cwd)],
      ["environment", setText(process) || undefined],
      ["standard input", stdin !== undefined && JSON.stringify(stdin)],
    ]);
  }
  if (calls)
    return present([
      ["calls", `\`${calls.tool}\``],
      ["with", JSON.stringify(calls.arguments)],
      ["prompts go to", provider && `\`${provider}\``],
    ]);
  return code
    ? [
        ["runs", code.language === "javascript" ? "this JavaScript in the sandbox" : "this Python in python3"],
        ["code", code.text.trimEnd()],
      ]
    : [["runs", tool]];
}

function secondsText(ms: number): string {
  return `${ms / 1000} s`;
}
