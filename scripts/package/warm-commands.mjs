// What the build runs to warm the code cache: the calls that agents make thousands of times, then the commands of people.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const warmCommands = [
  ["glob", ".", "-name", "*.tool"],
  ["glob", ".", "-name", "*.tool"],
  ["greet", "--name", "Ana"],
  ["greet", "--name", "Ana"],
  ["list"],
  ["list", "--json"],
  ["show", "glob"],
  ["explain", "glob", "."],
  ["check"],
  ["--help"],
];

const TOOL = `Greets somebody.

@name greet
@wrapped run_command
@param name: string Who.
@command echo "hello {name}"
`;

/** A folder with one tool of its own, so that a project is found, parsed and cached as in real use. */
export async function withWarmFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), "dottool-warm-"));
  try {
    mkdirSync(join(folder, ".tools"));
    writeFileSync(join(folder, ".tools", "greet.tool"), TOOL);
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
