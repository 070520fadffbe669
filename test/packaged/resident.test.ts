// The resident process and its launcher: a call through them is what a call of the executable is.
import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { HANG_MS_MAX } from "../amount.ts";
import { assert, suite } from "../harness.ts";
import { packagedFile } from "../run-variables.ts";
import { trustFoldersBelow } from "../trust-folders.ts";
import { processesWith } from "./packaged-program.ts";
import { ended, open, until, withResident } from "./resident-program.ts";

const test = suite("resident");

/** Replaces what differs between two equal calls, and all of a long text but its length and its end. */
function withoutChance(part: number | string | null): unknown {
  if (typeof part !== "string") return part;
  const text = part.replaceAll(/"durationMs": [\d.]+|[0-9a-f]{32}/g, "");
  return text.length > TEXT_LENGTH_MAX ? [text.length, text.slice(-TEXT_LENGTH_MAX)] : text;
}

const TEXT_LENGTH_MAX = 2_000;

test("a call through the resident process has the result of a call of the executable", () =>
  withResident(({ run, launcher, executable, status }) => {
    const calls = [
      ["facts"],
      ["fails"],
      ["--result", "json", "says", "--word", "a b"],
      ["call", "says", "word=x"],
      ["much"],
      ["says"],
      ["waits", "nothing"],
      ["no_such_tool"],
      ["glob", ".", "-name", "*.tool"],
      ["grep", "-rn", "sleep", ".tools"],
      ["counts"],
      ["--cwd", "/", "says", "here"],
    ];
    for (const words of calls)
      assert.equal(run(launcher, words).map(withoutChance), run(executable, words).map(withoutChance));
    const { calls: count, ordinaryWay } = status();
    assert.equal([count, ordinaryWay], [calls.length, 0]);
  }));

test("a call gets none of another one's variables, folder and mask of new files", () =>
  withResident(async ({ launcher, project, environment, status }) => {
    const numbers = Array.from({ length: 64 }, (_item, index) => index);
    const results = await Promise.all(
      numbers.map((number) => {
        const folder = join(project, `folder-${number}`);
        mkdirSync(folder);
        return ended(
          // A call inherits variables whose values the launcher keeps; the shell adds one.
          spawn("/bin/sh", ["-c", `umask ${number % 2 ? "027" : "022"}; exec env -u PWD "$0" facts`, launcher], {
            cwd: folder,
            env: { ...environment, LANG: `own-${number}` },
            stdio: ["ignore", "pipe", "pipe"],
          }),
        );
      }),
    );
    for (const [number, [exitCode, stdout]] of results.entries()) {
      const [mask, , folder, ...rest] = stdout.split("\n");
      assert.equal(
        [exitCode, mask, folder, rest.filter((line) => line.startsWith("LANG="))],
        [0, number % 2 ? "0027" : "0022", join(project, `folder-${number}`), [`LANG=own-${number}`]],
      );
    }
    assert.is(status().ordinaryWay, 0);
  }));

