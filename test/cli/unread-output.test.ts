// Output that is never read: neither a signal nor a time limit waits for it.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import process from "node:process";
import { commandLine } from "../../src/core/base/quote.ts";
import { HANG_MS_MAX } from "../amount.ts";
import { assert, suite } from "../harness.ts";
import { needPrograms } from "../programs-needed.ts";
import { type TestProject, testProject } from "../test-project.ts";
import { assertNothingLeft, killLeft, processesOf, send, signalled, until, withFixture } from "./stream-fixture.ts";

const test = suite("unread output");

/** Tests that are left out in Deno, where a write to a full pipe blocks the program whatever signal comes. */
const inNode: typeof test = "Deno" in globalThis ? Object.assign(() => undefined, { run: () => undefined }) : test;

/** Returns the exit code of a program whose output is never read. */
async function endUnread(
  bench: TestProject,
  words: readonly string[],
  signal?: NodeJS.Signals,
): Promise<number | null> {
  const child = spawn(bench.program.command, [...bench.program.words, ...words], {
    cwd: bench.folder,
    env: bench.program.environment,
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
    if (signal !== undefined) {
      await until(() => existsSync(`${bench.folder}/full`));
      send(child, signal);
    }
    return await Promise.race([
      ended,
      new Promise<null>((resolve) => void setTimeout(resolve, HANG_MS_MAX, null).unref()),
    ]);
  } finally {
    child.kill("SIGKILL");
  }
}

// More than all the pipes hold. The writer has not waited for the last part to be read.
const FLOOD = "(yes | head -c 300000; touch full) & sleep 0.5; touch full; yes";

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  inNode(`a reader that does not read holds off no ${signal}`, () =>
    withFixture(async (bench) => {
      assert.is(await endUnread(bench, ["run_command", "--command", FLOOD], signal), signalled[signal]);
      await assertNothingLeft(bench);
    }),
  );
}

inNode("a reader that does not read holds off no signal where a plugin runs", async () => {
  const plugin = `import { definePlugin, defineTool } from "dottool";
const quick = defineTool({ name: "quick", description: "Is quick.", effects: ["read"], parameters: {}, run: () => "quick" });
export default definePlugin({ name: "quick", tools: [quick] });
`;
  using bench = testProject({
    "home/.config/dottool/tools/plugins/quick.ts": plugin,
    ".tools/both.tool": `Does both.\n\n@name both\n@step one uses quick\n@step two sh [output=stream]\n    ${FLOOD}\n`,
  });
  assert.is(await endUnread(bench, ["both"], "SIGTERM"), 143);
  await assertNothingLeft(bench);
});

inNode("a reader that does not read holds off no time limit, also where secrets are masked", async () => {
  const flood = (name: string, more: string): string =>
    `Floods.\n\n@name ${name}\n@wrapped run_command\n@command yes\n@timeout 1s\n${more}`;
  using bench = testProject({
    ".tools/flood.tool": flood("flood", ""),
    ".tools/secret.tool": flood("secret", "@env TOKEN=secret:TOKEN\n"),
    ".tools/steps.tool": "Floods.\n\n@name steps\n@timeout 1s\n@step one runs [output=stream]\n    yes\n",
  });
  const { environment } = bench.program;
  const withSecret = {
    ...bench,
    program: { ...bench.program, environment: { ...environment, TOKEN: "a-long-secret-of-mine" } },
  };
  assert.equal(
    await Promise.all(["flood", "secret", "steps"].map((name) => endUnread(withSecret, [name]))),
    [124, 124, 124],
  );
  await assertNothingLeft(bench);
});

inNode("a pipe that others have filled holds off no signal", async () => {
  if (process.platform !== "linux") return;
  await withFixture(async (bench) => {
    const line = `yes | head -c 60000 & sleep 0.3; exec "$@"`;
    const child = spawn(
      "sh",
      [
        "-c",
        line,
        "sh",
        bench.program.command,
        ...bench.program.words,
        "run_command",
        "--command",
        "touch full; yes | head -c 20000; sleep 60",
      ],
      { cwd: bench.folder, env: bench.program.environment, stdio: ["ignore", "pipe", "ignore"] },
    );
    try {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      await until(() => existsSync(`${bench.folder}/full`));
      send(child, "SIGTERM");
      assert.is(
        await Promise.race([ended, new Promise((resolve) => void setTimeout(resolve, HANG_MS_MAX).unref())]),
        143,
      );
    } finally {
      child.kill("SIGKILL");
    }
  });
});

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  inNode(`a terminal that nobody reads holds off no ${signal}`, async () => {
    if (process.platform !== "linux") return;
    const [script = ""] = needPrograms("script");
    await withFixture(async (bench) => {
      // `script` stops reading its terminal when its own output is not read. A signal goes to the program alone.
      const line = "sh -c 'echo $$ >pid; exec \"$@\"' sh ";
      // With input of its own, the command does not get the terminal itself.
      const words = [bench.program.command, ...bench.program.words, "run_command", "--stdin", "x", "--command", FLOOD];
      const child = spawn(
        script,
        ["-qc", `${line}${commandLine(words)}; echo $? >code.new; mv code.new code`, "/dev/null"],
        {
          cwd: bench.folder,
          env: { ...bench.program.environment, SHELL: "/bin/sh" },
          stdio: ["pipe", "pipe", "ignore"],
        },
      );
      try {
        await until(() => existsSync(`${bench.folder}/full`));
        process.kill(Number(readFileSync(`${bench.folder}/pid`, "utf8")), signal);
        await until(() => existsSync(`${bench.folder}/code`));
        assert.is(readFileSync(`${bench.folder}/code`, "utf8"), `${signalled[signal]}\n`);
      } finally {
        child.kill("SIGKILL");
        for (const left of processesOf(bench)) killLeft(Number(left));
      }
    });
  });
}

test.run();
