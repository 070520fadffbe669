// The tools of MCP servers, loaded when a tool first depends on one of them.
import type { RemoteTools } from "../mcp/client/remote-tools.ts";
import type { RemoteSurroundings } from "../mcp/client/server-link.ts";
import type { Host } from "../tool/host.ts";

export interface RemoteToolSource {
  /** Undefined until `load`. */
  loaded(): RemoteTools | undefined;
  load(): Promise<RemoteTools>;
}

export function remoteToolSource(host: Host, surroundings: RemoteSurroundings): RemoteToolSource {
  let tools: RemoteTools | undefined;
  return {
    loaded: () => tools,
    load: async () => {
      const { openRemoteTools } = await import("../mcp/client/remote-tools.ts");
      return (tools ??= openRemoteTools(host, surroundings));
    },
  };
}
