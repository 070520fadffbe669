// A feature can be removed: without its folder and its row in src/features/index.ts, and without those that use it, the
// program type-checks, lists its commands, and makes a call. Each commit tries three, all of them with CI_FULL=1.
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { features } from "../src/features/index.ts";
import { assert, suite } from "./harness.ts";
import { turnOfCommit } from "./in-turn.ts";

const test = suite("without features");
const root = fileURLToPath(new URL("..", import.meta.url));
const EACH_PUSH = 3;
const names = features.map(({ name }) => name);
const first = turnOfCommit() * EACH_PUSH;
const chosen = process.env["CI_FULL"]
  ? names.map((name) => [name])
  : [Array.from({ length: EACH_PUSH }, (_, index) => names[(first + index) % names.length] ?? "")];

/** Returns the features and all that cannot do without one of them. */
function withUsers(removed: readonly string[]): readonly string[] {
  const more = features.filter(
    ({ name, uses = [] }) => !removed.includes(name) && uses.some((one) => removed.includes(one)),
  );
  return more.length === 0 ? removed : withUsers([...removed, ...more.map(({ name }) => name)]);
}

function inCopy<T>(work: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "dottool-without-"));
  try {
    for (const name of ["src", "grammar", "wrapped-tools", "package.json", "tsconfig.json"])
      cpSync(join(root, name), join(folder, name), { recursive: true });
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function remove(name: string, folder: string): void {
  rmSync(join(folder, "src/features", name), { recursive: true });
  const index = join(folder, "src/features/index.ts");
  const text = readFileSync(index, "utf8");
  const row = new RegExp(`^ {2}\\{\\n {4}name: "${name}",\\n(?: {4}.*\\n)* {2}\\},\\n`, "m");
  assert.match(text, row);
  writeFileSync(index, text.replace(row, ""));
  // The library for programs is these two.
  if (["plugins", "embedding"].includes(name)) rmSync(join(folder, "src/dottool.ts"), { force: true });
  // Tables that are made for it.
  for (const file of readdirSync(join(folder, "src/generated"))) {
    const path = join(folder, "src/generated", file);
    if (readFileSync(path, "utf8").includes(`../features/${name}/`)) rmSync(path);
  }
}

function run(folder: string, words: readonly string[], cwd = folder): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    cwd,
    encoding: "utf8",
    env: { PATH: process.env["PATH"], HOME: join(folder, "home"), NO_COLOR: "1" },
  });
  assert.is(status, 0, `${words.join(" ")}\n${stdout}${stderr}`);
  return stdout;
}

for (const some of chosen) {
  test(`the program goes on without ${some.join(", ")}`, () =>
    inCopy((folder) => {
      const removed = withUsers(some);
      for (const name of removed) remove(name, folder);
      writeFileSync(join(folder, "only-src.json"), JSON.stringify({ extends: "./tsconfig.json", include: ["src"] }));
      run(folder, [join(root, "node_modules/typescript/bin/tsc"), "-p", "only-src.json", "--noEmit"]);
      const tools = join(folder, "home/.config/dottool/tools");
      mkdirSync(tools, { recursive: true });
      writeFileSync(join(tools, "greet.tool"), "Greet.\n\n@command echo hello {name}\n@param name Who\n");
      const main = join(folder, "src/main.ts");
      const help = run(folder, [main, "help", "--all"], tools);
      for (const { name, commands = [] } of features)
        for (const command of commands.filter((one) => one.summary !== undefined))
          assert.is(
            new RegExp(`^ +${command.name} `, "m").test(help),
            !removed.includes(name),
            `${command.name} of ${name}`,
          );
      assert.is(run(folder, [main, "greet", "--name", "Ana"], tools), "hello Ana\n");
    }));
}

test.run();
