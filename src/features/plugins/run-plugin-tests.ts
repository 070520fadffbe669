// Runs the tests of plugins for `dottool test`: each file in a process of its own, one after the other.
import { shownPathOf } from "../../core/catalog/load.ts";
import type { OpenedSession } from "../../core/session/assemble.ts";
import type { PluginTestOptions, PluginTestResults, TestResult } from "../check/test-result.ts";
import { runTestProcess } from "./host/test-process.ts";
import { testFileOf, trustedTests } from "./test-files.ts";

const NEVER = "it never settles: nothing is left that it could wait for";

export async function runPluginTests(
  opened: OpenedSession,
  { signal, words, plugins, print }: PluginTestOptions,
): Promise<PluginTestResults> {
  const { host, cwd } = opened;
  const isMeant = (path: string): boolean => !plugins || plugins.some((plugin) => testFileOf(plugin) === path);
  const { trusted, diagnostics } = trustedTests(opened);
  const results: TestResult[] = [];
  for (const { path } of trusted.filter(({ path: one }) => isMeant(one))) {
    if (signal.aborted) break;
    const tool = shownPathOf(path, cwd);
    let begun = { test: "loads", atMs: host.nowMs(), isOpen: true };
    const add = (verdict: { kind: "passed" } | { kind: "failed"; actual: string }): void => {
      begun.isOpen = false;
      const { test, atMs } = begun;
      const shared = { tool, test, durationMs: host.nowMs() - atMs };
      results.push(
        verdict.kind === "passed"
          ? { ...shared, kind: "passed" }
          : { ...shared, kind: "failed", problems: [{ kind: "thrown", actual: verdict.actual }] },
      );
    };
    const ended = await runTestProcess([...words, "__plugin-tests", path], {
      cwd,
      signal,
      print,
      onLine: (line) => {
        if (line.begin !== undefined) begun = { test: line.begin, atMs: host.nowMs(), isOpen: true };
        else add(line.failed === undefined ? { kind: "passed" } : { kind: "failed", actual: line.failed });
      },
    });
    // A file without tests ends as it should.
    const isEmpty = begun.test === "loads" && ended === "exit code 0";
    if (begun.isOpen && !isEmpty)
      add({ kind: "failed", actual: ended === "exit code 0" ? NEVER : `its process ended: ${ended}` });
  }
  return { results, untrusted: diagnostics.filter(({ plugin }) => isMeant(plugin)) };
}
