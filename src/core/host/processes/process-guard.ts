// Ends the processes of this program, and removes its unfinished files, before it ends in any way except SIGKILL (see
// process-watcher.ts for the processes); stops the processes when it is stopped.
import process from "node:process";
import { leaveOut, nowMs } from "../monotonic-clock.ts";

// Each of these ends a program that does not listen for it, without an "exit" event.
const endingSignals = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;
/** Ctrl-Z, which Windows does not have. */
const STOPPING_SIGNAL = "SIGTSTP";

interface Guarded {
  kill(): void;
  stop?(): void;
  goOn?(): void;
}

const guarded = new Set<Guarded>();
let isListening = false;

/**
 * Ends and stops `one` together with the program, until the returned function is called. Signals are listened to from
 * the first one on: where the last listener goes, a signal that has come and was not handled yet is lost.
 */
export function guard(one: Guarded): () => void {
  if (!isListening) listen();
  guarded.add(one);
  return () => void guarded.delete(one);
}

function listen(): void {
  isListening = true;
  // Runs before folders are removed, because these processes may still write there.
  process.prependListener("exit", killAll);
  // Deno has no "exit" event after an uncaught error.
  process.on("uncaughtExceptionMonitor", onError);
  // Before a listener that is called once, which would not be counted any more.
  for (const name of endingSignals) process.prependListener(name, onSignal);
  if (process.platform !== "win32") process.on(STOPPING_SIGNAL, stopWithAll);
}

function killAll(): void {
  for (const { kill } of guarded) kill();
}

function onError(): void {
  if (process.listenerCount("uncaughtException") === 0) killAll();
}

/** If another listener exists, it acts on the signal. Otherwise the signal has its default effect. */
function onSignal(name: NodeJS.Signals): void {
  if (process.listenerCount(name) > 1) return;
  killAll();
  process.off(name, onSignal);
  process.kill(process.pid, name);
}

/**
 * Stops the runs, because the terminal stops only this program's group, and each run has its own. Returns when this
 * program was continued.
 */
function stopWithAll(): void {
  for (const { stop } of guarded) stop?.();
  // Without a listener the system stops the whole process before this call returns.
  process.off(STOPPING_SIGNAL, stopWithAll);
  const stoppedAtMs = nowMs();
  process.kill(process.pid, STOPPING_SIGNAL);
  leaveOut(nowMs() - stoppedAtMs);
  process.on(STOPPING_SIGNAL, stopWithAll);
  for (const { goOn } of guarded) goOn?.();
}
