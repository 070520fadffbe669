// The answers of an MCP server with the one tool `echo`.

const tool = {
  name: "echo",
  inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
};

/** Returns an answer, or undefined for a notification. `more` is added to the tool's description. */
export function remoteAnswer({ id, method, params }, more = "") {
  if (id === undefined) return undefined;
  switch (method) {
    case "initialize":
      return {
        jsonrpc: "2.0",
        id,
        result: {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: "remote", version: "1" },
        },
      };
    case "tools/list":
      return { jsonrpc: "2.0", id, result: { tools: [{ ...tool, description: `Says it again${more}.` }] } };
    case "tools/call":
      return { jsonrpc: "2.0", id, result: { content: [{ type: "text", text: params.arguments.text }] } };
    default:
      return { jsonrpc: "2.0", id, error: { code: -32_601, message: `no method ${method}` } };
  }
}
