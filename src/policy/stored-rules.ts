// Rules that were read and held against their examples once, so that the next call need not load the reader of YAML.
// They lie in the state folder, beside what was agreed to: whoever can change the one can change the other. They count
// for exactly the texts that they were read from.
import { version } from "../generated/version.ts";
import { withChecksum } from "../tool/checked-file.ts";
import { codeOf } from "../tool/error-code.ts";
import type { Host } from "../tool/host.ts";
import { commandPattern } from "./command-pattern.ts";
import type { ConfiguredRule, ValuePattern } from "./rule.ts";
import { putAside, readState, statePath } from "./state-file.ts";
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
  readonly arguments: readonly {
    readonly name: string;
    readonly values: readonly (string | { readonly regex: string })[];
  }[];
}

const FILE = { name: "rules.json", format: { name: "rules", version: 2 } };
/** Of the form that is stored. */
const FORM = `${version} 1`;

/** What is wrong with what was kept, once: it is put aside then, and the rules are read from their files again. */
export interface DamagedRules {
  /** Begins with its place. */
  readonly damage: string;
}

export function storedRules(sources: readonly RuleSource[], host: Host): RulesOfTexts | DamagedRules | undefined {
  const read = readState(host, FILE);
  if (read.kind === "damaged")
    return { damage: `${statePath(host, FILE.name)}: it ${read.trouble}; ${putAsideText(host)}` };
  if (read.kind !== "text" || read.version !== FILE.format.version) return undefined;
  const stored = JSON.parse(read.text) as Stored;
  if (stored.version !== FORM || JSON.stringify(stored.sources) !== JSON.stringify(sources)) return undefined;
  return { ...stored, rules: stored.rules.map(restored) };
}

function putAsideText(host: Host): string {
  try {
    return `it is kept as \`${putAside(host, FILE.name)}\`; call again, and the rules are read from config.yaml`;
  } catch (error) {
    return `it cannot be put aside (${codeOf(error) ?? "error"}); remove it, and the rules are read from config.yaml`;
  }
}

export function storeRules(sources: readonly RuleSource[], read: RulesOfTexts, host: Host): void {
  const { rules, auditsPersons, notes } = read;
  const stored: Stored = { version: FORM, sources, auditsPersons, notes, rules: rules.map(plain) };
  try {
    host.instant.replace(statePath(host, FILE.name), withChecksum(FILE.format, JSON.stringify(stored)), {
      isSynced: true,
    });
  } catch {
    // The next call reads the rules again.
  }
}

function plain(rule: ConfiguredRule): StoredRule {
  const valueOf = (value: ValuePattern): string | { readonly regex: string } =>
    value.kind === "text" ? value.pattern.written : { regex: value.source };
  return {
    ...rule,
    tools: rule.tools.map(({ written }) => written),
    commands: rule.commands.map(({ written }) => written),
    arguments: rule.arguments.map(({ name, values }) => ({ name, values: values.map(valueOf) })),
  };
}

function restored(rule: StoredRule): ConfiguredRule {
  const valueOf = (value: string | { readonly regex: string }): ValuePattern =>
    typeof value === "string"
      ? { kind: "text", pattern: textPattern(value) }
      : { kind: "expression", source: value.regex };
  return {
    ...rule,
    tools: rule.tools.map(textPattern),
    commands: rule.commands.map(commandPattern),
    arguments: rule.arguments.map(({ name, values }) => ({ name, values: values.map(valueOf) })),
  };
}
