// The files that git knows or would add, with their syntax trees. Checks get this and return complaints: `{path, line,
// rule, text}`.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseSync } from "oxc-parser";

const TEXT_BYTES_MAX = 2_000_000;
const SOURCE = /\.(ts|mts|mjs|cjs|js)$/;

/**
 * Reads the tree. `files` is everything that is text, `sources` those with a `program`, the syntax tree. Sources that
 * `wants` leaves out are not read, since that takes the most time.
 */
export function readTree(root, wants = () => true) {
  const listed = execFileSync("git", ["-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    encoding: "utf8",
  });
  const paths = [...new Set(listed.split("\0"))].filter((path) => path !== "" && existsSync(join(root, path)));
  const files = paths.map((path) => readText(root, path)).filter((file) => file !== undefined);
  const sources = files.filter((file) => isSource(file.path) && wants(file)).map(withProgram);
  return { root: resolve(root), files, sources };
}

/** Files below test/cases are inputs of tests and have mistakes on purpose. */
function isSource(path) {
  return SOURCE.test(path) && !path.startsWith("test/cases/");
}

function readText(root, path) {
  const bytes = readFileSync(join(root, path));
  if (bytes.length > TEXT_BYTES_MAX || bytes.includes(0)) return undefined;
  const text = bytes.toString("utf8");
  return { path, text, lineAt: makeLineAt(text) };
}

function withProgram(file) {
  const { program, errors } = parseSync(file.path, file.text, { sourceType: "unambiguous" });
  const [syntaxError] = errors;
  if (syntaxError === undefined) return { ...file, program };
  return { ...file, program: { type: "Program", body: [] }, syntaxError };
}

function makeLineAt(text) {
  let starts;
  return (offset) => {
    starts ??= [0, ...[...text.matchAll(/\n/g)].map((match) => match.index + 1)];
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (starts[middle] <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

/** Calls `visit(node, parent)` for every node; it may return false to skip what is in that node. */
export function walk(node, visit, parent) {
  if (visit(node, parent) === false) return;
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) for (const item of value) isNode(item) && walk(item, visit, node);
    else if (isNode(value)) walk(value, visit, node);
  }
}

function isNode(value) {
  return typeof value === "object" && value !== null && typeof value.type === "string";
}
