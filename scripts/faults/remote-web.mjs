// The same MCP server as remote-server.mjs, over HTTP on loopback: each answer is one JSON message.
import { createServer } from "node:http";
import { remoteAnswer } from "./remote-answers.mjs";

/** Starts the server. Returns the port, and `close`. */
export async function startRemote() {
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += chunk;
    if (request.method !== "POST") return void response.writeHead(405).end();
    const answer = remoteAnswer(JSON.parse(text));
    if (!answer) return void response.writeHead(202).end();
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: server.address().port,
    close: () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  };
}
