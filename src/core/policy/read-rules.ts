// Reads the rules of a `config.yaml`, under `policy:`. One rule that is not understood refuses every call.
import { openYaml, type YamlFields } from "../base/yaml-fields.ts";
import { isJsonObject, type Json, type JsonObject } from "../schema/json.ts";
import { didYouMean } from "../text/suggest.ts";
import type { Host } from "../tool/host.ts";
import { type Decision, decisions, callers } from "../tool/policy.ts";
import { parseRate, RATE_FORM } from "../tool/rate.ts";
import { commandPattern } from "./command-pattern.ts";
import type { ArgumentPattern, ConfiguredRule, RuleEffect, ValuePattern } from "./rule.ts";
import type { RuleSource } from "./stored-rules.ts";
import { textPattern, unescapedText } from "./text-pattern.ts";
import type { Effect } from "../tool/definition.ts";
import type { CallView } from "./call-views.ts";
import { allows, refuses } from "./match-rule.ts";

interface RulesOfFile {
  readonly rules: readonly ConfiguredRule[];
  /** False for `audit: off`: calls of people are not logged. */
  readonly auditsPersons: boolean;
  /** The problems; each begins with its place. */
  readonly problems: readonly string[];
  /** Notes on rules that are ignored on purpose. */
  readonly notes: readonly string[];
}

interface ReadRulesOptions {
  readonly path: string;
  readonly owner: RuleSource["owner"];
  readonly host: Host;
}

/** Names that other programs use for it. */
const LIKE_POLICY = ["policy", "policies", "permissions", "rules"];
const RULES_MAX = 10_000;
/** The limit of rules that nobody reviewed. */
const STRANGE_RULES_MAX = 100;
const PATTERN_CHARACTERS_MAX = 1_000;
const KEYS = [
  "decision",
  "tool",
  "effect",
  "command",
  "arguments",
  "outside",
  "front_end",
  "sandbox",
  "rate",
  "reason",
  "examples",
];
const ruleEffects: readonly RuleEffect[] = ["read", "write", "run", "network", "unknown"];

export function readRules(text: string, options: ReadRulesOptions): RulesOfFile {
  const { path, owner } = options;
  const { root, problems } = openYaml(text);
  const items = root?.maps("policy") ?? [];
  for (const name of root?.names ?? [])
    if (name !== "policy" && didYouMean(name, LIKE_POLICY) !== "")
      root?.complain(name, `unknown key \`${name}\`; rules are the items of \`policy:\``);
  const isStrange = owner === "untrusted" || owner === "unapproved package";
  const rulesMax = isStrange ? STRANGE_RULES_MAX : RULES_MAX;
  if (items.length > rulesMax) root?.complain("policy", `there are more than ${rulesMax.toLocaleString("en")} rules`);
  const read = items.slice(0, rulesMax).flatMap((fields) => readRule(fields, options) ?? []);
  const auditsPersons = root?.names.includes("audit") === true ? readSwitch(root, "audit") : true;
  const isLoosening = (rule: ConfiguredRule): boolean =>
    owner !== "user" && owner !== "package" && rule.decision === "allow";
  const rules = read.filter((rule) => !isLoosening(rule));
  const state = states[owner];
  return {
    rules:
      state === undefined
        ? rules
        : rules.map((rule) => ({
            ...rule,
            reason: `${isStrange ? defaultReason(rule.decision) : rule.reason} (${state})`,
          })),
    auditsPersons: owner !== "user" || auditsPersons,
    problems: problems.map(
      ({ text: problem }) =>
        `${path}:${isStrange ? `${/^\d+:\d+/.exec(problem)?.[0] ?? ""}: ${problem.includes("there are more than") ? `there are more than ${STRANGE_RULES_MAX} rules` : `is not a valid rule${owner === "untrusted" ? "; `dottool check` says why" : ""}`}` : problem}${state === undefined ? "" : ` (${state})`}`,
    ),
    notes: [
      ...read
        .filter(isLoosening)
        .map(
          ({ place }) =>
            `${place}: ${owner.includes("package") ? "only an approved package can allow" : "a project can only ask and deny"}, so this \`allow\` is ignored`,
        ),
      // Rules with mistakes do not apply: every call is refused.
      ...(state === undefined || rules.length === 0 || problems.length > 0 ? [] : [`${path}: ${state}`]),
    ],
  };
}

