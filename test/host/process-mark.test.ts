// Marks, by real processes in a PID namespace and with a /dev/shm of their own.
import { spawnSync } from "node:child_process";
import process from "node:process";
import { assert, suite } from "../harness.ts";
import { leaveOut, needPrograms } from "../programs-needed.ts";

const test = suite("process-mark");
const UNSHARE = [
  "-Urpfm",
  "--kill-child",
  "--mount-proc",
  "sh",
  "-c",
  'mount -t tmpfs own /dev/shm && exec "$@"',
  "sh",
];
const module = (name: string): string => JSON.stringify(new URL(`../../src/host/${name}`, import.meta.url).href);

/** What `script` prints, where nobody else has a mark. */
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
  import { existsSync, readdirSync, readlinkSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
  import { spawn, spawnSync } from "node:child_process";
  import { CLAIM_PREFIX, isMark, markText, returnMark, startMarked, takeMark } from ${module("process-mark.ts")};
  import { watchTree } from ${module("process-watcher.ts")};
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
      console.log(first, second, takeMark() === left, takeMark(), existsSync(CLAIM_PREFIX + "turn"));`;
    assert.is(alone(script), "true undefined true undefined false\n");
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
