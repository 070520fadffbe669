// `steps`: each a command or the use of another tool, with its options.
import type { Shell } from "../../../core/tool/command.ts";
import { concurrencyText, QUEUED_CONCURRENCY, type Step, plainStep, type StepAction } from "../../../core/tool/step.ts";
import { CONCURRENCY_MAX, QUEUED_CONCURRENCY_MAX } from "../../../core/language/kinds/step-options.ts";
import type { DeclaredEnvironment } from "../../../core/language/kinds/command-problems.ts";
import type { Declaration } from "../../../core/language/syntax/ast.ts";
import type { ReferenceScope } from "../../../core/language/syntax/references.ts";
import { checkReserved } from "../../../core/language/syntax/reserved-references.ts";
import { commandSource, templateText } from "../../../core/language/write/command-text.ts";
import type { Fields } from "../fields.ts";
import { checkUnique, isName } from "../names.ts";
import { entryOf, isText, type YamlNode } from "../node.ts";
import {
  type ActionKey,
  actionRecord,
  checkCompanions,
  onlyCommand,
  readAction,
  readAnyAction,
  toolAction,
} from "./actions.ts";
import { readTemplateText, type TemplateContext } from "../template-text.ts";
import { blockText, merged, type YamlRecord } from "../yaml-data.ts";
import { readCommand } from "./command.ts";
import { commandKeys } from "./command-keys.ts";
import { stepKeys } from "./step-keys.ts";
import { EXTENSION } from "../described-keys.ts";

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

export function readSteps(
  tool: Fields,
  parameters: readonly Declaration[],
  environment: DeclaredEnvironment,
): ReadSteps {
  const { findings } = tool;
  const value = tool.entry("steps")?.value;
  if (value && (value.kind !== "list" || value.items.length === 0)) tool.wrong(value, "steps", "a list of steps");
  const items = value?.kind === "list" ? value.items : [];
  const named = items.flatMap((item, index) => namedStep(asStep(item), `step-${index + 1}`, tool));
  checkUnique(
    named.map(({ name }) => name),
    {
      parameters,
      message: (name, isParameter) =>
        `the name \`${name}\` is already used by ${isParameter ? "a parameter" : "another step"}`,
      help: () => "give the step another name, so that `{NAME}` is unambiguous",
    },
    findings,
  );
  const scope: ReferenceScope = { parameters, steps: named.flatMap(outputsOf), hasItem: false };
  const context = { scope, findings, environment };
  const steps = named.map((step) => readStep(step, context));
  checkReserved(scope, steps, findings);
  return { scope, steps };
}

/** A text is a line for bash. */
function asStep(item: YamlNode): YamlNode {
  if (item.kind !== "scalar" || typeof item.value !== "string") return item;
  return { kind: "map", entries: [{ key: "bash", keySpan: item.span, value: item }], span: item.span };
}

