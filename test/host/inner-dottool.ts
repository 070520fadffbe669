// A program that runs something which would outlive it, prints `ready` and its process id, and ends as its first word
// says. process-tree.test.ts starts it.
import process from "node:process";
import { randomId } from "../../src/core/host/random-id.ts";
import { createProcesses } from "../../src/core/host/processes/processes.ts";

const processes = createProcesses({ platform: "linux", randomId, outerRunIds: process.env["DOTTOOL_RUN_ID"] });
const running = processes.run({
  argv: ["sh", "-c", "setsid sleep 50 & echo ready; sleep 50"],
  cwd: "/",
  environment: { PATH: process.env["PATH"] ?? "", MARK: process.env["MARK"] ?? "" },
  confinement: { unconfined: "trusted" },
  signal: new AbortController().signal,
  outputBytesMax: 1_000,
  onOutput: (_stream, bytes) => {
    process.stdout.write(`${Buffer.from(bytes).toString()}pid ${process.pid}\n`);
    if (process.argv[2] === "throw") throwLater();
    if (process.argv[2] === "exit") process.exit(7);
    if (process.argv[2] === "end-all") void endAll();
  },
});

function throwLater(): void {
  setTimeout(() => {
    throw new Error("on purpose");
  }, 0);
}

async function endAll(): Promise<void> {
  await processes.endAll();
  const ended = await running;
  const later = await processes.run({
    argv: ["true"],
    cwd: "/",
    environment: {},
    confinement: { unconfined: "trusted" },
    signal: new AbortController().signal,
    outputBytesMax: 1,
    onOutput: () => undefined,
  });
  const isPolite = ended.kind === "exited" && ended.signalName === "SIGTERM" && ended.stopped === "aborted";
  const isClosed = later.kind === "exited" && later.stopped === "aborted" && later.exitCode === undefined;
  process.exitCode = isPolite && isClosed ? 0 : 9;
}
