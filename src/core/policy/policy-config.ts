// The rules that apply now: those of the user's `config.yaml`, and of the project's. They are read again after a
// change. Every call runs this, and most find no rules: what rules need is loaded only if there are some.
import { readUserConfig, userConfigPath } from "../base/user-config.ts";
import { loadPart } from "../tool/feature.ts";
import type {} from "./outside.ts";
import type { Host } from "../tool/host.ts";
import type { Policy } from "./policy.ts";
import type { ConfiguredRule } from "./rule.ts";
import type { ProjectOwner, RulesOfTexts } from "./stored-rules.ts";

export interface LoadedPolicy {
  /** Absent: no rules. */
  readonly policy?: Policy;
  readonly rules: readonly ConfiguredRule[];
  readonly auditsPersons: boolean;
  /** Problems of the rules. While there are any, every call is refused. */
  readonly problems: readonly string[];
  readonly notes: readonly string[];
  /** Whether the problems are gone at the next look. */
  readonly isPassing?: true;
}

const none: LoadedPolicy = { rules: [], auditsPersons: true, problems: [], notes: [] };

export interface ProjectConfig {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
  readonly owner: ProjectOwner;
  /** Why its rules are not known, as a whole sentence. */
  readonly trouble?: string;
}

interface PolicyConfigOptions {
  readonly host: Host;
  /** Called before each call. */
  projectConfigs?(): Promise<readonly ProjectConfig[]>;
}

export class PolicyConfig {
  readonly #options: PolicyConfigOptions;
  #stamp: string | undefined;
  #loaded: Promise<LoadedPolicy> = Promise.resolve(none);

  constructor(options: PolicyConfigOptions) {
    this.#options = options;
  }

  async current(): Promise<LoadedPolicy> {
    const { host } = this.#options;
    const projects = (await this.#options.projectConfigs?.()) ?? [];
    const stamp = `${stampOf(userConfigPath(host), host)} ${projects.length === 0 ? "" : JSON.stringify(projects)}`;
    if (stamp !== this.#stamp) {
      this.#stamp = stamp;
      this.#loaded = this.#load(host, projects);
    }
    return this.#loaded;
  }

  async #load(host: Host, projects: readonly ProjectConfig[]): Promise<LoadedPolicy> {
    const loaded = await load(host, projects);
    if (loaded.isPassing) this.#stamp = undefined;
    return loaded;
  }
}

function stampOf(path: string, host: Host): string {
  const stat = host.instant.stat(path);
  return stat ? `${stat.inode}.${stat.sizeBytes}.${stat.mtimeMs}.${stat.ctimeMs}` : "";
}

async function load(host: Host, projects: readonly ProjectConfig[]): Promise<LoadedPolicy> {
  const user = readUserConfig(host);
  if (user.trouble !== undefined) return { ...none, problems: [`${user.path}: it ${user.trouble}`], isPassing: true };
  const unknown = projects.flatMap(({ path, trouble }) => (trouble === undefined ? [] : [`${path}: ${trouble}`]));
  if (unknown.length > 0) return { ...none, problems: unknown, isPassing: true };
  const written = [{ ...user, owner: "user" as const }, ...projects];
  const saying = written.filter(({ text }) => mayHaveRules(text));
  if (saying.length === 0) return none;
  // Rules are matched without waiting. A name in YAML may have escapes.
  if (saying.some(({ text }) => /outside|\\/.test(text))) await loadPart("writtenPaths");
  const { storedRules, storeRules } = await import("./stored-rules.ts");
  const sources = saying.map(({ path, text, owner }) => ({ path, text, owner }));
  const stored = storedRules(sources, host);
  if (stored) return { ...(await withPolicy(stored)), problems: [] };
  const { readRules } = await import("./read-rules.ts");
  const files = sources.map(({ path, text, owner }) => readRules(text, { path, owner, host }));
  // A rule that has not changed since the project was trusted is listed once, with the reviewed reason.
  const before = new Set(
    files.flatMap(({ rules }, index) =>
      sources[index]?.owner.endsWith(" before") ? rules.map(({ fingerprint }) => fingerprint) : [],
    ),
  );
  const ownRules = files.map(({ rules }, index) =>
    /^un/.test(sources[index]?.owner ?? "") ? rules.filter(({ fingerprint }) => !before.has(fingerprint)) : rules,
  );
  const read = {
    rules: ownRules.flat(),
    auditsPersons: files.every(({ auditsPersons }) => auditsPersons),
    notes: files.flatMap(({ notes }) => notes),
  };
  const problems = files.flatMap((file) => file.problems);
  if (problems.length === 0) storeRules(sources, read, host);
  return { ...(await withPolicy(read)), problems };
}

async function withPolicy(read: RulesOfTexts): Promise<Omit<LoadedPolicy, "problems">> {
  const { rules, auditsPersons, notes } = read;
  if (rules.length === 0) return { rules, auditsPersons, notes };
  const { createPolicy } = await import("./policy.ts");
  return { policy: createPolicy(rules), rules, auditsPersons, notes };
}

/**
 * Avoids loading the YAML reader, which takes 15 ms, for the many files without rules. A key can have escapes, a text
 * in another encoding may contain anything, and an unknown key may be a misspelt one of ours.
 */
function mayHaveRules(text: string): boolean {
  return (
    text !== "" &&
    /policy|audit|[\\\0\uFFFD]|^(?!(?:providers|secrets|mcp_servers|mcp:|google_search|web_search|web|resident):|\s|#|$)./m.test(
      text,
    )
  );
}
