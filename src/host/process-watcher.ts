// Ends what this program has started when the program itself is ended by SIGKILL, which no program is told of. A shell with a pipe from
// here does it: the system closes the pipe, whatever ended the program. One for each program, started for the first run that is not
// short, and gone with the program. It has nothing of the program's: a session, folder and environment of its own, and no other pipe.
import process from "node:process";
import type { ProcessTree } from "./process-members.ts";
import { startListener, type Listener } from "./process-listener.ts";
import { watcherScript } from "./watcher-script.ts";

/** Most calls are over by then, and do not pay for it. */
const SHORT_RUN_MS = 25;

let watcher: Listener | undefined;

/** Until the returned function is called. Windows has no shell for it, and no way to end what a process has left behind. */
export function watchTree(tree: ProcessTree): () => void {
  if (tree.platform === "windows") return () => undefined;
  let isTold = false;
  const timer = setTimeout(() => {
    watcher = watcher?.isListening === true ? watcher : startWatcher();
    isTold = watcher !== undefined;
    watcher?.tell(`+${tree.runId}:${tree.pid}:${tree.mark === undefined ? "" : tree.mark.toString(16).padStart(8, "0")}\n`);
  }, SHORT_RUN_MS);
  timer.unref();
  return () => {
    clearTimeout(timer);
    if (isTold) watcher?.tell(`-${tree.runId}\n`);
  };
}

function startWatcher(): Listener | undefined {
  return startListener({ file: "/bin/sh", argv: ["dottool-watcher", "-c", watcherScript, "dottool-watcher"], cwd: "/", environment: { PATH: "/usr/bin:/bin", LC_ALL: "C" } });
}
