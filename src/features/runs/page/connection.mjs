// How the page asks the program: over HTTP with the token of its link, or through the host that shows it as an MCP App,
// as https://github.com/modelcontextprotocol/ext-apps specifies it (revision 2026-01-26).

/** Whether a client of MCP shows the page. Over HTTP, no other page may hold it in a frame. */
export const isApp = parent !== window;

/** What the program refused; `answer` is what it said. */
export class Refused extends Error {
  constructor(answer) {
    super(answer.message);
    this.answer = answer;
  }
}

if (!isApp) takeToken();

/** The token comes behind `#`, so that it is in no request, and leaves the address at once. */
function takeToken() {
  const given = /^#token=(\w+)$/.exec(location.hash);
  if (!given) return;
  sessionStorage.setItem("token", given[1]);
  history.replaceState(null, "", location.pathname);
}

async function answerOf(path, { method = "GET", body } = {}) {
  const headers = { authorization: `Bearer ${sessionStorage.getItem("token") ?? ""}` };
  const answer = await fetch(path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
  if (answer.status === 401) throw new Error("The token is missing: open the link that `dottool runs --ui` printed.");
  if (answer.status === 413) throw new Refused({ message: "The values are too long: put long text into a file." });
  if (!answer.ok) throw new Refused(await answer.json());
  return answer;
}

export async function ask(path, options = {}) {
  return isApp ? askHost(path, options) : (await answerOf(path, options)).json();
}

export async function bytesOf(path) {
  if (isApp) return Uint8Array.from(atob((await askHost(path, {})).base64), (character) => character.charCodeAt(0));
  return new Uint8Array(await (await answerOf(path)).arrayBuffer());
}

export function messageOf(error) {
  return error instanceof TypeError ? "The server has ended." : error.message;
}

async function askHost(path, { method = "GET" }) {
  const { structuredContent, content } = await callTool("runs_page", { method, path });
  if (structuredContent === undefined) throw new Error(content?.[0]?.text ?? "The server has not answered.");
  const { status, body } = structuredContent;
  if (status >= 400) throw new Refused(body);
  return body;
}

let count = 0;
const waiting = new Map();

function request(method, params) {
  const id = ++count;
  parent.postMessage({ jsonrpc: "2.0", id, method, params }, "*");
  return new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
}

function notify(method, params) {
  parent.postMessage({ jsonrpc: "2.0", method, params }, "*");
}

/** Calls a tool of the server as the client does; what needs an approval, the client asks. */
export async function callTool(name, args) {
  await ready;
  return request("tools/call", { name, arguments: args });
}

function takeContext(context) {
  if (context?.theme) document.documentElement.style.colorScheme = context.theme;
}

async function greet() {
  addEventListener("message", ({ source, data }) => {
    if (source !== parent || data?.jsonrpc !== "2.0") return;
    const { id, method, params, result, error } = data;
    if (method === undefined) {
      const { resolve, reject } = waiting.get(id) ?? {};
      waiting.delete(id);
      if (error) reject?.(new Error(error.message));
      else resolve?.(result);
    } else if (method === "ui/notifications/host-context-changed") takeContext(params);
    else if (id !== undefined)
      parent.postMessage(
        ["ping", "ui/resource-teardown"].includes(method)
          ? { jsonrpc: "2.0", id, result: {} }
          : { jsonrpc: "2.0", id, error: { code: -32601, message: "the page does not know this method" } },
        "*",
      );
  });
  document.documentElement.classList.add("app");
  const { hostContext } = await request("ui/initialize", {
    appInfo: { name: "dottool runs", version: "1" },
    appCapabilities: {},
    protocolVersion: "2026-01-26",
  });
  takeContext(hostContext);
  notify("ui/notifications/initialized", {});
  new ResizeObserver(() =>
    notify("ui/notifications/size-changed", {
      width: document.documentElement.scrollWidth,
      height: document.body.offsetHeight,
    }),
  ).observe(document.body);
}

const ready = isApp ? greet() : undefined;
