// A client of `dottool mcp` that makes two calls in sequence. The fault may be in the first, and the second must be
// answered.
import { request as httpRequest } from "node:http";

const rpc = (id, method, params) => JSON.stringify({ jsonrpc: "2.0", id, method, params });
const hello = rpc("hello", "initialize", {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "faults", version: "1" },
});
const initialized = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });

/** Talks over standard input and output. */
export function talkOf(call) {
  return (child) => {
    let rest = "";
    const send = (...messages) => child.stdin.write(messages.map((message) => `${message}\n`).join(""));
    const next = {
      hello: () => send(initialized, rpc("first", "tools/call", call)),
      first: () => send(rpc("second", "tools/call", call)),
      second: () => child.stdin.end(),
    };
    child.stdout.on("data", (text) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) next[JSON.parse(line).id]?.();
    });
    send(hello);
  };
}

/** Talks over HTTP in one session. `answered` gets each answer as a line. A signal ends the server afterwards. */
export function talkOverHttp(call) {
  return (child, answered) => {
    let said = "";
    let isServing = false;
    child.stdin.end();
    child.stderr.on("data", async (text) => {
      const url = /^serving at (\S+)\n/m.exec((said += text))?.[1];
      if (url === undefined || isServing) return;
      isServing = true;
      const begun = await post(url, hello);
      // A broken connection is only seen by its end. A client connects again.
      const session = begun.session ?? (await post(url, hello)).session;
      answered(rpc("hello", "session", {}));
      await post(url, initialized, session);
      for (const id of ["first", "second"])
        answered(
          (await post(url, rpc(id, "tools/call", call), session)).line ??
            JSON.stringify({ id, error: { code: 0, message: "no answer: the connection broke, ECONNRESET" } }),
        );
      child.kill("SIGTERM");
    });
  };
}

/** Sends on a connection of its own, so that a fault does not affect the next. Returns nothing if it breaks. */
function post(url, body, session) {
  return new Promise((resolve) => {
    const headers = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(session && { "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" }),
    };
    const sent = httpRequest(url, { method: "POST", agent: false, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (piece) => (text += piece));
      response.on("error", () => resolve({}));
      response.on("end", () =>
        resolve({
          session: response.headers["mcp-session-id"],
          line: text
            .split("\n")
            .map((line) => line.replace(/^data: /, ""))
            .find((line) => /^\{.*"id":"/.test(line)),
        }),
      );
    });
    sent.on("error", () => resolve({}));
    sent.end(body);
  });
}

export function answersIn(stdout) {
  return new Map(
    stdout
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line))
      .map((message) => [message.id, message]),
  );
}
