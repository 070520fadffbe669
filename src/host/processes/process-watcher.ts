// Ends the processes of this program after SIGKILL, which the program itself cannot notice. A shell with a pipe from
// here does it: the system closes the pipe, whatever ended the program. There is one for each program, started for the
// first run that is not short, and it ends with the program. It has its own session, folder and environment, and no
// other pipe.
import { readFileSync } from "node:fs";
import process from "node:process";
import { type Listener, startListener } from "./process-listener.ts";
import { CLAIM_PREFIX, markText, ownName } from "./process-mark.ts";
import type { ProcessTree } from "./process-members.ts";
import { watcherScript } from "./watcher-script.ts";

let watcher: Listener | undefined;

/** Watches a run until the returned function is called. */
export function watchTree({ runId, pid, mark }: ProcessTree): () => void {
  const run = `${runId}:${pid}:${startOf(pid)}:${mark === undefined ? "" : markText(mark)}`;
  if (watcher?.isListening === true) watcher.tell(`+${run}\n`);
  else watcher = startWatcher(run);
  const told = watcher;
  return () => told?.tell(`-${runId}\n`);
}

/** Returns when the process started, in ticks since the system started; `gone` if it has ended, empty if unknown. */
function startOf(pid: number): string {
  if (process.platform !== "linux") return "";
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The second field is the program's name in parentheses, and may contain anything.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  } catch {
    return "gone";
  }
}

/** Starts the watcher with its first run, so that it never runs without one. */
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
