import { assert, suite } from "../harness.ts";
import { taskCompletion } from "../../src/core/base/task-completion.ts";
import { runTool } from "./file-context.ts";

const test = suite("task-completion");

test("task_completion gives back its text and breaks the loop", async () => {
  assert.equal(await runTool(taskCompletion, { result: "All is well.\n" }), {
    status: "ok",
    content: [{ type: "text", text: "All is well.\n" }],
  });
  assert.is(taskCompletion.definition.kind === "base" && taskCompletion.definition.isLoopBreaking, true);
});

test("task_completion refuses to say nothing", () => {
  assert.throws(
    () => runTool(taskCompletion, { result: "" }),
    (error: unknown) => error instanceof Error && error.message.startsWith("result:"),
  );
});

test.run();
