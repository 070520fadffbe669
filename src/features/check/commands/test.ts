// `dottool test`: runs the tests in definitions.
import { resolve } from "node:path";
import { loadPart } from "../../../core/tool/feature.ts";
import { runToolTests } from "../run-tool-tests.ts";
import type { PluginTestResults, TestProblem, TestResult } from "../test-result.ts";
import { exitCodes } from "../../../core/run/exit-code.ts";
import { failureText } from "../../../core/run/failure-text.ts";
import type { Expectation } from "../../../core/tool/definition.ts";
import type { Failure } from "../../../core/tool/failure.ts";
import type { Diagnostic } from "../../../core/text/diagnostic.ts";
import { diagnosticJson } from "../../../core/text/diagnostic-json.ts";
import type { Terminal } from "../../../core/tool/terminal.ts";
import { type CommandContext, reportUsage, type WordsCommand, writeJson } from "../../../cli/command.ts";
import { renderAll } from "../../../cli/view/diagnostics-text.ts";
import { findTools, type NamedTool } from "../../../cli/words/find-tools.ts";
import type { OpenedSession } from "../../../core/session/assemble.ts";
import { diagnosticsFor } from "../../../core/session/broken-tool.ts";
import { openSession } from "../../../cli/session/open-session.ts";
import { printableLines } from "../../../cli/view/layout.ts";
import { isMadeElsewhere, ownDiagnostics } from "../own-diagnostics.ts";
import { paintFor } from "../../../cli/view/paint.ts";

export const testCommand: WordsCommand = {
  kind: "words",
  usage: ["test [NAME…] [--all] [--json]"],
  about:
    "Runs the tests in definitions (`@test`) and those of plugins (`plugins/NAME.test.ts`), each in a new, empty folder, with the same checks as every call. Without names, runs the tests of your own definitions: those of `--tools`, of the project and of the user. Exits with 65 if one of these is broken, because its tests cannot run.",
  options: [
    { name: "all", does: "test all tools, those that come with dottool too" },
    { name: "json", does: "print as JSON" },
  ],
  words: [0, Number.POSITIVE_INFINITY],
  completes: "tools",
  examples: [
    ["dottool test", "the tests of your definitions"],
    ["dottool test glob", "the tests of the tool `glob`"],
  ],
  run: async (input, context) => {
    const opened = await openSession(context, { isForAuthor: true });
    if (typeof opened === "number") return opened;
    const { terminal } = context;
    if (input.has("all") && input.words.length > 0)
      return reportUsage(terminal, "`--all` tests all tools; leave out the names", "test");
    const own = input.has("all") || input.words.length > 0 ? undefined : await ownTools(opened);
    const found = own ?? (await findTools(input.words, opened, { ...context, isJson: input.has("json") }));
    if (typeof found === "number") return found;
    const untrusted = await firstUntrusted(found, opened);
    if (untrusted) {
      if (await (await import("../../../cli/session/trust-prompt.ts")).offerTrust(untrusted.tool, opened, terminal))
        return testCommand.run(input, context);
      terminal.errors.write(
        `${printableLines(failureText(untrusted, { audience: "person", tool: untrusted.tool }))}\n`,
      );
      return exitCodes.denied;
    }
    const progress = openProgress(
      terminal,
      found.reduce((sum, { tool }) => sum + tool.definition.tests.length, 0),
    );
    const ofTools = await runToolTests(
      opened.session,
      found.map(({ name }) => name),
      { signal: terminal.signal, onResult: progress.step },
    );
    progress.end();
    const ofPlugins = await testsOfPlugins(input.words.length === 0 ? undefined : found, opened, context);
    const results = [...ofTools, ...ofPlugins.results];
    const broken = own
      ? (await ownDiagnostics(opened)).filter(({ severity }) => severity === "error")
      : await unreadTests(found, opened);
    terminal.errors.write(await renderAll([...broken, ...ofPlugins.untrusted], terminal.errors));
    if (input.has("json")) writeJson(terminal, { results, ...countsOf(results), broken: broken.map(diagnosticJson) });
    else if (own?.length === 0 && broken.length + results.length === 0)
      terminal.errors.write(
        "there are no definitions of your own here; `dottool test --all` runs the tests of all tools\n",
      );
    else if (results.length > 0 || broken.length === 0) await writeResults(results, terminal);
    if (broken.length > 0) return exitCodes.definitions;
    if (ofPlugins.untrusted.length > 0) return exitCodes.denied;
    return countsOf(results).failed > 0 ? exitCodes.failed : exitCodes.done;
  },
};

