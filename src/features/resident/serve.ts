// The hidden `__resident`: what `dottool resident start` leaves running.
import { runResident } from "./host/resident-server.ts";
import { residentPlace } from "./host/resident-place.ts";
import { exitCodes } from "../../core/run/exit-code.ts";
import type { RawCommand } from "../../cli/command.ts";
import { createNodeHost } from "../../core/host/node-host.ts";
import { serveCall } from "./serve-call.ts";

export const serveCommand: RawCommand = {
  kind: "raw",
  usage: ["__resident IDLE_SECONDS"],
  about: "Makes the calls of launchers until it is told to stop, or nothing has been called for this long.",
  options: [],
  examples: [],
  run: async ([idleSeconds], { terminal }) => {
    const { executable, environment } = createNodeHost();
    if (executable === undefined) return exitCodes.failed;
    const place = residentPlace(executable, environment("XDG_RUNTIME_DIR"));
    const idleMs = Number(idleSeconds) * 1000;
    terminal.expectSignal?.();
    await runResident({ place, executable, idleMs, signal: terminal.signal, serve: serveCall });
    return exitCodes.done;
  },
};
