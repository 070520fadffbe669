// Texts that people and agents read, compared exactly. `UPDATE=1 npm test` writes them again, and the change is
// reviewed like code.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { assert } from "./harness.ts";

/** `path` is relative to this folder. */
export function assertGolden(path: string, actual: string): void {
  const file = fileURLToPath(new URL(path, import.meta.url));
  if (process.env["UPDATE"] === "1") {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, actual);
  }
  assert.is(actual, existsSync(file) ? readFileSync(file, "utf8") : "");
}

/** The same for data, with one line for each record, so that a difference shows the records that changed. */
export function assertGoldenRecords(path: string, records: readonly unknown[]): void {
  assertGolden(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
}
