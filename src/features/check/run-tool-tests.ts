// Runs the tests of definitions: each with the same checks as every call, in a separate folder, without a person to
// approve what policy would ask about.
import { callTool } from "../../core/run/call-tool.ts";
import { denialsOf } from "../../core/run/permit.ts";
import { obstaclesTo } from "../../core/run/availability.ts";
import { ceilingOf } from "../../core/run/ceiling.ts";
import type { Session } from "../../core/run/session.ts";
import type { ToolResult } from "../../core/tool/call.ts";
import type { Origin, ToolTest } from "../../core/tool/definition.ts";
import { isUnapproved, type Tool } from "../../core/tool/tool.ts";
import { contradiction } from "./expectation.ts";
import { observe } from "./observed.ts";
import type { TestProblem, TestResult, TestVerdict } from "./test-result.ts";
import { basename, dirname, join, resolve } from "node:path";
import type { Host } from "../../core/tool/host.ts";

interface ToolTestOptions {
  readonly signal: AbortSignal;
  /** Called as each test ends. */
  readonly onResult?: (result: TestResult) => void;
}

const SIMULTANEOUS_MAX = 4;
/** JavaScript of definitions has this clock and this chance in each test, so that a test gives the same every time. */
const REPEATABLE: NonNullable<Session["repeatable"]> = { nowMs: Date.UTC(2024, 1, 29, 12, 34, 56, 789), seed: 1 };

/**
 * Runs tests in the order of `names` and of their definitions. Names without a tool and tools without tests give
 * nothing.
 */
export async function runToolTests(
  session: Session,
  names: readonly string[],
  options: ToolTestOptions,
): Promise<readonly TestResult[]> {
  const waiting: Pick<TestRun, "name" | "tool" | "test">[] = [];
  for (const name of names) {
    const tool = await session.registry.resolve(name);
    if (tool) waiting.push(...tool.definition.tests.map((test) => ({ name, tool, test })));
  }
  const results: TestResult[] = [];
  const own: Session = { ...session, policy: [...session.policy, ...(await denialsOf(session))] };
  const entries = waiting.entries();
  const work = async (): Promise<void> => {
    for (const [index, { name, tool, test }] of entries) {
      const startedMs = session.host.nowMs();
      const verdict = await runTest({ name, tool, test, session: sessionForTests(own), signal: options.signal });
      const result = {
        tool: name,
        test: test.name,
        ...(test.description === undefined ? {} : { description: test.description }),
        durationMs: session.host.nowMs() - startedMs,
        ...verdict,
      };
      results[index] = result;
      options.onResult?.(result);
    }
  };
  await Promise.all(Array.from({ length: SIMULTANEOUS_MAX }, work));
  return results;
}

/** Each test gets a new session, so that no test sees what another left in memory. */
export function sessionForTests({ registry, policy, host, cwd, setting, sandboxSettings }: Session): Session {
  return {
    ...(sandboxSettings ? { sandboxSettings } : {}),
    registry,
    policy,
    host,
    cwd,
    setting,
    approver: { ask: () => Promise.resolve("denied") },
    isConfirmed: true,
    audience: "person",
    memory: new Map(),
    repeatable: REPEATABLE,
  };
}

interface TestRun {
  readonly name: string;
  readonly tool: Tool;
  readonly test: ToolTest;
  readonly session: Session;
  readonly signal: AbortSignal;
}

async function runTest(run: TestRun): Promise<TestVerdict> {
  const { tool, test, session, signal } = run;
  if (signal.aborted) return { kind: "skipped", reasons: ["stopped before it started"] };
  const reasons = [
    ...(tool.obstacle ? [tool.obstacle.reason] : []),
    ...(await obstaclesTo(tool.definition, session)).map(({ reason }) => reason),
    ...missingShell(test, session),
  ];
  if (reasons.length > 0) return { kind: "skipped", reasons };
  try {
    const folder = await openTestFolder(test, tool.definition.origin, session);
    return await runInFolder({ ...run, session: sessionIn(folder, run) }, folder);
  } catch (error) {
    return {
      kind: "failed",
      problems: [{ kind: "folder", actual: error instanceof Error ? error.message : String(error) }],
    };
  }
}

/** The lines around the tests of what nobody has approved are its author's, so they reach no more than its tool does. */
function sessionIn({ path, isTemporary }: TestFolder, { tool, session }: TestRun): Session {
  const own: Session = { ...session, cwd: path };
  if (!isUnapproved(tool) && tool.definition.origin.kind !== "forged") return own;
  return { ...own, confinement: { ...ceilingOf(path, undefined), writes: isTemporary ? [path] : [] } };
}

