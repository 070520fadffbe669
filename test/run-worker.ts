// A process of test/run-workers.ts: runs the files that it is sent, one after the other.
import process from "node:process";
import { prepareProcess, runFile } from "./run-file.ts";

await prepareProcess();
process.on("message", (file: string) => {
  void runFile(file).then((outcome) => process.send?.(outcome));
});
// Its files may leave servers and timers behind, which would keep it alive.
process.on("disconnect", () => process.exit());
