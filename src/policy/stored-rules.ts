// Rules that were read and held against their examples once, so that the next call need not load the reader of YAML. They lie in the state
// folder, beside what was agreed to: whoever can change the one can change the other. They count for exactly the texts that they were read from.
import { version } from "../generated/version.ts";
import type { Host } from "../tool/host.ts";
import { commandPattern } from "./command-pattern.ts";
import type { ConfiguredRule, ValuePattern } from "./rule.ts";
import { readState, statePath } from "./state-file.ts";
import { textPattern } from "./text-pattern.ts";

export interface RulesOfTexts {
  readonly rules: readonly ConfiguredRule[];
  readonly auditsPersons: boolean;
  readonly notes: readonly string[];
}

interface Stored extends Omit<RulesOfTexts, "rules"> {
  readonly version: string;
  readonly sources: readonly RuleSource[];
  readonly rules: readonly StoredRule[];
}

/** A file with rules. */
export interface RuleSource {
  readonly path: string;
  readonly text: string;
  readonly owner: "user" | "project";
}

/** Patterns as written. */
interface StoredRule extends Omit<ConfiguredRule, "tools" | "commands" | "arguments"> {
  readonly tools: readonly string[];
  readonly commands: readonly string[];
  readonly arguments: readonly { readonly name: string; readonly values: readonly (string | { readonly regex: string })[] }[];
}

const NAME = "rules.json";
/** Of the form that is stored. */
const FORM = `${version} 1`;

export function storedRules(sources: readonly RuleSource[], host: Host): RulesOfTexts | undefined {
  try {
    const stored = JSON.parse(readState(host, NAME).text ?? "null") as Stored | null;
    if (stored?.version !== FORM || JSON.stringify(stored.sources) !== JSON.stringify(sources)) return undefined;
    return { ...stored, rules: stored.rules.map(restored) };
  } catch {
    return undefined;
  }
}

export function storeRules(sources: readonly RuleSource[], read: RulesOfTexts, host: Host): void {
  const { rules, auditsPersons, notes } = read;
  const stored: Stored = { version: FORM, sources, auditsPersons, notes, rules: rules.map(plain) };
  try {
    host.instant.replace(statePath(host, NAME), JSON.stringify(stored));
  } catch {
    // The next call reads the rules again.
  }
}

function plain(rule: ConfiguredRule): StoredRule {
  const valueOf = (value: ValuePattern): string | { readonly regex: string } => (value.kind === "text" ? value.pattern.written : { regex: value.source });
  return { ...rule, tools: rule.tools.map(({ written }) => written), commands: rule.commands.map(({ written }) => written), arguments: rule.arguments.map(({ name, values }) => ({ name, values: values.map(valueOf) })) };
}

function restored(rule: StoredRule): ConfiguredRule {
  const valueOf = (value: string | { readonly regex: string }): ValuePattern => (typeof value === "string" ? { kind: "text", pattern: textPattern(value) } : { kind: "expression", source: value.regex });
  return { ...rule, tools: rule.tools.map(textPattern), commands: rule.commands.map(commandPattern), arguments: rule.arguments.map(({ name, values }) => ({ name, values: values.map(valueOf) })) };
}
