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

test.run();
