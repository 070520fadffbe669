// Runs the Deno that npm installed for this platform, or the one on PATH: `node scripts/deno.mjs run -A test/run.ts`.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const installed = fileURLToPath(new URL("../node_modules/@deno/linux-x64-glibc/deno", import.meta.url));
const { status, error } = spawnSync(existsSync(installed) ? installed : "deno", process.argv.slice(2), {
  stdio: "inherit",
});
if (error) console.error(`deno cannot be started (${error.code}); install it for this platform`);
process.exitCode = status ?? 1;
