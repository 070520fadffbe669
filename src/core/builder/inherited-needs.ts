// The needs of a tool, including those of the tool that it wraps.
import type { DeclaredSecurity, DefinitionHead } from "../tool/definition.ts";

type Needs = Pick<DefinitionHead, "requires" | "depends" | "platforms" | "security" | "cycodVersion">;

export function inheritedNeeds(own: Needs, base: Needs): Needs {
  const cycodVersion = own.cycodVersion ?? base.cycodVersion;
  const security = own.security && base.security ? both(own.security, base.security) : (own.security ?? base.security);
  const platforms =
    own.platforms && base.platforms
      ? own.platforms.filter((platform) => base.platforms?.includes(platform))
      : (own.platforms ?? base.platforms);
  return {
    requires: unique([...base.requires, ...own.requires]),
    depends: unique([...base.depends, ...own.depends]),
    ...(platforms ? { platforms } : {}),
    ...(security ? { security } : {}),
    ...(cycodVersion === undefined ? {} : { cycodVersion }),
  };
}

function unique<T>(values: readonly T[]): readonly T[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

const privileges = ["same-as-user", "reduced", "elevated"] as const;
const levels = ["none", "limits", "strict", "custom"] as const;
const isolations = ["none", "process", "container"] as const;

/** What a wrap adds to the sandbox of a tool: nothing. It may only take away. */
function within(own: readonly string[] | undefined, base: readonly string[] = []): readonly string[] | undefined {
  return own?.filter((one) => base.includes(one)) ?? base;
}

function both(own: DeclaredSecurity, base: DeclaredSecurity): DeclaredSecurity {
  const privilege = privileges.findLast((one) => one === own.privilege || one === base.privilege);
  const isolation = isolations.findLast((one) => one === own.isolation || one === base.isolation);
  const sandbox = levels.findLast((one) => one === own.sandbox || one === base.sandbox);
  const hosts = base.sandbox === undefined ? own.hosts : within(own.hosts, base.hosts);
  const writes = base.sandbox === undefined ? own.writes : within(own.writes, base.writes);
  const justification = own.justification ?? base.justification;
  return {
    ...(privilege ? { privilege } : {}),
    ...(isolation ? { isolation } : {}),
    permissions: [...new Set([...own.permissions, ...base.permissions])],
    ...(justification === undefined ? {} : { justification }),
    ...(sandbox ? { sandbox } : {}),
    ...(hosts && hosts.length > 0 ? { hosts } : {}),
    ...(writes && writes.length > 0 ? { writes } : {}),
  };
}
