// `dottool policy`: the rules in force, and what they decide about the cases of a file.
import { resolve } from "node:path";
import { readConfigText } from "../../../core/base/user-config.ts";
import type { ConfiguredRule } from "../../../core/policy/rule.ts";
import { exitCodes } from "../../../core/run/exit-code.ts";
import { printable } from "../../../core/text/display.ts";
import {
  type CommandContext,
  type CommandInput,
  reportUsage,
  type WordsCommand,
  writeJson,
} from "../../../cli/command.ts";
import { openSession } from "../../../cli/session/open-session.ts";
import type { DecidedCase } from "../policy-cases.ts";

export const policyCommand: WordsCommand = {
  kind: "words",
  usage: ["policy [--json]", "policy test FILE [--json]"],
  about:
    "Shows the rules that apply here, from `config.yaml` of yours, of the project and of packages, each with its place: first those that deny, then those that ask, then those that allow. " +
    "`policy test` reads cases from a YAML file, decides each as a call would be decided, without running anything, and shows those that differ with the rule that decided. It exits with 1 if any does.",
  options: [{ name: "json", does: "print as JSON" }],
  words: [0, 2],
  examples: [
    ["dottool policy", "the rules in this project"],
    ["dottool policy test .tools/policy-cases.yaml", "whether they decide as the file says"],
  ],
  run: (input, context) => {
    const [word, file] = input.words;
    if (word === undefined) return showRules(input, context);
    if (word === "test" && file !== undefined) return testRules(file, input, context);
    const fact =
      word === "test" ? "`policy test` needs a file of cases" : `\`${word}\` is not expected; there is \`test\``;
    return Promise.resolve(reportUsage(context.terminal, fact, "policy"));
  },
};

async function showRules(input: CommandInput, context: CommandContext): Promise<number> {
  const opened = await openSession(context, { isQuiet: true });
  if (typeof opened === "number") return opened;
  const { rules = [], problems = [] } = (await opened.session.guard?.current()) ?? {};
  const order = ["deny", "ask", "allow", undefined];
  const sorted = order.flatMap((decision) => rules.filter((rule) => rule.decision === decision));
  // A rule of a file with mistakes may say more, or less, than its author means.
  const isBroken = ({ place }: ConfiguredRule): boolean =>
    problems.some((problem) => problem.startsWith(place.replace(/\d+:\d+$/, "")));
  const [broken, whole] = [sorted.filter(isBroken), sorted.filter((rule) => !isBroken(rule))];
  const { output, errors } = context.terminal;
  if (input.has("json")) {
    const shown = (one: ConfiguredRule): object => ({ place: one.place, reason: one.reason, ...keysOf(one) });
    writeJson(context.terminal, { rules: whole.map(shown), broken: broken.map(shown), problems });
  } else {
    for (const problem of problems)
      errors.write(`failed[policy]: ${printable(problem)}\n  = every call is refused until it is fixed\n`);
    for (const rule of whole)
      output.write(
        `${printable(ruleText(rule))}\n  ${printable(rule.decision ? `${rule.place}: ${rule.reason}` : rule.place)}\n`,
      );
    if (rules.length + problems.length === 0)
      errors.write(
        "there are no rules. To begin with, write in `config.yaml` of your own folder, or in `.tools/config.yaml`:\n" +
          "policy:\n  - {decision: deny, command: git push, reason: a person pushes}\n",
      );
  }
  return problems.length === 0 ? exitCodes.done : exitCodes.definitions;
}

function keysOf({ fingerprint }: ConfiguredRule): Readonly<Record<string, unknown>> {
  return Object.fromEntries(JSON.parse(fingerprint) as readonly (readonly [string, unknown])[]);
}

function ruleText(rule: ConfiguredRule): string {
  const { decision = "limit", ...keys } = keysOf(rule);
  const pairs = Object.entries(keys).map(
    ([key, value]) => `${key}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return `${String(decision)}  ${pairs.join(", ") || "everything"}`;
}

async function testRules(file: string, input: CommandInput, context: CommandContext): Promise<number> {
  const opened = await openSession(context, { isQuiet: true });
  if (typeof opened === "number") return opened;
  const { terminal } = context;
  const fail = (facts: readonly string[], code: number): number => {
    for (const fact of facts) terminal.errors.write(`failed[policy]: ${printable(fact)}\n`);
    return code;
  };
  const { text, trouble } = readConfigText(resolve(opened.cwd, file), opened.host) ?? {};
  if (text === undefined) return fail([`there is no file \`${file}\``], exitCodes.missing);
  if (trouble !== undefined) return fail([`\`${file}\` ${trouble}`], exitCodes.definitions);
  const { readCases, decideCases } = await import("../policy-cases.ts");
  const { cases, problems } = readCases(text);
  if (problems.length > 0)
    return fail(
      problems.map((problem) => `${file}:${problem}`),
      exitCodes.definitions,
    );
  const decided = await decideCases(cases, opened);
  const odd = decided.filter(({ holds }) => !holds);
  if (input.has("json"))
    writeJson(terminal, { cases: decided.map((one) => ({ ...one, place: `${file}:${one.place}` })) });
  else {
    terminal.output.write(odd.map((one) => oddText(one, file)).join(""));
    const count = cases.length === 1 ? "1 case" : `${cases.length} cases`;
    terminal.output.write(
      odd.length === 0 ? `${count}: all as expected\n` : `${count}: ${odd.length} not as expected\n`,
    );
  }
  return odd.length === 0 ? exitCodes.done : exitCodes.failed;
}

function oddText(
  { place, call, line, arguments: args, frontEnd, expect, because, decision, rules }: DecidedCase,
  file: string,
): string {
  const what = call === undefined ? (line ?? "") : `${call} ${JSON.stringify(args)} by ${frontEnd}`;
  const wanted = because === undefined ? expect : `${expect} because of \`${because}\``;
  const by =
    rules.length === 0
      ? ["no rule matches"]
      : rules.map(({ name, reason }) => (reason === "" ? name : `${name}: ${reason}`));
  return [
    `${file}:${place}: expected ${wanted}, got ${decision}: ${what}`,
    ...by.flatMap((one) => one.split("\n")).map((one) => `  ${one}`),
  ]
    .map((one) => `${printable(one)}\n`)
    .join("");
}
