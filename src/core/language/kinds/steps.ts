// `@step`, `@cleanup` and `@output`: the steps of a tool. The builder computes their order.
import type { Diagnostic } from "../../text/diagnostic.ts";
import type { PlatformCommand, Shell } from "../../tool/command.ts";
import type { StepsDefinition } from "../../tool/definition.ts";
import { outputNames, type Step, plainStep, type StepAction } from "../../tool/step.ts";
import type { Preset, Template } from "../../tool/template.ts";
import { type Analysis, nearestOf, partOf } from "../analysis.ts";
import { presetText, withoutQuotes } from "../fields/values.ts";
import { kindOfPart, readStepHeads, type StepHead, type StepKind } from "./step-heads.ts";
import { checkStepLines, isStepOptionLine } from "../fields/option-lines.ts";
import { readStepOptions, readTemplate } from "./step-options.ts";
import type { Declaration, MappedText } from "../syntax/ast.ts";
import { declaredEnvironment } from "./command-environment.ts";
import { parseReferringCommand } from "./command.ts";
import { matchRule, matchRuleWithRest } from "../syntax/grammar.ts";
import { sliced, stacked, trimmed } from "../syntax/mapped-text.ts";
import type { ReferenceScope } from "../syntax/references.ts";
import { checkReserved } from "../syntax/reserved-references.ts";

const shellKinds: readonly Shell[] = ["bash", "sh", "zsh", "pwsh", "cmd"];
export const stepKinds = ["runs", ...shellKinds, "uses", "prompt", "code", "python"];

export type StepsParts = Pick<StepsDefinition, "steps" | "cleanup" | "output">;

