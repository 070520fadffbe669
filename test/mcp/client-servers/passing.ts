// An MCP server over stdio whose results have every part that a result can have.
import process from "node:process";
import { createInterface } from "node:readline";

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly _meta?: { readonly progressToken?: number | string } };
}

const send = (...messages: readonly object[]): void =>
  void process.stdout.write(messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join(""));
const inputSchema = { type: "object", properties: {} };
const outputSchema = {
  type: "object",
  properties: { city: { type: "string" }, degrees: { type: "number" } },
  required: ["city", "degrees"],
};
const text = (words: string): object => ({ type: "text", text: words });
const structuredContent = { city: "Bonn", degrees: 21 };

/** The results of the tools, by name. */
export const results: Readonly<Record<string, object>> = {
  words: { content: [text("21 degrees in Bonn")], structuredContent },
  same: { content: [text('{"degrees": 21, "city": "Bonn"}')], structuredContent },
  links: {
    content: [
      text("Two files."),
      { type: "resource_link", uri: "file:///a.txt", name: "a.txt", mimeType: "text/plain", size: 3 },
      { type: "resource_link", uri: "file:///b.txt", name: "b", title: "B", description: "The other" },
    ],
  },
  document: {
    content: [{ type: "resource", resource: { uri: "file:///a.txt", mimeType: "text/plain", text: "abc" } }],
  },
  picture: { content: [{ type: "image", mimeType: "image/png", data: "AAAA" }, text("a picture")] },
  slow: { content: [text("done")] },
  fails: { content: [text("no such city")], isError: true },
  silent: { content: [text("")] },
};

if (process.argv[1]?.endsWith("passing.ts"))
  createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method, params } = JSON.parse(line) as Message;
    if (id === undefined) return;
    if (method === "initialize")
      return send({
        id,
        result: {
          protocolVersion: "2025-11-25",
          capabilities: { tools: {} },
          serverInfo: { name: "passing", version: "1" },
        },
      });
    if (method === "tools/list")
      return send({
        id,
        result: {
          tools: Object.keys(results).map((name) => ({
            name,
            description: `Gives ${name}`,
            inputSchema,
            ...("structuredContent" in (results[name] ?? {}) ? { outputSchema } : {}),
          })),
        },
      });
    if (method !== "tools/call") return send({ id, error: { code: -32601, message: "no such method" } });
    const progressToken = params?._meta?.progressToken;
    const reported = params?.name === "slow" && progressToken !== undefined ? [1, 2, 3] : [];
    // In one piece, as from a server that is faster than its reader.
    send(
      ...reported.map((progress) => ({
        method: "notifications/progress",
        params: { progressToken, progress, total: 3, ...(progress === 2 ? { message: "half" } : {}) },
      })),
      { id, result: results[params?.name ?? ""] },
    );
  });
