import { thrownError } from "../../src/core/tool/thrown-error.ts";
import { assert, suite } from "../harness.ts";
import { thrownThings } from "../thrown-things.ts";

const test = suite("thrownError");

test("thrownError tells whatever was thrown, as plain text", () => {
  for (const [source, message] of thrownThings) {
    const error = thrownError(Function(`return ${source}`)());
    assert.equal([source, error.message, error.name, typeof error.stack], [source, message, "Error", "string"]);
  }
});

test.run();
