// The signed state of a call that waits for its client, and how long it is valid.
import { createNodeHost } from "../../src/core/host/node-host.ts";
import { openCallStates, STATE_SECONDS } from "../../src/features/mcp-server/call-state.ts";
import { assert, suite } from "../harness.ts";

const test = suite("mcp/server call state");

test("a state is good for ten minutes, for the key that signed it", async () => {
  const host = createNodeHost();
  const states = openCallStates(host, "key");
  const minted = await states.mint({ call: "1", request: "r" });
  const { now } = Date;
  const begun = now();
  const isGood = (by: typeof states): Promise<boolean> =>
    by.verify(minted).then(
      ({ call }) => call === "1",
      () => false,
    );
  try {
    const seen: boolean[] = [];
    for (const seconds of [0, STATE_SECONDS - 2, STATE_SECONDS + 2]) {
      Date.now = () => begun + seconds * 1000;
      seen.push(await isGood(states));
    }
    Date.now = now;
    assert.equal([...seen, await isGood(openCallStates(host, "another"))], [true, true, false, false]);
  } finally {
    Date.now = now;
  }
});

test.run();
