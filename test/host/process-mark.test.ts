// Marks, with real processes in a PID namespace and with a /dev/shm of their own.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import process from "node:process";
import { assert, suite } from "../harness.ts";
import { leaveOut, needPrograms } from "../programs-needed.ts";

const test = suite("process-mark");
const NOBODY = 65_534;
const UNSHARE = [
  "-Urpfm",
  "--kill-child",
  "--mount-proc",
  "sh",
  "-c",
  'mount -t tmpfs own /dev/shm && exec "$@"',
  "sh",
];
const module = (name: string): string =>
  JSON.stringify(new URL(`../../src/core/host/processes/${name}`, import.meta.url).href);

/** Returns the output of `script` where no one else has a mark. */
function alone(script: string): string {
  const [unshare = ""] = needPrograms("unshare", "mount");
  if (spawnSync(unshare, [...UNSHARE, "true"]).status !== 0) leaveOut("`unshare` may make no namespaces here");
  const { stdout, stderr } = spawnSync(
    unshare,
    [...UNSHARE, "sh", "-c", '"$@"; exit', "sh", process.execPath, "--input-type=module", "-e", script],
    { encoding: "utf8" },
  );
  return `${stdout}${stderr}`;
}

const tools = `
  import { readdirSync, readlinkSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
  import { spawn, spawnSync } from "node:child_process";
  import { CLAIM_PREFIX, isMark, keepMark, markText, returnMark, startMarked, takeMark } from ${module("process-mark.ts")};
  import { watchTree } from ${module("process-watcher.ts")};
  const isClaimed = (what) => readdirSync("/dev/shm").includes(CLAIM_PREFIX.slice("/dev/shm/".length) + what);
  const namespace = readlinkSync("/proc/self/ns/pid");
  const DEAD = 4_000_000;
  const all = [];
  for (let mark = takeMark(); mark !== undefined; mark = takeMark()) all.push(mark);
`;

