// A program that was built without features/windows-shells.
import { runCommand } from "../../src/core/base/run-command.ts";
import { createToolBuilder } from "../../src/core/builder/tool-builder.ts";
import { analyzeToolFile } from "../../src/core/language/analyze.ts";
import { parseToolFile } from "../../src/core/language/syntax/parse.ts";
import { loadPart, useFeatures } from "../../src/core/tool/feature.ts";
import { features } from "../../src/features/index.ts";
import { assert, present, suite } from "../harness.ts";

const test = suite("without windows-shells");
const source = {
  path: "x.tool",
  text: "Says it.\n\n@name x\n@shell(windows) pwsh\n@command(windows) Write-Output {text}\n@param text What\n",
};

/** Other tests of this process need all features. */
async function withoutFeature<T>(work: () => T): Promise<T> {
  useFeatures(features.filter(({ name }) => name !== "windows-shells"));
  try {
    await loadPart("windowsScripts");
    return work();
  } finally {
    useFeatures(features);
  }
}

test("a definition for PowerShell is not read, and the message says why", async () => {
  const { diagnostics } = await withoutFeature(() => analyzeToolFile(parseToolFile(source)));
  assert.equal(
    diagnostics.map(({ severity, message, help }) => [severity, message, help]),
    [
      [
        "error",
        "this program was built without what reads scripts for PowerShell and cmd.exe",
        ["use `dottool` itself, which reads them", "or write the command for another shell"],
      ],
    ],
  );
});

test("a definition that another program read is not built for Windows, and is for other platforms", async () => {
  await loadPart("windowsScripts");
  const definition = present(analyzeToolFile(parseToolFile(source)).value);
  const saidOn = (platform: "windows" | "linux"): readonly string[] =>
    createToolBuilder({ platform, definition: () => undefined, baseTool: () => runCommand, names: () => [] })
      .build(definition)
      .diagnostics.map(({ message }) => message);
  assert.equal(await withoutFeature(() => [saidOn("windows"), saidOn("linux")]), [
    ["this program was built without what runs scripts for PowerShell and cmd.exe"],
    [],
  ]);
});

test.run();
