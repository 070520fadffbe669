// Processes of this program that others of the same user reach over a socket, in the private folder of the resident
// process. Whoever needs one first starts it.
import { chmodSync, readFileSync, unlinkSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { dirname, join } from "node:path";
import process from "node:process";
import { createHash } from "node:crypto";
import { codeOf } from "../../../core/tool/error-code.ts";
import type { HostSharing, ServeOptions, SharedLine, SharedStart } from "../../../core/tool/host-sharing.ts";
import { answerStart, startDetached } from "../../../core/host/processes/detached-start.ts";
import { callerRights } from "../../resident/host/caller-facts.ts";
import { readyFolder, residentFolder } from "../../resident/host/resident-place.ts";

const SOCKET_MODE = 0o600;
const NAME_CHARACTERS = 32;
const MEMBERS_MAX = 256;
/** The longest line: images and whole files come as one message of MCP. */
const LINE_CHARACTERS_MAX = 48 * 1024 * 1024;
/** What a process that has started says, so that it can be reached. */
const LISTENING = "listening";
/** One that is just ending is gone after a moment. */
const ATTEMPTS_MAX = 3;

export const sharing: HostSharing = { join: joinShared, serve };

async function joinShared(key: string, { words, input }: SharedStart): Promise<SharedLine | undefined> {
  // A process that a tool starts ends with the tool's call.
  if (process.platform === "win32" || process.env["DOTTOOL_RUN_ID"] !== undefined) return undefined;
  const folder = residentFolder(process.env["XDG_RUNTIME_DIR"]);
  const name = createHash("sha256").update(`${rights()}\0${key}`).digest("hex").slice(0, NAME_CHARACTERS);
  const socket = join(folder, `shared-${name}`);
  if (readyFolder({ folder, socket }) !== undefined) return undefined;
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const found = await connected(socket);
    if (found) return new SocketLine(found);
    const answer = await startDetached({ words: [...words, socket], input, stdout: "/dev/null", stderr: "/dev/null" });
    if (answer !== LISTENING) return undefined;
  }
  return undefined;
}

/** Returns a text that two processes share if what they start may do the same. */
function rights(): string {
  if (process.platform !== "linux") return String(process.getuid?.());
  const [umask = ""] = /^Umask:.*$/m.exec(readFileSync("/proc/self/status", "latin1")) ?? [];
  return `${callerRights()}\n${umask}\n${readFileSync("/proc/self/limits", "latin1")}`;
}

/** Returns undefined if nobody listens there. */
function connected(path: string): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const fail = (): void => resolve(undefined);
    socket.once("error", fail).once("connect", () => {
      socket.off("error", fail);
      resolve(socket);
    });
  });
}

async function serve(path: string, { signal, onMember }: ServeOptions): Promise<void> {
  const folder = residentFolder(process.env["XDG_RUNTIME_DIR"]);
  if (dirname(path) !== folder || readyFolder({ folder, socket: path }) !== undefined) return;
  process.chdir("/");
  const server = createServer((socket) => onMember(new SocketLine(socket)));
  server.maxConnections = MEMBERS_MAX;
  if (!(await listens(path))) return;
  chmodSync(path, SOCKET_MODE);
  answerStart(LISTENING);
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  // Closing removes the socket, so the next caller starts another process.
  server.close();

  /** Another one may have been quicker: then this one says so too, and ends. */
  async function listens(place: string): Promise<boolean> {
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      const trouble = await new Promise<string | undefined>((resolve) => {
        server.once("error", (error) => resolve(codeOf(error) ?? "EIO"));
        server.listen(place, () => resolve(undefined));
      });
      if (trouble === undefined) return true;
      if (trouble !== "EADDRINUSE") return false;
      const other = await connected(place);
      other?.destroy();
      if (other) {
        answerStart(LISTENING);
        return false;
      }
      // It was killed, and left its socket behind.
      try {
        unlinkSync(place);
      } catch {
        // Another one has just done the same.
      }
    }
    return false;
  }
}

class SocketLine implements SharedLine {
  readonly #socket: Socket;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("error", () => socket.destroy());
  }

  listen(onText: (text: string) => void, onClose: () => void): void {
    let parts: string[] = [];
    let characters = 0;
    this.#socket.setEncoding("utf8").on("data", (text: string) => {
      const lines = text.split("\n");
      for (const line of lines.slice(0, -1)) {
        onText([...parts, line].join(""));
        parts = [];
        characters = 0;
      }
      const rest = lines.at(-1) ?? "";
      parts.push(rest);
      characters += rest.length;
      if (characters > LINE_CHARACTERS_MAX) this.#socket.destroy();
    });
    this.#socket.on("close", onClose);
  }

  write(text: string): void {
    if (this.#socket.writable) this.#socket.write(`${text}\n`);
  }

  hold(isHeld: boolean): void {
    isHeld ? this.#socket.ref() : this.#socket.unref();
  }

  close(): void {
    this.#socket.end();
  }
}
