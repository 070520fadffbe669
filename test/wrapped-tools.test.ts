// The tools in the executable: complete, passing their own tests, and doing only what they say, whatever the arguments.
import { execFileSync } from "node:child_process";
import { chmodSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { callTool } from "../src/core/run/call-tool.ts";
import { runToolTests } from "../src/features/check/run-tool-tests.ts";
import { declarationTokens } from "../src/features/dialects/mcp.ts";
import { baseToolNames, unofferedNames } from "../src/core/tool/base-tool-names.ts";
import { bundledTools } from "../src/generated/bundled-tools.ts";
import type { Json } from "../src/core/schema/json.ts";
import type { Parameter } from "../src/core/schema/parameter.ts";
import type { ToolResult } from "../src/core/tool/call.ts";
import type { Failure } from "../src/core/tool/failure.ts";
import { someOf } from "./amount.ts";
import { assert, present, suite } from "./harness.ts";
import { type CheckFixture, withCheckFixture } from "./check/check-fixture.ts";
import { changedPaths, folderContents } from "./hostile/folder-contents.ts";

const test = suite("wrapped-tools");
const signal = new AbortController().signal;

test("each has a file of its name, words, a title, an example and a test", async () => {
  await withCheckFixture({}, async ({ session, names }) => {
    assert.equal(names, bundledTools.map((tool) => tool.summary.name).toSorted());
    for (const { fileName, summary } of bundledTools) {
      assert.is(fileName, `${summary.name}.tool`);
      const definition = session.registry.find(summary.name)?.definition;
      assert.equal(
        [
          summary.name,
          ...[definition?.description, definition?.title, definition?.examples.length, definition?.tests.length].map(
            Boolean,
          ),
        ],
        [summary.name, true, true, true, true],
      );
    }
  });
});

const TOKENS_MAX = 150;

test("a model reads at most 150 tokens for one of them or of the base tools, on average", async () => {
  await withCheckFixture({}, async ({ session, names }) => {
    await session.registry.complete();
    const all = [...new Set([...names, ...baseToolNames()])].filter((name) => !unofferedNames.includes(name));
    const tokens = all.map((name) => declarationTokens(present(session.registry.find(name))));
    const average = tokens.reduce((sum, one) => sum + one, 0) / tokens.length;
    assert.ok(all.length >= 46 && average <= TOKENS_MAX, String(average));
  });
});

test("their own tests pass", async () => {
  await withCheckFixture({}, async ({ session, names }) => {
    const results = await runToolTests(session, names, { signal });
    assert.equal(
      results.filter((result) => result.kind === "failed"),
      [],
    );
    const skipped = results.flatMap((result) => (result.kind === "skipped" ? result.reasons : []));
    // .ci/run installs every program; a developer's machine may lack some.
    assert.equal(
      skipped.filter((reason) => process.env["CI"] === "true" || !reason.endsWith("which is not on PATH")),
      [],
    );
    const tested = new Set(results.filter((result) => result.kind === "passed").map((result) => result.tool));
    assert.ok(skipped.length > 0 || names.every((name) => tested.has(name)));
    assert.ok(tested.size >= 25, `only ${tested.size} tools have passed a test`);
  });
});

test("those tagged read have no other effect", async () => {
  await withCheckFixture({}, async ({ session, names }) => {
    for (const name of names) {
      const tool = session.registry.find(name);
      if (tool?.definition.declaredEffects.includes("read")) assert.equal([name, ...tool.effects], [name, "read"]);
    }
  });
});

function call(bench: CheckFixture, tool: string, args: Json): Promise<ToolResult> {
  return callTool({ id: "attack", tool, arguments: args }, bench.session, signal);
}

test("glob takes no action of find", async () => {
  const actions = [
    ["-delete"],
    ["-exec", "touch", "canary", ";"],
    ["-execdir", "touch", "canary", "+"],
    ["-ok", "touch", "canary", ";"],
    ["-okdir", "touch", "canary", ";"],
    ["-fls", "canary"],
    ["-fprint", "canary"],
    ["-fprint0", "canary"],
    ["-fprintf", "canary", "x"],
  ];
  await withCheckFixture({ files: { "a.txt": "" } }, async (bench) => {
    for (const action of actions) {
      const result = await call(bench, "glob", { arguments: [".", ...action] });
      assert.is(result.status === "failed" && result.failure.kind, "invalid-arguments");
    }
    assert.equal(readdirSync(bench.folder), ["a.txt"]);
  });
});

// Texts that programs read as an option, a remote machine, a shell's text, a second command or a file that is not one.
const nastyTexts = [
  "--output=canary",
  "-ocanary",
  "--pre=./touch-canary",
  "--to-command=touch canary",
  "--checkpoint-action=exec=touch canary",
  "--upload-pack=touch canary",
  "$(touch canary)",
  "`touch canary`",
  "x; touch canary",
  "|touch canary",
  "x\ntouch canary",
  "localhost:canary",
  "file:///etc/passwd",
  "-",
  ".shell touch canary",
  "1,2 --output=canary",
];

function nastyValues({ schema }: Parameter): readonly Json[] {
  if (schema.type === "string") return schema.choices ? [] : nastyTexts;
  return schema.type === "array" && schema.items.type === "string" ? nastyTexts.map((text) => [text]) : [];
}

/** Returns arguments that the tool accepts, so that only the attack is odd. */
function soundArguments(
  parameters: readonly Parameter[],
  example: Readonly<Record<string, Json>>,
): Record<string, Json> {
  // Nothing is required of a tool that takes one of several shapes.
  if (parameters.every(({ required }) => !required)) return { ...example };
  return Object.fromEntries(
    parameters.filter((parameter) => parameter.required).map(({ name }) => [name, example[name] ?? "a.txt"]),
  );
}

function makeRepository(folder: string): void {
  writeFileSync(join(folder, "touch-canary"), "#!/bin/sh\ntouch canary\n");
  chmodSync(join(folder, "touch-canary"), 0o755);
  execFileSync("git", ["init", "--quiet", folder]);
  execFileSync("git", ["-C", folder, "add", "."]);
  execFileSync("git", [
    "-C",
    folder,
    "-c",
    "user.name=Ana",
    "-c",
    "user.email=ana@example.com",
    "-c",
    "commit.gpgsign=false",
    "commit",
    "--quiet",
    "-m",
    "first",
  ]);
}

test("no value of a parameter makes a reading tool write or run anything", async () => {
  await withCheckFixture({ files: { "a.txt": "{}\n" } }, async (bench) => {
    makeRepository(bench.folder);
    const before = folderContents(bench.folder);
    const calls: { readonly tool: string; readonly args: Json }[] = [];
    for (const name of bench.names) {
      const tool = bench.session.registry.find(name);
      if (!tool?.effects.includes("read") || tool.definition.kind === "alias") continue;
      const sound = soundArguments(tool.parameters, tool.definition.examples[0] ?? {});
      for (const parameter of tool.parameters)
        for (const value of nastyValues(parameter))
          calls.push({ tool: name, args: { ...sound, [parameter.name]: value } });
    }
    assert.ok(calls.length > 400);
    const waiting = someOf(calls, 6).values();
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        for (const { tool, args } of waiting) {
          const result = await call(bench, tool, args);
          assert.ok(
            result.status === "ok" ||
              ["exit", "step-failed", "invalid-arguments", "unavailable"].includes(result.failure.kind),
            `${tool} ${JSON.stringify(args)}: ${JSON.stringify(result)}`,
          );
        }
      }),
    );
    assert.equal(changedPaths(before, folderContents(bench.folder)), []);
  });
});

