// The events of a tool with steps while it runs, and of the tools within it.
import type { StepEvent, ToolEvent } from "../../src/core/tool/tool.ts";
import { assert, suite } from "../harness.ts";
import { withSteps } from "./steps-fixture.ts";

const test = suite("step events");

/** Returns lines such as `outer > inner running 1/2`. */
function told(events: readonly ToolEvent[]): readonly string[] {
  return events
    .filter((event): event is StepEvent => event.kind === "step")
    .map(
      ({ within, step, state, items, isCleanup }) =>
        `${[...within, step].join(" > ")} ${state}${items ? ` ${items.done}/${items.all}` : ""}${isCleanup ? ", cleanup" : ""}`,
    );
}

test("runSteps tells what waits, then what runs, is done and is skipped, and what cleans up", async () => {
  await withSteps(
    { one: '@step a runs\n    true\n@step b runs [when={a} == "x"]\n    true\n@cleanup runs\n    true' },
    async (bench) => {
      await bench.call("one");
      assert.equal(told(bench.events), [
        "a waiting",
        "b waiting",
        "cleanup waiting, cleanup",
        "a running",
        "a done",
        "b skipped",
        "cleanup running, cleanup",
        "cleanup done, cleanup",
      ]);
      const times = bench.events.flatMap((event) => (event.kind === "step" ? [event.atMs] : []));
      assert.equal(
        times,
        times.toSorted((one, other) => one - other),
      );
    },
  );
});

test("runSteps tells what it stopped, and what never ran only as waiting", async () => {
  await withSteps(
    { one: "@step slow sh\n    sleep 30\n@step bad sh [parallel]\n    exit 7\n@step late runs\n    true" },
    async (bench) => {
      await bench.call("one");
      assert.equal(told(bench.events), [
        "slow waiting",
        "bad waiting",
        "late waiting",
        "slow running",
        "bad running",
        "bad failed",
        "slow stopped",
      ]);
    },
  );
});

test("runSteps counts items, and says within which one a step runs", async () => {
  await withSteps(
    {
      inner: "@param word {string} [required] Word\n@step say runs\n    echo {word}",
      outer:
        '@param list {array<string>} [default=["a", "b"]] List\n@step each uses inner [for-each={list}]\n    word = {item}\n@step none runs [for-each={inner.json}]\n    true'.replace(
          "{inner.json}",
          "{each.json[0].nothing}",
        ),
    },
    async (bench) => {
      await bench.call("outer");
      assert.equal(told(bench.events), [
        "each waiting",
        "none waiting",
        "each running 0/2",
        "each[0] > say waiting",
        "each[0] > say running",
        "each[0] > say done",
        "each running 1/2",
        "each[1] > say waiting",
        "each[1] > say running",
        "each[1] > say done",
        "each running 2/2",
        "each done",
        "none running 0/0",
        "none done",
      ]);
    },
  );
});

test("runSteps tells of the steps in every attempt at once", async () => {
  await withSteps(
    {
      inner: '@step only sh\n    echo x >> tries; [ "$(wc -l < tries)" -ge 2 ]',
      outer: "@step again uses inner [retry=2 delay=1ms]",
    },
    async (bench) => {
      await bench.call("outer");
      assert.equal(told(bench.events), [
        "again waiting",
        "again running",
        "again > only waiting",
        "again > only running",
        "again > only failed",
        "again > only waiting",
        "again > only running",
        "again > only done",
        "again done",
      ]);
    },
  );
});

test.run();
