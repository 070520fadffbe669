// The hidden `__shared-server`: the process of an MCP server that is shared (`shareable: true` in `config.yaml`).
import { createNodeHost } from "../../../core/host/node-host.ts";
import type { SharedServerRequest } from "../shared-transport.ts";
import { exitCodes } from "../../../core/run/exit-code.ts";
import type { RawCommand } from "../../../cli/command.ts";

const REQUEST_BYTES_MAX = 16 * 1024 * 1024;

export const sharedServerCommand: RawCommand = {
  kind: "raw",
  usage: ["__shared-server NAME PLACE"],
  about: "Runs the MCP server that standard input describes for all sessions that connect to PLACE.",
  options: [],
  examples: [],
  run: async ([, place = ""], { terminal }) => {
    const bytes = await terminal.input.readBytes(REQUEST_BYTES_MAX);
    const request = JSON.parse(new TextDecoder().decode(bytes)) as SharedServerRequest;
    terminal.expectSignal?.();
    const { serveShared } = await import("../serve-shared.ts");
    await serveShared(request, { host: createNodeHost(), place, signal: terminal.signal });
    return exitCodes.done;
  },
};
