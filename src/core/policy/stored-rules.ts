// Stores rules that were read and checked against their examples, so that the next call need not load the YAML reader.
// They are in the state folder beside the approvals, with the same protection. They apply to exactly the texts that
// they were read from.
import { version } from "../../generated/version.ts";
import { withChecksum } from "../store/checked-file.ts";
import type { Host } from "../tool/host.ts";
import { commandPattern } from "./command-pattern.ts";
import type { ConfiguredRule, ValuePattern } from "./rule.ts";
import { readState, statePath } from "../store/state-file.ts";
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

/**
 * `trusted before` is the trusted text of a project that has changed or is gone, and `untrusted` the present text,
 * which is not trusted. A `package` is approved; the others of packages are the same for these.
 */
export type ProjectOwner =
  | "project"
  | "trusted before"
  | "untrusted"
  | "package"
  | "package approved before"
  | "unapproved package";

export interface RuleSource {
  readonly path: string;
  readonly text: string;
  readonly owner: "user" | ProjectOwner;
}

/** A rule with its patterns as written. */
interface StoredRule extends Omit<ConfiguredRule, "tools" | "commands" | "arguments"> {
  readonly tools: readonly string[];
  readonly commands: readonly string[];
  readonly arguments: readonly {
    readonly name: string;
    readonly values: readonly (string | { readonly regex: string })[];
  }[];
}

const FILE = { name: "rules.json", format: { name: "rules", version: 2 } };
/** The version of the stored form. */
const FORM = `${version} 3`;

/** Returns undefined if there are none of these sources that can be used: then they are read again. */
export function storedRules(sources: readonly RuleSource[], host: Host): RulesOfTexts | undefined {
  const read = readState(host, FILE);
  if (read.kind !== "text") return undefined;
  try {
    const stored = JSON.parse(read.text) as Stored;
    if (stored.version !== FORM || JSON.stringify(stored.sources) !== JSON.stringify(sources)) return undefined;
    return { ...stored, rules: stored.rules.map(restored) };
  } catch {
    return undefined;
  }
}

export function storeRules(sources: readonly RuleSource[], read: RulesOfTexts, host: Host): void {
  const { rules, auditsPersons, notes } = read;
  const stored: Stored = { version: FORM, sources, auditsPersons, notes, rules: rules.map(plain) };
  if (readState(host, FILE).kind === "newer") return;
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