/** Reads the name. Without one, the step is called by its place. */
function namedStep(item: YamlNode, place: string, tool: Fields): readonly NamedStep[] {
  const fields = tool.fieldsOf(item, "steps", stepKeys);
  if (!fields) return [];
  const name = fields.text("name");
  if (!name) return fields.has("name") ? [] : [{ fields, name: { value: place, span: fields.start } }];
  return isName("step name", name, tool.findings) ? [{ fields, name: { value: name.text, span: name.span } }] : [];
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

function readStep({ fields, name }: NamedStep, around: TemplateContext): Step {
  const more = fields.fields(EXTENSION);
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
    more.refuse(moreKey, `a step has one action, and this has \`${key}\` and \`${moreKey}\``, {
      beside: fields.place(key),
      help: ["split it into two steps"],
    });
  if (key === undefined && moreKey === undefined)
    fields.findings.error("empty-command", `the step \`${name.value}\` is empty`, {
      at: name.span,
      help: ["add `bash:` with a command, or `use-tool:` with the name of a tool"],
    });
  const forEach = more && readForEach(more, around);
  const context: TemplateContext = forEach ? { ...around, scope: { ...around.scope, hasItem: true } } : around;
  const action =
    key === undefined
      ? more && moreKey
        ? readAction(more, moreKey, context)
        : undefined
      : key === "use-tool"
        ? toolAction(fields, more, context)
        : readAction(fields, key, context);
  if (more && forEach?.isQueued && action) checkQueued(more, action);
  const fallback = readFallback(fields, more, { action, context });
  checkOutput(fields.fields("output"));
  return {
    name,
    ...plainStep,
    ...stepKeys.read(fields, context),
    ...(fallback ? { fallback } : {}),
    ...(forEach ? { forEach } : {}),
    // The problem is reported; other steps can still wait for this one.
    action: action ?? { kind: "command", commands: [] },
  };
}

function readForEach(fields: Fields, context: TemplateContext): Step["forEach"] {
  const text = fields.text("for-each");
  const items = text && readTemplateText(text, context);
  const isQueued = fields.choice("on", ["queue"]) === "queue";
  const most = isQueued ? QUEUED_CONCURRENCY_MAX : CONCURRENCY_MAX;
  const concurrency = fields.number("concurrency", { least: 1, most, isWhole: true });
  if (!fields.has("for-each"))
    fields.refuse(["concurrency", "on"], (key) => `\`${key}\` has no effect without \`for-each\``);
  if (text && items?.parts.every((part) => typeof part === "string"))
    fields.findings.error("wrong-value", "`for-each` must name a list, such as `{FILES}`", { at: text.span });
  if (items && isQueued) return { items, concurrency: concurrency ?? QUEUED_CONCURRENCY, isQueued };
  return items && { items, concurrency: concurrency ?? 1 };
}

/** Reports what a worker cannot do. */
function checkQueued(fields: Fields, action: StepAction): void {
  if (action.kind !== "tool")
    fields.refuse("on", "`on: queue` needs `use-tool`", {
      help: ["workers run tools that they have: make a tool of the step, and use it here"],
    });
  else if (action.provider !== undefined)
    fields.refuse("provider", "`provider` has no effect with `on: queue`", {
      help: ["the worker chooses the model"],
    });
}

interface Handling {
  readonly action: StepAction | undefined;
  readonly context: TemplateContext;
}

function readFallback(owner: Fields, more: Fields | undefined, { action, context }: Handling): StepAction | undefined {
  const fields = owner.fields("error-handling");
  if (!fields?.has("retry")) more?.refuse("backoff", "`backoff` has no effect without `retry`");
  const text = fields?.text("fallback");
  // A fallback of a tool's step is still a command.
  const command = text && readCommand(text, shellOf(action), context);
  const other = more?.fields("fallback");
  if (other && text) more?.refuse("fallback", "a step can have only one fallback", { beside: text.span });
  const said = ["a fallback has one action, and this has", "this fallback is empty"] as const;
  const instead = more && other && readAnyAction(other, [...said, more.place("fallback")], context);
  return command ? { kind: "command", commands: [{ command }] } : instead;
}

export function shellOf(action: StepAction | undefined): Shell | "none" {
  const command = action?.kind === "command" ? action.commands[0]?.command : undefined;
  return command?.kind === "direct" ? "none" : (command?.shell ?? "bash");
}

/** Checks `stream-callback`: a stream always goes to the caller, a terminal or a program. */
function checkOutput(fields: Fields | undefined): void {
  if (fields?.choice("stream-callback", ["console"]) && !isText(fields.entry("mode")?.value, "stream"))
    fields.refuse("stream-callback", "`stream-callback` needs `mode: stream`");
}

/** Returns a step, with the action in the keys for it. */
export function stepRecord(step: Step): YamlRecord {
  const { name, action, fallback, forEach } = step;
  return merged([
    { name: name.value },
    stepKeys.write(step),
    actionRecord(action, { isStep: true }),
    fallback && fallbackRecord(action, fallback),
    forEach && {
      [EXTENSION]: {
        "for-each": templateText(forEach.items),
        on: forEach.isQueued ? "queue" : undefined,
        concurrency: concurrencyText(forEach) === undefined ? undefined : forEach.concurrency,
      },
    },
  ]);
}

function fallbackRecord(action: StepAction, fallback: StepAction): YamlRecord {
  const only = onlyCommand(fallback);
  return only && shellOf(fallback) === shellOf(action)
    ? { "error-handling": { fallback: blockText(commandSource(only, { hasReferences: true })) } }
    : { [EXTENSION]: { fallback: actionRecord(fallback) } };
}
