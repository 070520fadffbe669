// The processes left of a run: 18 shapes of processes and 16 ways in which a run, or the program, ends, with the real
// program and real processes. `node test/host/survivors.ts [MAIN.ts]` prints the table, for another copy of the program
// if one is named.
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { HANG_MS_MAX } from "../amount.ts";
import { randomId } from "../../src/core/host/random-id.ts";
import { testProject } from "../test-project.ts";

export interface Shape {
  readonly name: string;
  /**
   * Lines for a shell, with `SLEEP` for a lasting command and `DOTTOOL` for the program. The processes left in the
   * background count.
   */
  readonly lines: string;
}

const chain = (before: string): string =>
  `perl -e '${before} while (1) { my $p = fork(); exit if !defined $p || $p; BODY select(undef, undef, undef, rand(0.002)); }' TOKEN`;

export const shapes: readonly Shape[] = [
  { name: "foreground child", lines: ":" },
  { name: "background child", lines: "SLEEP &" },
  { name: "own session", lines: "setsid SLEEP &" },
  { name: "double fork", lines: "(setsid sh -c 'SLEEP & SLEEP' &)" },
  { name: "nohup", lines: "nohup SLEEP >/dev/null 2>&1 &" },
  { name: "daemon, empty environment", lines: "(env -i setsid SLEEP </dev/null >/dev/null 2>&1 &)" },
  { name: "chain of forks", lines: `${chain("").replace("BODY", "")} >/dev/null 2>&1 &` },
  {
    name: "chain of sessions, empty environment",
    lines: `env -i ${chain("use POSIX;").replace("BODY", "POSIX::setsid();")} >/dev/null 2>&1 &`,
  },
  { name: "ignores TERM", lines: "trap '' TERM INT HUP QUIT\nSLEEP &" },
  { name: "stopped", lines: "SLEEP &\nkill -STOP $!" },
  { name: "grandchild with the pipes", lines: "sh -c '(setsid SLEEP &)'" },
  { name: "closed pipes", lines: "exec 3>&1 </dev/null >/dev/null 2>&1\nSLEEP 3>&- &\nexec >&3 2>&3 3>&-" },
  {
    name: "dottool inside",
    lines: "DOTTOOL run_command --command ': > inner; SLEEP' &\nuntil [ -e inner ]; do sleep 0.02; done",
  },
  {
    name: "daemon of a dottool inside",
    lines:
      "DOTTOOL run_command --command '(env -i setsid SLEEP </dev/null >/dev/null 2>&1 &) ; : > inner; SLEEP' &\nuntil [ -e inner ]; do sleep 0.02; done",
  },
  { name: "pipeline", lines: "SLEEP | SLEEP | SLEEP &" },
  { name: "waits for input", lines: "mkfifo wait\nsetsid sh -c 'read line < wait' TOKEN &" },
  { name: "busy loop", lines: "setsid sh -c 'while :; do :; done' TOKEN &" },
  {
    name: "forks at TERM",
    lines:
      "sh -c 'trap \"env -i setsid SLEEP >/dev/null 2>&1 & setsid SLEEP &\" TERM; while :; do sleep 0.05; done' TOKEN &",
  },
];

export interface Ending {
  readonly name: string;
  /** The shell's last lines, after the shape exists. */
  readonly last: string;
  readonly words?: readonly string[];
  /** Called when the shape exists. */
  act?(program: ChildProcess, send: (message: object) => void): void;
  readonly isServer?: true;
  /** Set if the program is ended without anything reading its output. */
  readonly isUnread?: true;
  readonly isEndless?: true;
}

/** Long enough for `yes` to fill a pipe. */
const FILL_MS = 300;
const HOLD = "SLEEP; :";
const signal = (name: NodeJS.Signals): Pick<Ending, "last" | "act"> => ({
  last: HOLD,
  act: (program) => void program.kill(name),
});
const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } };

