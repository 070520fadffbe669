// The effects of a prepared call, as data. Pure except for the names of the environment.
import { templateText } from "../../core/language/write/command-text.ts";
import { decisionsOf, type CallerDecision } from "./decisions.ts";
import type { Binding } from "../../core/run/call-facts.ts";
import { mayHaveTerminal } from "../../core/run/may-have-terminal.ts";
import type { Session } from "../../core/run/session.ts";
import type { JsonObject } from "../../core/schema/json.ts";
import { positionOf } from "../../core/text/source.ts";
import type { Expansion } from "../../core/tool/call.ts";
import { actionsOf, type Effect, hidesVariables, type ToolDefinition } from "../../core/tool/definition.ts";
import { isUnapproved, type PreparedCall, type Tool } from "../../core/tool/tool.ts";
import { hasSecrets, maskedArguments } from "../../core/schema/secrets.ts";
import { engineOf } from "../confinement/sandbox-support.ts";
import { type Confinement, pythonConfinement, type SandboxLevel } from "../../core/tool/confinement.ts";
import type { Failure } from "../../core/tool/failure.ts";
import { limitsOf } from "../../core/run/limits.ts";
import { limitFacts } from "../../cli/view/limits-text.ts";
import { type ProcessPlan, processPlan } from "./explain-process.ts";
import { withDefaults } from "../../core/policy/call-views.ts";
import { runReasons } from "../../cli/view/run-reasons.ts";
import type { ShownPrompt } from "../../core/session/prompts.ts";
import { explainSteps, type StepExplanation } from "./explain-steps.ts";

export interface Explanation {
  readonly tool: string;
  /** `path:line`; empty for base tools. */
  readonly place: string;
  readonly arguments: JsonObject;
  /** The call of the base tool that it ends in. */
  readonly base: Expansion;
  readonly process?: ProcessPlan;
  /** Present if a person's call at a terminal gives that terminal to the process. */
  readonly getsTerminal?: true;
  /** The steps of a tool of several steps, in the order written, cleanup last. */
  readonly steps?: readonly StepExplanation[];
  /** The output of the steps, as written; absent: the output of the last step. */
  readonly output?: string;
  /** The provider that answers the prompts of all steps: `--provider`. */
  readonly provider?: string;
  /** Present if `--show-prompt` asks for them. */
  readonly prompts?: readonly ShownPrompt[];
  /** The value of `--output-file`, as written. */
  readonly outputFile?: string;
  /** Absolute: where the call would run. */
  readonly folder: string;
  /** Empty: unknown. */
  readonly effects: readonly Effect[];
  /** Why it counts as a tool that runs programs, if its commands do not show it. */
  readonly mayRun?: readonly string[];
  readonly limits: JsonObject;
  /** The level that its commands run at. */
  readonly sandbox: SandboxLevel;
  /** What they may reach, at the levels `strict` and `custom`. */
  readonly reaches?: Pick<Confinement, "folder" | "writes" | "reads" | "hosts">;
  /** What would hold that, as far as can be told without running a program. */
  readonly engine?: string;
  /** What the Python of its steps may reach, at `strict`, where its commands are not in the sandbox. */
  readonly python?: Explanation["reaches"];
  /** Why the call would be refused for want of that sandbox. */
  readonly noSandbox?: Failure;
  /** The decision for each caller; the first is the person. */
  readonly decisions: readonly CallerDecision[];
  /** If a person is asked: what an answer "always" covers. */
  readonly always?: Binding;
}

/** Whether nothing confines its processes, which then get the environment of a person who calls. */
function isFree(tool: Tool): boolean {
  return tool.definition.security === undefined && !isUnapproved(tool);
}

