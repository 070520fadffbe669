// `node scripts/rejections.mjs [--every N] [MODE…]`: rejects each promise of the program that nothing waits for, one at
// a time, while a server or a command works, in all modes or in those that are named. scripts/tidy/promises.mjs checks
// that each has a handler, and here that handler runs. A server must continue to answer and end normally. A command
// must end, and say why if it fails.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import * as esbuild from "esbuild";
import { startModel } from "./faults/model.mjs";
import { startRemote } from "./faults/remote-web.mjs";
import { answersIn, talkOverHttp } from "./faults/talk.mjs";
import { detachedPromises } from "./tidy/promises.mjs";
import { readTree } from "./tidy/read-tree.mjs";

const RUN_MS_MAX = 60_000;
/**
 * The time for the server to see a change of its tools, and to begin a call. If it takes longer, one promise is not
 * reached.
 */
const CHANGE_MS = 500;
const BEGIN_MS = 2_000;
/** Promises that nothing here reaches, with the reason. */
const notReached = [
  { site: /^src\/main\.ts/, reason: "it is the program itself, and a rejection ends it" },
  { site: /^src\/mcp\/server\/http-sessions\.ts/, reason: "it takes more than 1,000 sessions" },
  {
    site: /^src\/(host\/terminal\/terminal|mcp\/server\/line-transport)\.ts/,
    reason: "it takes a client that reads none of its answers and sends 8 MB meanwhile",
  },
  // On machines without `script` of util-linux.
  { site: /^src\/cli\/view\/(steps-view|waiting-line)\.ts/, reason: "it takes a terminal" },
];
const remoteServer = fileURLToPath(new URL("faults/remote-server.mjs", import.meta.url));
const hello = {
  jsonrpc: "2.0",
  id: "hello",
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "rejections", version: "1" } },
};
const call = (id, name, args = {}) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: args, _meta: { progressToken: id } },
});
const list = { jsonrpc: "2.0", id: "list", method: "tools/list" };
const ping = { jsonrpc: "2.0", id: "ping", method: "ping" };
/** A text that breaks the compiler for types, so that its thread ends. */
const tooDeep = `const typed: number = ${"(".repeat(100_000)}`;
const modes = [
  {
    name: "lines",
    words: [],
    requests: [list, call("steps", "steps"), call("code", "code"), call("slow", "slow"), call("long", "long"), ping],
  },
  {
    name: "code",
    words: ["--mode", "code", "--bundled"],
    requests: [
      list,
      call("calls", "run_code", { code: "return await tools.list_dir({});" }),
      call("deep", "run_code", { code: tooDeep }),
      ping,
    ],
    left: call("left", "run_code", { code: "for (;;) {}" }),
  },
  {
    name: "remote",
    words: [],
    requests: [
      call("echo", "echo", { text: "a" }),
      call("far", "far", { text: "a" }),
      call("lost", "echo", { text: "LEAVE" }),
      ping,
    ],
    pins: ["it", "web"],
  },
  { name: "http", words: ["--http", "0", "--without-token"], overHttp: { name: "steps", arguments: {} } },
  { name: "agent", command: ["agent", "Do it."] },
  { name: "steps", command: ["--tools", "tools", "steps"], atTerminal: true },
  { name: "waits", command: ["--tools", "tools", "waits"], atTerminal: true },
];
const files = {
  "tools/steps.tool": "Keep it.\n\n@title Steps\n@name steps\n@step one runs [cache=1h timeout=20s]\n    echo kept\n",
  "tools/code.tool": "Add.\n\n@title Code\n@name code\n@step one code\n    return 1 + 1;\n",
  "tools/slow.tool": "Wait.\n\n@title Slow\n@name slow\n@wrapped run_command\n@command sleep 0.3\n",
  "tools/long.tool":
    "Print 6 MB.\n\n@title Long\n@name long\n@wrapped run_command\n@shell sh\n@command yes | head -c 6000000\n",
  "tools/waits.tool": "Wait.\n\n@title Waits\n@name waits\n@wrapped run_command\n@command sleep 1.4\n",
  "tools/echo.tool": "Say it.\n\n@title Echo\n@name echo\n@wrapped mcp:it/echo\n",
  "tools/far.tool": "Say it.\n\n@title Far\n@name far\n@wrapped mcp:web/echo\n",
  "home/.config/dottool/config.yaml":
    'policy:\n  - decision: allow\n    tool: "*"\n    effect: [read, write, run, network, unknown]\n',
};

