// The offer, which all connections of one server share.
import type { McpSource } from "../../src/features/mcp-server/offered.ts";
import { openService } from "../../src/features/mcp-server/service.ts";
import { assert, suite } from "../harness.ts";

const test = suite("features/mcp-server/service.ts");

const registry = { complete: () => Promise.resolve(), names: () => [], find: () => undefined };
const sourceWith = (uris: readonly string[]): McpSource =>
  ({
    session: { registry },
    pluginOffers: () => ({ prompts: [], resources: uris.map((uri) => ({ uri })) }),
    offered: () => Promise.resolve({ names: [], isAll: false, instructions: "" }),
    promptsIn: () => [],
    search: () => Promise.resolve([]),
  }) as unknown as McpSource;

test("folders that could not be read once are read again", async () => {
  const results: (() => Promise<McpSource>)[] = [
    () => Promise.reject(new Error("no folder")),
    () => Promise.resolve(sourceWith(["a:new"])),
  ];
  const service = openService({
    source: sourceWith([]),
    open: () => (results.shift() ?? (() => Promise.reject(new Error("too often"))))(),
  });
  const told: string[] = [];
  service.onChange(({ kind }) => void told.push(kind));
  assert.equal(
    await service.reload().then(
      () => "read",
      (error: unknown) => (error as Error).message,
    ),
    "no folder",
  );
  await service.reload();
  assert.equal([told, (await service.offer()).resources.map(({ uri }) => uri)], [["resources"], ["a:new"]]);
});

test.run();
