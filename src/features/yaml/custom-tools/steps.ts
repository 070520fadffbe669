// `steps`: each a command or the use of another tool, with its options.
import type { Shell } from "../../../core/tool/command.ts";
import { QUEUED_CONCURRENCY, type Step, STEP_OUTPUT_BYTES_MAX, type StepAction } from "../../../core/tool/step.ts";
import { ATTEMPTS_MAX, sizeBytes } from "../../../core/language/fields/limits.ts";
import { CONCURRENCY_MAX, QUEUED_CONCURRENCY_MAX } from "../../../core/language/kinds/step-options.ts";
import type { Declaration } from "../../../core/language/syntax/ast.ts";
import { conditionReferences, parseCondition } from "../../../core/language/syntax/condition.ts";
import { type ReferenceScope, unknownReference } from "../../../core/language/syntax/references.ts";
import { checkReserved } from "../../../core/language/syntax/reserved-references.ts";
import type { Fields } from "../fields.ts";
import { entryOf, type YamlNode } from "../node.ts";
import { type ActionKey, checkCompanions, readAction, toolAction } from "./actions.ts";
import { type CommandContext, readCommand, readTemplateText } from "./command.ts";
import { actionKeys, actionKinds, commandKeys, stepExtensionKeys } from "./extension-keys.ts";
import { errorHandlingKeys, EXTENSION, outputKeys, retryKeys, stepKeys } from "./keys.ts";
import { readDuration } from "./resources.ts";

const NAME = /^[A-Za-z_][A-Za-z0-9_-]*$/;
const DELAY_MS_MAX = 3_600_000;

/** A step whose keys are known, and whose name other steps may refer to. */
interface NamedStep {
  readonly fields: Fields;
  readonly name: { readonly value: string; readonly span: Declaration["span"] };
}

export interface ReadSteps {
  readonly steps: readonly Step[];
  /** The scope of templates beside the steps. */
  readonly scope: ReferenceScope;
}

export function readSteps(tool: Fields, parameters: readonly Declaration[]): ReadSteps {
  const { findings } = tool;
  const value = tool.entry("steps")?.value;
  if (value && (value.kind !== "list" || value.items.length === 0)) tool.wrong(value, "steps", "a list of steps");
  const named = value?.kind === "list" ? value.items.flatMap((item) => namedStep(item, tool)) : [];
  checkNames(named, parameters);
  const scope: ReferenceScope = { parameters, steps: named.flatMap(outputsOf), hasItem: false };
  const context = { scope, findings };
  const steps = named.map((step) => readStep(step, context));
  checkReserved(scope, steps, findings);
  return { scope, steps };
}

function namedStep(item: YamlNode, tool: Fields): readonly NamedStep[] {
  const fields = tool.fieldsOf(item, "steps", stepKeys);
  if (!fields) return [];
  const name = fields.text("name");
  if (!name) {
    if (!fields.has("name"))
      tool.findings.error("missing-name", "this step has no name", {
        at: { ...item.span, end: Math.min(item.span.end, item.span.start + 1) },
        help: ["add `name:`, so that other steps can read its output"],
      });
    return [];
  }
  if (NAME.test(name.text)) return [{ fields, name: { value: name.text, span: name.span } }];
  tool.findings.error("invalid-name", `\`${name.text.slice(0, 64)}\` is not a valid step name`, {
    at: name.span,
    help: ["a name has letters, digits, `_` and `-`, and begins with a letter or `_`"],
  });
  return [];
}

/** Returns the names by which other steps read the step's output. */
function outputsOf({ fields, name }: NamedStep): ReferenceScope["steps"] {
  const more = fields.entry(EXTENSION)?.value;
  const leaves = more?.kind === "map" ? entryOf(more, "leaves")?.value : undefined;
  const others =
    leaves?.kind === "list"
      ? leaves.items.flatMap((item) =>
          item.kind === "scalar" && item.text.text !== name.value ? [{ name: item.text.text, span: item.span }] : [],
        )
      : [];
  return [{ name: name.value, span: name.span }, ...others];
}

function checkNames(named: readonly NamedStep[], parameters: readonly Declaration[]): void {
  const seen = new Map<string, Declaration["span"]>(parameters.map(({ parameter, span }) => [parameter.name, span]));
  for (const { name, fields } of named) {
    const known = seen.get(name.value);
    if (!known) seen.set(name.value, name.span);
    else
      fields.findings.error(
        "duplicate-step",
        `the name \`${name.value}\` is already used by ${parameters.some(({ parameter }) => parameter.name === name.value) ? "a parameter" : "another step"}`,
        {
          at: name.span,
          related: [{ span: known, text: "first used here" }],
          help: ["give the step another name, so that `{NAME}` is unambiguous"],
        },
      );
  }
}

