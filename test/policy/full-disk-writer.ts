// For full-disk.test.ts, with a state folder on a full file system: writes lines to the log, takes locks, counts calls,
// and prints the result of each.
import { join } from "node:path";
import process from "node:process";
import { createNodeHost } from "../../src/core/host/node-host.ts";
import { AuditLog } from "../../src/core/policy/audit-log.ts";
import { countCall } from "../../src/core/policy/rate-limit.ts";
import { codeOf } from "../../src/core/tool/error-code.ts";
import { tryLock } from "../../src/core/store/lock-file.ts";

const real = createNodeHost();
const [state = ""] = process.argv.slice(2);
const host = { ...real, folders: { ...real.folders, state } };
const warnings: string[] = [];
const log = new AuditLog({ host, warn: (text) => void warnings.push(text) });
for (let index = 0; index < 300; index++) log.write({ arguments: { index, text: "x".repeat(700) } });
const locks: string[] = [];
for (let index = 0; index < 20; index++) {
  try {
    locks.push(tryLock(join(state, `lock-${index}`), { host }) ? "taken" : "held");
  } catch (error) {
    locks.push(codeOf(error) ?? String(error));
  }
}
const { kind } = await countCall({ key: "a", rate: { calls: 1_000, perMs: 60_000 } }, host);
console.log(JSON.stringify({ warnings, locks: [...new Set(locks)], counted: kind }));
