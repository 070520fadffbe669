// No file in src/ imports itself by way of others, types included: a reader finds a beginning, and a type lies in the
// lower file. A module that is loaded later does not count.
import { posix } from "node:path";

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
  return program.body
    .flatMap(({ source }) => source?.value ?? [])
    .filter((name) => name.startsWith("."))
    .map((name) => posix.join(posix.dirname(path), name));
}
