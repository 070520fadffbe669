// Ends what this program has started when the program itself is ended by SIGKILL, which no program is told of. A shell
// with a pipe from here does it: the system closes the pipe, whatever ended the program. One for each program, started
// for the first run that is not short, and gone with the program. It has nothing of the program's: a session, folder
// and environment of its own, and no other pipe.
import process from "node:process";
import { type Listener, startListener } from "./process-listener.ts";
import { CLAIM_PREFIX, markText, ownName } from "./process-mark.ts";
import type { ProcessTree } from "./process-members.ts";
import { watcherScript } from "./watcher-script.ts";

let watcher: Listener | undefined;

/** Until the returned function is called. */
export function watchTree({ runId, pid, mark }: ProcessTree): () => void {
  const run = `${runId}:${pid}:${mark === undefined ? "" : markText(mark)}`;
  if (watcher?.isListening === true) watcher.tell(`+${run}\n`);
  else watcher = startWatcher(run);
  const told = watcher;
  return () => told?.tell(`-${runId}\n`);
}

/** It knows of its first run as it starts, so that there is no moment in which it knows of none. */
function startWatcher(run: string): Listener | undefined {
  const environment = {
    PATH: "/usr/bin:/bin",
    LC_ALL: "C",
    CLAIM: CLAIM_PREFIX,
    OWNER: process.platform === "linux" ? ownName() : "",
  };
  return startListener({
    file: "/bin/sh",
    argv: ["dottool-watcher", "-c", watcherScript, "dottool-watcher", run],
    cwd: "/",
    environment,
  });
}