/** Uses only our own words for what nobody has reviewed: a model may read this. */
const states: Readonly<Partial<Record<RuleSource["owner"], string>>> = {
  "trusted before":
    "the project has changed since it was trusted; its earlier rules apply until `dottool trust` or `dottool untrust`",
  untrusted: "the project is not trusted, but its rules that deny and ask apply",
  "package approved before":
    "the package has changed since it was approved; its earlier rules that deny and ask apply until `dottool trust --package` or `dottool remove`",
  "unapproved package":
    "the package is not approved, but its rules that deny and ask apply until `dottool remove`; `dottool trust --package` reviews them",
};

function readSwitch(fields: YamlFields, name: string): boolean {
  const value = fields.json(name);
  if (value === "on" || value === true) return true;
  if (value === "off" || value === false) return false;
  fields.complain(name, `\`${name}\` must be \`on\` or \`off\``);
  return true;
}

function readRule(fields: YamlFields, { path, host }: ReadRulesOptions): ConfiguredRule | undefined {
  fields.allow(KEYS, "a rule");
  const decision = fields.names.includes("decision") ? readChoice(fields, "decision", decisions) : undefined;
  const rateWritten = fields.names.includes("rate") ? fields.text("rate") : undefined;
  const rate = rateWritten === undefined ? undefined : parseRate(rateWritten);
  if (rateWritten !== undefined && !rate) fields.complain("rate", `\`rate\` must be ${RATE_FORM}`);
  if (!fields.names.includes("decision") && !fields.names.includes("rate"))
    fields.complain("decision", "a rule needs a `decision`: `allow`, `ask` or `deny`");
  if (fields.names.includes("outside") && typeof fields.json("outside") !== "string")
    fields.complain("outside", "`outside` must be `project`");
  else readChoice(fields, "outside", ["project"]);
  const rule: ConfiguredRule = {
    place: `${path}:${fields.place}`,
    ...(decision === undefined ? {} : { decision }),
    tools: textsOf(fields, "tool").map(textPattern),
    effects: choicesOf(fields, "effect", ruleEffects),
    commands: textsOf(fields, "command").map(commandPattern),
    arguments: readArguments(fields, host),
    frontEnds: choicesOf(fields, "front_end", callers),
    ...(fields.names.includes("outside") ? { isOutside: true as const } : {}),
    ...(fields.names.includes("sandbox") ? { isSandboxed: true as const } : {}),
    reason: (fields.names.includes("reason") ? fields.text("reason") : undefined) ?? defaultReason(decision),
    ...(rate ? { rate } : {}),
    fingerprint: JSON.stringify(
      KEYS.filter((key) => key !== "examples" && key !== "reason" && fields.names.includes(key)).map((key) => [
        key,
        fields.json(key) ?? null,
      ]),
    ),
  };
  const saysWhat = rule.tools.length + rule.effects.length + rule.commands.length + rule.arguments.length > 0;
  if (decision === "allow" && !saysWhat)
    fields.complain("decision", 'the rule does not say what is allowed; write `tool: "*"` to allow everything');
  if (decision === "allow" && rule.isOutside)
    fields.complain("outside", "`outside` needs `decision: ask` or `deny`: nothing is allowed because it is elsewhere");
  if (rule.isSandboxed) checkSandbox(rule, fields);
  for (const { name, fault } of failedExamples(rule, fields.maps("examples") ?? [], host))
    name.complain("matches", fault);
  return rule;
}

