// The thread of a sandbox: one run at a time, each in a machine of its own. Started by sandbox-thread.ts with the
// compiled module as its data.
import { parentPort, workerData } from "node:worker_threads";
import { Machine, type MachineEnd, type MachineOrder, type WasmModule } from "./sandbox-machine.ts";

export type ToWorker =
  | { readonly kind: "run"; readonly order: MachineOrder }
  | { readonly kind: "settle"; readonly callId: number; readonly isOk: boolean; readonly text: string };

export type FromWorker =
  /** The machine is there, and the program starts. */
  | { readonly kind: "ready" }
  | { readonly kind: "log"; readonly line: string }
  | { readonly kind: "call"; readonly callId: number; readonly name: string; readonly text: string }
  /** The program waits for a call to settle; `taken`: how many messages of this run it has read. */
  | { readonly kind: "waits"; readonly taken: number }
  | { readonly kind: "end"; readonly end: MachineEnd };

const wasm = (workerData as { readonly wasm: WasmModule }).wasm;
let machine: Machine | undefined;
let taken = 0;

parentPort?.on("message", (message: ToWorker) => {
  taken = message.kind === "run" ? 1 : taken + 1;
  if (message.kind === "settle") return machine?.settle(message.callId, message);
  const run = new Machine(message.order.limits, {
    ready: () => tell({ kind: "ready" }),
    log: (line) => tell({ kind: "log", line }),
    call: (callId, name, text) => tell({ kind: "call", callId, name, text }),
    wait: () => tell({ kind: "waits", taken }),
    end: (end) => {
      machine = undefined;
      tell({ kind: "end", end });
    },
  });
  machine = run;
  run.run(wasm, message.order).catch((error: Error) => tell({ kind: "end", end: { kind: "crashed", error } }));
});

function tell(message: FromWorker): void {
  parentPort?.postMessage(message);
}