export const endings: readonly Ending[] = [
  { name: "exit 0", last: "exit 0" },
  { name: "exit 3", last: "exit 3" },
  { name: "@timeout", last: HOLD, words: ["short_lived"] },
  { name: "output limit", last: "yes", words: ["terse"] },
  { name: "SIGINT", ...signal("SIGINT") },
  { name: "SIGTERM", ...signal("SIGTERM") },
  { name: "SIGHUP", ...signal("SIGHUP") },
  { name: "SIGQUIT", ...signal("SIGQUIT") },
  { name: "SIGKILL", ...signal("SIGKILL") },
  {
    name: "SIGINT twice",
    last: HOLD,
    act: (program) => {
      const send = (): void =>
        void (program.exitCode === null && program.signalCode === null && program.kill("SIGINT"));
      send();
      const again = setInterval(send, 30);
      program.once("exit", () => clearInterval(again));
    },
  },
  {
    name: "closed output",
    last: "while :; do echo more; sleep 0.02; done",
    act: (program) => void program.stdout?.destroy(),
  },
  {
    name: "blocked output, SIGTERM",
    last: "yes",
    isUnread: true,
    act: (program) => void setTimeout(() => program.kill("SIGTERM"), FILL_MS),
  },
  { name: "client cancels", last: HOLD, isServer: true, isEndless: true, act: (_program, send) => send(cancel) },
  { name: "client leaves", last: HOLD, isServer: true, act: (program) => void program.stdin?.end() },
  { name: "server SIGKILL", last: HOLD, isServer: true, act: (program) => void program.kill("SIGKILL") },
  { name: "plugin throws", last: HOLD, words: ["bomb"] },
];

/** How long what is left has to go. */
const SURVIVE_MS_MAX = 20_000;
const QUIET_LOOKS = 10;

export interface Cell {
  /** Whether the program itself was left. */
  readonly isProgramLeft: boolean;
  readonly survivors: number;
}

/** `main` is that of a copy of the program. If absent, the program starts as in all tests. */
export async function survivorsOf(shape: Shape, ending: Ending, main?: string): Promise<Cell> {
  const token = String(Number.parseInt(randomId().slice(0, 12), 16));
  using bench = testProject(filesOf(token));
  const { command, words: own } = main === undefined ? bench.program : { command: process.execPath, words: [main] };
  const fill = (text: string): string =>
    text
      .replaceAll("SLEEP", `sleep 300.${token}`)
      .replaceAll("TOKEN", token)
      .replaceAll("DOTTOOL", [command, ...own].map((word) => `'${word}'`).join(" "));
  bench.write(`shape-${token}.sh`, fill(`${shape.lines}\n: > ready\n${ending.last}\n`));
  const words = ending.isServer ? ["mcp"] : (ending.words ?? ["shape"]);
  const program = spawn(command, [...own, ...words], {
    cwd: bench.folder,
    env: bench.program.environment,
    stdio: ["pipe", "pipe", "ignore"],
  });
  try {
    const ended = new Promise<void>((resolve) => program.once("exit", () => resolve()));
    program.stdin.on("error", () => undefined);
    program.stdout.on("error", () => undefined);
    const send = (message: object): void => void program.stdin.write(`${JSON.stringify(message)}\n`);
    if (ending.isServer) callShape(send);
    else program.stdin.end();
    if (!ending.isUnread) program.stdout.resume();
    await until(() => existsSync(join(bench.folder, "ready")) || program.exitCode !== null, HANG_MS_MAX);
    if (ending.name.endsWith("SIGKILL") && main === undefined) await until(() => hasWatcher(program), HANG_MS_MAX);
    ending.act?.(program, send);
    if (!ending.isEndless) await Promise.race([ended, delay(HANG_MS_MAX)]);
    const isProgramLeft = !ending.isEndless && program.exitCode === null && program.signalCode === null;
    // A chain of forks may be still running although one look finds no process.
    let quiet = 0;
    await until(
      () => (quiet = processesWith(token, program).length === 0 ? quiet + 1 : 0) >= QUIET_LOOKS,
      SURVIVE_MS_MAX,
    );
    return { isProgramLeft, survivors: quiet >= QUIET_LOOKS ? 0 : processesWith(token, program).length };
  } finally {
    await clear(token, program);
  }
}