/** dottool's own commands have `sandbox` settings of their own; here it is for the commands that other agents run. */
function checkSandbox({ decision, tools, commands, frontEnds }: ConfiguredRule, fields: YamlFields): void {
  if (fields.text("sandbox") !== "strict") fields.complain("sandbox", "`sandbox` must be `strict`");
  if (decision !== "allow") fields.complain("sandbox", "`sandbox` needs `decision: allow`");
  if (frontEnds.length !== 1 || frontEnds[0] !== "hook")
    fields.complain(
      "sandbox",
      "a rule with `sandbox` needs `front_end: hook`; the commands of your own tools have `sandbox: {level: strict}` outside of the rules",
    );
  if (commands.length === 0 && !(tools.length > 0 && tools.every(({ written }) => written === "run_command")))
    fields.complain("sandbox", "a rule with `sandbox` needs `tool: run_command` or a `command`");
}

function defaultReason(decision: Decision | undefined): string {
  return decision === "deny"
    ? "it is not allowed here"
    : decision === "ask"
      ? "it needs approval"
      : "it is allowed here";
}

function readChoice<T extends string>(fields: YamlFields, name: string, choices: readonly T[]): T | undefined {
  const text = fields.text(name);
  return text === undefined ? undefined : chosen(text, { fields, name, choices });
}

function chosen<T extends string>(
  text: string,
  { fields, name, choices }: { readonly fields: YamlFields; readonly name: string; readonly choices: readonly T[] },
): T | undefined {
  const found = choices.find((choice) => choice === text);
  if (found === undefined)
    fields.complain(
      name,
      `unknown ${name.replace("_", " ")} \`${text}\`${didYouMean(text, choices) || `; use one of ${choices.map((choice) => `\`${choice}\``).join(", ")}`}`,
    );
  return found;
}

function choicesOf<T extends string>(fields: YamlFields, name: string, choices: readonly T[]): readonly T[] {
  return textsOf(fields, name).flatMap((text) => chosen(text, { fields, name, choices }) ?? []);
}

/** Returns an empty array only if there is no such key: an empty list would match everything. */
function textsOf(fields: YamlFields, name: string): readonly string[] {
  if (!fields.names.includes(name)) return [];
  const words = fields.words(name);
  const texts = typeof words === "string" ? [words] : (words ?? []);
  if (words !== undefined && (texts.length === 0 || texts.some((text) => text.trim() === "")))
    fields.complain(name, `\`${name}\` is empty; remove it, or give it a value`);
  if (texts.some((text) => text.length > PATTERN_CHARACTERS_MAX))
    fields.complain(name, `a pattern may have at most ${PATTERN_CHARACTERS_MAX.toLocaleString("en")} characters`);
  return texts;
}

function readArguments(fields: YamlFields, host: Host): readonly ArgumentPattern[] {
  if (!fields.names.includes("arguments")) return [];
  const inner = fields.map("arguments");
  if (inner?.names.length === 0) fields.complain("arguments", "`arguments` is empty; remove it, or give it a value");
  return (inner?.names ?? []).map((name) => {
    const json = inner?.json(name);
    const items: readonly Json[] = Array.isArray(json) ? (json as readonly Json[]) : json === undefined ? [] : [json];
    if (json !== undefined && items.length === 0)
      inner?.complain(name, `\`${name}\` is empty; write \`"*"\` for any value`);
    const read = inner ? items.flatMap((item) => valuePattern(item, name, inner) ?? []) : [];
    return {
      name,
      values: read.flatMap((value) => (value.kind === "text" ? [value, ...otherSpellings(value, host)] : [value])),
    };
  });
}

/** Returns `~/x` and `./x` as paths are compared: from the root, and from the working folder. */
function otherSpellings(
  { pattern: { written } }: ValuePattern & { readonly kind: "text" },
  { folders: { home } }: Host,
): readonly ValuePattern[] {
  const [, start = "", rest = ""] = /^(\.|~|\$HOME|\$\{HOME\})\/(.*)$/s.exec(written) ?? [];
  const other = start === "." ? rest : `${home.replaceAll(/[*?\\]/g, "\\$&")}/${rest}`;
  return start === "" ? [] : [{ kind: "text", pattern: textPattern(other) }];
}

