// Ends the processes of this program after SIGKILL, which the program itself cannot notice. A shell with a pipe from
// here does it: the system closes the pipe, whatever ended the program. There is one for each program, started for the
// first run that is not short, and it ends with the program. It has its own session, folder and environment, and no
// other pipe.
import process from "node:process";
import { readFileSync } from "node:fs";
import { CLAIM_PREFIX, markText, ownName } from "./process-mark.ts";
import type { ProcessTree } from "./process-members.ts";
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

/** The limit of full searches with `grep`, which take some 10 ms each; some processes cannot be killed. */
const PASSES_MAX = 60;
const QUIET_PASSES = 3;
/** The number of quick searches; each takes some 0.1 ms. */
const QUICK_LOOKS = 200;
const QUICK_IDS_MAX = 40;
/** The number of ids that are checked again, because an id is assigned some time before its process is visible. */
const IDS_AGAIN = 4;

/**
 * A script that gets `RUN:GROUP:START:MARK` of the first run as its argument, reads `+RUN:GROUP:START:MARK` and `-RUN`
 * of others until the pipe is closed, and ends the runs that are left then.
 *
 * It ends them by `kill` of the group, unless its leader was started at another time, so that its id belongs to another
 * process now, or is gone and the mark finds the others; by `grep` for the run's id in all environments, and by the
 * mark, unless the environment has the id of another run, or another dottool has claimed the mark, as it may once this
 * one's is gone: its processes, and for a moment it itself, have the mark then. So each is stopped before the claim is
 * looked at, and goes on if it is another's. A process that forks and ends at once is too quick for `grep`: the process
 * that was started last is looked at with builtins only.
 *
 * Its descriptors above 2 are closed: otherwise those that this program has got from its own parent would stay open,
 * and `dottool x 3>&1 | cat` would wait for the script.
 */
const watcherScript = `trap '' INT TERM HUP QUIT PIPE TSTP TTIN TTOU
exec 3<&- 4<&- 5<&- 6<&- 7<&- 8<&- 9<&-
runs=$1
while IFS= read -r line; do
  case $line in
    +*) runs="$runs \${line#+}" ;;
    -*) left=
      for run in $runs; do case $run in "\${line#-}":*) ;; *) left="$left $run" ;; esac; done
      runs=$left ;;
  esac
done
[ -n "$runs" ] || exit 0
split() { id=\${1%%:*} mark=\${1##*:} group=\${1#*:}; group=\${group%:*}; start=\${group#*:}; group=\${group%%:*}; }
led() {
  stat=$(cat "/proc/$group/stat" 2>/dev/null) || { [ -z "$mark" ]; return; }
  set -- \${stat##*) }; [ "\${20}" = "$start" ]
}
number() { pid=\${1#/proc/}; pid=\${pid%%/*}; }
owned() { [ "$(readlink "$CLAIM$mark")" = "$OWNER" ]; }
hit() { kill -KILL "$1" 2>/dev/null && hits=1; }
marked() { grep -l "^$mark" /proc/[0-9]*/coredump_filter 2>/dev/null; }
foreign() { grep -a '${RUN_ID_VARIABLE}=[0-9a-f]' "/proc/$1/environ" 2>/dev/null | grep -qav "$id"; }
end() {
  kill -STOP "$1" 2>/dev/null || return
  if foreign "$1" || ! owned; then kill -CONT "$1"; else hit "$1"; fi
}
strike() { for file in $(marked); do number "$file"; end "$pid"; done; }
quick() {
  look=0 next=0
  while [ $look -lt ${QUICK_LOOKS} ]; do
    look=$((look + 1))
    read -r x x x x last </proc/loadavg || return
    pid=$next
    [ $((last - pid)) -le ${QUICK_IDS_MAX} ] && [ "$pid" -le "$last" ] || pid=$((last - ${QUICK_IDS_MAX}))
    next=$((last - ${IDS_AGAIN}))
    while [ $pid -lt "$last" ]; do
      pid=$((pid + 1)) filter=
      read -r filter 2>/dev/null <"/proc/$pid/coredump_filter"
      [ "$filter" = "$mark" ] || continue
      end "$pid"
    done
  done
}
pass=0 quiet=0
while [ $pass -lt ${PASSES_MAX} ] && [ $quiet -lt ${QUIET_PASSES} ]; do
  pass=$((pass + 1)) hits=
  for run in $runs; do
    split "$run"
    led && kill -KILL "-$group" 2>/dev/null
    [ -r /proc/loadavg ] || continue
    for file in $(grep -la "$id" /proc/[0-9]*/environ 2>/dev/null); do number "$file"; hit "$pid"; done
    if [ -n "$mark" ] && owned; then strike; quick; fi
  done
  if [ -n "$hits" ]; then quiet=0; else quiet=$((quiet + 1)); fi
done
for run in $runs; do split "$run"; [ -n "$mark" ] && owned && rm -f "$CLAIM$mark"; done
`;
