// A client of `dottool mcp` that makes two calls, one after the other; the fault may be in the first, and the second
// must be answered.

const request = (id, method, params) => `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;

export function talkOf(call) {
  return (child) => {
    let rest = "";
    const next = {
      hello: () =>
        child.stdin.write(
          `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n${request("first", "tools/call", call)}`,
        ),
      first: () => child.stdin.write(request("second", "tools/call", call)),
      second: () => child.stdin.end(),
    };
    child.stdout.on("data", (text) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) next[JSON.parse(line).id]?.();
    });
    child.stdin.write(
      request("hello", "initialize", {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "faults", version: "1" },
      }),
    );
  };
}

/** Answers by id. */
export function answersIn(stdout) {
  return new Map(
    stdout
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line))
      .map((message) => [message.id, message]),
  );
}
