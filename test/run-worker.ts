// A process of test/run-workers.ts: runs the files that it is sent, in sequence.
import module from "node:module";
import process from "node:process";
import { compiled } from "./run-variables.ts";
import { prepareProcess, runFile } from "./run-file.ts";

// Otherwise each process would strip the types of all sources again. Coverage would be less precise with it.
if (process.env["NODE_V8_COVERAGE"] === undefined) module.enableCompileCache?.(compiled("dottool-tests"));
await prepareProcess();
process.on("message", (file: string) => {
  void runFile(file).then((outcome) => process.send?.(outcome));
});
// Its files may leave servers and timers behind, which would keep it alive.
process.on("disconnect", () => process.exit());
