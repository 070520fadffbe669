// A folder with tools in the sandbox, a home folder with a key, and calls of the real program.
import { needPrograms } from "../programs-needed.ts";
import { type TestProject, testProject, type ToolRun } from "../test-project.ts";

export const tool = (name: string, command: string, ...lines: readonly string[]): string =>
  [
    "Does it.",
    "",
    `@title T ${name}`,
    `@name ${name}`,
    "@wrapped run_command",
    "@shell sh",
    `@command ${command}`,
    ...lines,
    "",
  ].join("\n");

/** Tries to write in the working folder and to read a key of the home folder. */
export const tries = "touch written 2>&- && echo wrote; cat ~/key 2>&- || echo no key";

export type Call = (words: readonly string[]) => Promise<ToolRun>;

export async function inFixture(
  files: Readonly<Record<string, string>>,
  work: (call: Call, bench: TestProject) => Promise<void>,
): Promise<void> {
  needPrograms("bwrap");
  using bench = testProject({ "home/key": "canary-1789\n", "here/kept": "", ...files });
  await work((words) => bench.run(words, { cwd: "here" }), bench);
}

export const config = (text: string): Readonly<Record<string, string>> => ({
  "home/.config/dottool/config.yaml": text,
});

export interface JsonResult {
  readonly status: string;
  readonly content: readonly { readonly text: string }[];
  readonly process?: { readonly level: string; readonly sandbox: string; readonly missing?: readonly string[] };
  readonly sandbox?: { readonly level: string; readonly sandbox: string };
  readonly failure?: { readonly message: string };
}

export async function resultOf(call: Call, words: readonly string[]): Promise<JsonResult> {
  const { stdout } = await call(["--result", "json", ...words]);
  return JSON.parse(stdout) as JsonResult;
}

/** Returns the output, the level and what was true of it. */
export async function sandboxed(call: Call, words: readonly string[]): Promise<readonly unknown[]> {
  const { content, process } = await resultOf(call, words);
  return [content.map(({ text }) => text).join(""), process?.level, process?.sandbox];
}
