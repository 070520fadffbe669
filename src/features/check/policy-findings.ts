// What `doctor` says about policy: whether the rules can be used, whether they match anything, what is always allowed,
// and whether calls are logged.
import { join } from "node:path";
import { AUDIT_FILE } from "../../core/policy/audit-log.ts";
import { keptApprovals } from "../../core/policy/approvals.ts";
import type { ConfiguredRule } from "../../core/policy/rule.ts";
import { codeOf } from "../../core/tool/error-code.ts";
import type { OpenedSession } from "../../core/session/assemble.ts";
import type { Finding } from "../../cli/finding.ts";

const group = "Policy";

export async function policyFindings(opened: OpenedSession): Promise<readonly Finding[]> {
  const { session, host } = opened;
  const config = await session.guard?.current();
  if (!config) return [];
  const { rules, problems, notes } = config;
  const broken = problems.map(
    (fact): Finding => ({
      group,
      name: "rules",
      works: false,
      fact,
      help: "fix it; every call is refused until then",
    }),
  );
  const odd = [...notes, ...(problems.length > 0 ? [] : rules.flatMap((rule) => oddRule(rule, opened)))].map(
    (fact): Finding => ({ group, name: "rules", works: false, fact }),
  );
  const count =
    rules.length === 0
      ? "none; models may call tools that only read, and you are asked about the rest"
      : rules.length === 1
        ? "1 rule"
        : `${rules.length} rules`;
  const { approvals: kept, unusable } = keptApprovals(host);
  return [
    ...broken,
    ...odd,
    ...(problems.length > 0 ? [] : [{ group, name: "rules", works: true, fact: count } as const]),
    {
      group,
      name: "always allowed",
      works: true,
      fact: kept.length === 0 ? "nothing" : [...new Set(kept.map(({ tool }) => `\`${tool}\``))].join(", "),
    },
    ...unusable.map(({ reason }): Finding => ({ group, name: "always allowed", works: false, fact: reason })),
    auditFinding(opened),
  ];
}

/** Reports a rule that matches nothing: it may be a mistake. */
function oddRule({ place, tools, arguments: patterns }: ConfiguredRule, { session }: OpenedSession): readonly string[] {
  const names = session.registry.names();
  return tools.flatMap((tool) => {
    const meant = names.filter((name) => tool.matches(name, "exactly"));
    if (meant.length === 0) return [`${place}: there is no tool \`${tool.written}\``];
    const [only] = meant;
    const parameters = only !== undefined && tool.isLiteral ? session.registry.find(only)?.parameters : undefined;
    return patterns.flatMap(({ name }) =>
      !parameters || parameters.some((parameter) => name === parameter.name || name.startsWith(`${parameter.name}.`))
        ? []
        : [`${place}: \`${tool.written}\` has no parameter \`${name}\``],
    );
  });
}

function auditFinding({ host }: OpenedSession): Finding {
  const path = join(host.folders.state, AUDIT_FILE);
  try {
    return { group, name: "log of calls", works: true, fact: `${path}, ${host.shared.append(path, "")} bytes` };
  } catch (error) {
    return {
      group,
      name: "log of calls",
      works: false,
      fact: `${path} cannot be written to (${codeOf(error) ?? "error"}), so calls are not logged`,
      help: "make it writable, or set XDG_STATE_HOME to a folder that is",
    };
  }
}
