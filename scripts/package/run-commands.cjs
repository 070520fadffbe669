"use strict";
// Runs commands of the program one after the other in this process, so that V8 compiles what they call: before its code caches are written,
// and before a snapshot is taken.

/**
 * `commands`: arrays of words. `requireFor(command)` gives what loads its modules; each command has modules of its own. `then(runs)` gets, in
 * their order, `{ command, loader, exitCode }`, when the last is over.
 */
exports.runCommands = ({ commands, loaderFor, then }) => {
  const { argv, exit, reallyExit } = process;
  const listeners = new Map(process.eventNames().map((name) => [name, process.rawListeners(name)]));
  const runs = [];
  // A command is over when nothing is left to wait for; the next one starts then.
  process.exit = () => {};
  process.reallyExit = () => {};
  const next = () => {
    if (runs.length > 0) runs.at(-1).exitCode = process.exitCode;
    process.exitCode = undefined;
    forgetListeners();
    const command = commands[runs.length];
    if (command === undefined) {
      process.removeListener("beforeExit", next);
      Object.assign(process, { argv, exit, reallyExit });
      return then(runs);
    }
    process.argv = [process.execPath, "dottool", ...command];
    const loader = loaderFor(command);
    runs.push({ command, loader });
    loader.requireChunk("./main.js");
    // Something must be left to wait for, or a command that did all its work at once would be the last.
    setImmediate(() => {});
  };
  const forgetListeners = () => {
    for (const name of process.eventNames()) {
      const known = listeners.get(name) ?? [];
      for (const listener of process.rawListeners(name)) if (!known.includes(listener) && listener !== next) process.removeListener(name, listener);
    }
  };
  process.on("beforeExit", next);
};
