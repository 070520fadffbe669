// However this program ends, short of SIGKILL, what it has started ends first (SIGKILL: process-watcher.ts); and it
// stops when this stops.
import process from "node:process";
import { leaveOut, nowMs } from "./monotonic-clock.ts";

// Each ends a program that does not listen for it, without "exit".
const endingSignals = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;
/** Ctrl-Z, which Windows does not have. */
const STOPPING_SIGNAL = "SIGTSTP";

export interface Guarded {
  kill(): void;
  stop(): void;
  goOn(): void;
}

const guarded = new Set<Guarded>();

/** `one` is held to what becomes of the program, until the returned function is called. */
export function guard(one: Guarded): () => void {
  if (guarded.size === 0) listen();
  guarded.add(one);
  return () => {
    guarded.delete(one);
    if (guarded.size === 0) unlisten();
  };
}

function listen(): void {
  // Before folders are removed in which these processes may still write.
  process.prependListener("exit", killAll);
  // Deno has no "exit" after an error that nobody catches.
  process.on("uncaughtExceptionMonitor", onError);
  for (const name of endingSignals) process.on(name, onSignal);
  if (process.platform !== "win32") process.on(STOPPING_SIGNAL, stopWithAll);
}

function unlisten(): void {
  process.off("exit", killAll);
  process.off("uncaughtExceptionMonitor", onError);
  for (const name of endingSignals) process.off(name, onSignal);
  process.off(STOPPING_SIGNAL, stopWithAll);
}

function killAll(): void {
  for (const { kill } of guarded) kill();
}

function onError(): void {
  if (process.listenerCount("uncaughtException") === 0) killAll();
}

/**
 * Where somebody else listens too, the signal is for them to act on. Else it does what it would have done without us.
 */
function onSignal(name: NodeJS.Signals): void {
  if (process.listenerCount(name) > 1) return;
  killAll();
  unlisten();
  process.kill(process.pid, name);
}

/**
 * The terminal stops this program's group, and each run has a group of its own. Returns when somebody has continued
 * this program.
 */
function stopWithAll(): void {
  for (const { stop } of guarded) stop();
  // Nobody listens now, so the system does what it does by itself. It stops the whole process before this returns.
  process.off(STOPPING_SIGNAL, stopWithAll);
  const stoppedAtMs = nowMs();
  process.kill(process.pid, STOPPING_SIGNAL);
  leaveOut(nowMs() - stoppedAtMs);
  process.on(STOPPING_SIGNAL, stopWithAll);
  for (const { goOn } of guarded) goOn();
}
