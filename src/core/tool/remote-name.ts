// Tools of MCP servers, as far as their names show: `mcp:SERVER/TOOL`.
import type { Effect } from "./definition.ts";

const PREFIX = "mcp:";

export interface RemoteName {
  /** The name below `mcp_servers:` in the user's configuration. */
  readonly server: string;
  /** The name that its server uses. */
  readonly tool: string;
}

export function isRemoteName(name: string): boolean {
  return name.startsWith(PREFIX) && /^[^/]+\/./s.test(name.slice(PREFIX.length));
}

/** `name` has that form, which the language checks. */
export function remoteNameOf(name: string): RemoteName {
  const slash = name.indexOf("/");
  return { server: name.slice(PREFIX.length, slash), tool: name.slice(slash + 1) };
}

export function remoteNameText({ server, tool }: RemoteName): string {
  return `${PREFIX}${server}/${tool}`;
}

/**
 * The effects of every tool of a server. A server is a program that has not been reviewed here, so its own claims
 * neither add to them nor remove any.
 */
export const remoteEffects: readonly Effect[] = ["run", "network"];
