// A model behind Chat Completions on loopback: it calls two tools in sequence and then repeats their results.
import { createServer } from "node:http";

/** Starts a model with these `calls`, each { name, arguments }. Returns the port, and `close`. */
export async function startModel(calls) {
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += chunk;
    const body = JSON.parse(text);
    const results = body.messages.filter(({ role }) => role === "tool").map(({ content }) => content);
    const said = results.length === 0 ? calls : [{ name: "task_completion", arguments: { result: results.join("") } }];
    const toolCalls = said.map(({ name, arguments: given }, index) => ({
      index,
      id: `call_${results.length + index}`,
      type: "function",
      function: { name, arguments: JSON.stringify(given) },
    }));
    const event = (delta, finish = null) =>
      `data: ${JSON.stringify({ id: "1", object: "chat.completion.chunk", created: 1, model: body.model, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
    // Each request has a connection of its own, so that a fault in one does not affect the next.
    response.writeHead(200, { "content-type": "text/event-stream", connection: "close" });
    response.end(
      `${event({ role: "assistant", content: "" })}${event({ tool_calls: toolCalls })}${event({}, "tool_calls")}data: [DONE]\n\n`,
    );
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
