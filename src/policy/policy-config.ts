// The rules that count now: of the user's `config.yaml`, and of the project's where its folder is trusted. Read again
// when a file changes. Every call comes through here, and most find no rules: whatever those need loads when there are
// some.
import { readUserConfig, userConfigPath } from "../base/user-config.ts";
import type { Host } from "../tool/host.ts";
import type { Policy } from "./policy.ts";
import type { ConfiguredRule } from "./rule.ts";
import type { RulesOfTexts } from "./stored-rules.ts";

export interface LoadedPolicy {
  /** Absent: no rules. */
  readonly policy?: Policy;
  readonly rules: readonly ConfiguredRule[];
  readonly auditsPersons: boolean;
  /** While there are any, every call is refused. */
  readonly problems: readonly string[];
  readonly notes: readonly string[];
  /** The problems are over with the next look. */
  readonly isPassing?: true;
}

const none: LoadedPolicy = { rules: [], auditsPersons: true, problems: [], notes: [] };

export interface ProjectConfig {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
  /** Why rules that were trusted may be missing; a whole sentence. */
  readonly trouble?: string;
}

export interface PolicyConfigOptions {
  readonly host: Host;
  /** Where its folder is trusted. Asked before each call. */
  projectConfig?(): ProjectConfig | undefined;
}

export class PolicyConfig {
  readonly #options: PolicyConfigOptions;
  #stamp: string | undefined;
  #loaded: Promise<LoadedPolicy> = Promise.resolve(none);

  constructor(options: PolicyConfigOptions) {
    this.#options = options;
  }

  current(): Promise<LoadedPolicy> {
    const { host } = this.#options;
    const project = this.#options.projectConfig?.();
    const stamp = `${stampOf(userConfigPath(host), host)} ${project ? `${project.path} ${project.trouble ?? ""} ${project.text}` : ""}`;
    if (stamp !== this.#stamp) {
      this.#stamp = stamp;
      this.#loaded = this.#load(host, project);
    }
    return this.#loaded;
  }

  async #load(host: Host, project: ProjectConfig | undefined): Promise<LoadedPolicy> {
    const loaded = await load(host, project);
    if (loaded.isPassing) this.#stamp = undefined;
    return loaded;
  }
}

function stampOf(path: string, host: Host): string {
  const stat = host.instant.stat(path);
  return stat ? `${stat.inode}.${stat.sizeBytes}.${stat.mtimeMs}.${stat.ctimeMs}` : "";
}

async function load(host: Host, project: ProjectConfig | undefined): Promise<LoadedPolicy> {
  const user = readUserConfig(host);
  if (user.trouble !== undefined) return { ...none, problems: [`${user.path}: it ${user.trouble}`], isPassing: true };
  if (project?.trouble !== undefined)
    return { ...none, problems: [`${project.path}: ${project.trouble}`], isPassing: true };
  const written = [
    { ...user, owner: "user" as const },
    ...(project ? [{ ...project, owner: "project" as const }] : []),
  ];
  const saying = written.filter(({ text }) => mayHaveRules(text));
  if (saying.length === 0) return none;
  const { storedRules, storeRules } = await import("./stored-rules.ts");
  const sources = saying.map(({ path, text, owner }) => ({ path, text, owner }));
  const stored = storedRules(sources, host);
  // A call that it might have refused is refused, and a person hears of it.
  if (stored && "damage" in stored) return { ...none, problems: [stored.damage], isPassing: true };
  if (stored) return { ...(await withPolicy(stored)), problems: [] };
  const { readRules } = await import("./read-rules.ts");
  const files = sources.map(({ path, text, owner }) => readRules(text, { path, owner, host }));
  const read = {
    rules: files.flatMap(({ rules }) => rules),
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
 * The reader of YAML takes 15 ms to load, for nothing in most files. A key can be written with escapes, a text in
 * another encoding says who knows what, and a key that is none of the others' may be meant for ours.
 */
function mayHaveRules(text: string): boolean {
  return /policy|audit|[\\\0\uFFFD]|^(?!(?:providers|secrets|mcp_servers|google_search|web_search|web):|\s|#|$)./m.test(
    text,
  );
}
