// The examples of a rule: calls that it must match, and calls that it must not. They are checked when the rule is read.
import type { YamlFields } from "../base/yaml-fields.ts";
import { isJsonObject, type JsonObject } from "../schema/json.ts";
import type { Effect } from "../tool/definition.ts";
import type { Host } from "../tool/host.ts";
import type { CallView } from "./call-views.ts";
import { allows, refuses } from "./match-rule.ts";
import type { ConfiguredRule } from "./rule.ts";
import { literalText } from "./text-pattern.ts";

const KEYS = ["tool", "effect", "command", "arguments", "front_end", "matches"];

export interface FailedExample {
  readonly name: YamlFields;
  readonly fault: string;
}

export function failedExamples(
  rule: ConfiguredRule,
  examples: readonly YamlFields[],
  host: Host,
): readonly FailedExample[] {
  return examples.flatMap((fields): readonly FailedExample[] => {
    fields.allow(KEYS, "an example");
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
    (has("tool") ? fields.text("tool") : undefined) ?? (first?.isLiteral ? literalText(first.written) : "example");
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
