// `node scripts/hook/real-work.mjs --from TEMPLATE --in FOLDER [--program FILE] [--free] [--again] [REPOSITORY…]`: runs
// the commands of real-work.txt in two clones of each repository: in one as they stand, in the other as `dottool hook
// claude --contained` rewrites them. It prints which of them end with another exit code or are asked about, with what was
// said, and the share of the others. TEMPLATE is where to clone from, such as `https://github.com/{owner}/{name}`. FOLDER
// gets the clones and results.json: what has run is not run again, but `--again` runs the rewritten ones anew; `--free`
// runs the others alone. FILE is a built executable, which starts faster than the sources. Your home folder is used as it
// is: run it where that is no loss.
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const COMMAND_MS_MAX = 300_000;
/** Of what a command prints, in characters. An answer of the hook is shorter. */
const KEPT_MAX = 8_000;
const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    from: { type: "string" },
    in: { type: "string" },
    program: { type: "string" },
    again: { type: "boolean" },
    free: { type: "boolean" },
  },
});
if (values.from === undefined || values.in === undefined)
  throw new Error("`--from TEMPLATE` and `--in FOLDER` are needed");
const folder = resolve(values.in);
const sources = [process.execPath, fileURLToPath(new URL("../../src/main.ts", import.meta.url))];
const program = values.program === undefined ? sources : [resolve(values.program)];
const resultsFile = join(folder, "results.json");
const results = existsSync(resultsFile) ? JSON.parse(readFileSync(resultsFile, "utf8")) : {};
const repositories = [...read()].filter(([name]) => wanted.length === 0 || wanted.some((one) => name.includes(one)));

for (const [name, commands] of repositories) {
  const known = (results[name] ??= {});
  await runAll(name, commands, { side: "free", known, run: (command, cwd) => run(["bash", "-c", command], { cwd }) });
  if (!values.free) await runAll(name, commands, { side: "contained", known, run: runContained });
}
if (!values.free) say();

function read() {
  const text = readFileSync(new URL("real-work.txt", import.meta.url), "utf8");
  const found = new Map();
  let name;
  for (const line of text.split("\n")) {
    const [, heading] = /^# ([\w.-]+\/[\w.-]+)$/.exec(line) ?? [];
    if (heading !== undefined) found.set((name = heading), []);
    else if (name !== undefined && line !== "") found.get(name).push(line);
  }
  return found;
}

/** Later commands stand on what earlier ones have left, so a clone is run from its beginning or not at all. */
async function runAll(name, commands, { side, known, run: runOne }) {
  const isDone = commands.every((command) => known[command]?.[side] !== undefined);
  if (isDone && !(values.again && side === "contained")) return;
  const clone = cloned(name, side);
  for (const command of commands) {
    const ran = await runOne(command, clone);
    known[command] = { ...known[command], [side]: ran };
    writeFileSync(resultsFile, JSON.stringify(results, undefined, 1));
    process.stderr.write(`${side} ${name}: ${command}: ${ran.way ?? ""} ${ran.exitCode} ${ran.tookMs} ms\n`);
  }
}

async function runContained(command, cwd) {
  const call = JSON.stringify({ cwd, tool_name: "Bash", tool_input: { command } });
  const { said } = await run([...program, "hook", "claude", "--contained"], { cwd, input: call });
  const {
    permissionDecision: decision,
    permissionDecisionReason: reason,
    updatedInput,
  } = (said.trim() === "" ? {} : JSON.parse(said)).hookSpecificOutput ?? {};
  if (decision === "ask" || decision === "deny") return { way: "asked", exitCode: undefined, said: reason, tookMs: 0 };
  const ran = await run(["bash", "-c", updatedInput?.command ?? command], { cwd });
  return { ...ran, way: updatedInput ? "contained" : "passed" };
}

/** Each side has an origin of its own, which may be pushed to. */
function cloned(name, side) {
  const [owner = "", short = ""] = name.split("/");
  const [origin, clone] = [join(folder, side, `${short}.git`), join(folder, side, short)];
  mkdirSync(join(folder, side), { recursive: true });
  for (const path of [origin, clone]) rmSync(path, { recursive: true, force: true });
  const from = values.from.replaceAll("{owner}", owner).replaceAll("{name}", short);
  execFileSync("git", ["clone", "-q", "--bare", from, origin]);
  execFileSync("git", ["clone", "-q", origin, clone]);
  return clone;
}

function run([command, ...words], { cwd, input }) {
  return new Promise((end, reject) => {
    const started = Date.now();
    const stdio = [input === undefined ? "ignore" : "pipe", "pipe", "pipe"];
    const env = { ...process.env, NODE_COMPILE_CACHE: join(folder, "compiled") };
    const child = spawn(command, words, { cwd, env, stdio, timeout: COMMAND_MS_MAX, killSignal: "SIGKILL" });
    let said = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => (said = (said + text).slice(-KEPT_MAX)));
    child.stdin?.end(input);
    child.on("error", reject);
    child.on("close", (exitCode) => end({ exitCode: exitCode ?? -1, said, tookMs: Date.now() - started }));
  });
}

function say() {
  const counts = { same: 0, all: 0, contained: 0, passed: 0, asked: 0 };
  for (const [name, commands] of repositories)
    for (const command of commands) {
      const { free, contained } = results[name][command];
      counts.all++;
      counts[contained.way]++;
      if (free.exitCode === contained.exitCode) counts.same++;
      else
        console.log(
          `${name}: ${command}\n  ${free.exitCode} is ${contained.exitCode ?? "a question"}: ${contained.said.trim().split("\n").slice(-4).join("\n    ")}`,
        );
    }
  const { same, all, ...ways } = counts;
  console.log(`${same} of ${all} commands end as they do without the sandbox: ${((100 * same) / all).toFixed(1)} %`);
  console.log(
    Object.entries(ways)
      .map(([way, count]) => `${count} ${way}`)
      .join(", "),
  );
}
