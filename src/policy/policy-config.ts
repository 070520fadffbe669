// The rules that count now: of the user's `config.yaml`, and of the project's where its folder is trusted. Read again when a file changes.
// Every call comes through here, and most find no rules: whatever those need loads when there are some.
import { readUserConfig, userConfigPath } from "../base/user-config.ts";
import type { Host } from "../tool/host.ts";
import type { Policy } from "./policy.ts";
import type { ConfiguredRule } from "./rule.ts";

export interface LoadedPolicy {
  /** Absent: no rules. */
  readonly policy?: Policy;
  readonly rules: readonly ConfiguredRule[];
  readonly auditsPersons: boolean;
  /** While there are any, every call is refused. */
  readonly problems: readonly string[];
  readonly notes: readonly string[];
}

const none: LoadedPolicy = { rules: [], auditsPersons: true, problems: [], notes: [] };

export interface ProjectConfig {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
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
    const stamp = `${stampOf(userConfigPath(host), host)} ${project ? `${project.path} ${project.text}` : ""}`;
    if (stamp !== this.#stamp) {
      this.#stamp = stamp;
      this.#loaded = load(host, project);
    }
    return this.#loaded;
  }
}

function stampOf(path: string, host: Host): string {
  const stat = host.instant.stat(path);
  return stat ? `${stat.inode}.${stat.sizeBytes}.${stat.mtimeMs}.${stat.ctimeMs}` : "";
}

async function load(host: Host, project: ProjectConfig | undefined): Promise<LoadedPolicy> {
  const user = readUserConfig(host);
  if (user.trouble !== undefined) return { ...none, problems: [`${user.path}: it ${user.trouble}`] };
  const files = [{ ...user, owner: "user" as const }, ...(project ? [{ ...project, owner: "project" as const }] : [])];
  const saying = files.filter(({ text }) => mayHaveRules(text));
  if (saying.length === 0) return none;
  const { readRules } = await import("./read-rules.ts");
  const { createPolicy } = await import("./policy.ts");
  const read = saying.map(({ path, text, owner }) => readRules(text, { path, owner, host }));
  const rules = read.flatMap((file) => file.rules);
  return {
    ...(rules.length === 0 ? {} : { policy: createPolicy(rules) }),
    rules,
    auditsPersons: read.every(({ auditsPersons }) => auditsPersons),
    problems: read.flatMap(({ problems }) => problems),
    notes: read.flatMap(({ notes }) => notes),
  };
}

/**
 * The reader of YAML takes 15 ms to load. A key can be written with escapes, a text in another encoding says who knows what, and a key
 * that begins like one of ours may be meant for it.
 */
function mayHaveRules(text: string): boolean {
  return /policy|audit|[\\\0\uFFFD]|^["']?(?!providers\b)[aprAPR]\w*["']?\s*:/m.test(text);
}
