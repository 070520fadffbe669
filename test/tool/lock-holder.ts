// For lock-file.test.ts, in a process of its own: adds one to the number in a file, as many times as told, each under
// the lock, and prints each result. With `hold` instead of a number, takes the lock and holds it until it is killed.
import { dirname } from "node:path";
import process from "node:process";
import { createNodeHost } from "../../src/core/host/node-host.ts";
import { codeOf } from "../../src/core/tool/error-code.ts";
import { takeLock } from "../../src/core/store/lock-file.ts";

const host = createNodeHost();
const [lockPath = "", path = "", times = "1"] = process.argv.slice(2);
if (times === "hold") {
  await takeLock(lockPath, { host, folder: dirname(path), waitMsMax: 60_000 });
  await new Promise(() => setInterval(() => undefined, 60_000));
}
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
