// No file in src/ imports itself by way of others, types and `import()` included: a reader finds a beginning, and a type
// lies in the lower file.
import { posix } from "node:path";
import { importsOf } from "./modules.mjs";

/** Tables whose rows load: what they load may ask them for another row. */
const TABLE = /^src\/(?:features\/index|features\/[\w-]+\/feature|cli\/commands)\.ts$/;

export function checkCycles({ sources }) {
  const files = new Map(sources.filter(({ path }) => path.startsWith("src/")).map((file) => [file.path, file]));
  const done = new Set();
  const complaints = [];
  const visit = (path, way) => {
    if (way.includes(path)) {
      const cycle = [...way.slice(way.indexOf(path)), path].map((one) => `\`${one}\``);
      complaints.push({ path, line: 1, rule: "cycles", text: `${cycle.join(" imports ")}; move what both need down` });
      return;
    }
    if (done.has(path)) return;
    for (const imported of importedBy(files.get(path))) if (files.has(imported)) visit(imported, [...way, path]);
    done.add(path);
  };
  for (const path of files.keys()) visit(path, []);
  return complaints;
}

function importedBy({ path, program }) {
  if (TABLE.test(path)) return [];
  return importsOf(program)
    .map(({ name }) => name)
    .filter((name) => name.startsWith("."))
    .map((name) => posix.join(posix.dirname(path), name));
}
