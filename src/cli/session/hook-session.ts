// The session in which calls of other agents are judged. It has rules, approvals and the log, and no tools: a decision
// needs no catalogue.
import { projectConfigs } from "../../catalog/project-rules.ts";
import { findToolFolders } from "../../catalog/tool-folders.ts";
import { createNodeHost } from "../../host/node-host.ts";
import { Guard } from "../../policy/guard.ts";
import type { Session } from "../../run/session.ts";
import type { Host } from "../../tool/host.ts";
import { createRegistry } from "../../tool/registry.ts";
import { createSettings } from "../../api/settings.ts";

/** `cwd` is the absolute folder in which the other agent works. */
export function hookSession(cwd: string, warn: (text: string) => void, host: Host = createNodeHost()): Session {
  // One decision looks once: a client waits for it.
  let configs: ReturnType<typeof projectConfigs> | undefined;
  return {
    registry: createRegistry({ names: () => [], build: () => undefined }),
    policy: [],
    guard: new Guard({
      host,
      projectConfigs: () => (configs ??= projectConfigs(undefined, { host, cwd })),
      toolFolders: () => findToolFolders({ host, cwd, givenFolders: [] }).folders.map(({ path }) => path),
      warn,
    }),
    approver: { ask: () => Promise.resolve("denied") },
    frontEnd: "hook",
    host,
    cwd,
    audience: "model",
    setting: createSettings(host),
    memory: new Map(),
  };
}
