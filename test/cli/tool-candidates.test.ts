import { toolCandidates } from "../../src/features/completions/commands/complete.ts";
import type { CallForm } from "../../src/cli/words/tool-words.ts";
import { array, boolean, choice, integer, path, string } from "../../src/core/schema/declare.ts";
import { baseTool, okText } from "../../src/core/tool/base-tool.ts";
import type { Tool } from "../../src/core/tool/tool.ts";
import { assert, suite } from "../harness.ts";

const test = suite("tool-candidates");

const tool = baseTool({
  name: "pick",
  title: "Pick",
  description: "Pick",
  parameters: {
    format: choice(["html", "text"], "The format"),
    file: path("The file", { required: true }),
    all: boolean("All"),
    kinds: array(choice(["a", "b"], "A kind"), "Kinds"),
    secret: string("Secret", { hidden: true }),
  },
  effects: ["read"],
  execute: async () => okText(""),
});
const raw = baseTool({
  name: "raw",
  title: "Raw",
  description: "Raw",
  parameters: {
    words: array(choice(["x", "y"], "A word"), "Words"),
    level: integer("Level", { choices: [1, 2] }),
  },
  effects: ["read"],
  execute: async () => okText(""),
});

function values(
  own: readonly string[],
  current: string,
  more: { readonly form: CallForm; readonly of: Tool } = { form: "call", of: tool },
): readonly string[] {
  return toolCandidates(more.of, { own, current, form: more.form }).map((candidate) => candidate.value);
}

test("toolCandidates offers options that are not given yet, and arrays again", () => {
  assert.equal(values(["--format", "html", "kinds=a"], "--"), ["--file", "--all", "--no-all", "--kinds", "--help"]);
});

test("toolCandidates offers the choices of an option, tied or not", () => {
  assert.equal(values(["--format"], ""), ["html", "text"]);
  assert.equal(values([], "--format="), ["--format=html", "--format=text"]);
  assert.equal(values([], "format=h"), ["format=html", "format=text"]);
});

test("toolCandidates offers the choices of a number", () => {
  assert.equal(values([], "--level=", { form: "call", of: raw }), ["--level=1", "--level=2"]);
});

test("toolCandidates offers files by nothing for a path", () => {
  assert.equal(values([], ""), []);
});

test("toolCandidates offers the array's choices for bare words and behind --", () => {
  assert.equal(values(["--file", "a"], ""), ["a", "b"]);
  assert.equal(values(["--"], ""), ["a", "b"]);
  assert.equal(values([], "", { form: "short", of: raw }), ["x", "y"]);
});

test("toolCandidates offers the options of every tool of steps, but for those that are its own parameters", () => {
  const definition = {
    ...tool.definition,
    kind: "steps",
    steps: [],
    cleanup: [],
    surroundings: { environment: [], inheritsEnvironment: false },
    ignoreErrors: false,
  } as const;
  const steps: Tool = {
    ...tool,
    definition,
    parameters: [
      { name: "provider", description: "", schema: { type: "string" }, required: false, option: "by" },
      { name: "dry_run", description: "", schema: { type: "string" }, required: false },
    ],
  };
  assert.equal(values(["--show-prompt"], "--", { form: "call", of: steps }), [
    "--by",
    "--dry_run",
    "--input-file",
    "--output-file",
    "--quiet",
    "--help",
  ]);
});

test.run();
