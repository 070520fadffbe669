// MCP servers with `shareable: true`: programs of one user use one process of such a server, and none gets what is
// another's.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { assert, suite } from "../harness.ts";
import { hostileServer, serverLines } from "../mcp/client-fixture.ts";
import { leaveOut } from "../programs-needed.ts";
import { type TestProject, testProject } from "../test-project.ts";

const test = suite("cli/shared-servers");

const tools = ["echo", "ask", "roots", "sample", "never", "progress", "die", "env"];

interface SharedFixture extends TestProject {
  /** What the servers have written down. */
  diary(): readonly string[];
  starts(): number;
  call(words: readonly string[], environment?: Readonly<Record<string, string>>): Promise<string>;
  /** Starts the program, and does not wait for it. */
  begin(words: readonly string[]): ChildProcess;
  /** The processes of the bench whose command line has this text. */
  processesWith(text: string): readonly number[];
}

async function withServer(shareable: string, work: (bench: SharedFixture) => Promise<void>): Promise<void> {
  if (process.platform === "win32") leaveOut("servers are not shared on Windows");
  const files = tools.map((name) => [
    `.tools/${name}.tool`,
    `Do it.\n\n@title It\n@name ${name}\n@wrapped mcp:it/${name}\n`,
  ]);
  using bench = testProject(Object.fromEntries(files) as Record<string, string>);
  const runtime = join(bench.folder, "runtime");
  mkdirSync(runtime, { mode: 0o700 });
  bench.write("notes/diary", "");
  bench.write(
    "home/.config/dottool/config.yaml",
    `mcp_servers:\n  it:\n    ${serverLines(hostileServer, "plain").replace("NOTES_FOLDER", JSON.stringify(join(bench.folder, "notes")))}\n${shareable}`,
  );
  const diary = (): readonly string[] => readFileSync(join(bench.folder, "notes/diary"), "utf8").trim().split("\n");
  const call: SharedFixture["call"] = async (words, environment = {}) => {
    const { stdout, stderr } = await bench.run(words, { environment: { XDG_RUNTIME_DIR: runtime, ...environment } });
    return stdout + stderr;
  };
  const begin = (words: readonly string[]): ChildProcess =>
    spawn(bench.program.command, [...bench.program.words, ...words], {
      cwd: bench.folder,
      env: { ...bench.program.environment, XDG_RUNTIME_DIR: runtime },
      stdio: "ignore",
    });
  const processesWith = (text: string): readonly number[] =>
    readdirSync("/proc")
      .filter((pid) => /^\d+$/.test(pid) && fileOf(pid, "environ").includes(bench.folder))
      .filter((pid) => fileOf(pid, "cmdline").replaceAll("\0", " ").includes(text))
      .map(Number);
  try {
    assert.match(await call(["pin", "it"]), "pinned     mcp:it/echo");
    await work({
      ...bench,
      diary,
      starts: () => diary().filter((line) => line.startsWith("start ")).length,
      call,
      begin,
      processesWith,
    });
  } finally {
    for (const pid of processesWith("__shared-server")) process.kill(pid, "SIGTERM");
    await until(() => processesWith("").length === 0);
  }
}

function fileOf(pid: string, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return "";
  }
}

/** Waits for what the time limit of the test bounds. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => void setTimeout(resolve, 10));
}

const SHAREABLE = "    shareable: true\n";

test("programs share the process of a server that is shareable, and each has its own answer", () =>
  withServer(SHAREABLE, async ({ call, starts }) => {
    const words = ["one", "two", "three", "four", "five", "six"];
    assert.equal(
      await Promise.all(words.map((word) => call(["echo", word]))),
      words.map((word) => `${word}\n`),
    );
    assert.is(starts(), 1);
  }));

test("each program starts a server that is not declared shareable", () =>
  withServer("", async ({ call, starts, processesWith }) => {
    for (const word of ["one", "two"]) assert.is(await call(["echo", word]), `${word}\n`);
    assert.equal([starts(), processesWith("__shared-server")], [3, []]);
  }));

test("programs with other variables share no server", () =>
  withServer(SHAREABLE, async ({ call, starts }) => {
    for (const TZ of ["UTC", "Asia/Tokyo", "UTC"]) assert.is(await call(["echo", TZ], { TZ }), `${TZ}\n`);
    assert.is(starts(), 3);
  }));

test("a shared server knows of no client that could be asked, and its questions are refused", () =>
  withServer(SHAREABLE, async ({ call, diary }) => {
    assert.is(await call(["ask"]), '"refused"\n');
    const refusal = "this server is shared: it can ask no single client\n";
    assert.equal([await call(["roots"]), await call(["sample"])], [refusal, refusal]);
    assert.is(diary().filter((line) => line.startsWith("initialize")).length, 1);
  }));

test("progress comes to the program that called, and the call of a program that ends is cancelled", () =>
  withServer(SHAREABLE, async ({ call, diary, starts, begin }) => {
    const never = begin(["never"]);
    await until(() => diary().includes("call never {}"));
    assert.equal([await call(["progress"]), await call(["echo", "here"])], ["done\n", "here\n"]);
    never.kill("SIGTERM");
    await until(() => diary().includes("notifications/cancelled cancels"));
    assert.is(starts(), 1);
  }));

test("a shared server that dies is started again", () =>
  withServer(SHAREABLE, async ({ call, starts }) => {
    const died = await call(["die"]);
    assert.match(died, "the connection to the MCP server `it` was lost during the call: it ended with exit code");
    assert.is(await call(["echo", "again"]), "again\n");
    assert.is(starts(), 2);
  }));

test("a shared server ends with the process that runs it, and the next call starts another", () =>
  withServer(SHAREABLE, async ({ call, starts, processesWith }) => {
    const [holder] = processesWith("__shared-server");
    if (holder === undefined) throw new Error("nobody shares it");
    process.kill(holder, "SIGKILL");
    await until(() => processesWith("hostile.ts").length === 0);
    assert.is(await call(["echo", "again"]), "again\n");
    assert.is(starts(), 2);
  }));

test.run();