function readStep({ fields, name }: NamedStep, around: CommandContext): Step {
  const more = fields.fields(EXTENSION, stepExtensionKeys);
  const key = fields.oneOf(
    [...commandKeys, "use-tool"],
    (first, other) => `a step has one action, and this has \`${first}\` and \`${other}\``,
    ["split it into two steps"],
  ) as ActionKey | undefined;
  const moreKey = more?.oneOf(
    ["commands", "prompt", "javascript", "python"],
    (first, other) => `a step has one action, and this has \`${first}\` and \`${other}\``,
    ["split it into two steps"],
  ) as ActionKey | undefined;
  checkCompanions(fields, key);
  if (more) checkCompanions(more, moreKey ?? (key === "use-tool" ? key : undefined));
  if (more && key !== undefined && moreKey !== undefined)
    fields.findings.error("conflicting-keys", `a step has one action, and this has \`${key}\` and \`${moreKey}\``, {
      at: more.place(moreKey),
      related: [{ span: fields.place(key), text: "" }],
      help: ["split it into two steps"],
    });
  if (key === undefined && moreKey === undefined)
    fields.findings.error("empty-command", `the step \`${name.value}\` is empty`, {
      at: name.span,
      help: ["add `bash:` with a command, or `use-tool:` with the name of a tool"],
    });
  const forEach = more && readForEach(more, around);
  const context: CommandContext = forEach ? { ...around, scope: { ...around.scope, hasItem: true } } : around;
  const action =
    key === undefined
      ? more && moreKey
        ? readAction(more, moreKey, context)
        : undefined
      : key === "use-tool"
        ? toolAction(fields, more, context)
        : readAction(fields, key, context);
  const when = readCondition(fields, context);
  if (more && forEach?.isQueued && action) checkQueued(more, action);
  const handling = readErrorHandling(fields, more, { action, context });
  const output = readOutput(fields);
  const waitsFor = fields.has("wait-for")
    ? fields.words("wait-for").map(({ text, span }) => ({ value: text, span }))
    : undefined;
  const step: Omit<Step, "action"> = {
    name,
    ...(when ? { when } : {}),
    ...(waitsFor ? { waitsFor } : {}),
    isParallel: fields.flag("parallel") ?? false,
    continuesOnError: fields.flag("continue-on-error") ?? false,
    ...handling,
    ...(more ? readStepExtension(more, context) : {}),
    ...(forEach ? { forEach } : {}),
    output,
  };
  // The problem is reported; other steps can still wait for this one.
  return { ...step, action: action ?? { kind: "command", commands: [] } };
}

function readForEach(fields: Fields, context: CommandContext): Step["forEach"] {
  const text = fields.text("for-each");
  const items = text && readTemplateText(text, context);
  const isQueued = fields.choice("on", ["queue"]) === "queue";
  const most = isQueued ? QUEUED_CONCURRENCY_MAX : CONCURRENCY_MAX;
  const concurrency = fields.number("concurrency", { least: 1, most, isWhole: true });
  for (const key of ["concurrency", "on"])
    if (fields.has(key) && !fields.has("for-each"))
      fields.findings.error("conflicting-keys", `\`${key}\` has no effect without \`for-each\``, {
        at: fields.place(key),
      });
  if (text && items?.parts.every((part) => typeof part === "string"))
    fields.findings.error("wrong-value", "`for-each` must name a list, such as `{FILES}`", { at: text.span });
  if (items && isQueued) return { items, concurrency: concurrency ?? QUEUED_CONCURRENCY, isQueued };
  return items && { items, concurrency: concurrency ?? 1 };
}

/** Reports what a worker cannot do. */
function checkQueued(fields: Fields, action: StepAction): void {
  if (action.kind !== "tool")
    fields.findings.error("conflicting-keys", "`on: queue` needs `use-tool`", {
      at: fields.place("on"),
      help: ["workers run tools that they have: make a tool of the step, and use it here"],
    });
  else if (action.provider !== undefined)
    fields.findings.error("conflicting-keys", "`provider` has no effect with `on: queue`", {
      at: fields.place("provider"),
      help: ["the worker chooses the model"],
    });
}

