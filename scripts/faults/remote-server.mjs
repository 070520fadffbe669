// An MCP server with the one tool `echo`, for definitions that wrap it. It meets no faults itself.
import process from "node:process";
import { createInterface } from "node:readline";

const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "remote", version: "1" } }),
  "tools/list": () => ({ tools: [{ name: "echo", description: `Says it again${process.argv[2] ?? ""}.`, inputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] } }] }),
  "tools/call": ({ arguments: { text } }) => ({ content: [{ type: "text", text }] }),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const answer = answers[method] ? { result: answers[method](params) } : { error: { code: -32_601, message: `no method ${method}` } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...answer })}\n`);
}
