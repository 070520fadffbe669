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
import { limitsText, sizeText } from "../../cli/view/limits-text.ts";

export type TextRows = readonly (readonly [name: string, text: string])[];

export function callRows(explanation: Explanation): TextRows {
  const { tool, place, base, effects, mayRun = [], limits, decisions } = explanation;
  return [
    ["tool", place === "" ? `\`${tool}\`` : `\`${tool}\` in ${printable(place)}`],
    ...madeOf(explanation, base),
    ["effects", effects.length === 0 ? "unknown, so treated as the worst case" : effects.join(", ")],
    ...(mayRun.length === 0 ? [] : [["may run", mayRun.join("; ")] as const]),
    ["limits", limitsText(limits)],
    ["sandbox", sandboxText(explanation)],
    ...(explanation.python ? [["Python", `strict: ${reachText(explanation.python)}`] as const] : []),
    ...decisionRows(decisions),
    ...(explanation.always ? boundFacts(explanation.always) : []),
  ];
}

function sandboxText({ sandbox, reaches, noSandbox }: Explanation): string {
  if (noSandbox?.kind === "unavailable") return `${sandbox}: refused, because ${noSandbox.reasons.join("; ")}`;
  return reaches ? `${sandbox}: ${reachText(reaches)}` : sandbox;
}

function reachText({ folder, reads, writes, hosts }: NonNullable<Explanation["reaches"]>): string {
  const seen = [folder, ...reads].map(printable).join(", ");
  return `reads ${seen}; writes ${writes.map(printable).join(", ") || "nothing"}; network ${hosts.map((host) => (host === "*" ? "every public host" : host)).join(", ") || "none"}`;
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

function madeOf(
  { place, process, getsTerminal, steps, folder, output, provider, outputFile }: Explanation,
  base: Explanation["base"],
): TextRows {
  if (process)
    return [
      ...processRows(process),
      ["folder", printable(process.cwd)],
      ["environment", environmentText(process, place)],
      ["standard input", inputText(process, getsTerminal)],
    ];
  if (!steps)
    return [
      ["calls", `\`${base.tool}\``],
      ["with", JSON.stringify(base.arguments)],
    ];
  const cleanup = steps.filter(({ isCleanup }) => isCleanup).length;
  return [
    ["steps", `${steps.length - cleanup}${cleanup === 0 ? "" : `, and ${cleanup} to clean up`}`],
    ["folder", printable(folder)],
    ...(output === undefined ? [] : [["result", output] as const]),
    ...(provider === undefined ? [] : [["prompts go to", `\`${provider}\``] as const]),
    ...(outputFile === undefined ? [] : [["result goes to", `\`${outputFile}\``] as const]),
  ];
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
  return [
    ...(when === undefined ? [] : [["when", when] as const]),
    ...(forEach
      ? [
          [
            "for each of",
            `${forEach.items}${forEach.concurrency > 1 ? `, ${forEach.concurrency} at once` : ""}${forEach.isQueued ? ", by workers" : ""}`,
          ] as const,
        ]
      : []),
    ...actionRows(step, folder),
    ...(retries && retries.attempts > 1
      ? [
          [
            "attempts",
            `up to ${retries.attempts}${retries.delayMs === 0 ? "" : `, ${secondsText(retries.delayMs)} apart${retries.isExponential ? ", each time twice as long" : ""}`}`,
          ] as const,
        ]
      : []),
    ...(fallback
      ? actionRows(fallback, folder).map(([name, text], index) => [index === 0 ? `else ${name}` : name, text] as const)
      : []),
    ...(timeoutMs === undefined ? [] : [["limit", secondsText(timeoutMs)] as const]),
    ...(isOnce ? [["once", "is not repeated when its run is resumed"] as const] : []),
    ...(continuesOnError ? [["failure", "does not fail the other steps"] as const] : []),
    ...(output.mode === "stream"
      ? [["output", "passed on as it comes"] as const]
      : output.bytesMax === STEP_OUTPUT_BYTES_MAX
        ? []
        : [["output", `up to ${sizeText(output.bytesMax)}`] as const]),
    ...(cacheMs === undefined ? [] : [["cached for", secondsText(cacheMs)] as const]),
    ["effects", effects.length > 0 ? effects.join(", ") : step.code ? "none" : "unknown, so treated as the worst case"],
  ];
}

function actionRows({ tool, process, calls, code, provider }: ActionExplanation, folder: string): TextRows {
  if (process) {
    const set = setText(process);
    return [
      ...processRows(process),
      ...(process.cwd === folder ? [] : [["folder", printable(process.cwd)] as const]),
      ...(set === "" ? [] : [["environment", set] as const]),
      ...(process.stdin === undefined ? [] : [["standard input", JSON.stringify(process.stdin)] as const]),
    ];
  }
  if (calls)
    return [
      ["calls", `\`${calls.tool}\``],
      ["with", JSON.stringify(calls.arguments)],
      ...(provider === undefined ? [] : [["prompts go to", `\`${provider}\``] as const]),
    ];
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