/** Runs the tests of the plugins that `named` tools are of, or of all. */
async function testsOfPlugins(
  named: readonly NamedTool[] | undefined,
  opened: OpenedSession,
  { options, terminal }: CommandContext,
): Promise<PluginTestResults> {
  const plugins = named?.flatMap(({ tool: { definition } }) =>
    definition.origin.kind === "plugin" ? [definition.origin.path] : [],
  );
  const run =
    opened.catalogue().plugins.length === 0 || plugins?.length === 0 ? undefined : await loadPart("runPluginTests");
  if (!run) return { results: [], untrusted: [] };
  return run(opened, {
    signal: terminal.signal,
    words: options.toolFolders.flatMap((folder) => ["--tools", resolve(terminal.workingFolder(), folder)]),
    ...(plugins ? { plugins } : {}),
    print: (text) => void terminal.errors.write(printableLines(text)),
  });
}

/** Returns the first untrusted tool: tests run what definitions say, so no test starts if one must not. */
async function firstUntrusted(
  found: readonly NamedTool[],
  { session }: OpenedSession,
): Promise<Extract<Failure, { kind: "untrusted" }> | undefined> {
  const [first] =
    (await session.distrusted?.(
      found.filter(({ tool }) => tool.definition.tests.length > 0).map(({ name }) => name),
    )) ?? [];
  return first === undefined ? undefined : session.distrust?.(first);
}

/** Returns the mistakes because of which tests of these tools were left out. */
async function unreadTests(found: readonly NamedTool[], opened: OpenedSession): Promise<readonly Diagnostic[]> {
  const all = await Promise.all(found.map(({ name }) => diagnosticsFor(name, opened)));
  return all.flat().filter(({ severity, fix }) => severity === "error" && fix === undefined);
}

/** Returns the tools that `check` works on: a project's tests do not cover the tools that come with dottool. */
async function ownTools({ session, catalogue }: OpenedSession): Promise<readonly NamedTool[]> {
  await session.registry.complete();
  return catalogue().entries.flatMap(({ name, scope, resolution }) => {
    const tool = isMadeElsewhere(scope) || resolution.kind !== "used" ? undefined : session.registry.find(name);
    return tool ? [{ name, tool }] : [];
  });
}

function countsOf(results: readonly TestResult[]): Readonly<Record<TestResult["kind"], number>> {
  const count = (kind: TestResult["kind"]): number => results.filter((result) => result.kind === kind).length;
  return { passed: count("passed"), failed: count("failed"), skipped: count("skipped") };
}

async function writeResults(results: readonly TestResult[], { output, errors }: Terminal): Promise<void> {
  if (results.length === 0) return errors.write("there are no tests; add them to a definition with `@test`\n");
  const { green, red, yellow } = await paintFor(output);
  const linesOf = (result: TestResult): readonly string[] => {
    const name = printableLines(`${result.tool}: ${result.test}`);
    switch (result.kind) {
      case "passed":
        return [`${green("passed")}   ${name}`];
      case "skipped":
        return [`${yellow("skipped")}  ${name}: ${printableLines(result.reasons.join("; "))}`];
      case "failed":
        return [
          `${red("failed")}   ${name}`,
          ...(result.description === undefined ? [] : [`           ${printableLines(result.description)}`]),
          ...result.problems.flatMap(problemLines),
        ];
    }
  };
  const lines = results.flatMap(linesOf);
  const { passed, failed, skipped } = countsOf(results);
  output.write(
    `${lines.join("\n")}\n\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}\n`,
  );
}

function problemLines(problem: TestProblem): readonly string[] {
  const [first = "", ...rest] = printableLines(problem.actual).split("\n");
  return [
    `           ${printableLines(headOf(problem))}`,
    `           ${first}`,
    ...rest.map((line) => `             ${line}`),
  ];
}

function headOf(problem: TestProblem): string {
  switch (problem.kind) {
    case "expectation":
      return `expect ${expectationText(problem.expectation)}`;
    case "call":
      return "the call failed";
    case "setup":
    case "cleanup":
      return `${problem.kind} ${problem.command}`;
    case "thrown":
      return "the test of the plugin";
    case "folder":
      return "the folder of the test";
  }
}

/** Returns the expectation as its author wrote it. */
function expectationText(expectation: Expectation): string {
  switch (expectation.kind) {
    case "exit-code":
      return `exit-code ${expectation.exitCode}`;
    case "output-contains":
    case "output-equals":
    case "output-not-contains":
    case "error-contains":
      return `${expectation.kind} ${expectation.text}`;
    case "output-matches":
      return `output-matches /${expectation.source}/${expectation.flags}`;
    case "file-exists":
    case "directory-exists":
    case "not-file-exists":
      return `${expectation.kind} ${expectation.path}`;
    case "file-contains":
      return `file-contains ${expectation.path} ${expectation.text}`;
    case "result":
      return `result ${JSON.stringify(expectation.value)}`;
  }
}

/** Opens a line on the terminal that shows progress while tests run. */
function openProgress({ errors }: Terminal, total: number): { step(): void; end(): void } {
  let done = 0;
  let shown = "";
  const show = (text: string): void => {
    if (!errors.isTerminal) return;
    errors.write(`\r${text}${" ".repeat(Math.max(0, shown.length - text.length))}${text === "" ? "\r" : ""}`);
    shown = text;
  };
  return { step: () => show(`${++done} of ${total} tests`), end: () => show("") };
}
