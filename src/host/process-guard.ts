// However this program ends, short of SIGKILL, what it has started ends first.
import process from "node:process";

// Each ends a program that does not listen for it, without "exit".
const endingSignals = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT"] as const;

const killers = new Set<() => void>();

/** `kill` is called when the program ends, until the returned function is. */
export function guard(kill: () => void): () => void {
  if (killers.size === 0) listen();
  killers.add(kill);
  return () => {
    killers.delete(kill);
    if (killers.size === 0) unlisten();
  };
}

function listen(): void {
  process.on("exit", killAll);
  // Deno has no "exit" after an error that nobody catches.
  process.on("uncaughtExceptionMonitor", onError);
  for (const name of endingSignals) process.on(name, onSignal);
}

function unlisten(): void {
  process.off("exit", killAll);
  process.off("uncaughtExceptionMonitor", onError);
  for (const name of endingSignals) process.off(name, onSignal);
}

function killAll(): void {
  for (const kill of killers) kill();
}

function onError(): void {
  if (process.listenerCount("uncaughtException") === 0) killAll();
}

/** Where somebody else listens too, the signal is for them to act on. Else it does what it would have done without us. */
function onSignal(name: NodeJS.Signals): void {
  if (process.listenerCount(name) > 1) return;
  killAll();
  unlisten();
  process.kill(process.pid, name);
}
