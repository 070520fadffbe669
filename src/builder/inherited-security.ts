// What a tool asks of the machine, with what the tool below it asks: nothing is lost by another name.
import type { DeclaredSecurity, DefinitionHead } from "../tool/definition.ts";

type Asking = Pick<DefinitionHead, "security" | "cycodVersion">;

const privileges = ["same-as-user", "reduced", "elevated"] as const;
const isolations = ["none", "process", "container"] as const;

export function inheritedSecurity(own: Asking, base: Asking): Asking {
  const cycodVersion = own.cycodVersion ?? base.cycodVersion;
  const security = own.security && base.security ? both(own.security, base.security) : (own.security ?? base.security);
  return { ...(security ? { security } : {}), ...(cycodVersion === undefined ? {} : { cycodVersion }) };
}

function both(own: DeclaredSecurity, base: DeclaredSecurity): DeclaredSecurity {
  const privilege = privileges.findLast((one) => one === own.privilege || one === base.privilege);
  const isolation = isolations.findLast((one) => one === own.isolation || one === base.isolation);
  const justification = own.justification ?? base.justification;
  return { ...(privilege ? { privilege } : {}), ...(isolation ? { isolation } : {}), permissions: [...new Set([...own.permissions, ...base.permissions])], ...(justification === undefined ? {} : { justification }) };
}