async function runInFolder(run: TestRun, folder: TestFolder): Promise<TestVerdict> {
  // A cancelled test is cleaned up as well.
  const lasting = { ...run, signal: new AbortController().signal };
  const clean: TestProblem[] = [];
  let verdict: TestVerdict;
  try {
    verdict = await verdictOf(run);
  } finally {
    clean.push(...(await runLines("cleanup", lasting)));
    await closeTestFolder(folder, run.session.host, () => runCommand(["chmod", "-R", "u+rwX", folder.path], lasting));
  }
  if (clean.length === 0 || verdict.kind === "skipped") return verdict;
  return { kind: "failed", problems: verdict.kind === "failed" ? [...verdict.problems, ...clean] : clean };
}

async function verdictOf(run: TestRun): Promise<TestVerdict> {
  const { name, test, session, signal } = run;
  const setup = await runLines("setup", run);
  if (setup.length > 0) return { kind: "failed", problems: setup };
  const result = await callTool({ id: `test ${test.name}`, tool: name, arguments: test.arguments }, session, signal);
  // A tool under this one may be missing as well.
  if (result.status === "failed" && result.failure.kind === "unavailable")
    return { kind: "skipped", reasons: result.failure.reasons };
  const observed = observe(result, session.cwd);
  const problems: TestProblem[] = [];
  for (const expectation of test.expectations) {
    const actual = await contradiction(expectation, observed, session.host);
    if (actual !== undefined) problems.push({ kind: "expectation", expectation, actual });
  }
  const expectsFailure = test.expectations.some(({ kind }) => kind === "exit-code" || kind === "error-contains");
  if (observed.isFailed && !expectsFailure) problems.unshift({ kind: "call", actual: observed.error });
  return problems.length === 0 ? { kind: "passed" } : { kind: "failed", problems };
}

function missingShell(test: ToolTest, { host }: Session): readonly string[] {
  if (test.setup.length + test.cleanup.length === 0) return [];
  return host.processes.find("sh", host.environment("PATH") ?? "") === undefined
    ? ["setup and cleanup need `sh`, which is not on PATH"]
    : [];
}

/** Runs lines. The first one that fails ends a setup, but not a cleanup. */
async function runLines(kind: "setup" | "cleanup", run: TestRun): Promise<readonly TestProblem[]> {
  const problems: TestProblem[] = [];
  for (const command of run.test[kind]) {
    if (kind === "setup" && problems.length > 0) break;
    const result = await runCommand(["sh", "-c", command], run);
    if (result.status === "failed") problems.push({ kind, command, actual: observe(result, run.session.cwd).error });
  }
  return problems;
}

function runCommand(argv: readonly string[], { session, signal, test }: TestRun): Promise<ToolResult> {
  return callTool(
    { id: `around test ${test.name}`, tool: "run_command", arguments: { argv: [...argv] } },
    session,
    signal,
  );
}

interface TestFolder {
  /** Absolute. */
  readonly path: string;
  /** Whether it is to be removed. */
  readonly isTemporary: boolean;
}

/** Calls `work` with a new, empty folder, and removes it. */
export async function inTestFolder(session: Session, work: (path: string) => Promise<void>): Promise<void> {
  const path = await newFolder(session.host);
  try {
    await work(path);
  } finally {
    await session.host.files.remove(path);
  }
}

const PREFIX = "dottool-test-";

async function openTestFolder(
  test: ToolTest,
  origin: Origin,
  { host, cwd }: { readonly host: Host; readonly cwd: string },
): Promise<TestFolder> {
  if (test.folder === "definition" && origin.kind === "file" && origin.scope !== "builtin")
    return { path: dirname(resolve(cwd, origin.source.path)), isTemporary: false };
  const path = await newFolder(host);
  // Inside the executable there is no folder of definitions, so the test gets one with its own definition.
  if (test.folder === "definition" && origin.kind === "file")
    await host.files.write(join(path, basename(origin.source.path.replace(/^builtin:/, ""))), origin.source.text);
  return { path, isTemporary: true };
}

async function newFolder(host: Host): Promise<string> {
  return host.files.realPath(await host.files.makeTemporaryFolder(PREFIX));
}

/** Removes the folder; `makeRemovable` is called for files that their owner may not remove. */
async function closeTestFolder(
  { path, isTemporary }: TestFolder,
  host: Host,
  makeRemovable: () => Promise<unknown>,
): Promise<void> {
  if (!isTemporary) return;
  try {
    await host.files.remove(path);
  } catch {
    await makeRemovable();
    await host.files.remove(path);
  }
}