function filesOf(token: string): Readonly<Record<string, string>> {
  const tools = "home/.config/dottool/tools";
  const tool = (name: string, more = ""): string =>
    `Runs a shape.\n\n@name ${name}\n@wrapped run_command\n@command sh ./shape-${token}.sh\n${more}`;
  return {
    "home/.config/dottool/config.yaml": "policy:\n  - decision: allow\n    tool: [shape]\n    front_end: mcp\n",
    [`${tools}/shape.tool`]: tool("shape"),
    [`${tools}/short_lived.tool`]: tool("short_lived", "@timeout 3s\n"),
    [`${tools}/terse.tool`]: tool("terse", "@limit output=20KiB\n"),
    [`${tools}/plugins/bomb.ts`]: `import { definePlugin, defineTool } from "dottool";
import { existsSync } from "node:fs";
const bomb = defineTool({ name: "bomb", description: "Throws where nobody waits.", parameters: {}, run: (_args, context) => {
  setInterval(() => { if (existsSync("ready")) throw new Error("on purpose"); }, 20);
  return context.invoke("shape", {});
} });
export default definePlugin({ name: "bomb", tools: [bomb] });
`,
  };
}

function callShape(send: (message: object) => void): void {
  send({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
  });
  send({ jsonrpc: "2.0", method: "notifications/initialized" });
  send({ jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "shape", arguments: {} } });
}

function hasWatcher({ pid }: ChildProcess): boolean {
  return processes().some(
    (one) =>
      /^\d+ \(.*\) \S+ (\d+)/s.exec(textOf(`/proc/${one}/stat`))?.[1] === String(pid) &&
      textOf(`/proc/${one}/cmdline`).startsWith("dottool-watcher"),
  );
}

/** Returns processes by a word of their command lines, which they cannot lose. */
function processesWith(token: string, { pid: own }: ChildProcess): readonly number[] {
  return processes().filter((pid) => pid !== own && textOf(`/proc/${pid}/cmdline`).includes(token));
}

function processes(): readonly number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 1);
}

function textOf(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}

/** Ends what is left, so that the next cell begins with nothing. */
async function clear(token: string, program: ChildProcess): Promise<void> {
  program.kill("SIGKILL");
  for (let pass = 0, quiet = 0; pass < 100_000 && quiet < 20; pass++) {
    const left = processesWith(token, program);
    quiet = left.length === 0 ? quiet + 1 : 0;
    for (const pid of left) killNow(pid);
    if (left.length === 0) await delay(1);
  }
}

function killNow(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    return;
  }
}

async function until(holds: () => boolean, limitMs: number): Promise<void> {
  for (const startedMs = performance.now(); !holds() && performance.now() - startedMs < limitMs; ) await delay(20);
}

function delay(delayMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, delayMs));
}

const AT_ONCE = 4;

/**
 * Returns a row for each shape and a column for each ending: the number of processes left, with `+` if the program is
 * too.
 */
export async function survivorsTable(
  pairs: readonly (readonly [Shape, Ending])[],
  main?: string,
): Promise<ReadonlyMap<string, string>> {
  const cells = new Map<string, string>();
  const waiting = [...pairs];
  const work = async (): Promise<void> => {
    for (let pair = waiting.shift(); pair; pair = waiting.shift()) {
      const { survivors, isProgramLeft } = await survivorsOf(...pair, main);
      cells.set(`${pair[0].name} × ${pair[1].name}`, `${survivors}${isProgramLeft ? "+" : ""}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return cells;
}

export const allPairs: readonly (readonly [Shape, Ending])[] = shapes.flatMap((shape) =>
  endings.map((ending) => [shape, ending] as const),
);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const cells = await survivorsTable(allPairs, process.argv[2]);
  const widest = Math.max(...shapes.map(({ name }) => name.length));
  for (const [index, { name }] of endings.entries()) process.stdout.write(`${index + 1} ${name}\n`);
  process.stdout.write(
    `${"".padEnd(widest)} ${endings.map((_ending, index) => String(index + 1).padStart(3)).join("")}\n`,
  );
  for (const shape of shapes)
    process.stdout.write(
      `${shape.name.padEnd(widest)} ${endings.map((ending) => (cells.get(`${shape.name} × ${ending.name}`) ?? "").padStart(3)).join("")}\n`,
    );
  const failed = [...cells.values()].filter((cell) => cell !== "0").length;
  process.stdout.write(`${cells.size} cells, ${failed} with survivors\n`);
  process.exitCode = failed > 0 ? 1 : 0;
}
