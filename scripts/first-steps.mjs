// `node scripts/first-steps.mjs`: takes the steps of README.md as a new user does. It clones this repository into a new
// folder, runs the commands of "Install" and "The first tool" as they stand there, and calls the tool as a client of
// MCP. Only the place of the executable is another: a folder of its own, so that nothing is installed here.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "dottool-first-"));
const [clone, bin, project, home] = ["clone", "bin", "project", "home"].map((name) => join(folder, name));
try {
  for (const path of [bin, project, home]) mkdirSync(path);
  execFileSync("git", ["clone", "-q", root, clone]);
  const readme = readFileSync(join(clone, "README.md"), "utf8");
  const environment = {
    ...process.env,
    PATH: `${bin}:${process.env["PATH"]}`,
    XDG_STATE_HOME: home,
    XDG_CACHE_HOME: home,
  };
  const [build = "", install = ""] = commandsOf(readme, "Install");
  const steps = [
    [clone, build],
    [clone, install.replace(/^sudo /, "").replace("/usr/local/bin/", `${bin}/`)],
    ...commandsOf(readme, "The first tool").map((line) => [project, line]),
  ];
  for (const [cwd, line] of steps) {
    console.log(`$ ${line.replaceAll(folder, "")}`);
    execFileSync("sh", ["-ec", line], { cwd, env: environment, stdio: ["ignore", "inherit", "inherit"] });
  }
  console.log("$ claude mcp add dottool -- dottool mcp   # its first call:");
  console.log(await calledOverMcp(project, environment));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function commandsOf(readme, title) {
  const part = readme.split(/^## /m).find((one) => one.startsWith(`${title}\n`)) ?? "";
  const block = /(?:^ {4}\S.*\n)+/m.exec(part)?.[0] ?? "";
  return block
    .trim()
    .split("\n")
    .map((line) => line.trim());
}

/** Returns the text that the client gets, which cannot ask its person. */
async function calledOverMcp(cwd, env) {
  const server = spawn("dottool", ["mcp"], { cwd, env, stdio: ["pipe", "pipe", "inherit"] });
  const send = (message) => server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const hello = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "new", version: "1" },
  };
  send({ id: 1, method: "initialize", params: hello });
  send({ method: "notifications/initialized" });
  send({ id: 2, method: "tools/call", params: { name: "hello", arguments: { name: "reader" } } });
  for await (const line of createInterface({ input: server.stdout })) {
    const { id, method, result } = JSON.parse(line);
    if (id !== 2 || method !== undefined) continue;
    server.stdin.end();
    return result.content.map(({ text }) => text).join("");
  }
  throw new Error("the server did not answer");
}
