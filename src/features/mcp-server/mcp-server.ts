// A server of the Model Context Protocol within another program, for any transport of the official SDK.
import { resolve } from "node:path";
import { valueText } from "../../core/schema/describe.ts";
import { assemble } from "../../core/session/assemble.ts";

export interface McpServerOptions {
  /** The folder of calls, relative to the process's working directory. */
  readonly cwd: string;
  /** Tool folders that come before all others. */
  readonly toolFolders?: readonly string[];
  /** The names, tags or effects of the tools that are offered. Default: one's own, or all where there are none. */
  readonly only?: readonly string[];
  readonly except?: readonly string[];
  /** Hears of messages that cannot be read, and of errors outside a call. */
  readonly onTrouble?: (message: string) => void;
}

/** A transport of the SDK, as far as it is used. */
export interface McpTransport {
  onmessage?(message: object): void;
  onclose?(): void;
  start(): Promise<void>;
  send(message: object): Promise<void>;
  close(): Promise<void>;
}

export interface McpServer {
  /** Serves one client. The promise resolves once messages are taken; `close` ends what the client has left open. */
  connect(transport: McpTransport): Promise<{ close(): Promise<void> }>;
}

/**
 * Opens the tools of a folder for clients of MCP, as `dottool mcp` does, with the same policy and questions.
 * Definitions are read once; make a new server after a change.
 */
export async function createMcpServer(options: McpServerOptions): Promise<McpServer> {
  const { cwd, toolFolders, only = [], except = [], onTrouble = () => undefined } = options;
  if (typeof cwd !== "string")
    throw new TypeError(`\`createMcpServer\` expects \`cwd\`, a folder's path, got ${valueText(cwd)}`);
  const folder = resolve(cwd);
  const opened = {
    cwd: folder,
    ...(await assemble({ cwd: folder, frontEnd: "mcp", audience: "model", ...(toolFolders ? { toolFolders } : {}) })),
  };
  const [{ mcpSource }, { openService }, { offeredNames }] = await Promise.all([
    import("./mcp-source.ts"),
    import("./service.ts"),
    import("../../core/session/offered-names.ts"),
  ]);
  const choice = { only, except, isBundled: false };
  const { problem } = await offeredNames(opened, choice);
  if (problem !== undefined) throw new Error(problem);
  const source = mcpSource(opened, choice);
  const service = openService({ source, open: () => Promise.resolve(source) });
  return {
    connect: async (transport) => {
      const [{ openConnection }, { readMessage }, { serve }] = await Promise.all([
        import("./connection.ts"),
        import("./rpc-message.ts"),
        import("./served.ts"),
        service.offer(),
      ]);
      const served = serve(service, opened.host);
      const outlet = { send: (message: object) => transport.send(message) };
      const connection = openConnection({ served, outlet });
      const end = async (): Promise<void> => {
        await served.end();
        await connection.close();
      };
      transport.onmessage = (message) => {
        const read = readMessage(message);
        if ("message" in read) return void connection.take(read.message);
        onTrouble(String(read.refused.error?.message));
        outlet.send(read.refused).catch(() => undefined);
      };
      transport.onclose = () => void end().catch((error: unknown) => onTrouble(String(error)));
      await transport.start();
      return {
        close: async () => {
          await end();
          await transport.close();
        },
      };
    },
  };
}
