// What an executable says of the tools inside it is checked before anything is read or unpacked by it.
import { statSync } from "node:fs";
import process from "node:process";
import { filesOf } from "../../src/core/session/read-bundle.ts";
import { openBundle } from "../../src/core/host/bundle/own-bundle.ts";
import { codeOf } from "../../src/core/tool/error-code.ts";
import { packPayload } from "../../src/core/session/payload.ts";
import { createNodeHost } from "../../src/core/host/node-host.ts";
import type { HostBundle } from "../../src/core/tool/host-bundle.ts";
import { assert, suite } from "../harness.ts";

const test = suite("read-bundle");
const host = createNodeHost();
const payload = packPayload([{ path: "a.tool", bytes: Buffer.from("x"), isExecutable: false }]);
const sound = {
  name: "ourtools",
  offsetBytes: 10,
  payloadBytes: payload.length,
  sha256: host.sha256(payload),
  treeSha256: "0".repeat(64),
};

/** Returns the paths inside, or what is wrong; `read` if the payload was read before that. */
async function found(change: Partial<typeof sound>): Promise<unknown> {
  let isRead = false;
  const bundle = {
    ...sound,
    ...change,
    readPayload: async () => {
      isRead = true;
      return payload;
    },
  } as unknown as HostBundle;
  try {
    return (await filesOf(bundle, host)).map(({ path }) => path);
  } catch (error) {
    return [isRead ? "read" : "not read", error instanceof Error ? error.message : error];
  }
}

test("filesOf gives the files that were put in", async () => {
  assert.equal(await found({}), ["a.tool"]);
});

test("filesOf refuses a marker that cannot be one before it reads", async () => {
  const changes: readonly Partial<typeof sound>[] = [
    { name: "../../x" },
    { name: "our\u001b[2Jtools" },
    { offsetBytes: Number.NaN },
    { offsetBytes: -1 },
    { payloadBytes: Number.NaN },
    { payloadBytes: -1 },
    { payloadBytes: 2 ** 50 },
    { sha256: "00" },
    { treeSha256: "../../../../canary" },
  ];
  const refused = ["not read", "is damaged: what it says of its tools cannot be"];
  assert.equal(
    await Promise.all(changes.map(found)),
    changes.map(() => refused),
  );
});

test("filesOf refuses a payload with another hash, and one that is cut off", async () => {
  assert.equal(await found({ sha256: "0".repeat(64) }), [
    "read",
    "is damaged: its tools are not those that were put in",
  ]);
  assert.equal(await found({ payloadBytes: payload.length + 1 }), ["read", "is cut off: its tools are missing"]);
});

test("openBundle refuses an executable that is shorter than its tools, before anything cached is used", () => {
  const { size } = statSync(process.execPath);
  const bundle = (offsetBytes: number): Parameters<typeof openBundle>[0] => ({ ...sound, offsetBytes });
  assert.is(openBundle(bundle(size - payload.length), host.folders).name, "ourtools");
  let thrown: unknown;
  try {
    openBundle(bundle(size - payload.length + 1), host.folders);
  } catch (error) {
    thrown = error;
  }
  assert.equal(
    [codeOf(thrown), thrown instanceof Error ? thrown.message : undefined],
    ["EBUNDLE", "is cut off: its tools are missing"],
  );
});

test.run();
