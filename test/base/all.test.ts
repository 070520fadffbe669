import { loadBaseTools } from "../../src/core/base/all.ts";
import { baseToolNames, loopBreakingNames } from "../../src/core/tool/base-tool-names.ts";
import { assert, suite } from "../harness.ts";

const baseTools = await loadBaseTools();

const test = suite("all base tools");

test("baseToolNames names every base tool", () => {
  assert.equal(baseTools.map((tool) => tool.definition.name.value).sort(), baseToolNames());
});

test("loopBreakingNames names those that end a turn", () => {
  assert.equal(
    baseTools
      .filter(({ definition }) => definition.kind === "base" && definition.isLoopBreaking)
      .map((tool) => tool.definition.name.value)
      .sort(),
    loopBreakingNames,
  );
});

test.run();