test("no value that the launcher keeps is in the memory of the resident process", () =>
  withResident(async ({ run, launcher, status, project, environment }) => {
    const token = randomBytes(16).toString("hex");
    // A session of an MCP client, a call that the resident process makes, and one that needs the variable.
    const session = spawn(launcher, ["mcp"], {
      cwd: project,
      env: { ...environment, OWN_SETTING: `session-${token}` },
      stdio: ["pipe", "pipe", "ignore"],
    });
    const init = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } };
    session.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: init })}\n`);
    await once(session.stdout, "data");
    assert.is(run(launcher, ["says", "--word", `said-${token}`], { OWN_SETTING: `call-${token}` })[0], 0);
    assert.ok(run(launcher, ["inherits"], { OWN_SETTING: `other-${token}` })[1].includes(`other-${token}`));
    const memory = memoryOf(status().pid);
    // What is said to it is there, so it is the right memory.
    assert.equal(
      ["said", "session", "call", "other"].filter((kind) => memory.includes(`${kind}-${token}`)),
      ["said"],
    );
    session.stdin.end();
    await ended(session);
  }));

/** All that a process has written to its memory. */
function memoryOf(pid: number): Buffer {
  const file = openSync(`/proc/${pid}/mem`, "r");
  try {
    const writable = readFileSync(`/proc/${pid}/maps`, "latin1").matchAll(/^([0-9a-f]+)-([0-9a-f]+) rw.*$/gm);
    return Buffer.concat(
      [...writable].map(([, from = "", to = ""]) => {
        const part = Buffer.alloc(Number.parseInt(to, 16) - Number.parseInt(from, 16));
        return part.subarray(0, readSync(file, part, 0, part.length, BigInt(`0x${from}`)));
      }),
    );
  } finally {
    closeSync(file);
  }
}

test("a call that needs other variables than most is made by the executable", () =>
  withResident(({ run, launcher, status }) => {
    const [, stdout] = run(launcher, ["inherits"], { OWN_SETTING: "of this call" });
    assert.ok(stdout.includes("OWN_SETTING=of this call\n"));
    assert.is(status().ordinaryWay, 1);
  }));

test("a caller that may write no file gets the executable", () =>
  withResident(({ launcher, project, environment, status }) => {
    const { stdout } = spawnSync("/bin/sh", ["-c", `trap '' XFSZ; ulimit -f 0; "$0" says word | cat`, launcher], {
      cwd: project,
      env: environment,
      encoding: "utf8",
      timeout: HANG_MS_MAX,
    });
    assert.equal([stdout, status().ordinaryWay], ["word\n", 1]);
  }));

test("trust that one user folder gives does not reach a call with another one", () =>
  withResident(({ run, launcher, root }) => {
    assert.is(run(launcher, ["says", "yes"])[0], 0);
    assert.is(run(launcher, ["says", "yes"], { XDG_STATE_HOME: join(root, "other") })[0], 77);
    assert.is(run(launcher, ["says", "yes"])[0], 0);
  }));

test("each call obeys the rules of its time", () =>
  withResident(({ run, launcher, environment, status }) => {
    const config = join(environment["HOME"] ?? "", ".config/dottool/config.yaml");
    const codes = ["", "policy:\n  - {decision: deny, tool: says}\n", "policy: []\n"].map((rules) => {
      mkdirSync(dirname(config), { recursive: true });
      writeFileSync(config, rules, { mode: 0o600 });
      return run(launcher, ["says", "yes"])[0];
    });
    assert.equal([codes, status().ordinaryWay], [[0, 77, 0], 0]);
  }));

test("a plugin is loaded by the executable, never by the resident process", () =>
  withResident(({ run, launcher, project, environment, status }) => {
    mkdirSync(join(project, ".tools/plugins"));
    writeFileSync(
      join(project, ".tools/plugins/own.ts"),
      `import { definePlugin, defineTool } from "dottool";
