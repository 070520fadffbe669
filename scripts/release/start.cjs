#!/usr/bin/env node
// Starts the executable that npm installed for this machine. Where there is none, the library runs in this Node.
const { spawnSync } = require("node:child_process");
const { constants } = require("node:os");

const SIGNALLED = 128;
const words = process.argv.slice(2);
const file = executable();

if (file === undefined) import("../dist/lib/main.js");
else if (process.platform !== "win32" && process.execve) become(file);
else start(file);

function executable() {
  const isWindows = process.platform === "win32";
  const target = `${isWindows ? "win" : process.platform}-${process.arch}`;
  try {
    return require.resolve(`@dottool/${target}/bin/dottool${isWindows ? ".exe" : ""}`);
  } catch {
    return undefined;
  }
}

/** Takes the place of this process, so that signals and limits reach the right one. */
function become(path) {
  // That `execve` is experimental is not the user's concern.
  process.emitWarning = () => {};
  process.execve(path, [path, ...words], process.env);
}

function start(path) {
  const { status, signal, error } = spawnSync(path, words, { stdio: "inherit" });
  if (error) throw error;
  process.exitCode = status ?? SIGNALLED + (constants.signals[signal] ?? 0);
}
