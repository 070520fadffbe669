// Has a small program start the processes of one that starts many, such as a batch, a worker or a server. Each fork copies
// the page tables of its program: with Node's memory that is most of the time of a short process, and nothing else can
// happen meanwhile. The small program is the launcher (scripts/launcher/starter.c), which the executable contains; where
// it cannot run, and for processes that need more than words, a folder and variables, Node starts them as before.
//
// Each one starts a process only when its last one has ended: a process that kills its parent ends alone.
import type { Socket } from "node:net";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { FrameReader } from "./frames.ts";
import { launchProcess } from "./launched-process.ts";
import { LauncherLink } from "./launcher-link.ts";
import type { ProcessRequest } from "../../../core/tool/host.ts";
import type { Start } from "../../../core/host/processes/process-start.ts";
import type { Starter } from "../../../core/host/processes/processes.ts";

const ASSET = "launcher";
const MODE = 0o700;
/** As many processes as may run at once: RUNNING_MAX and BESIDE_MAX of src/core/host/processes/processes.ts. */
const STARTERS_MAX = 32;

/** Returns undefined where there is none. */
export async function openStarter(): Promise<Starter | undefined> {
  const asset = launcherAsset();
  let alive = 0;
  const open = async (): Promise<ReturnType<typeof linked> | undefined> => {
    const socket = asset && alive < STARTERS_MAX ? await startLauncher(asset) : undefined;
    if (!socket) return undefined;
    alive++;
    return linked(socket.once("close", () => alive--));
  };
  const first = await open();
  if (!first) return undefined;
  const free = [first];
  return {
    start: async (request, options): Promise<Start | undefined> => {
      if (!isPlain(request, options)) return undefined;
      let program = free.pop();
      while (program?.socket.destroyed) program = free.pop();
      program ??= await open();
      if (!program) return undefined;
      const { link, socket } = program;
      socket.ref();
      const ended = (): void => void free.push({ link, socket: socket.unref() });
      const started = await launchProcess(link, request, options);
      if (started.kind === "started") {
        started.child.once("close", ended);
        return { ...started, isWatched: true };
      }
      ended();
      return started;
    },
  };
}

function launcherAsset(): Uint8Array | undefined {
  try {
    const sea = process.getBuiltinModule("node:sea");
    return sea?.isSea() ? new Uint8Array(sea.getRawAsset(ASSET)) : undefined;
  } catch {
    return undefined;
  }
}

/** It runs from a file that is gone when it runs, so that nobody can change it. */
async function startLauncher(program: Uint8Array): Promise<Socket | undefined> {
  const { spawn } = await import("node:child_process");
  let folder: string | undefined;
  try {
    folder = mkdtempSync(join(tmpdir(), "dottool-starter-"));
    const file = join(folder, "dottool");
    writeFileSync(file, program, { flag: "wx" });
    chmodSync(file, MODE);
    const child = spawn(file, ["__starts", process.execPath], {
      cwd: "/",
      // Ctrl-C and Ctrl-Z are for this program, which passes them on.
      detached: true,
      stdio: ["ignore", "ignore", "ignore", "pipe"],
    });
    child.on("error", () => undefined);
    child.unref();
    return child.pid === undefined ? undefined : (child.stdio[3] as Socket);
  } catch {
    return undefined;
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

function linked(socket: Socket): { readonly link: LauncherLink; readonly socket: Socket } {
  const link = new LauncherLink(socket);
  const reader = new FrameReader();
  socket.on("error", () => undefined);
  socket.on("close", () => link.close());
  socket.on("data", (bytes: Buffer) => {
    try {
      for (const frame of reader.read(bytes)) link.take(frame);
    } catch {
      socket.destroy();
    }
  });
  socket.unref();
  return { link, socket };
}

/** What a process may need beside words, a folder and variables, it gets from Node. */
function isPlain(
  request: ProcessRequest,
  { descriptors = [], count, environment }: Parameters<Starter["start"]>[1],
): boolean {
  return (
    request.stdin === undefined &&
    request.onStart === undefined &&
    request.hasTerminal === undefined &&
    [request.memoryBytesMax, request.cpuMsMax, request.processesMax].every((limit) => limit === undefined) &&
    descriptors.length === 0 &&
    count === undefined &&
    [request.cwd, ...request.argv, ...Object.keys(environment), ...Object.values(environment)].every(
      // Plugins may pass values that are not text.
      (text) => typeof text === "string" && !text.includes("\0"),
    )
  );
}
