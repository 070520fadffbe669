// The first program within a sandbox that may reach named hosts: it listens on the loopback of the empty network, and
// hands each connection to the proxy outside through one open descriptor, so that no socket of the machine is visible
// inside. It also is ssh's `ProxyCommand`.

/** The port within the sandbox; nothing else is on its network. */
export const PROXY_PORT = 3128;

/**
 * `run DESCRIPTOR PROGRAM WORD…` or `connect HOST PORT`. The function is whole in itself: outside the executable, Node
 * gets it as text. A frame is the number of a connection, its kind (0: bytes, 1: no more bytes, 2: broken), the length,
 * and the bytes. A frame of connection 0 is the system's code of why the program did not start.
 */
export async function relay(words: readonly string[]): Promise<number> {
  const port = 3128;
  const head = 9;
  const net = process.getBuiltinModule("node:net");
  const [mode, ...rest] = words;
  if (mode === "connect") {
    const [host = "", target = ""] = rest;
    const socket = net.connect(port, "127.0.0.1");
    return await new Promise<number>((resolve) => {
      let answer = Buffer.alloc(0);
      const end = (code: number, text = ""): void => {
        if (text !== "") process.stderr.write(`${text}\n`);
        resolve(code);
        process.exit(code);
      };
      socket.on("error", (error: Error) => end(1, error.message));
      socket.on("end", () => end(0));
      socket.write(`CONNECT ${host}:${target} HTTP/1.1\r\nHost: ${host}:${target}\r\n\r\n`);
      const read = (bytes: Buffer): void => {
        answer = Buffer.concat([answer, bytes]);
        const at = answer.indexOf("\r\n\r\n");
        if (at === -1) return;
        socket.off("data", read);
        if (!/^HTTP\/1\.1 200/.test(answer.toString("latin1", 0, at)))
          return end(1, answer.toString("utf8", at + 4) || answer.toString("latin1", 0, at));
        process.stdout.write(answer.subarray(at + 4));
        socket.pipe(process.stdout);
        process.stdin.pipe(socket);
      };
      socket.on("data", read);
    });
  }
  const [descriptor = "", program = "", ...args] = rest;
  const channel = new net.Socket({ fd: Number(descriptor), readable: true, writable: true });
  const sockets = new Map<number, import("node:net").Socket>();
  const send = (id: number, kind: number, bytes: Uint8Array = Buffer.alloc(0)): boolean => {
    const frame = Buffer.alloc(head + bytes.length);
    frame.writeUInt32LE(id, 0);
    frame.writeUInt8(kind, 4);
    frame.writeUInt32LE(bytes.length, 5);
    frame.set(bytes, head);
    return channel.write(frame);
  };
  let last = 0;
  const server = net.createServer({ allowHalfOpen: true }, (socket) => {
    const id = ++last;
    sockets.set(id, socket);
    socket.on("data", (bytes: Buffer) => {
      if (send(id, 0, bytes)) return;
      socket.pause();
      channel.once("drain", () => socket.resume());
    });
    socket.on("end", () => void send(id, 1));
    socket.on("error", () => void send(id, 2));
    socket.on("close", () => void sockets.delete(id));
  });
  let pending = Buffer.alloc(0);
  channel.on("error", () => undefined);
  channel.on("data", (bytes: Buffer) => {
    pending = Buffer.concat([pending, bytes]);
    while (pending.length >= head && pending.length >= head + pending.readUInt32LE(5)) {
      const socket = sockets.get(pending.readUInt32LE(0));
      const kind = pending.readUInt8(4);
      const payload = pending.subarray(head, head + pending.readUInt32LE(5));
      pending = pending.subarray(head + payload.length);
      if (kind === 2) socket?.destroy();
      else if (kind === 1) socket?.end();
      else if (socket?.write(payload) === false) {
        channel.pause();
        socket.once("drain", () => channel.resume());
        socket.once("close", () => channel.resume());
      }
    }
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  // The program gets the same signals, and may want to end by itself.
  for (const name of ["SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT"] as const) process.on(name, () => undefined);
  const { spawn } = process.getBuiltinModule("node:child_process");
  const numbers = process.getBuiltinModule("node:os").constants.signals;
  return await new Promise<number>((resolve) => {
    const end = (code: number): void => {
      resolve(code);
      process.exit(code);
    };
    const fail = (error: unknown): void => {
      const code = error instanceof Error && "code" in error ? String(error.code) : "EIO";
      channel.write(Buffer.concat([Buffer.from([0, 0, 0, 0, 2, code.length, 0, 0, 0]), Buffer.from(code)]), () =>
        end(1),
      );
    };
    try {
      const child = spawn(program, args, { stdio: "inherit" });
      child.on("error", fail);
      child.on("exit", (code, signal) => end(code ?? 128 + (signal ? numbers[signal] : 0)));
    } catch (error) {
      fail(error);
    }
  });
}