/** Returns why a pattern matches no path, or each; undefined if neither is so. */
function oddPath(text: string): string | undefined {
  if (/^\/\*+$/.test(text))
    return `\`${text}\` matches every path, those of the project too; write \`outside: project\` for what is written elsewhere, or \`"*"\` for any value`;
  if (/[^/.][^/]*\/\.\.?(?:\/|$)/.test(text) && !text.includes("://"))
    return `\`${text}\` matches no path, because paths are compared without \`.\` and \`..\` behind a name; write the path that it leads to`;
  if (/[^/]\/$/.test(text) && !text.includes("://"))
    return `\`${text}\` matches no path, because none ends with \`/\`; write \`${text.slice(0, -1)}\` for the folder, or \`${text}*\` for what is in it`;
  return undefined;
}

function valuePattern(item: Json, name: string, fields: YamlFields): ValuePattern | undefined {
  if (typeof item === "string" || typeof item === "number" || typeof item === "boolean") {
    if (String(item).length > PATTERN_CHARACTERS_MAX)
      fields.complain(name, `a pattern may have at most ${PATTERN_CHARACTERS_MAX.toLocaleString("en")} characters`);
    const odd = oddPath(String(item));
    if (odd !== undefined) fields.complain(name, odd);
    return { kind: "text", pattern: textPattern(String(item)) };
  }
  const source = isJsonObject(item) && Object.keys(item).length === 1 ? item["regex"] : undefined;
  if (typeof source !== "string") {
    fields.complain(
      name,
      'a value must be text with `*` and `?`, a number, `true` or `false`, `{ regex: "…" }`, or a list of these',
    );
    return undefined;
  }
  try {
    new RegExp(`^(?:${source})$`, "isu");
    if (source.length > PATTERN_CHARACTERS_MAX)
      fields.complain(name, `a pattern may have at most ${PATTERN_CHARACTERS_MAX.toLocaleString("en")} characters`);
    return { kind: "expression", source };
  } catch (error) {
    fields.complain(
      name,
      `\`regex\` is not a regular expression: ${error instanceof Error ? error.message.replace(/^.*\/[a-z]*: /s, "") : "error"}`,
    );
    return undefined;
  }
}

const EXAMPLE_KEYS = ["tool", "effect", "command", "arguments", "front_end", "matches"];

interface FailedExample {
  readonly name: YamlFields;
  readonly fault: string;
}

function failedExamples(rule: ConfiguredRule, examples: readonly YamlFields[], host: Host): readonly FailedExample[] {
  return examples.flatMap((fields): readonly FailedExample[] => {
    fields.allow(EXAMPLE_KEYS, "an example");
    const wanted = fields.names.includes("matches") ? fields.flag("matches") : true;
    if (wanted === undefined) return [];
    const found = matchesExample(rule, fields, host);
    if (found === wanted) return [];
    return [
      {
        name: fields,
        fault: wanted
          ? "the rule does not match this example"
          : "the rule matches this example, which says that it must not",
      },
    ];
  });
}

function matchesExample(rule: ConfiguredRule, fields: YamlFields, host: Host): boolean {
  const [first] = rule.tools;
  const has = (name: string): boolean => fields.names.includes(name);
  const name =
    (has("tool") ? fields.text("tool") : undefined) ?? (first?.isLiteral ? unescapedText(first.written) : "example");
  const given = has("arguments") ? fields.json("arguments") : undefined;
  const args: JsonObject = isJsonObject(given) ? given : {};
  const effects = has("effect") ? [fields.words("effect") ?? []].flat() : rule.effects;
  const command = has("command") ? fields.text("command") : undefined;
  const frontEnd = has("front_end") ? fields.text("front_end") : undefined;
  if (frontEnd !== undefined && rule.frontEnds.length > 0 && !rule.frontEnds.some((one) => one === frontEnd))
    return false;
  const made: CallView = {
    name,
    effects: effects.filter((effect): effect is Effect => effect !== "unknown"),
    arguments: name === "run_command" && command !== undefined ? { command, ...args } : args,
  };
  const below: readonly CallView[] =
    command === undefined || name === "run_command"
      ? []
      : [{ name: "run_command", effects: ["run"], arguments: { command } }];
  const views = [made, ...below];
  const context = { host, cwd: host.folders.home };
  return rule.decision === "allow"
    ? allows(rule, views, context)
    : refuses(rule, { views, names: new Set(views.map((view) => view.name)) }, context);
}
