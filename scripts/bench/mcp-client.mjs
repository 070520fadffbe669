// A client of MCP that only sends and matches answers, so that the server alone is measured. It is the same for every
// server.
import { spawn } from "node:child_process";
import { Agent, request as httpRequest } from "node:http";
import { createInterface } from "node:readline";

export const eras = { before: "2025-11-25", now: "2026-07-28" };
const ANSWER_MS_MAX = 120_000;
const END_MS_MAX = 3_000;
const clientInfo = { name: "bench", version: "1" };
const statelessMeta = {
  "io.modelcontextprotocol/protocolVersion": eras.now,
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": clientInfo,
};

/** Greets a server. Before 2026-07-28 a connection is opened first; since then every request is complete. */
async function greet(send, notify, era) {
  if (era === eras.now) return;
  await send("initialize", { protocolVersion: era, capabilities: {}, clientInfo });
  await notify("notifications/initialized");
}

function withMeta(params, era) {
  return era === eras.now ? { ...params, _meta: statelessMeta } : params;
}

/** Opens a server over stdio. Resolves when the server accepts requests. */
export async function openStdio({ argv, cwd, environment }, era = eras.before) {
  const child = spawn(argv[0], argv.slice(1), { cwd, env: environment, stdio: ["pipe", "pipe", "pipe"] });
  const waiting = new Map();
  const heard = [];
  let errors = "";
  child.stderr.on("data", (bytes) => (errors = `${errors}${bytes}`.slice(-2_000)));
  const ended = new Promise((resolve) => child.on("close", resolve));
  const rejectAll = (error) => {
    for (const { reject } of waiting.values()) reject(error);
  };
  child.on("error", rejectAll);
  void ended.then((code) => rejectAll(new Error(`${argv.join(" ")} ended with ${code}: ${errors}`)));
  createInterface({ input: child.stdout }).on("line", (line) => {
    const message = JSON.parse(line);
    if (message.id === undefined) for (const listener of heard.splice(0)) listener(message);
    const pending = waiting.get(message.id);
    if (!pending || message.method !== undefined) return;
    waiting.delete(message.id);
    clearTimeout(pending.timer);
    if (message.error) pending.reject(new Error(JSON.stringify(message.error)));
    else pending.resolve(message.result);
  });
  let ids = 0;
  const write = (message) => void child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const send = (method, params = {}) =>
    new Promise((resolve, reject) => {
      const id = ++ids;
      const timer = setTimeout(
        () => reject(new Error(`${argv.join(" ")}: no answer to ${method}; ${errors}`)),
        ANSWER_MS_MAX,
      );
      waiting.set(id, { resolve, reject, timer });
      write({ id, method, params: withMeta(params, era) });
    });
  child.stdin.on("error", () => undefined);
  await greet(send, (method) => write({ method }), era);
  const close = () => endOf(child, ended);
  /** Resolves with the next notification. */
  const hear = () => new Promise((resolve) => heard.push(resolve));
  return { request: send, hear, pid: child.pid, close };
}

/** Ends a server by closing its input. One that does not react is killed. */
async function endOf(child, ended) {
  child.stdin?.end();
  const timer = setTimeout(() => child.kill("SIGKILL"), END_MS_MAX);
  if (child.exitCode === null && child.signalCode === null) await ended;
  clearTimeout(timer);
}

/**
 * Opens a server over HTTP. `ready` matches what it writes once it listens; its first group, if any, is the address.
 */
export async function openHttp({ argv, cwd, environment, ready, address }, era = eras.before) {
  const child = spawn(argv[0], argv.slice(1), { cwd, env: environment, stdio: ["pipe", "pipe", "pipe"] });
  const ended = new Promise((resolve) => child.on("close", resolve));
  let said = "";
  const url = await new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${argv.join(" ")} is not listening: ${said}`)), ANSWER_MS_MAX);
    const look = (bytes) => {
      said = `${said}${bytes}`.slice(-4_000);
      const match = ready.exec(said);
      if (!match) return;
      clearTimeout(timer);
      resolve(new URL(match[1] ?? address));
    };
    child.stdout.on("data", look);
    child.stderr.on("data", look);
    void ended.then((code) => {
      clearTimeout(timer);
      reject(new Error(`${argv.join(" ")} ended with ${code}: ${said}`));
    });
  });
  const client = await connectHttp(url, era);
  const close = async () => {
    client.close();
    child.kill("SIGTERM");
    await endOf(child, ended);
  };
  return { ...client, url, pid: child.pid, close };
}

/** Connects one more client to a server that listens. */
export async function connectHttp(url, era = eras.before) {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const state = { session: undefined, ids: 0 };
  const post = (message) => postMessage(message, { url, agent, era, state });
  const send = async (method, params = {}) => {
    const answer = await post({ jsonrpc: "2.0", id: ++state.ids, method, params: withMeta(params, era) });
    if (!answer || answer.error) throw new Error(`${method}: ${JSON.stringify(answer?.error ?? "no answer")}`);
    return answer.result;
  };
  await greet(send, (method) => post({ jsonrpc: "2.0", method }), era);
  return { request: send, close: () => agent.destroy() };
}

function postMessage(message, { url, agent, era, state }) {
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...(message.method === "initialize" ? {} : { "mcp-protocol-version": era }),
    ...(state.session === undefined ? {} : { "mcp-session-id": state.session }),
    ...(era === eras.now
      ? {
          "mcp-method": message.method,
          ...(message.params?.name === undefined ? {} : { "mcp-name": message.params.name }),
        }
      : {}),
  };
  const body = JSON.stringify(message);
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      url,
      {
        method: "POST",
        agent,
        timeout: ANSWER_MS_MAX,
        headers: { ...headers, "content-length": Buffer.byteLength(body) },
      },
      (response) => {
        state.session ??= response.headers["mcp-session-id"];
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (part) => (text += part));
        response.on("end", () =>
          response.statusCode >= 300
            ? reject(new Error(`HTTP ${response.statusCode}: ${text.slice(0, 500)}`))
            : resolve(answerIn(text, response.headers["content-type"] ?? "", message.id)),
        );
      },
    );
    sent.on("timeout", () => sent.destroy(new Error("no answer")));
    sent.on("error", reject);
    sent.end(body);
  });
}

function answerIn(text, type, id) {
  if (text === "") return undefined;
  if (!type.startsWith("text/event-stream")) return JSON.parse(text);
  const messages = text
    .split("\n")
    .filter((line) => line.startsWith("data:") && line.length > 6)
    .map((line) => JSON.parse(line.slice(5)));
  return messages.find((message) => message.id === id);
}

export async function listTools(client) {
  const tools = [];
  let cursor;
  do {
    const page = await client.request("tools/list", cursor === undefined ? {} : { cursor });
    tools.push(...page.tools);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return tools;
}

export async function callTool(client, name, args) {
  const result = await client.request("tools/call", { name, arguments: args });
  if (result.isError) throw new Error(`${name}: ${JSON.stringify(result.content).slice(0, 500)}`);
  return result;
}
