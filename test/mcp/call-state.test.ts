// The signed state of a call that waits for its client, and how long it is valid.
import { createNodeHost } from "../../src/core/host/node-host.ts";
import { openCallStates, STATE_SECONDS } from "../../src/features/mcp-server/call-state.ts";
import { assert, suite } from "../harness.ts";

const test = suite("mcp/server call state");

test("a state is good for ten minutes, for the key that signed it", () => {
  const host = createNodeHost();
  const later = (seconds: number): typeof host => ({
    ...host,
    timestamp: () => new Date(Date.parse(host.timestamp()) + seconds * 1000).toISOString(),
  });
  const minted = openCallStates(host, "key").mint({ call: "1", request: "r" });
  const isGood = (by: ReturnType<typeof openCallStates>, text = minted): boolean => by.verify(text)?.call === "1";
  assert.equal(
    [
      ...[0, STATE_SECONDS - 2, STATE_SECONDS + 2].map((seconds) => isGood(openCallStates(later(seconds), "key"))),
      isGood(openCallStates(host, "another")),
      ...[`${minted}x`, `x${minted}`, `${minted}.`, minted.replace(/.$/, "x"), ".", ""].map((text) =>
        isGood(openCallStates(host, "key"), text),
      ),
    ],
    [true, true, false, false, false, false, false, false, false, false],
  );
});

test.run();
