// Ends the processes of this program after SIGKILL, which the program itself cannot notice. A shell with a pipe from
// here does it: the system closes the pipe, whatever ended the program. There is one for each program, started for the
// first run that is not short, and it ends with the program. It has its own session, folder and environment, and no
// other pipe.
import process from "node:process";
import { readFileSync } from "node:fs";
import { CLAIM_PREFIX, markText, ownName } from "./process-mark.ts";
import type { ProcessTree } from "./process-members.ts";
import { watcherScript } from "../../../generated/watcher-script.ts";
import { RUN_ID_VARIABLE } from "../../tool/run-id.ts";

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
    ID_NAME: RUN_ID_VARIABLE,
  };
  return startListener({
    file: "/bin/sh",
    argv: ["dottool-watcher", "-c", watcherScript, "dottool-watcher", run],
    cwd: "/",
    environment,
  });
}

interface Listener {
  /** False if it has ended, or no longer reads. */
  readonly isListening: boolean;
  tell(text: string): void;
}

interface ListenerStart {
  readonly file: string;
  /** Starts with the program's own name. */
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Starts it in its own session. Returns undefined if it cannot be started. */
export function startListener({ file, argv, cwd, environment }: ListenerStart): Listener | undefined {
  const [argv0 = file, ...words] = argv;
  try {
    const child = process
      .getBuiltinModule("node:child_process")
      .spawn(file, words, { argv0, cwd, env: environment, detached: true, stdio: ["pipe", "ignore", "ignore"] });
    let isListening = child.pid !== undefined;
    const end = (): void => void (isListening = false);
    const { stdin } = child.on("error", end).on("exit", end);
    stdin.on("error", end);
    child.unref();
    // Pipes are sockets, although their types do not say so.
    (stdin as Partial<Pick<NodeJS.RefCounted, "unref">>).unref?.();
    return {
      get isListening(): boolean {
        return isListening;
      },
      // The pipe holds some thousand lines. A process that has not read them is stopped or gone, and must not act later
      // on what it has read.
      tell: (text) => {
        if (!isListening || stdin.write(text)) return;
        isListening = false;
        child.kill("SIGKILL");
      },
    };
  } catch {
    return undefined;
  }
}
