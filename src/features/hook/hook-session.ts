// The session in which calls of other agents are judged. It has rules, approvals and the log, and no tools: a decision
// needs no catalogue.
import { projectConfigs } from "../../core/catalog/project-rules.ts";
import { findToolFolders } from "../../core/catalog/tool-folders.ts";
import { createNodeHost } from "../../core/host/node-host.ts";
import { Guard } from "../../core/policy/guard.ts";
import type { Session } from "../../core/run/session.ts";
import type { Host } from "../../core/tool/host.ts";
import { createRegistry } from "../../core/tool/registry.ts";
import { createSettings } from "../../core/session/settings.ts";

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
