// What a server tries that its sandbox must keep from it. Each attack works without the sandbox, which the tests show
// first, so that none fails because it is broken.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Buffer } from "node:buffer";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const CANARY = "canary-1789";
export const walledServer = fileURLToPath(new URL("./client-servers/walled.ts", import.meta.url));

export interface Attacked {
  /** Calls a tool of the server. Returns its text. */
  call(tool: string, args: Readonly<Record<string, string>>): Promise<string>;
  /** The home folder of the person. */
  readonly home: string;
}

/** Returns the names of the attacks that came through. */
export async function cameThrough({ call: callIn, home }: Attacked): Promise<readonly string[]> {
  const outside = realpathSync(mkdtempSync(join(tmpdir(), "walled-outside-")));
  const server = createServer((_request, response) => response.end(CANARY)).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const key = join(home, ".ssh/id_rsa");
  mkdirSync(dirname(key), { recursive: true });
  writeFileSync(key, CANARY);
  writeFileSync(join(outside, "canary"), CANARY);
  const written = join(outside, "written");
  const writtenAtHome = join(home, ".bashrc");
  // What a call names, the gate asks about; a server does not say what it is about to do.
  const call = (tool: string, args: Readonly<Record<string, string>>): Promise<string> =>
    callIn(tool, Object.fromEntries(Object.entries(args).map(([name, value]) => [name, hidden(value)])));
  const attacks: readonly (readonly [name: string, attempt: Promise<string>])[] = [
    ["reads a key", call("read", { path: key })],
    ["reads beside", call("read", { path: join(outside, "canary") })],
    ["writes beside", call("write", { path: written, text: CANARY }).then(() => textAt(written))],
    ["writes at home", call("write", { path: writtenAtHome, text: CANARY }).then(() => textAt(writtenAtHome))],
    ["connects", call("connect", { port: String(port) }).then((text) => (text === "connected" ? CANARY : text))],
    ["fetches", call("fetch", { url: `http://localhost:${port}/` })],
  ];
  try {
    const texts = await Promise.all(attacks.map(([, attempt]) => attempt));
    return attacks.flatMap(([name], index) => (texts[index]?.includes(CANARY) ? [name] : []));
  } finally {
    server.close().closeAllConnections();
    rmSync(outside, { recursive: true, force: true });
    rmSync(writtenAtHome, { force: true });
  }
}

export const allAttacks = ["reads a key", "reads beside", "writes beside", "writes at home", "connects", "fetches"];

function hidden(text: string): string {
  return `hex:${Buffer.from(text).toString("hex")}`;
}

function textAt(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** Whether a process has the text in its environment. */
export function isRunning(mark: string): boolean {
  return readdirSync("/proc").some((pid) => /^\d+$/.test(pid) && textAt(`/proc/${pid}/environ`).includes(mark));
}
