"use strict";
// What the executable does first, from a snapshot or not. `--version` takes the shortest way of all.

/** `run` runs the program. */
exports.start = (run) => {
  const words = process.argv.slice(2);
  if (words.length === 1 && (words[0] === "--version" || words[0] === "-v")) return writeVersion(`dottool ${process.env.VERSION}\n`);
  run();
  // Nothing is left to wait for, so all output is out: leave without taking the heap apart, which takes 1 ms.
  process.once("beforeExit", () => process.exit());
};

/** `process.stdout` would take 3 ms to load. */
function writeVersion(text) {
  try {
    require("node:fs").writeSync(1, text);
    process.exit();
  } catch (error) {
    // A full pipe is waited for by the stream, and a reader that left early is no failure. Words as in host/terminal.ts.
    if (error.code === "EAGAIN") process.stdout.write(text);
    else if (error.code !== "EPIPE") {
      process.stderr.write(`failed[output]: the output cannot be written: ${error.code === "ENOSPC" ? "the disk is full" : `the system says ${error.code}`}\n`);
      process.exitCode = 1;
    }
  }
}