const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { every: { type: "string", default: "1" } },
});
const every = Number(values.every);
const unknown = wanted.find((one) => !modes.some(({ name }) => name === one));
if (unknown !== undefined) throw new Error(`there is no mode \`${unknown}\``);
const folder = join(process.cwd(), "dist/rejections", String(process.pid));
const reachedFile = join(folder, "reached");
const siteFile = join(folder, "site");
const model = await startModel([{ name: "list_dir", arguments: {} }]);
const remote = await startRemote();
files["home/.config/dottool/config.yaml"] += `providers:
  default: local
  local: { kind: openai, url: "http://127.0.0.1:${model.port}/v1", model: small }
mcp_servers:
  it: { command: ${JSON.stringify(process.execPath)}, args: [${JSON.stringify(remoteServer)}] }
  web: { url: "http://127.0.0.1:${remote.port}/mcp" }
`;
const sites = await build();
try {
  const bad = [];
  const reached = new Set();
  for (const mode of modes) {
    if (wanted.length > 0 && !wanted.includes(mode.name)) continue;
    if (mode.atTerminal && spawnSync("script", ["--version"]).status !== 0) continue;
    const plain = await serve(undefined, mode);
    if (!isGood(plain, mode)) bad.push(`without a rejection: ${accountOf(plain, mode)}`);
    for (const site of sites.filter(
      (one) => plain.reached.includes(one) && !reached.has(one) && !one.startsWith("src/main.ts"),
    )) {
      reached.add(site);
      if (reached.size % every !== 0) continue;
      const served = await serve(site, mode);
      if (!isGood(served, mode)) bad.push(`${site}: ${accountOf(served, mode)}`);
    }
  }
  // Some modes alone do not reach all.
  const others = wanted.length > 0 ? [] : sites.filter((site) => !reached.has(site));
  const reasonOf = (site) => notReached.find((one) => one.site.test(site))?.reason;
  process.stdout.write(
    `${reached.size} of ${sites.length} promises that nothing waits for were reached, and ${Math.floor(reached.size / every)} rejected\n${others.map((site) => `  not reached: ${site}: ${reasonOf(site) ?? ""}\n`).join("")}`,
  );
  bad.push(...others.filter((site) => reasonOf(site) === undefined).map((site) => `${site}: nothing came to it`));
  process.stdout.write(bad.map((text) => `${text}\n`).join(""));
  process.exitCode = bad.length > 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
  await Promise.all([model.close(), remote.close()]);
}

/**
 * Builds the program so that each of these promises passes through a function first. Returns the `PATH:LINE` of each.
 */
async function build() {
  const found = new Map(
    readTree(".", ({ path, text }) => path.startsWith("src/") && /\.(?:catch|then)\(/.test(text)).sources.map(
      (source) => [join(process.cwd(), source.path), { ...source, promises: detachedPromises(source.program) }],
    ),
  );
  const nameOf = ({ path, lineAt }, { start }) => `${path}:${lineAt(start)}`;
  const instrument = {
    name: "rejections",
    setup: (build) =>
      build.onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => {
        const source = found.get(path);
        if (source === undefined || source.promises.length === 0) return undefined;
        let contents = source.text;
        for (const one of source.promises.toSorted((a, b) => b.start - a.start)) {
          contents = `${contents.slice(0, one.start)}globalThis.__rejected(${JSON.stringify(nameOf(source, one))}, ${contents.slice(one.start, one.end)})${contents.slice(one.end)}`;
        }
        return { contents, loader: "ts" };
      }),
  };
  // Threads of the program have no environment.
  const banner = `import { appendFileSync as __append, readFileSync as __read } from "node:fs";
globalThis.__rejected ??= (site, promise) => {
  // A write to a reader who is not slow returns none.
  if (promise === undefined) return promise;
  __append(${JSON.stringify(reachedFile)}, site + "\\n");
  if (__read(${JSON.stringify(siteFile)}, "utf8") !== site) return promise;
  Promise.resolve(promise).catch(() => undefined);
  return Promise.reject(new Error("rejected at " + site));
};`;
  await esbuild.build({
    entryPoints: {
      main: "src/main.ts",
      "sandbox-worker": "src/features/javascript/host/sandbox-worker.ts",
      "typescript-worker": "src/features/javascript/host/typescript-worker.ts",
    },
    outdir: folder,
    bundle: true,
    splitting: true,
    packages: "external",
    platform: "node",
    target: "node24",
    format: "esm",
    logLevel: "warning",
    banner: { js: banner },
    plugins: [instrument],
  });
  return [...found.values()].flatMap((source) => source.promises.map((one) => nameOf(source, one)));
}

