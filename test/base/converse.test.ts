import { assert, suite } from "../harness.ts";
import { converse } from "../../src/features/models/converse.ts";
import { runTool } from "./file-context.ts";

const test = suite("converse");

test("converse gives back its text and breaks the loop", async () => {
  assert.equal(await runTool(converse, { message: "All is well.\n" }), {
    status: "ok",
    content: [{ type: "text", text: "All is well.\n" }],
  });
  assert.is(converse.definition.kind === "base" && converse.definition.isLoopBreaking, true);
});

test("converse refuses to say nothing", () => {
  assert.throws(
    () => runTool(converse, { message: "" }),
    (error: unknown) => error instanceof Error && error.message.startsWith("message:"),
  );
});

test.run();
