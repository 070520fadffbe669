// For lock-file.test.ts, a process of its own: adds one to the number in a file, so many times, each under the lock.
// Says each time what came of it.
import { dirname } from "node:path";
import process from "node:process";
import { createNodeHost } from "../../src/host/node-host.ts";
import { codeOf } from "../../src/tool/error-code.ts";
import { takeLock } from "../../src/tool/lock-file.ts";

const host = createNodeHost();
const [lockPath = "", path = "", times = "1"] = process.argv.slice(2);
for (let time = 0; time < Number(times); time++) {
  try {
    const lock = await takeLock(lockPath, { host, folder: dirname(path), waitMsMax: 60_000 });
    try {
      const before = Number(new TextDecoder().decode(await host.files.readBytes(path, { offset: 0, lengthMax: 100 })));
      await host.files.write(path, String(before + 1), { lock });
      console.log("wrote");
    } finally {
      lock.release();
    }
  } catch (error) {
    console.log(codeOf(error) ?? String(error));
  }
}