if (process.platform === "linux" && !("Deno" in globalThis)) {
  test("no two runs have the same mark, and none has one that administrators set", () => {
    const script = `${tools} console.log(all.length > 60, new Set(all).size === all.length, [0x33, 0x3b, 0x1b3, 0x1f, 0xff].some((value) => all.includes(value)));`;
    assert.is(alone(script), "true true false\n");
  });

  test("a mark that was left behind is taken over only when there is no other, and by one process at a time", () => {
    const script = `${tools}
      const [left, free] = all;
      const leave = () => { returnMark(left); symlinkSync(\`\${DEAD} \${namespace}\`, CLAIM_PREFIX + markText(left)); };
      leave();
      returnMark(free);
      const first = takeMark() === free;
      symlinkSync("of another", CLAIM_PREFIX + "turn");
      const second = takeMark();
      unlinkSync(CLAIM_PREFIX + "turn");
      console.log(first, second, takeMark() === left, takeMark(), isClaimed("turn"));`;
    assert.is(alone(script), "true undefined true undefined false\n");
  });

  test("a mark is given back once, and never while a process has it that nobody here may end", () => {
    const script = `${tools}
      const [once, kept] = all;
      returnMark(once);
      const isFree = !isClaimed(markText(once));
      symlinkSync("of another", CLAIM_PREFIX + markText(once));
      returnMark(once);
      keepMark(kept);
      returnMark(kept);
      console.log(isFree, isClaimed(markText(once)), isClaimed(markText(kept)), takeMark());`;
    assert.is(alone(script), "true true true undefined\n");
  });

  test("a mark stays claimed that a process of another user has", async () => {
    if (process.getuid?.() !== 0) leaveOut("only root starts processes of two users");
    const script = `
      import { readdirSync } from "node:fs";
      import { spawnSync } from "node:child_process";
      import { membersOf } from ${module("process-members.ts")};
      import { nowMs } from ${module("../monotonic-clock.ts")};
      import { CLAIM_PREFIX, markText, returnMark, takeMark } from ${module("process-mark.ts")};
      const { pid } = spawnSync("true");
      const mark = takeMark();
      process.stdout.write(CLAIM_PREFIX + markText(mark) + "\\n");
      process.stdin.once("data", () => {
        const { pids } = membersOf({ platform: "linux", pid, runId: "f".repeat(32), startedAtMs: nowMs(), mark });
        returnMark(mark);
        process.stdout.write(pids.length + " " + readdirSync("/dev/shm").includes((CLAIM_PREFIX + markText(mark)).slice("/dev/shm/".length)));
        process.exit();
      });`;
    const nobody = spawn(process.execPath, ["--input-type=module", "-e", script], {
      uid: NOBODY,
      gid: NOBODY,
      cwd: "/",
      stdio: ["pipe", "pipe", "inherit"],
      detached: true,
    });
    await new Promise<void>((resolve, reject) => {
      let said = "";
      let daemon: ChildProcess | undefined;
      nobody.stdout.on("data", (bytes: Buffer) => {
        said += bytes.toString();
        const mark = /-mark-([0-9a-f]{8})\n$/.exec(said)?.[1];
        if (mark === undefined || daemon) return;
        daemon = spawn("/bin/sh", ["-c", `echo 0x${mark} >/proc/self/coredump_filter; echo; exec sleep 300`], {
          env: {},
          detached: true,
          stdio: ["ignore", "pipe", "ignore"],
        });
        daemon.stdout?.once("data", () => nobody.stdin.write("\n"));
      });
      nobody.once("close", () => {
        daemon?.kill("SIGKILL");
        const [claim = "", answer] = said.split("\n");
        if (claim !== "") rmSync(claim, { force: true });
        try {
          assert.is(answer, "0 true");
          resolve();
        } catch (error) {
          reject(error);
        }
      });
    });
  });

  test("the watcher of a killed program leaves a group alone whose number has been given again", () => {
    const child = `${tools}
      for (const mark of all) returnMark(mark);
      const START = { env: {}, detached: true, stdio: "ignore" };
      const led = spawn("sleep", ["300"], START);
      const own = spawn("sleep", ["301"], START);
      for (const [index, { pid }] of [led, own].entries()) watchTree({ platform: "linux", pid, runId: String(index).repeat(32), startedAtMs: 0 });
      led.once("exit", () => {
        let stranger;
        // The system tells when a process was started in hundredths of a second.
        spawnSync("sleep", ["0.03"]);
        for (let time = 0; time < 200 && stranger?.pid !== led.pid; time++) {
          stranger?.kill("SIGKILL");
          writeFileSync("/proc/sys/kernel/ns_last_pid", String(led.pid - 1));
          stranger = spawn("sleep", ["302"], START);
        }
        console.log(stranger.pid === led.pid, stranger.pid, own.pid);
        setTimeout(() => process.kill(process.pid, "SIGKILL"), 50);
      });
      led.kill("SIGKILL");`;
    const script = `${tools}
      for (const mark of all) returnMark(mark);
      const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", ${JSON.stringify(child)}], { encoding: "utf8" });
      const [isSame, stranger, own] = stdout.trim().split(" ");
      const lives = (pid) => spawnSync("sh", ["-c", 'grep -q "^State:.[^ZX]" /proc/$1/status', "sh", pid], { stdio: "ignore" }).status === 0;
      const watches = () => readdirSync("/proc").some((pid) => spawnSync("grep", ["-qs", "^dottool-watcher", \`/proc/\${pid}/cmdline\`]).status === 0);
      for (let waited = 0; waited < 400 && (lives(own) || watches()); waited++) spawnSync("sleep", ["0.05"]);
      console.log(isSame, lives(stranger), lives(own), stderr);`;
    assert.is(alone(script), "true true false \n");
  });

  test("the watcher of a killed program leaves a mark alone that another program has claimed meanwhile", () => {
    const child = `${tools}
      const mark = all[0];
      const daemon = startMarked(mark, () => spawn("sleep", ["300"], { env: {}, detached: true, stdio: "ignore" }));
      const group = spawn("sleep", ["300"], { detached: true, stdio: "ignore" });
      watchTree({ platform: "linux", pid: group.pid, runId: "0".repeat(32), startedAtMs: 0, mark });
      if (process.env.NEXT) { returnMark(mark); symlinkSync(process.env.NEXT + " " + namespace, CLAIM_PREFIX + markText(mark)); }
      console.log(daemon.pid, group.pid, CLAIM_PREFIX + markText(mark));
      setTimeout(() => process.kill(process.pid, "SIGKILL"), 50);`;
    const script = `${tools}
      for (const mark of all) returnMark(mark);
      const answers = [];
      for (const next of ["1", ""]) {
        const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", ${JSON.stringify(child)}], { encoding: "utf8", env: { ...process.env, NEXT: next } });
        const [daemon, group, claim] = stdout.trim().split(" ");
        const lives = (pid) => spawnSync("sh", ["-c", 'grep -q "^State:.[^ZX]" /proc/$1/status', "sh", pid], { stdio: "ignore" }).status === 0;
        const watches = () => readdirSync("/proc").some((pid) => spawnSync("grep", ["-qs", "^dottool-watcher", \`/proc/\${pid}/cmdline\`]).status === 0);
        for (let waited = 0; waited < 400 && (lives(group) || watches()); waited++) spawnSync("sleep", ["0.05"]);
        const readLink = () => { try { return readlinkSync(claim).split(" ")[0]; } catch { return "none"; } };
        answers.push(lives(daemon), lives(group), readLink());
      }
      console.log(answers.join(" "));`;
    assert.is(alone(script), "true false 1 false false none\n");
  });
}

test.run();