/** Runs the server once in this mode, in a folder of its own. */
async function serve(site, mode) {
  const bench = realpathSync(mkdtempSync(join(tmpdir(), "dottool-rejections-")));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(bench, path)), { recursive: true });
    writeFileSync(join(bench, path), text);
  }
  const environment = {
    PATH: process.env["PATH"],
    HOME: join(bench, "home"),
    LANG: "C.UTF-8",
    TERM: "xterm",
    SHELL: "/bin/sh",
    NODE_COMPILE_CACHE: join(folder, "cache"),
  };
  const program = [process.execPath, join(folder, "main.js")];
  const options = { cwd: bench, env: environment, timeout: RUN_MS_MAX };
  writeFileSync(siteFile, "");
  if (mode.pins)
    await endOf(spawn(program[0], [...program.slice(1), "--tools", "tools", "pin", ...mode.pins], options));
  writeFileSync(siteFile, site ?? "");
  writeFileSync(reachedFile, "");
  const words = mode.command ?? ["--tools", "tools", "mcp", ...mode.words];
  const line = [...program, ...words].map((word) => `'${word}'`).join(" ");
  const child = mode.atTerminal
    ? spawn("script", ["-qec", line, "/dev/null"], options)
    : spawn(program[0], [...program.slice(1), ...words], options);
  const ended = endOf(child);
  const answers = mode.command
    ? undefined
    : mode.overHttp
      ? talkInSession(child, mode)
      : talkOverLines(child, mode, bench);
  if (mode.command && !mode.atTerminal) child.stdin.end();
  const { exitCode, said, printed } = await ended;
  const reached = readFileSync(reachedFile, "utf8").split("\n");
  rmSync(bench, { recursive: true, force: true });
  return { exitCode, answers, said, printed, reached };
}

function endOf(child) {
  let [said, printed] = ["", ""];
  child.stderr.setEncoding("utf8").on("data", (text) => (said += text));
  child.stdout.setEncoding("utf8").on("data", (text) => (printed += text));
  child.stdin.on("error", () => undefined);
  return new Promise((resolve) => child.on("close", (exitCode) => resolve({ exitCode, said, printed })));
}

function talkInSession(child, { overHttp }) {
  const answers = new Set();
  talkOverHttp(overHttp)(child, (text) => {
    for (const [id, message] of answersIn(text))
      if (message.error === undefined) answers.add(id === "second" ? "last" : id);
  });
  return answers;
}

/** A client that asks for everything. Its tools change in the meantime, and then its input ends. */
function talkOverLines(child, { requests, left }, bench) {
  const answers = new Set();
  let rest = "";
  const send = (message) => child.stdin.write(`${JSON.stringify(message)}\n`);
  child.stdout.on("data", (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const message of lines.map((line) => JSON.parse(line))) {
      if (message.id !== undefined) answers.add(message.id);
      if (message.id === "hello") {
        send({ jsonrpc: "2.0", method: "notifications/initialized" });
        child.stdin.write("no json\n");
        for (const one of requests) send(one);
      }
      if (requests.every(({ id }) => answers.has(id)) && !answers.has("changed")) {
        answers.add("changed");
        writeFileSync(join(bench, "tools/other.tool"), files["tools/slow.tool"].replace("@name slow", "@name other"));
        setTimeout(() => send({ jsonrpc: "2.0", id: "last", method: "ping" }), CHANGE_MS);
      }
      if (message.id !== "last") continue;
      if (left) send(left);
      setTimeout(() => child.stdin.end(), left ? BEGIN_MS : 0);
    }
  });
  send(hello);
  return answers;
}

function isGood({ exitCode, answers, said, printed, reached }, { requests = [], command }) {
  // What no handler took ends the program as a bug.
  if (/unhandled|uncaught|^failed\[bug\]/im.test(`${said}${printed}`)) return false;
  // A command may fail because of it, with a message.
  if (command)
    return exitCode === 0 || (exitCode !== null && reached.length > 1 && /^failed\[/m.test(`${said}${printed}`));
  return exitCode === 0 && answers.has("last") && requests.every(({ id }) => answers.has(id)) && !/bug/.test(said);
}

function accountOf({ exitCode, answers, said, printed }, { requests = [], command }) {
  const open = command ? [] : [...requests.map(({ id }) => id), "last"].filter((id) => !answers.has(id));
  return `${command ? command.join(" ") : "the server"}: exit code ${exitCode}, no answer to ${open.join(", ") || "nothing"}\n${said}${command ? printed : ""}`;
}
