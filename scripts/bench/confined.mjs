// The sandbox for a command: the same process with and without them, in a program that runs many, and as a whole call
// of the executable.
import { execFile, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createNodeHost } from "../../src/core/host/node-host.ts";
import { takeTurns } from "./take-turns.mjs";

const ROUNDS = 100;
const CALL_ROUNDS = 30;
const ADDED_MS_MAX = 10;

export async function benchConfined(dottool) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "dottool-confined-")));
  const [folder, tools, home] = ["work", "tools", "home"].map((name) => join(root, name));
  for (const path of [folder, tools, home]) mkdirSync(path);
  for (const [name, level] of [
    ["free", "none"],
    ["held", "strict"],
  ])
    writeFileSync(
      join(tools, `${name}.tool`),
      `Does nothing.\n\n@title T ${name}\n@name ${name}\n@wrapped run_command\n@command true\n@sandbox ${level}\n`,
    );
  const { processes } = createNodeHost();
  const run = async (changes) => {
    const { kind, exitCode } = await processes.run({
      argv: ["true"],
      cwd: folder,
      environment: { PATH: "/usr/bin:/bin" },
      signal: new AbortController().signal,
      outputBytesMax: 1_000,
      onOutput: () => undefined,
      ...changes,
    });
    if (kind !== "exited" || exitCode !== 0) throw new Error(`it did not run: ${kind}`);
  };
  const bare = () =>
    new Promise((resolve, reject) =>
      spawn("true", { cwd: folder, env: { PATH: "/usr/bin:/bin" }, detached: true })
        .on("error", reject)
        .on("close", resolve),
    );
  const confinement = { level: "strict", folder, writes: [], reads: [], hosts: [] };
  const call = (name) =>
    new Promise((resolve, reject) =>
      execFile(
        dottool,
        ["--tools", tools, name],
        { cwd: folder, env: { PATH: "/usr/bin:/bin", HOME: home } },
        (error) => (error ? reject(error) : resolve()),
      ),
    );
  try {
    const ms = {
      ...(await takeTurns(ROUNDS, {
        held: () => run({ confinement }),
        writing: () => run({ confinement: { ...confinement, writes: [folder] } }),
        free: () => run({}),
        bare,
      })),
      ...(await takeTurns(CALL_ROUNDS, { callHeld: () => call("held"), callFree: () => call("free") })),
    };
    const beside = (reference, of) => ({ unit: "ms", reference, of, target: reference + ADDED_MS_MAX });
    return [
      { name: "a process without a level", value: ms.free, unit: "ms", reference: ms.bare, of: "spawn of Node" },
      { name: "a process at `strict`", value: ms.held, ...beside(ms.free, "bare process") },
      { name: "one that writes in its folder", value: ms.writing, ...beside(ms.free, "bare process") },
      { name: "a call of a tool at `strict`", value: ms.callHeld, ...beside(ms.callFree, "the same without") },
    ];
  } finally {
    rmSync(root, { recursive: true });
  }
}
