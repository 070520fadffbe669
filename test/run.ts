// Runs the suites: `node test/run.ts [FILTER…] [--bail]`. A FILTER is a part of a file's path. Ends with "N passed, N failed".
import { readdirSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import { join, relative } from "node:path";

type Run = () => Promise<[errors: string | true, passed: number, skipped: number, total: number]>;
const uvu = globalThis as unknown as { UVU_DEFER: number; UVU_INDEX: number; UVU_QUEUE: [string | null, ...Run[]][] };

const words = process.argv.slice(2);
const filters = words.filter((word) => !word.startsWith("--"));
const folder = fileURLToPath(new URL(".", import.meta.url));
const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".test.ts"))
  .filter((file) => (filters.length === 0 ? !file.startsWith("packaged") : filters.some((filter) => file.includes(filter))))
  .sort();

uvu.UVU_DEFER = 1;
const { exec } = (await import("uvu")) as unknown as { exec(bail?: boolean): Promise<void> };
let passed = 0;
let failed = 0;
for (const [index, file] of files.entries()) {
  uvu.UVU_INDEX = index;
  uvu.UVU_QUEUE[index] = [relative(folder, join(folder, file))];
  await import(pathToFileURL(join(folder, file)).href);
  const suites = uvu.UVU_QUEUE[index].slice(1) as Run[];
  if (suites.length === 0) throw new Error(`${file} ran no suite; end it with .run()`);
  uvu.UVU_QUEUE[index] = [
    file,
    ...suites.map((suite): Run => async () => {
      const result = await suite();
      passed += result[1];
      failed += result[3] - result[1] - result[2];
      return result;
    }),
  ];
}
await exec(words.includes("--bail"));
if (passed + failed === 0 || failed > 0) process.exitCode = 1;
console.log(`${passed} passed, ${failed} failed`);
