import { loadBaseTools } from "../../src/core/base/all.ts";
import { openComposer } from "../../src/core/builder/composer.ts";
import { createToolBuilder } from "../../src/core/builder/tool-builder.ts";
import { loadDefinitionReader } from "../../src/core/catalog/definition-reader.ts";
import { summarizeDefinition } from "../../src/core/catalog/load-changed.ts";
import { dataRows } from "../../src/generated/data-rows.ts";
import type { Effect, ToolDefinition } from "../../src/core/tool/definition.ts";
import { assert, suite } from "../harness.ts";
import { attackRows, type EffectRow, honestRows, parameters } from "./effects-rows.ts";

const baseTools = await loadBaseTools();

const composer = await openComposer();

const test = suite("effects");
const reader = await loadDefinitionReader("x.tool");

/** Returns a definition that declares every placeholder in the table. */
function definitionOf(lines: string, tags = "read"): ToolDefinition {
  const used = new Set([...lines.matchAll(/\{([a-z]+)/g)].map(([, name = ""]) => name));
  const declared = [...used].filter((name) => parameters[name] !== undefined && !lines.includes(`@step ${name} `));
  const wraps = lines.startsWith("@command") ? ["@wrapped run_command"] : [];
  const params = declared.map((name) => `@param ${name} ${parameters[name] ?? ""} It`);
  const head = ["Does it.", "", "@title Tool", "@name tool", ...wraps];
  const text = [...head, lines, ...params, `@tags ${tags}`, ""].join("\n");
  const { value, diagnostics } = reader.read({ path: "tool.tool", text }, { scope: "given" });
  if (!value) throw new Error(`${lines}: ${diagnostics.map(({ message }) => message).join("; ")}`);
  return value;
}

const builder = createToolBuilder({
  platform: "linux",
  definition: () => undefined,
  baseTool: (name) => baseTools.find((one) => one.definition.name.value === name),
  composer: () => composer,
  names: () => [],
});

function builtEffects(definition: ToolDefinition): string {
  const { value, diagnostics } = builder.build(definition);
  if (!value) throw new Error(diagnostics.map(({ message }) => message).join("; "));
  return value.effects.join(" ");
}

const order: readonly Effect[] = ["read", "write", "run", "network"];

type Rows = readonly (readonly [lines: string, effects: string])[];

function expected(rows: readonly EffectRow[]): Rows {
  return rows.map(([lines, ...others]) => [
    lines,
    order.filter((one) => one === "read" || others.includes(one)).join(" "),
  ]);
}

function found(rows: readonly EffectRow[], effectsOf: (definition: ToolDefinition) => string): Rows {
  return rows.map(([lines]) => [lines, effectsOf(definitionOf(lines))]);
}

test("a value that is not known to be data makes a tool run programs, whatever its tags say", () => {
  assert.equal(found(attackRows, builtEffects), expected(attackRows));
});

test("a tool whose values are data is what its tags say, and what its programs are known to do", () => {
  assert.equal(found(honestRows, builtEffects), expected(honestRows));
});

test("the summaries of lists say the same of commands", () => {
  const rows = [...attackRows, ...honestRows].filter(([lines]) => lines.startsWith("@command"));
  assert.equal(
    found(rows, (definition) => summarizeDefinition(definition).effects.join(" ")),
    expected(rows),
  );
});

test("every row of the tables has a definition that it takes for data", () => {
  const words = honestRows.map(([lines]) => new Set(lines.split(/\s+|\//)));
  const isThere = (name: string): boolean => words.some((line) => name.split(".").every((part) => line.has(part)));
  assert.equal(
    dataRows.filter(({ names }) => !names.split(/\s+/).some(isThere)).map(({ names }) => names),
    [],
  );
});

test("a tool without tags is unknown where nothing says that it runs programs", () => {
  const rows = [
    "@command grep -e {x} -- .",
    "@command say {x}",
    "@command mkdir -p {p}",
    "@step a runs\n    mkdir -p {p}",
  ];
  assert.equal(
    rows.map((lines) => builtEffects(definitionOf(lines, "other"))),
    ["", "run", "", ""],
  );
});

test.run();
