// The file of pins on a disk with errors.
import { type PinnedTool, readPins, writePins } from "../../src/features/mcp-client/pin.ts";
import type { Host } from "../../src/core/tool/host.ts";
import { assert, suite } from "../harness.ts";
import { memoryHost } from "../memory-host.ts";

const test = suite("mcp/client-pins");

const toolsOf = (...names: readonly string[]): ReadonlyMap<string, PinnedTool> =>
  new Map(names.map((name) => [name, { name, description: "It.", inputSchema: { type: "object" } }]));

test("writePins puts a file aside that could not be read, and not one whose tools are among the new ones", () => {
  const host = memoryHost();
  const readBytes = (): never => {
    throw Object.assign(new Error("EIO"), { code: "EIO" });
  };
  const failing: Host = { ...host, instant: { ...host.instant, readBytes } };
  const files = (): readonly string[] =>
    Object.keys(host.texts()).map((path) => path.replace(/^.*\/mcp\//, "").replace(/\d{17}-[0-9a-f]{4}$/, "TIME"));
  writePins("it", { tools: toolsOf("one") }, host);
  writePins("it", { ...readPins("it", host), tools: toolsOf("one", "two") }, failing);
  assert.equal([files(), [...readPins("it", host).tools.keys()]], [["it.json"], ["one", "two"]]);
  writePins("it", { ...readPins("it", failing), tools: toolsOf("three") }, failing);
  assert.equal(
    [files().toSorted(), [...readPins("it", host).tools.keys()]],
    [["it.json", "it.json.broken-TIME"], ["three"]],
  );
});

test.run();
