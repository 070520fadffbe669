// For files.test.ts, in a process that may only write small files: prints how both kinds of writing fail.
import process from "node:process";
import { createNodeHost } from "../../src/core/host/node-host.ts";
import { codeOf } from "../../src/core/tool/error-code.ts";

const { files, instant } = createNodeHost();
const [path = ""] = process.argv.slice(2);
const large = "x".repeat(1_000_000);
const codes: (string | undefined)[] = [];
try {
  await files.write(path, large);
} catch (error) {
  codes.push(codeOf(error));
}
try {
  instant.replace(path, large);
} catch (error) {
  codes.push(codeOf(error));
}
console.log(codes.join(" "));
