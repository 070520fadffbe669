// `node scripts/rejections.mjs [--every N]`: rejects each promise of the program that nothing waits for, one at a time,
// while a server works. Each has a handler, as scripts/tidy/promises.mjs sees to; here that handler runs. The server
// must go on answering, and end as if nothing had been.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import * as esbuild from "esbuild";
import { detachedPromises } from "./tidy/promises.mjs";
import { readTree } from "./tidy/read-tree.mjs";

const RUN_MS_MAX = 60_000;
/**
 * For the server to see a change of its tools, and to begin a call; where it takes longer, one promise less is reached.
 */
const CHANGE_MS = 500;
/**
 * Promises of agents (and of the lock of their conversations), of terminals, of the compiler for types and of HTTP,
 * which these servers do not come to.
 */
const NOT_REACHED =
  /^src\/(agent\/|main\.ts|cli\/(steps-view|waiting-line|visitor)\.ts|host\/(terminal|web-server|typescript-thread|sandbox-thread|end-program)\.ts|mcp\/(client|server\/http-sessions)|tool\/lock-file\.ts)/;
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
const modes = [
  {
    words: [],
    requests: [list, call("steps", "steps"), call("code", "code"), call("slow", "slow"), call("long", "long"), ping],
  },
  {
    words: ["--mode", "code"],
    requests: [list, call("calls", "run_code", { code: "return await tools.list_dir({});" }), ping],
    left: call("left", "run_code", { code: "for (;;) {}" }),
  },
];
const files = {
  "tools/steps.tool": "Keep it.\n\n@title Steps\n@name steps\n@step one runs [cache=1h timeout=20s]\n    echo kept\n",
  "tools/code.tool": "Add.\n\n@title Code\n@name code\n@step one code\n    return 1 + 1;\n",
  "tools/slow.tool": "Wait.\n\n@title Slow\n@name slow\n@wrapped run_command\n@command sleep 0.3\n",
  "tools/long.tool":
    "Print 6 MB.\n\n@title Long\n@name long\n@wrapped run_command\n@shell sh\n@command yes | head -c 6000000\n",
  "home/.config/dottool/config.yaml":
    'policy:\n  - decision: allow\n    tool: "*"\n    effect: [read, write, run, network, unknown]\n',
};

const every = process.argv[2] === "--every" ? Number(process.argv[3]) : 1;
const folder = join(process.cwd(), "dist/rejections", String(process.pid));
const reachedFile = join(folder, "reached");
const siteFile = join(folder, "site");
const sites = await build();
try {
  const bad = [];
  const reached = new Set();
  for (const mode of modes) {
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
  const others = sites.filter((site) => !reached.has(site));
  process.stdout.write(
    `${reached.size} of ${sites.length} promises that nothing waits for were reached, and ${Math.floor(reached.size / every)} rejected\n${others.map((site) => `  not reached: ${site}\n`).join("")}`,
  );
  bad.push(...others.filter((site) => !NOT_REACHED.test(site)).map((site) => `${site}: no server came to it`));
  process.stdout.write(bad.map((text) => `${text}\n`).join(""));
  process.exitCode = bad.length > 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The program, where each of these promises goes through a function first. Gives `PATH:LINE` of each. */
async function build() {
  const found = new Map(
    readTree(".")
      .sources.filter(({ path }) => path.startsWith("src/"))
      .map((source) => [join(process.cwd(), source.path), { ...source, promises: detachedPromises(source.program) }]),
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
  __append(${JSON.stringify(reachedFile)}, site + "\\n");
  if (promise === undefined || __read(${JSON.stringify(siteFile)}, "utf8") !== site) return promise;
  Promise.resolve(promise).catch(() => undefined);
  return Promise.reject(new Error("rejected at " + site));
};`;
  await esbuild.build({
    entryPoints: {
      main: "src/main.ts",
      "sandbox-worker": "src/host/sandbox-worker.ts",
      "typescript-worker": "src/host/typescript-worker.ts",
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

/** A server that is asked everything, whose tools change meanwhile, and whose input ends then. */
async function serve(site, mode) {
  const { requests } = mode;
  const bench = realpathSync(mkdtempSync(join(tmpdir(), "dottool-rejections-")));
  writeFileSync(siteFile, site ?? "");
  writeFileSync(reachedFile, "");
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(bench, path)), { recursive: true });
    writeFileSync(join(bench, path), text);
  }
  const environment = {
    PATH: process.env["PATH"],
    HOME: join(bench, "home"),
    LANG: "C.UTF-8",
    NODE_COMPILE_CACHE: join(folder, "cache"),
  };
  const child = spawn(process.execPath, [join(folder, "main.js"), "--tools", "tools", "mcp", ...mode.words], {
    cwd: bench,
    env: environment,
    timeout: RUN_MS_MAX,
  });
  const answers = new Set();
  let said = "";
  let rest = "";
  const send = (message) => child.stdin.write(`${JSON.stringify(message)}\n`);
  const ended = new Promise((resolve) => child.on("close", resolve));
  child.stdin.on("error", () => undefined);
  child.stderr.setEncoding("utf8").on("data", (text) => (said += text));
  child.stdout.setEncoding("utf8").on("data", (text) => {
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
      if (mode.left) send(mode.left);
      setTimeout(() => child.stdin.end(), mode.left ? CHANGE_MS : 0);
    }
  });
  send(hello);
  const exitCode = await ended;
  const reached = readFileSync(reachedFile, "utf8").split("\n");
  rmSync(bench, { recursive: true, force: true });
  return { exitCode, answers, said, reached };
}

function isGood({ exitCode, answers, said }, { requests }) {
  return exitCode === 0 && answers.has("last") && requests.every(({ id }) => answers.has(id)) && !/bug/.test(said);
}

function accountOf({ exitCode, answers, said }, { requests }) {
  return `exit code ${exitCode}, no answer to ${[...requests.map(({ id }) => id), "last"].filter((id) => !answers.has(id)).join(", ") || "nothing"}\n${said}`;
}
