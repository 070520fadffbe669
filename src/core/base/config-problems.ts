// Problems of the settings in the user's `config.yaml`: unknown sections and keys, and values of a wrong type. Problems
// within `providers` and `secrets` are found by model-settings.ts, in `mcp_servers` by features/mcp-client/server-settings.ts,
// and in `policy` and `audit` by core/policy/read-rules.ts.
import { didYouMean, nearestNames } from "../text/suggest.ts";
import { sandboxSettingsOf } from "./sandbox-settings.ts";
import { openYaml, type YamlFields } from "./yaml-fields.ts";
import { shortTimeMs } from "../tool/deadline.ts";

const SECTIONS: ReadonlyMap<string, readonly string[]> = new Map([
  ["google_search", ["key", "engine", "url"]],
  ["web_search", ["engine", "url", "key"]],
  ["web", ["allow_hosts"]],
  ["mcp", ["approval", "background_after", "tasks_only"]],
  ["forge", ["allow"]],
  ["queue", ["address"]],
  ["sigstore", ["trusted_root"]],
]);
const SANDBOX = "sandbox";
/** Whether calls through the launcher start a resident process: true or false. */
const RESIDENT = "resident";
const READ_ELSEWHERE: readonly string[] = ["providers", "secrets", "mcp_servers", "policy", "audit"];
const APPROVALS = ["trusted", "ask"];
/** The settings that may be lists. */
const LISTS: readonly string[] = ["allow_hosts", "tasks_only"];
/** The setting that is true or false. */
const FLAG = "allow";

export interface ConfigProblem {
  /** The top-level key that it is about, or that was surely meant. */
  readonly section: string | undefined;
  /** `4:12: …`, counted from 1. */
  readonly text: string;
}

/** Returns the problems. There are none for invalid YAML, which the code that reads it reports. */
export function configProblems(text: string): readonly ConfigProblem[] {
  const { root, problems } = openYaml(text);
  const known = [...SECTIONS.keys(), SANDBOX, ...READ_ELSEWHERE, RESIDENT];
  return (root?.names ?? []).flatMap((name): readonly ConfigProblem[] => {
    const before = problems.length;
    const keys = SECTIONS.get(name);
    if (root && keys) checkSection(name, keys, root);
    else if (name === SANDBOX) {
      const fields = root?.map(name);
      if (fields) sandboxSettingsOf(fields, "/");
    } else if (name === RESIDENT) root?.flag(name);
    else if (!known.includes(name))
      root?.complain(
        name,
        `unknown setting \`${name}\`${didYouMean(name, known) || `; the settings are ${known.map((one) => `\`${one}\``).join(", ")}`}`,
      );
    const section = known.includes(name) ? name : nearestNames(name, known)[0];
    return problems.slice(before).map((problem) => ({ section, text: problem.text }));
  });
}

function checkSection(name: string, keys: readonly string[], root: YamlFields): void {
  const fields = root.map(name);
  fields?.allow(keys, `\`${name}\``);
  for (const key of keys) {
    const value = LISTS.includes(key) ? fields?.words(key) : key === FLAG ? fields?.flag(key) : fields?.text(key);
    if (key === "background_after" && typeof value === "string" && shortTimeMs(value) === undefined)
      fields?.complain(key, "`background_after` must be a time such as `500ms`, `30s` or `5m`");
    if (key === "approval" && typeof value === "string" && !APPROVALS.includes(value))
      fields?.complain(key, `\`approval\` must be ${APPROVALS.map((one) => `\`${one}\``).join(" or ")}`);
  }
}
