// Generated files keep their date if their content stays, so that nothing is rebuilt because of them.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

/** Writes a file; `path` is relative to the repository's root. */
export function writeIfChanged(path, text) {
  const file = fileURLToPath(new URL(`../${path}`, import.meta.url));
  try {
    if (readFileSync(file, "utf8") === text) return;
  } catch (error) {
    if (error.code !== "ENOENT") throw error;
  }
  mkdirSync(dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, text);
  renameSync(temporary, file);
}
