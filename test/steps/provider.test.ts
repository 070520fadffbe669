// The model that answers a prompt: the caller's choice, then that of the outermost step that names one, then the
// prompt's own, then the user's default.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { callTool } from "../../src/core/run/call-tool.ts";
import { lines } from "../lines.ts";
import { assert, suite } from "../harness.ts";
import { type StepsFixture, withSteps } from "./steps-fixture.ts";

const test = suite("provider");

const files = {
  ".tools/outer.yaml": lines(
    "name: outer",
    "description: D",
    "steps:",
    "  - { type: tool, tool: middle, provider: b, output_var: x }",
  ),
  ".tools/middle.yaml": lines(
    "name: middle",
    "description: D",
    "steps:",
    "  - { type: tool, tool: inner, provider: c, output_var: x }",
    "  - { type: tool, tool: wrap, output_var: y }",
    "  - { type: tool, tool: ask_model, args: { prompt: p, provider: d }, output_var: z }",
    'output: "{x} {y} {z}"',
  ),
  ".tools/inner.yaml": lines(
    "name: inner",
    "description: D",
    "steps:",
    "  - { type: prompt, prompt: p, provider: d, output_var: x }",
    "  - { type: prompt, prompt: p, output_var: y }",
    'output: "{x}{y}"',
  ),
  ".tools/wrap.tool": "@name wrap\n@wrapped ask_model\n@with provider = d\n@with prompt = p\n",
  ".tools/kept.tool": "D\n\n@title Kept\n@name kept\n@step a prompt [cache=1h]\n    p\n",
  ".tools/fails.tool": "D\n\n@title Fails\n@name fails\n@step a prompt [provider=fails]\n    p\n",
};

/** Each model answers with its name. */
async function withModels(
  body: (said: (tool: string, provider?: string) => Promise<string>, bench: StepsFixture) => Promise<void>,
): Promise<void> {
  await withSteps(
    {},
    async (bench) => {
      const path = join(process.env["XDG_CONFIG_HOME"] ?? "", "dottool/config.yaml");
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(
        path,
        lines(
          "providers:",
          "  default: a",
          ...["a", "b", "c", "d", "e"].map((name) => `  ${name}: { kind: command, command: [printf, ${name}] }`),
          '  fails: { kind: command, command: [sh, -c, "echo half; exit 3"] }',
        ),
      );
      await body(async (tool, provider) => {
        const { content } = await callTool(
          { id: "1", tool, arguments: {} },
          { ...bench.opened.session, ...(provider === undefined ? {} : { provider }) },
          new AbortController().signal,
        );
        return content.map((item) => (item.type === "text" ? item.text : item.type)).join("");
      }, bench);
    },
    files,
  );
}

test("the outermost that names a provider wins, and the caller over all", () =>
  withModels(async (said) => {
    assert.equal(
      [
        await said("inner"),
        await said("middle"),
        await said("outer"),
        await said("outer", "e"),
        await said("inner", "e"),
      ],
      ["da", "cc d d", "bb b b", "ee e e", "ee"],
    );
  }));

test("what a model answers is not trusted, and neither is the result of the step that asks it", () =>
  withModels(async (_said, bench) => {
    const results = [await bench.call("kept"), await bench.call("fails")];
    assert.equal(
      results.map(({ status, isUntrusted }) => [status, isUntrusted]),
      [
        ["ok", true],
        ["failed", true],
      ],
    );
  }));

test("an answer that is kept counts for its provider alone", () =>
  withModels(async (said) => {
    assert.equal(
      [
        await said("kept"),
        await said("kept", "b"),
        await said("kept", "c"),
        await said("kept", "b"),
        await said("kept"),
      ],
      ["a", "b", "c", "b", "a"],
    );
  }));

test.run();
