// What the server says of itself, both through the SDK and before the SDK is loaded.
import { version } from "../../generated/version.ts";

export const serverInfo = { name: "dottool", title: "dottool", version };

export const serverCapabilities = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  completions: {},
  logging: {},
};

/** The SDK's, newest first; test/mcp/server-stdio.test.ts holds them against it. */
export const earlierRevisions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"];
export const modernRevision = "2026-07-28";
