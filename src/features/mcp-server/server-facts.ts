// The facts that the server states about itself, both through the SDK and before the SDK is loaded.
import { ownProgramName, ownProgramVersion } from "../../core/text/program-name.ts";

export const serverInfo = {
  get name(): string {
    return ownProgramName();
  },
  get title(): string {
    return ownProgramName();
  },
  get version(): string {
    return ownProgramVersion();
  },
};

/** https://modelcontextprotocol.io/seps/2663-tasks-extension */
export const TASKS_EXTENSION = "io.modelcontextprotocol/tasks";

export const serverCapabilities = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  completions: {},
  logging: {},
  extensions: { [TASKS_EXTENSION]: {} },
};

/** The revisions that the SDK knows, newest first. test/mcp/server-stdio.test.ts compares them. */
export const earlierRevisions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"];
export const modernRevision = "2026-07-28";