globalThis.spoiled = true;
export default definePlugin({ name: "own", tools: [defineTool({ name: "own_tool", description: "Own.", parameters: {}, effects: ["read"], run: async () => "from a plugin" })] });
`,
    );
    trustFoldersBelow(project, join(environment["HOME"] ?? "", ".local/state/dottool"));
    const before = status().ordinaryWay;
    const [exitCode, stdout, stderr] = run(launcher, ["own_tool"]);
    assert.equal([exitCode, stdout.trim(), stderr], [0, "from a plugin", ""]);
    assert.is(status().ordinaryWay, before + 1);
  }));

test("a signal ends the call and all of its processes", () =>
  withResident(async ({ start }) => {
    const call = start(["leaves"]);
    await until(() => processesWith("98761").length >= 2);
    call.kill("SIGTERM");
    assert.is((await ended(call))[0], 143);
    await until(() => processesWith("98761").length === 0);
  }));

test("the processes of a killed launcher end", () =>
  withResident(async ({ start, status }) => {
    const call = start(["leaves"]);
    await until(() => processesWith("98761").length >= 2);
    call.kill("SIGKILL");
    await until(() => processesWith("98761").length === 0);
    assert.is(status().state, "running");
  }));

test("a call says that its resident process was killed, and leaves no process", () =>
  withResident(async ({ start, status, run, launcher }) => {
    const call = start(["leaves"]);
    await until(() => processesWith("98761").length >= 2);
    process.kill(status().pid, "SIGKILL");
    assert.equal(await ended(call), [
      70,
      "",
      "failed[resident]: the resident process ended in the middle of this call, and the call with it; what it had done by then is done\n  = the next call does not need it; `dottool resident start` starts another one\n",
    ]);
    assert.is(processesWith("98761").length, 0);
    assert.equal(run(launcher, ["says", "still"]), [0, "still\n", ""]);
  }));

test("what a killed resident process leaves is killed too if it does not end when it is asked to", () =>
  withResident(async ({ start, status }) => {
    const call = start(["stays"]);
    await until(() => processesWith("98764").length >= 4);
    process.kill(status().pid, "SIGKILL");
    assert.is((await ended(call))[0], 70);
    assert.is(processesWith("98764").length, 0);
  }));

test("each of 200 calls has its result or says why not when the resident process is killed among them, and nothing is half written", () =>
  withResident(async ({ start, status, run, executable, project, environment }) => {
    assert.equal(run(executable, ["keeps", "whole"]), [0, "kept\n", ""]);
    const whole = readFileSync(join(project, "whole"), "utf8");
    const { pid } = status();
    // Half of them write a file.
    const wordsOf = (index: number): readonly string[] =>
      index % 2 === 0 ? ["says", `callword${index}`] : ["keeps", `callword${index}`];
    const calls = Array.from({ length: 200 }, (_item, index) => ended(start(wordsOf(index))));
    await Promise.race(calls);
    process.kill(pid, "SIGKILL");
    const results = await Promise.all(calls);
    assert.is(processesWith("callword").length, 0);
    const logged = readFileSync(join(environment["HOME"] ?? "", ".local/state/dottool/audit.jsonl"), "utf8")
      .split(/(?<=\n)/)
      .map((line) => JSON.stringify(JSON.parse(line)));
    for (const [index, [exitCode, stdout, stderr]] of results.entries()) {
      const text = index % 2 === 0 ? `callword${index}\n` : "kept\n";
      assert.ok(
        exitCode === 0
          ? stdout === text
          : exitCode === 70 && stderr.startsWith("failed[resident]: ") && text.startsWith(stdout),
        `${index}: ${exitCode} ${stdout} ${stderr}`,
      );
      const lines = logged.filter((line) => line.includes(`"callword${index}"`));
      assert.ok(exitCode === 0 ? lines.length === 1 : lines.length <= 1, `${index}: ${exitCode} ${lines.join("\n")}`);
      const file = join(project, `callword${index}`);
      if (index % 2 === 0) continue;
      assert.ok(existsSync(file) ? readFileSync(file, "utf8") === whole : exitCode === 70, `${index}: ${exitCode}`);
    }
  }));

test("a resident process that does not answer holds up no call, and the call is logged once", () =>
  withResident(async ({ run, launcher, status, environment }) => {
    const { pid } = status();
    process.kill(pid, "SIGSTOP");
    try {
      assert.equal(run(launcher, ["fails"]), [7, "out\n", "err\n"]);
    } finally {
      process.kill(pid, "SIGCONT");
    }
    // It hears of the call now, whose launcher has gone.
    await until(() => status().calls === 1 && status().running === 0);
    const log = readFileSync(join(environment["HOME"] ?? "", ".local/state/dottool/audit.jsonl"), "utf8");
    assert.is(log.split('"tool":"fails"').length - 1, 1);
  }));

test("a reader that stops early ends the call", () =>
  withResident(({ root, project, environment }) => {
    const { stdout } = spawnSync("/bin/sh", ["-c", `${root}/dottool endless | head -n 2`], {
      cwd: project,
      env: environment,
      encoding: "utf8",
      timeout: HANG_MS_MAX,
    });
    assert.is(stdout, "y\ny\n");
  }));

test("two starts at once leave one process", async () => {
  const place = open();
  try {
    const starts = await Promise.all(
      [1, 2, 3].map(() =>
        ended(
          spawn(place.executable, ["resident", "start", "--json"], {
            env: place.environment,
            stdio: ["ignore", "pipe", "pipe"],
          }),
        ),
      ),
    );
    const ids = starts.map(([, stdout]) => (JSON.parse(stdout) as { readonly pid: number }).pid);
    assert.equal([...new Set(ids)], [place.status().pid]);
  } finally {
    place.remove();
  }
});

test("it ends after its idle time, and leaves no socket", async () => {
  const place = open();
  try {
    assert.is(place.run(place.executable, ["resident", "start", "--idle", "1"])[0], 0);
    await until(() => readdirSync(join(place.root, "runtime/dottool")).length === 0);
    assert.is(place.status().state, "none");
  } finally {
    place.remove();
  }
});

test("status and stop leave no folder behind where nothing has started", () => {
  const place = open();
  try {
    assert.is(place.status().state, "none");
    assert.is(place.run(place.executable, ["resident", "stop"])[0], 0);
    assert.not.ok(existsSync(join(place.root, "runtime/dottool")));
  } finally {
    place.remove();
  }
});

test("a changed executable has another resident process", async () => {
  const place = open();
  try {
    rmSync(place.executable);
    copyFileSync(packagedFile, place.executable);
    place.run(place.executable, ["resident", "start"]);
    const before = place.status();
    assert.is(place.run(place.launcher, ["says", "one"])[1], "one\n");
    utimesSync(place.executable, 1, 1);
    assert.equal(place.run(place.launcher, ["says", "two"]), [0, "two\n", ""]);
    assert.is(place.status().state, "none");
    await until(() => !existsSync(`/proc/${before.pid}`));
  } finally {
    place.remove();
  }
});

test("`resident: true` starts it with the first call", async () => {
  const place = open();
  try {
    const config = join(place.environment["HOME"] ?? "", ".config/dottool");
    mkdirSync(config, { recursive: true });
    assert.is(place.run(place.launcher, ["says", "one"])[1], "one\n");
    assert.is(place.status().state, "none");
    writeFileSync(join(config, "config.yaml"), "resident: true\n");
    assert.equal(place.run(place.launcher, ["says", "one"]), [0, "one\n", ""]);
    await until(() => place.status().state === "running");
    assert.is(readdirSync(join(place.root, "runtime/dottool")).length, 1);
    assert.equal(place.run(place.launcher, ["says", "two"]), [0, "two\n", ""]);
    assert.is(place.status().calls, 1);
  } finally {
    place.remove();
  }
});

test("a folder that others may enter is not used, and only the user may connect", () =>
  withResident(({ root, run, launcher, executable, status }) => {
    const folder = join(root, "runtime/dottool");
    assert.equal(
      [folder, ...readdirSync(folder).map((name) => join(folder, name))].map((path) => statSync(path).mode & 0o777),
      [0o700, 0o600],
    );
    chmodSync(folder, 0o755);
    assert.equal(run(launcher, ["says", "word"]), [0, "word\n", ""]);
    assert.equal(run(executable, ["resident", "start"]), [
      1,
      "",
      `failed[resident]: the folder \`${folder}\` must be yours alone (mode 700)\n`,
    ]);
    chmodSync(folder, 0o700);
    assert.is(status().calls, 0);
  }));

test("the launcher prints the version of its executable, and replaces nothing but a launcher", () => {
  const place = open();
  try {
    assert.equal(place.run(place.launcher, ["--version"]), place.run(place.executable, ["--version"]));
    assert.is(place.run(place.executable, ["resident", "launcher", place.launcher])[0], 0);
    const other = join(place.root, "other");
    writeFileSync(other, "mine");
    assert.equal(place.run(place.executable, ["resident", "launcher", other]), [
      1,
      "",
      `failed[resident]: \`${other}\` exists and is not a launcher; choose another FILE, or move that one away\n`,
    ]);
    assert.ok(statSync(place.launcher).size < 100 * 1024);
  } finally {
    place.remove();
  }
});

test.run();
