// `dottool test` runs this.
import { test } from "dottool";

test("greets by name", async ({ callTool, assert }) => {
  const result = await callTool("greet", { who: "World" });
  assert.deepEqual(result.content, [{ type: "text", text: "Hello, World!" }]);
});

test("fails without a name", async ({ callTool, assert }) => {
  const result = await callTool("greet", { who: " " });
  assert.equal(result.status, "failed");
});