function readStepExtension(
  fields: Fields,
  context: CommandContext,
): Pick<Step, "timeoutMs" | "cacheMs" | "stdin" | "isOnce"> {
  const timeoutMs = readDuration(fields, "timeout");
  const cacheMs = readDuration(fields, "cache");
  const text = fields.text("input");
  const stdin = text && readTemplateText(text, context);
  return {
    ...(fields.flag("once") ? { isOnce: true } : {}),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(stdin ? { stdin } : {}),
    ...(cacheMs === undefined ? {} : { cacheMs }),
  };
}

function readCondition(fields: Fields, { scope, findings }: CommandContext): Step["when"] {
  const text = fields.text("run-condition");
  if (!text) return undefined;
  const { value, diagnostics } = parseCondition(text);
  findings.add([
    ...diagnostics,
    ...conditionReferences(text).flatMap((reference) => unknownReference(reference, scope) ?? []),
  ]);
  return value && { condition: value, span: text.span };
}

interface Handling {
  readonly action: StepAction | undefined;
  readonly context: CommandContext;
}

function readErrorHandling(
  owner: Fields,
  more: Fields | undefined,
  { action, context }: Handling,
): Pick<Step, "retries" | "fallback"> {
  const fields = owner.fields("error-handling", errorHandlingKeys);
  const retry = fields?.fields("retry", retryKeys);
  const attempts = retry?.number("attempts", { least: 1, most: ATTEMPTS_MAX, isWhole: true });
  const delayMs = retry?.number("delay", { least: 0, most: DELAY_MS_MAX, isWhole: true, unit: "milliseconds" });
  const isExponential = more?.choice("backoff", ["none", "exponential"]) === "exponential";
  if (more?.has("backoff") && !retry)
    owner.findings.error("conflicting-keys", "`backoff` has no effect without `retry`", { at: more.place("backoff") });
  if (retry && !retry.has("attempts"))
    retry.findings.error("wrong-value", "`retry` has no `attempts`", {
      at: fields?.place("retry") ?? retry.map.span,
      help: ["add `attempts: 3`"],
    });
  const text = fields?.text("fallback");
  // A fallback of a tool's step is still a command.
  const command = text && readCommand(text, shellOf(action), context);
  const other = more?.fields("fallback", actionKeys);
  const key = other?.oneOf(
    actionKinds,
    (first, second) => `a fallback has one action, and this has \`${first}\` and \`${second}\``,
  ) as ActionKey | undefined;
  if (other) checkCompanions(other, key);
  if (more && other && key === undefined)
    owner.findings.error("empty-command", "this fallback is empty", {
      at: more.place("fallback"),
      help: ["add `bash:` with a command"],
    });
  if (more && other && text)
    owner.findings.error("conflicting-keys", "a step can have only one fallback", {
      at: more.place("fallback"),
      related: [{ span: text.span, text: "" }],
    });
  const fallback: StepAction | undefined = command
    ? { kind: "command", commands: [{ command }] }
    : other && key
      ? readAction(other, key, context)
      : undefined;
  return {
    ...(attempts === undefined ? {} : { retries: { attempts, delayMs: delayMs ?? 0, isExponential } }),
    ...(fallback ? { fallback } : {}),
  };
}

export function shellOf(action: StepAction | undefined): Shell | "none" {
  const command = action?.kind === "command" ? action.commands[0]?.command : undefined;
  return command?.kind === "direct" ? "none" : (command?.shell ?? "bash");
}

function readOutput(owner: Fields): Step["output"] {
  const fields = owner.fields("output", outputKeys);
  const mode = fields?.choice("mode", ["buffer", "stream"]) ?? "buffer";
  const limit = fields?.text("buffer-limit");
  const bytesMax = limit && sizeBytes(limit, owner.findings);
  const callback = fields?.text("stream-callback");
  if (fields && callback) checkCallback(fields, { mode, callback: callback.text });
  return { mode, bytesMax: bytesMax ?? STEP_OUTPUT_BYTES_MAX };
}

/** Checks `stream-callback`: a stream always goes to the caller, a terminal or a program. */
function checkCallback(fields: Fields, { mode, callback }: { readonly mode: string; readonly callback: string }): void {
  const at = fields.entry("stream-callback")?.value.span ?? fields.place("stream-callback");
  if (callback !== "console") {
    const help =
      callback === "file"
        ? ["let the command write the file: `command > output.txt`"]
        : ["remove it: a stream goes to the caller"];
    fields.findings.error("wrong-value", `output cannot be streamed to \`${callback.slice(0, 40)}\``, {
      at,
      label: "expected `console`",
      help,
    });
  } else if (mode !== "stream") {
    fields.findings.error("conflicting-keys", "`stream-callback` needs `mode: stream`", {
      at: fields.place("stream-callback"),
    });
  }
}
