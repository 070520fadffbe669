// What a prepared call comes down to, as data. Pure but for the environment's names.
import { resolve } from "node:path";
import { processEnvironment } from "../base/process-environment.ts";
import { judgeCall } from "../run/judge.ts";
import { limitsOf } from "../run/limits.ts";
import type { Session } from "../run/session.ts";
import { isJsonObject, type Json, type JsonObject } from "../schema/json.ts";
import { positionOf } from "../text/source.ts";
import type { PreparedCall } from "../tool/call.ts";
import type { Effect } from "../tool/definition.ts";
import type { Decision } from "../tool/policy.ts";
import type { Expansion, Tool } from "../tool/tool.ts";
import { maskedArguments } from "../schema/secrets.ts";

export interface Explanation {
  readonly tool: string;
  /** `path:line`; empty for base tools. */
  readonly place: string;
  readonly arguments: JsonObject;
  /** The call of the base tool that it comes down to. */
  readonly base: Expansion;
  readonly process?: ProcessPlan;
  /** Empty: unknown. */
  readonly effects: readonly Effect[];
  readonly limits: JsonObject;
  readonly sandbox: "none" | "limits";
  readonly decision: Decision;
  readonly rules: readonly { readonly name: string; readonly reason: string }[];
}

export interface ProcessPlan {
  readonly argv: readonly string[];
  /** Where `argv` is a shell with a script: its place in `argv`, and the values beside it. */
  readonly script?: { readonly index: number; readonly text: string; readonly values: readonly string[] };
  /** Absolute. */
  readonly cwd: string;
  /** The names of what is passed on as it is here: values may be secrets of other programs. */
  readonly environment: { readonly set: Readonly<Record<string, string>>; readonly passed: readonly string[] };
  readonly stdin?: string;
}

export function explainCall({ call, tool, arguments: args }: PreparedCall, session: Session): Explanation {
  // Masked before anything is made of them, so that no part of a secret can show up elsewhere.
  const shown = maskedArguments(args, tool.parameters);
  const expanded = tool.expand?.(shown) ?? { tool: call.tool, arguments: shown };
  // What a definition itself gives may be a secret too.
  const base = { ...expanded, arguments: maskedArguments(expanded.arguments, session.registry.find(expanded.tool)?.parameters ?? []) };
  const verdict = judgeCall({ call, tool, arguments: args }, session.policy);
  const limits = limitsOf(tool.definition.limits);
  const process = base.tool === "run_command" ? processPlan(base.arguments, session) : undefined;
  return {
    tool: call.tool,
    place: placeOf(tool),
    arguments: shown,
    base,
    ...(process ? { process } : {}),
    effects: tool.effects,
    limits: { ...limits, ...(tool.definition.limits.retries ? { retries: { ...tool.definition.limits.retries } } : {}) },
    sandbox: limits.memoryBytesMax === undefined && limits.cpuMsMax === undefined ? "none" : "limits",
    decision: verdict.decision,
    rules: verdict.matched.map(({ name, reason }) => ({ name, reason })),
  };
}

function processPlan(args: JsonObject, session: Session): ProcessPlan {
  const { command, argv: given, working_dir: folder, stdin, env, inherit_env: inherits } = args;
  const shell = session.host.platform === "windows" ? ["cmd.exe", "/d", "/s", "/c"] : ["sh", "-c"];
  const argv = typeof command === "string" ? [...shell, command] : texts(given);
  const declared = isJsonObject(env ?? null) ? Object.fromEntries(Object.entries(env as JsonObject).map(([name, value]) => [name, String(value)])) : {};
  const whole = processEnvironment(session.host, { declared, inherits: inherits === true });
  const script = scriptOf(argv);
  return {
    argv,
    ...(script ? { script } : {}),
    cwd: resolve(session.cwd, typeof folder === "string" ? folder : "."),
    environment: { set: declared, passed: Object.keys(whole).filter((name) => !Object.hasOwn(declared, name)).sort() },
    ...(typeof stdin === "string" ? { stdin } : {}),
  };
}

function texts(value: Json | undefined): readonly string[] {
  return Array.isArray(value) ? value.map((item: Json) => String(item)) : [];
}

/** `sh -c SCRIPT dottool VALUE…`, as base/bind-command.ts writes it. */
function scriptOf(argv: readonly string[]): ProcessPlan["script"] {
  const index = argv.findIndex((word) => /^(-c|-Command|\/c)$/i.test(word)) + 1;
  const text = argv[index];
  if (index === 0 || text === undefined || !/^(sh|bash|zsh|pwsh|cmd)(\.exe)?$/.test(argv[0]?.split(/[\\/]/).at(-1) ?? "")) return undefined;
  return { index, text, values: argv.slice(index + 2) };
}

function placeOf({ definition }: Tool): string {
  const { origin, name } = definition;
  switch (origin.kind) {
    case "base":
      return "";
    case "plugin":
      return origin.path;
    case "file":
      return `${origin.source.path}:${positionOf(name.span.source, name.span.start).line}`;
  }
}
