// The inputs of an executable, so that tests rebuild it only when they have changed.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const PLACES = [
  "src",
  "scripts/package",
  "scripts/package.mjs",
  "scripts/confine",
  "scripts/launcher",
  "scripts/bases.json",
  "package-lock.json",
];

/** Returns one hash of the content of all files. */
function hashOfInputs() {
  const hash = createHash("sha256").update(process.version);
  for (const path of PLACES.flatMap(filesIn)) hash.update(`\0${path}\0`).update(readFileSync(path));
  return hash.digest("hex");
}

function filesIn(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((name) => filesIn(join(path, name)));
}

/** The file beside the executable. */
const recordOf = (file) => `${resolve(file)}.inputs`;

export function recordInputs(file) {
  writeFileSync(recordOf(file), hashOfInputs());
}

export function isMadeFromInputs(file) {
  return existsSync(file) && existsSync(recordOf(file)) && readFileSync(recordOf(file), "utf8") === hashOfInputs();
}