function exitCodeIn(failure: Failure): number {
  if (failure.kind === "step-failed") return exitCodeIn(failure.cause);
  return failure.kind === "exit" ? (failure.exitCode ?? 0) : 0;
}

/** GNU programs accept the first letters of a long option. */
test("no shortened option colours or links what ls and grep print", async () => {
  const options = { ls: ["--color=always", "--hyperlink=always"], grep: ["--color=always", "--colour=always"] };
  await withCheckFixture({ files: { "a.txt": "a\n" } }, async (bench) => {
    for (const [tool, refused] of Object.entries(options)) {
      for (const option of refused) {
        const [name = "", value = ""] = option.split("=");
        for (let length = 3; length <= name.length; length++) {
          for (const word of [name.slice(0, length), `${name.slice(0, length)}=${value}`]) {
            const result = await call(bench, tool, { arguments: tool === "ls" ? [word] : [word, "a", "a.txt"] });
            const isRefused =
              result.status === "failed" &&
              (result.failure.kind === "invalid-arguments" || exitCodeIn(result.failure) > 1);
            assert.equal(
              [tool, word, isRefused || !JSON.stringify(result.content).includes("\\u001b")],
              [tool, word, true],
            );
            if (word.endsWith(`=${value}`)) assert.equal([tool, word, isRefused], [tool, word, true]);
          }
        }
      }
    }
  });
});

test.run();
