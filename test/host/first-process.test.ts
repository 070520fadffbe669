// The program as the first process of a container: a PID namespace of Linux, made by `unshare`.
import { spawn, spawnSync } from "node:child_process";
import { assert, suite } from "../harness.ts";
import { leaveOut, needPrograms } from "../programs-needed.ts";
import { type TestProject, testProject } from "../test-project.ts";

const test = suite("first-process");
const isDeno = "Deno" in globalThis;
const UNSHARE = ["-Urpf", "--mount-proc"];

function needNamespaces(): string {
  const [unshare = ""] = needPrograms("unshare");
  if (spawnSync(unshare, [...UNSHARE, "true"]).status !== 0) leaveOut("`unshare` may make no namespaces here");
  return unshare;
}

const tool = (name: string, command: string): string =>
  `${name}.\n\n@name ${name}\n@wrapped run_command\n@command ${command}\n@tags read\n`;
const files = {
  "home/.config/dottool/config.yaml": "policy:\n  - {decision: allow, tool: [orphan, zombies]}\n",
  "home/.config/dottool/tools/orphan.tool": tool(
    "orphan",
    "sh -c '(setsid sleep 0.01 >/dev/null 2>&1 &) ; (sleep 0 &)'",
  ),
  "home/.config/dottool/tools/zombies.tool": tool(
    "zombies",
    "sh -c 'sleep 0.5; grep -l \"^State:.Z\" /proc/[0-9]*/status | wc -l'",
  ),
};

interface Ran {
  readonly stdout: string;
  readonly exitCode: number | null;
}

function runFirst({ program, folder }: TestProject, words: readonly string[], stdin = ""): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(needNamespaces(), [...UNSHARE, program.command, ...program.words, ...words], {
      cwd: folder,
      env: program.environment,
      stdio: ["pipe", "pipe", "inherit"],
    });
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stdin.on("error", () => undefined).end(stdin);
    child.once("close", (exitCode) => resolve({ stdout, exitCode }));
  });
}

test("the first process leaves no zombies of 100 calls whose processes have left them", async () => {
  using bench = testProject(files);
  if (isDeno) return;
  const calls = [...Array.from({ length: 100 }, () => "orphan"), "zombies"].map(
    (name) => `<tool>${JSON.stringify({ tool_name: name, arguments: {} })}</tool>`,
  );
  const { stdout, exitCode } = await runFirst(bench, ["exec"], calls.join("\n"));
  const outputs = stdout.match(/zombies[\s\S]*?\d+/g) ?? [stdout];
  assert.equal([exitCode, outputs.at(-1)?.replace(/\s+/g, " ")], [0, 'zombies" status="ok"> 0']);
});

test("the first process has the words, the input, the environment and the exit code of any other", async () => {
  using bench = testProject(files);
  if (isDeno) return;
  assert.equal(await runFirst(bench, ["run_command", "--command", "echo 'a  b'; echo $HOME; exit 7"]), {
    stdout: `a  b\n${bench.folder}/home\n`,
    exitCode: 7,
  });
  assert.equal(await runFirst(bench, ["run_command", "--json", "-"], JSON.stringify({ command: "echo from input" })), {
    stdout: "from input\n",
    exitCode: 0,
  });
});

test("a signal for the first process ends what runs", async () => {
  using bench = testProject(files);
  if (isDeno) return;
  // The signals come from inside, where the first process only gets those that it listens for.
  const { stdout, exitCode } = await runFirst(bench, [
    "run_command",
    "--command",
    "trap 'echo told; exit' TERM; (sleep 0.3; kill -TERM 1) & echo ready; while :; do sleep 0.02; done",
  ]);
  assert.equal([stdout, exitCode], ["ready\ntold\n", 143]);
});

test.run();
