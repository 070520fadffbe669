import { within } from "../../src/core/run/ceiling.ts";
import type { Confinement } from "../../src/core/tool/confinement.ts";
import { assert, suite } from "../harness.ts";

const test = suite("within");

test("a call within another one reaches only the hosts that both may", () => {
  const sandbox = (...hosts: readonly string[]): Confinement => ({
    level: "strict",
    folder: "/p",
    writes: [],
    reads: [],
    hosts,
  });
  const hosts = (own: Confinement, parent: Confinement): readonly string[] => within(own, parent).hosts;
  assert.equal(
    [
      hosts(sandbox("a", "b"), sandbox("b")),
      hosts(sandbox("*"), sandbox("b")),
      hosts(sandbox("a"), sandbox("*")),
      hosts(sandbox("a"), sandbox()),
    ],
    [["b"], ["b"], ["a"], []],
  );
});

test("a call within another one reads and writes only what both may, and no private address where one may not", () => {
  const sandbox = (writes: readonly string[], reads: readonly string[], more?: Partial<Confinement>): Confinement => ({
    level: "strict",
    folder: "/p",
    writes,
    reads,
    hosts: [],
    ...more,
  });
  assert.equal(
    [
      within(sandbox(["/p/a", "/q", "/p/c/"], ["/r/x", "/s"]), sandbox(["/p/a", "/p/c/d"], ["/r"])),
      within(sandbox([], [], { isPublicOnly: true, isBestEffort: true }), sandbox([], [])),
      within(sandbox([], [], { isBestEffort: true }), sandbox([], [], { isPublicOnly: true, isBestEffort: true })),
      within(sandbox([], []), sandbox([], [], { isBestEffort: true, folder: "/other" })),
    ],
    [
      sandbox(["/p/a", "/p/c/d"], ["/r/x"]),
      sandbox([], [], { isPublicOnly: true }),
      sandbox([], [], { isPublicOnly: true, isBestEffort: true }),
      sandbox([], [], { folder: "/other" }),
    ],
  );
});

test.run();
