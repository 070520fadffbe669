// Cases for rules, from a YAML file: calls, and lines of other agents, with what is to be decided about each. The gate
// decides as it does for `explain` and `hook`; nothing runs, and nothing is counted or logged.
import { openYaml, type YamlFields } from "../../core/base/yaml-fields.ts";
import { ownProgram } from "../../core/host/processes/first-process.ts";
import { failureText } from "../../core/run/failure-text.ts";
import { prepareCall } from "../../core/run/prepare.ts";
import { isJsonObject, type JsonObject } from "../../core/schema/json.ts";
import type { OpenedSession } from "../../core/session/assemble.ts";
import { callers, type MatchedRule } from "../../core/tool/policy.ts";
import { hookSession } from "../hook/hook-session.ts";
import { judgeHook } from "../hook/judge-hook.ts";
import type { Ruling } from "../../core/run/permit.ts";
import { decisionOf } from "./decisions.ts";

export interface PolicyCase {
  /** `3:5`. */
  readonly place: string;
  readonly call?: string;
  readonly line?: string;
  readonly arguments: JsonObject;
  readonly frontEnd: (typeof frontEnds)[number];
  readonly expect: string;
  readonly because?: string;
}

interface Decided {
  readonly decision: string;
  readonly rules: readonly Pick<MatchedRule, "name" | "reason">[];
}

export interface DecidedCase extends PolicyCase, Decided {
  readonly holds: boolean;
}

const CASES_MAX = 1_000;
const KEYS = ["call", "line", "arguments", "front_end", "expect", "because"];
const frontEnds = callers.filter((one) => one !== "hook");
/** `none`: no rule says anything about the line, and the other agent decides. */
const decisions = ["allow", "ask", "deny", "none"];

export function readCases(text: string): {
  readonly cases: readonly PolicyCase[];
  readonly problems: readonly string[];
} {
  const { root, problems } = openYaml(text, "cases");
  root?.allow(["cases"], "a file of cases");
  const items = root?.maps("cases") ?? [];
  if (items.length > CASES_MAX) root?.complain("cases", `there are more than ${CASES_MAX.toLocaleString("en")} cases`);
  const cases = items.slice(0, CASES_MAX).map(readCase);
  if (problems.length === 0 && cases.length === 0)
    return { cases, problems: ["1:1: there are no cases; a case is `- {call: TOOL, arguments: {…}, expect: deny}`"] };
  return { cases, problems: problems.map((one) => one.text) };
}

function readCase(fields: YamlFields): PolicyCase {
  fields.allow(KEYS, "a case");
  const text = (name: string): string | undefined => (fields.names.includes(name) ? fields.text(name) : undefined);
  const chosen = (name: string, choices: readonly string[]): string | undefined => {
    const given = text(name);
    if (given !== undefined && !choices.includes(given))
      fields.complain(name, `\`${name}\` must be one of ${choices.map((one) => `\`${one}\``).join(", ")}`);
    return given;
  };
  const [call, line, because] = [text("call"), text("line"), text("because")];
  if ((call === undefined) === (line === undefined))
    fields.complain("call", "a case has either a `call`, the name of a tool, or a `line` that another agent runs");
  const expect = chosen("expect", line === undefined ? decisions.slice(0, 3) : decisions);
  if (expect === undefined) fields.complain("expect", "a case needs an `expect`: `allow`, `ask` or `deny`");
  const given = fields.names.includes("arguments") ? fields.json("arguments") : {};
  if (given !== undefined && !isJsonObject(given)) fields.complain("arguments", "`arguments` must be a map");
  const frontEnd = chosen("front_end", line === undefined ? frontEnds : ["hook"]);
  return {
    place: fields.place,
    ...(call === undefined ? {} : { call }),
    ...(line === undefined ? {} : { line }),
    arguments: isJsonObject(given) ? given : {},
    frontEnd: frontEnds.find((one) => one === frontEnd) ?? "mcp",
    expect: expect ?? "",
    ...(because === undefined ? {} : { because }),
  };
}

export async function decideCases(
  cases: readonly PolicyCase[],
  opened: OpenedSession,
): Promise<readonly DecidedCase[]> {
  const decided: DecidedCase[] = [];
  for (const one of cases) {
    const { decision, rules } =
      one.line === undefined ? await decideCall(one, opened) : await decideLine(one.line, opened);
    const { because = "", expect } = one;
    const isBecause = because === "" || rules.some(({ name, reason }) => `${name}: ${reason}`.includes(because));
    decided.push({ ...one, decision, rules, holds: decision === expect && isBecause });
  }
  return decided;
}

async function decideCall(
  { call: tool = "", arguments: args, frontEnd }: PolicyCase,
  opened: OpenedSession,
): Promise<Decided> {
  const { session } = opened;
  const refused = (reason: string): Decided => ({ decision: "no decision", rules: [{ name: "the call", reason }] });
  if (await session.distrust?.(tool)) return refused(`\`${tool}\` is not trusted yet, so it does not run for anybody`);
  const step = await prepareCall({ id: "case", tool, arguments: args }, session);
  return "failure" in step
    ? refused(failureText(step.failure, { audience: "person", tool }))
    : decisionOf(step.prepared, frontEnd, session);
}

async function decideLine(command: string, { host, cwd }: OpenedSession): Promise<Decided> {
  const rulings: Ruling[] = [];
  const { decision, reason } = await judgeHook(
    { tool: "Bash", arguments: { command } },
    {
      session: hookSession(cwd, () => undefined, host),
      client: "claude",
      program: ownProgram(),
      told: (ruling) => rulings.push(ruling),
    },
  );
  const rules = rulings.flatMap(({ verdict }) => verdict.matched.filter((rule) => rule.decision === decision));
  return {
    decision,
    rules: rules.length > 0 || reason === "" ? rules : [{ name: "default policy for hooks", reason }],
  };
}