export async function explainCall(
  { call, tool, arguments: args }: PreparedCall,
  session: Session,
): Promise<Explanation> {
  // Masked before anything is made of them, so that no part of a secret can show up elsewhere.
  const shown = maskedArguments(args, tool.parameters);
  const expanded = tool.expand?.(shown) ?? { tool: call.tool, arguments: shown };
  // A value in the definition may be a secret too.
  const base = {
    ...expanded,
    arguments: maskedArguments(expanded.arguments, session.registry.find(expanded.tool)?.parameters ?? []),
  };
  const { limits } = tool.definition;
  const mayRun = runReasons(tool.definition);
  const below = tool.outline ? undefined : session.registry.find(base.tool);
  const steps =
    explainSteps(tool, shown, session) ??
    (below?.outline ? explainSteps(below, withDefaults(below, base.arguments), session) : undefined);
  const process =
    base.tool === "run_command" ? processPlan(base.arguments, session, isFree(tool) ? tool : undefined) : undefined;
  const decisions = await decisionsOf({ call, tool, arguments: args }, session);
  const isAsked = decisions.some(({ decision }) => decision === "ask");
  return {
    tool: call.tool,
    place: placeOf(tool),
    arguments: shown,
    base,
    ...(process ? { process } : {}),
    ...(process && getsTerminal(tool, process) ? { getsTerminal: true as const } : {}),
    ...(steps ? { steps } : {}),
    ...(tool.definition.kind === "steps" && tool.definition.output
      ? { output: templateText(tool.definition.output) }
      : {}),
    ...(session.provider === undefined ? {} : { provider: session.provider }),
    folder: session.cwd,
    effects: tool.effects,
    ...(mayRun.length === 0 ? {} : { mayRun }),
    limits: limitFacts(limits),
    ...(await sandboxOf({ call, tool, arguments: args }, session)),
    decisions,
    ...(isAsked ? { always: await bindingOf({ call, tool, arguments: args }, session) } : {}),
  };
}

/** As core/run/call-tool.ts decides it. */
async function sandboxOf(
  prepared: PreparedCall,
  session: Session,
): Promise<Pick<Explanation, "sandbox" | "reaches" | "engine" | "python" | "noSandbox">> {
  const { limits, security } = prepared.tool.definition;
  const { memoryBytesMax, cpuMsMax, processesMax } = limits;
  const plain = [memoryBytesMax, cpuMsMax, processesMax].every((one) => one === undefined) ? "none" : "limits";
  if (!security && !isUnapproved(prepared.tool) && (!prepared.tool.runsProcess || !(await session.sandboxSettings?.())))
    return { sandbox: plain, ...pythonOf(prepared.tool.definition, session) };
  const { confine } = await import("../confinement/confine.ts");
  const { level, confinement, failure } = await confine(prepared, limitsOf(limits), { session, parent: undefined });
  if (failure) return { sandbox: level, noSandbox: failure };
  if (!confinement)
    return { sandbox: level === "none" ? plain : level, ...pythonOf(prepared.tool.definition, session) };
  const engine = level === "custom" ? "by the words of your settings" : engineOf(session.host);
  return { sandbox: level, reaches: reachOf(confinement), engine };
}

function pythonOf(definition: ToolDefinition, { cwd, host }: Session): Pick<Explanation, "python" | "engine"> {
  const hasPython =
    definition.kind === "steps" &&
    actionsOf(definition).some((action) => action.kind === "code" && action.language === "python");
  const confinement = hasPython ? pythonConfinement(definition, cwd) : undefined;
  return confinement ? { python: reachOf(confinement), engine: engineOf(host) } : {};
}

function reachOf({ folder, writes, reads, hosts }: Confinement): NonNullable<Explanation["reaches"]> {
  return { folder, writes, reads, hosts };
}

/** As core/run/call-tool.ts and core/base/run-command.ts decide it when the tool runs. */
function getsTerminal(tool: Tool, { stdin, interactive }: ProcessPlan): boolean {
  const { definition, parameters } = tool;
  const isSecret = hasSecrets(parameters) || (definition.kind === "wrapped" && hidesVariables(definition.surroundings));
  const isTriedAgain =
    definition.limits.retries !== undefined || (definition.kind === "wrapped" && definition.fallback !== undefined);
  return stdin === undefined && !interactive && !isSecret && !isTriedAgain && mayHaveTerminal(tool);
}

async function bindingOf(call: PreparedCall, session: Session): Promise<Binding> {
  const { contentOf } = await import("../../core/policy/content.ts");
  const { subjectOf } = await import("../../core/policy/approvals.ts");
  const { runsItsArguments } = await import("../../core/policy/deciding-arguments.ts");
  const { project, arguments: named } = subjectOf(call, { ...session, frontEnd: "person" });
  const { files, rest } = contentOf(call, session);
  const deciding = named === undefined || runsItsArguments(call.tool) ? undefined : Object.keys(named);
  return { project, ...(deciding ? { deciding } : {}), files, rest };
}

/** `path:line`; empty for base tools. */
export function placeOf({ definition }: Tool): string {
  const { origin, name } = definition;
  switch (origin.kind) {
    case "base":
      return "";
    case "plugin":
      return origin.path;
    case "forged":
      return "(forged)";
    case "file":
      return `${origin.source.path}:${positionOf(name.span.source, name.span.start).line}`;
  }
}
