// A headless Chromium that a test drives through its own protocol (https://chromedevtools.github.io/devtools-protocol/).
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HANG_MS_MAX } from "../amount.ts";

export interface Browser {
  send(method: string, params?: object): Promise<Readonly<Record<string, unknown>>>;
  /** Evaluates an expression in the page, which may be a promise, and returns its value. */
  evaluate(expression: string): Promise<unknown>;
  /** Settles when the expression is true. */
  until(expression: string): Promise<void>;
  press(key: string): Promise<void>;
  /** Returns a PNG. */
  screenshot(): Promise<Buffer>;
  /** What the page has complained of, and the addresses that it asked for. */
  readonly complaints: readonly string[];
  readonly addresses: readonly string[];
  close(): Promise<void>;
}

export async function openBrowser(program: string, url: string): Promise<Browser> {
  const profile = mkdtempSync(join(tmpdir(), "dottool-browser-"));
  const child = spawn(
    program,
    [
      "--headless=new",
      "--no-sandbox",
      "--disable-gpu",
      "--remote-debugging-port=0",
      `--user-data-dir=${profile}`,
      "about:blank",
    ],
    { stdio: ["ignore", "ignore", "pipe"], detached: true },
  );
  const ended = new Promise((resolve) => child.on("close", resolve));
  const port = await new Promise<string>((resolve, reject) => {
    let said = "";
    child.on("error", reject).on("close", () => reject(new Error(said)));
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      const [, found] = /listening on ws:\/\/127\.0\.0\.1:(\d+)\//.exec((said += text)) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  const pages = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as readonly {
    readonly type: string;
    readonly webSocketDebuggerUrl: string;
  }[];
  const socket = new WebSocket(pages.find(({ type }) => type === "page")?.webSocketDebuggerUrl ?? "");
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", reject);
  });
  const waiting = new Map<number, (message: Message) => void>();
  const complaints: string[] = [];
  const addresses: string[] = [];
  socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    if (message.id !== undefined) waiting.get(message.id)?.(message);
    if (message.method === "Network.requestWillBeSent") addresses.push(message.params?.request?.url ?? "");
    if (message.method === "Log.entryAdded") complaints.push(message.params?.entry?.text ?? "");
    if (message.method === "Runtime.exceptionThrown") complaints.push(JSON.stringify(message.params));
  });
  let count = 0;
  const send: Browser["send"] = (method, params = {}) =>
    new Promise((resolve, reject) => {
      const id = ++count;
      waiting.set(id, ({ result, error }) => {
        waiting.delete(id);
        if (error) reject(new Error(`${method}: ${error.message}`));
        else resolve(result ?? {});
      });
      socket.send(JSON.stringify({ id, method, params }));
    });
  const evaluate = async (expression: string): Promise<unknown> => {
    const { result } = await send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    return (result as { readonly value?: unknown }).value;
  };
  for (const domain of ["Page", "Runtime", "Network", "Log"]) await send(`${domain}.enable`);
  await send("Page.navigate", { url });
  return {
    send,
    evaluate,
    complaints,
    addresses,
    until: async (expression) => {
      const untilMs = performance.now() + HANG_MS_MAX;
      while ((await evaluate(expression)) !== true) {
        if (performance.now() > untilMs) throw new Error(`never true: ${expression}`);
        await new Promise((resolve) => void setTimeout(resolve, 50));
      }
    },
    press: async (key) => {
      for (const type of ["keyDown", "keyUp"])
        await send("Input.dispatchKeyEvent", {
          type,
          key: key === "Space" ? " " : key,
          code: key,
          ...(texts[key] === undefined ? {} : { text: texts[key] }),
          windowsVirtualKeyCode: codes[key] ?? 0,
        });
    },
    screenshot: async () =>
      Buffer.from(String((await send("Page.captureScreenshot", { captureBeyondViewport: true }))["data"]), "base64"),
    close: async () => {
      socket.close();
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      await ended;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

const codes: Readonly<Record<string, number>> = {
  Tab: 9,
  Enter: 13,
  ArrowDown: 40,
  ArrowUp: 38,
  ArrowRight: 39,
  Space: 32,
  Escape: 27,
};
const texts: Readonly<Record<string, string>> = { Enter: "\r", Space: " " };

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly message: string };
  readonly params?: {
    readonly request?: { readonly url: string };
    readonly entry?: { readonly text: string };
  };
}