/** Returns what `@cwd`, `@env` and `@stdin` may refer to. */
export function stepScope(analysis: Analysis, parameters: readonly Declaration[]): ReferenceScope {
  const steps = analysis.all("step").flatMap(({ text }) => {
    const name = /^[A-Za-z_][A-Za-z0-9_-]*/.exec(text.text)?.[0];
    const span = sliced(text, 0, name?.length ?? 0).span;
    const leaves = /[[ ,]leaves=([\w,-]+)/.exec(text.text)?.[1]?.split(",") ?? [];
    return name === undefined
      ? []
      : [name, ...leaves.filter((one) => one !== name && one !== "")].map((one) => ({ name: one, span }));
  });
  return { parameters, steps, hasItem: false };
}

export function readSteps(analysis: Analysis, declarations: readonly Declaration[]): StepsParts {
  const named = readStepHeads(analysis, declarations);
  const plain = stepScope(analysis, declarations);
  const withItem: ReferenceScope = { ...plain, hasItem: true };
  const scope = (hasItem: boolean): ReferenceScope => (hasItem ? withItem : plain);
  const steps = named.map(({ head, others }): Step => {
    const options = readStepOptions(head.options, { scope, analysis });
    const action = actionOf(head, {
      scope: scope(options.forEach !== undefined),
      hasFallback: options.hasFallback,
      analysis,
    });
    // The problem is reported; other steps can still wait for this one.
    const done: StepAction = action.main ?? { kind: "command", commands: [] };
    const { hasFallback: _flag, provider, leaves, optional, ...fields } = options;
    if (provider !== undefined && action.main && !takesProvider(done))
      analysis.error("malformed-option", "`provider` is an option of `prompt` steps", { at: head.kind.span });
    if (options.forEach?.isQueued && action.main) checkQueued(head, { action: done, provider, analysis });
    const main = withPlatforms(
      withNames(withProvider(done, provider), { leaves, optional, head, analysis }),
      head,
      others.map((other) => ({
        head: other,
        ...actionOf(other, { scope: scope(options.forEach !== undefined), hasFallback: false, analysis }),
      })),
    );
    return {
      name: { value: head.name.text, span: head.name.span },
      action: main,
      ...fields,
      ...(action.fallback ? { fallback: action.fallback } : {}),
    };
  });
  checkLeft(steps, declarations, analysis);
  checkReserved(plain, steps, analysis);
  const output = readOutput(analysis, scope(false));
  return { steps, cleanup: readCleanup(analysis, scope(false)), ...(output ? { output } : {}) };
}

interface QueuedParts {
  readonly action: StepAction;
  readonly provider: string | undefined;
  readonly analysis: Analysis;
}

/** Reports what a worker cannot do. */
function checkQueued({ kind }: StepHead, { action, provider, analysis }: QueuedParts): void {
  if (action.kind !== "tool")
    analysis.error("malformed-option", "`on=queue` is an option of `uses` steps", {
      at: kind.span,
      help: ["workers run tools that they have: make a tool of the step, and use it here"],
    });
  else if (provider !== undefined)
    analysis.error("malformed-option", "`provider` has no effect with `on=queue`", {
      at: kind.span,
      help: ["the worker chooses the model"],
    });
}

type AskingAction = Extract<StepAction, { readonly kind: "prompt" | "tool" }>;

function takesProvider(action: StepAction): action is AskingAction {
  return action.kind === "prompt" || action.kind === "tool";
}

function withProvider(action: StepAction, provider: string | undefined): StepAction {
  return provider !== undefined && takesProvider(action) ? { ...action, provider } : action;
}

/** Reports a variable of a code step whose name is already used. */
function checkLeft(steps: readonly Step[], declarations: readonly Declaration[], analysis: Analysis): void {
  const seen = new Set([
    ...declarations.map(({ parameter }) => parameter.name),
    ...steps.map(({ name }) => name.value),
  ]);
  for (const { value, span } of steps.flatMap((step) => outputNames(step).slice(1))) {
    if (seen.has(value))
      analysis.error("duplicate-step", `the name \`${value}\` is already used in this tool`, {
        at: span,
        help: ["give the variable another name, so that `{NAME}` is unambiguous"],
      });
    seen.add(value);
  }
}

interface NamedParts {
  readonly leaves: readonly MappedText[] | undefined;
  readonly optional: readonly MappedText[] | undefined;
  readonly head: StepHead;
  readonly analysis: Analysis;
}

/** Adds the variables of a code step, and the optional arguments of a `uses` step. */
function withNames(action: StepAction, { leaves, optional, head, analysis }: NamedParts): StepAction {
  if (leaves && action.kind !== "code")
    analysis.error("malformed-option", "`leaves` is an option of `code` and `python` steps", {
      at: head.kind.span,
    });
  if (optional && action.kind !== "tool")
    analysis.error("malformed-option", "`optional` is an option of `uses` steps", { at: head.kind.span });
  const [first] = leaves ?? [];
  if (first && first.text !== head.name.text)
    analysis.error(
      "malformed-option",
      `the first variable that a step leaves must have the name of the step, \`${head.name.text}\``,
      { at: first.span },
    );
  if (leaves && action.kind === "code")
    return { ...action, leaves: leaves.map(({ text, span }) => ({ value: text, span })) };
  if (!optional || action.kind !== "tool") return action;
  for (const { text, span } of optional)
    if (!action.arguments.some(({ parameter }) => parameter.value === text))
      analysis.error("malformed-option", `the step does not give an argument \`${text}\``, { at: span });
  return {
    ...action,
    arguments: action.arguments.map((preset) =>
      optional.some(({ text }) => text === preset.parameter.value) ? { ...preset, isOptional: true } : preset,
    ),
  };
}

/** Returns the action with the commands of all platforms. */
function withPlatforms(
  main: StepAction,
  head: StepHead,
  others: readonly { readonly head: StepHead; readonly main?: StepAction }[],
): StepAction {
  if (main.kind !== "command") return main;
  const commands = [{ head, main }, ...others].flatMap(({ head: { platform }, main: one }) =>
    one?.kind === "command"
      ? one.commands.map(({ command }) => (platform === undefined ? { command } : { platform, command }))
      : [],
  );
  return { ...main, commands };
}

interface ActionOptions {
  readonly scope: ReferenceScope;
  readonly hasFallback: boolean;
  readonly analysis: Analysis;
}

interface Actions {
  readonly main?: StepAction;
  readonly fallback?: StepAction;
}

function actionOf(head: StepHead, options: ActionOptions): Actions {
  const { analysis } = options;
  const { annotation, kind } = head;
  if (!stepKinds.includes(kind.text) && !head.tool) return unknownKind(head, analysis);
  if (!annotation.body) {
    // A tool may need no arguments.
    if (head.tool) return { main: toolAction(head.tool, []) };
    analysis.error("malformed-annotation", `the step \`${head.name.text}\` is empty`, {
      at: annotation.span,
      help: ["write what it does on the lines below, indented deeper than `@step`"],
    });
    return {};
  }
  const {
    main,
    fallback,
    kind: other,
    provider,
  } = options.hasFallback ? splitFallback(head, annotation.body, analysis) : { main: annotation.body };
  const action = main ? bodyAction(head, main, options) : fallback && head.tool ? toolAction(head.tool, []) : undefined;
  if (other && !stepKinds.includes(other.kind.text) && !other.tool) return unknownKind({ ...head, ...other }, analysis);
  const instead = fallback && bodyAction(other ?? head, fallback, options);
  checkStepLines(
    head,
    [
      [main, head],
      [fallback, other ?? head],
    ] as const,
    analysis,
  );
  if (provider && instead && !takesProvider(instead))
    analysis.error("malformed-option", "`provider` is an option of `prompt` steps", { at: provider.span });
  return {
    ...(action ? { main: action } : {}),
    ...(instead ? { fallback: withProvider(instead, provider?.text) } : {}),
  };
}

function toolAction(tool: MappedText, presets: readonly Preset[]): StepAction {
  return { kind: "tool", tool: { value: tool.text, span: tool.span }, arguments: presets };
}

function bodyAction(
  head: Pick<StepHead, "kind" | "tool">,
  body: MappedText,
  { scope, analysis }: ActionOptions,
): StepAction | undefined {
  if (head.tool) return toolAction(head.tool, readArguments(body, analysis));
  if (head.kind.text === "code" || head.kind.text === "python")
    return {
      kind: "code",
      language: head.kind.text === "code" ? "javascript" : "python",
      code: { value: body.text, span: body.span },
    };
  if (head.kind.text === "prompt") {
    const prompt = readTemplate(body, scope, analysis);
    return prompt && { kind: "prompt", prompt };
  }
  const commands = readStepCommand(body, head.kind.text === "runs" ? "none" : (head.kind.text as Shell), {
    scope,
    analysis,
  });
  return commands && { kind: "command", commands };
}

function readStepCommand(
  body: MappedText,
  shell: Shell | "none",
  { scope, analysis }: { readonly scope: ReferenceScope; readonly analysis: Analysis },
): readonly PlatformCommand[] | undefined {
  const environment = declaredEnvironment(analysis);
  const { value, diagnostics } = parseReferringCommand(body, shell, { scope, environment });
  analysis.add(diagnostics.map(asStep));
  return value && [{ command: value }];
}

/** Replaces help about `@command` by help for a step. */
function asStep(diagnostic: Diagnostic): Diagnostic {
  if (diagnostic.code === "secret-in-words")
    return { ...diagnostic, help: diagnostic.help.map((line) => line.replace(/`@stdin (.*)`/, '`[stdin="$1"]`')) };
  if (diagnostic.code !== "needs-shell" && diagnostic.code !== "other-interpreter") return diagnostic;
  const { fix: _fix, ...rest } = diagnostic;
  if (diagnostic.code === "other-interpreter")
    return {
      ...rest,
      help: rest.help.map((line) => line.replace("leave out the shell", "write `runs` as the kind of the step")),
    };
  return { ...rest, help: ["change the kind of the step from `runs` to `sh`"] };
}

/** Reads `PARAM = template` lines; a deeper line continues the one above. */
function readArguments(body: MappedText, analysis: Analysis): readonly Preset[] {
  const presets: Preset[] = [];
  for (const lines of logicalLines(body)) {
    const { part } = matchRuleWithRest("assignment", lines, { words: 2, hasBrackets: false });
    const name = part && partOf(part, "target")?.text;
    const text = part && partOf(part, "assigned")?.text;
    if (isStepOptionLine(lines.text)) continue;
    if (!name || !text)
      analysis.error("malformed-annotation", "the arguments of a tool are written as `PARAM = template`", {
        at: lines.span,
        label: "expected a name, `=` and a value",
      });
    else if (presets.some((known) => known.parameter.value === name.text))
      analysis.error("duplicate-annotation", `\`${name.text}\` is set twice`, { at: name.span });
    else
      presets.push({
        parameter: { value: name.text, span: name.span },
        text: { value: withoutNeedlessQuotes(text.text), span: text.span },
      });
  }
  return presets;
}

/** `"two words"` is `two words`. */
function withoutNeedlessQuotes(text: string): string {
  const plain = withoutQuotes(text);
  return plain === text ? text : presetText(plain);
}

function logicalLines(body: MappedText): readonly MappedText[] {
  const lines: MappedText[] = [];
  for (let start = 0; start <= body.text.length; ) {
    const newline = body.text.indexOf("\n", start);
    const end = newline === -1 ? body.text.length : newline;
    const line = sliced(body, start, end);
    const last = lines.at(-1);
    if (/^[ \t]/.test(line.text) && last) lines[lines.length - 1] = stacked(last, trimmed(line));
    else if (line.text.trim() !== "") lines.push(trimmed(line));
    start = end + 1;
  }
  return lines;
}

interface SplitBody {
  readonly main?: MappedText;
  readonly fallback?: MappedText;
  /** The kind after `fallback:`. The default is that of the step. */
  readonly kind?: StepKind;
  /** The provider in brackets after the kind. */
  readonly provider?: MappedText;
}

/** Splits the body at a line `fallback:`, which may have a kind after it and has deeper lines below it. */
function splitFallback({ annotation, tool }: StepHead, body: MappedText, analysis: Analysis): SplitBody {
  const found = /^fallback:([^\n]*)$/m.exec(body.text);
  const rest = found ? sliced(body, Math.min(body.text.length, found.index + found[0].length + 1)) : undefined;
  const line = found && sliced(body, found.index + "fallback:".length, found.index + found[0].length);
  const asked = line && /\[provider=([A-Za-z0-9_-]+)\][ \t]*$/.exec(line.text);
  const provider =
    asked?.[1] === undefined || !line
      ? undefined
      : sliced(line, asked.index + "[provider=".length, asked.index + "[provider=".length + asked[1].length);
  const behind = line && trimmed(sliced(line, 0, asked?.index));
  const kind = behind && behind.text !== "" ? readKind(behind, analysis) : undefined;
  // A tool may need no arguments.
  if (!found || !rest || (found.index === 0 && !tool) || (rest.text.trim() === "" && !(kind ?? { tool }).tool)) {
    analysis.error(
      "malformed-annotation",
      "the option `fallback` needs a line `fallback:` below the body, and the fallback indented below that line",
      { at: annotation.keywordSpan },
    );
    return {};
  }
  return {
    ...(found.index === 0 ? {} : { main: sliced(body, 0, found.index - 1) }),
    fallback: dedented(rest),
    ...(kind ? { kind } : {}),
    ...(provider ? { provider } : {}),
  };
}

function readKind(text: MappedText, analysis: Analysis): StepKind | undefined {
  const { part, problem } = matchRule("cleanupStep", text);
  if (problem)
    analysis.unreadable(
      "malformed-annotation",
      "expected a kind of step after `fallback:`, such as `bash` or `uses TOOL`",
      problem,
    );
  return part && kindOfPart(part);
}

function dedented(text: MappedText): MappedText {
  const indent = /^[ \t]*/.exec(text.text)?.[0] ?? "";
  if (indent === "") return text;
  const kept: number[] = [];
  let plain = "";
  for (let at = 0; at < text.text.length; ) {
    if ((at === 0 || text.text[at - 1] === "\n") && text.text.startsWith(indent, at)) at += indent.length;
    kept.push(at);
    plain += text.text[at] ?? "";
    at++;
  }
  return {
    text: plain,
    span: text.span,
    offsetAt: (index) => (index < kept.length ? text.offsetAt(kept[index] ?? 0) : text.span.end),
  };
}

function readCleanup(analysis: Analysis, scope: ReferenceScope): readonly Step[] {
  return analysis.all("cleanup").flatMap((annotation, index): Step[] => {
    const part = analysis.read(annotation, "cleanupStep");
    const kind = part && kindOfPart(part);
    if (!kind) return [];
    const name = sliced(annotation.text, 0, 0);
    const head: StepHead = { annotation, name: { ...name, text: "cleanup" }, ...kind, options: [] };
    const { main } = actionOf(head, { scope, hasFallback: false, analysis });
    const span = annotation.keywordSpan;
    return main
      ? [
          {
            name: { value: index === 0 ? "cleanup" : `cleanup-${index + 1}`, span },
            action: main,
            ...plainStep,
            continuesOnError: true,
          },
        ]
      : [];
  });
}

function readOutput(analysis: Analysis, scope: ReferenceScope): Template | undefined {
  const annotation = analysis.first("output");
  if (!annotation) return undefined;
  const { text, body } = annotation;
  if (text.text === "" && !body)
    return void analysis.error("malformed-annotation", "`@output` is empty", {
      at: annotation.keywordSpan,
      label: "expected text with `{STEP}`",
    });
  return readTemplate(body ? (text.text === "" ? body : stacked(text, body)) : text, scope, analysis);
}

function unknownKind({ kind }: Pick<StepHead, "kind">, analysis: Analysis): Actions {
  analysis.unknown("malformed-annotation", `unknown step kind \`${kind.text.slice(0, 64)}\``, {
    at: kind.span,
    meant: nearestOf(kind.text, stepKinds),
    help: [`the kinds are ${stepKinds.join(", ")}; another tool is called with \`uses TOOL\``],
  });
  return {};
}
