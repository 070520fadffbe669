// The request for a tool: tolerant in its shape, because models write it, and strict in its meaning.
import { rowOf } from "../../core/text/row-of.ts";
import { isDeeper, isJsonObject, type Json, type JsonObject } from "../../core/schema/json.ts";
import { didYouMean } from "../../core/text/suggest.ts";
import type { Effect } from "../../core/tool/definition.ts";
import { Refused } from "./refusal.ts";

export interface ForgeRequest {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  /** Absent: inferred from the test cases. */
  readonly inputSchema?: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly implementation: SandboxCode | Composition;
  readonly testCases: readonly TestCase[];
  /** The most that the tool may do. Absent: what it is made of decides. */
  readonly effects?: readonly Effect[];
}

export interface SandboxCode {
  readonly mode: "sandbox";
  readonly code: string;
  /** As in `@allow`. */
  readonly allowlist: readonly string[];
}

export interface Composition {
  readonly mode: "compose";
  readonly steps: readonly ComposedStep[];
}

export interface ComposedStep {
  readonly name: string;
  readonly tool: string;
  readonly inputMapping: JsonObject;
  readonly condition?: string;
}

export interface TestCase {
  readonly input: JsonObject;
  /** Absent: any result that fits the output schema. */
  readonly expectedOutput?: Json;
}

const NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;
/** One is accepted, and lowers the confidence: see ./judge.ts. */
const TESTS_MIN = 1;
const TESTS_MAX = 20;
const TEXT_DEPTH_MAX = 100;
const STEPS_MAX = 50;
const DESCRIPTION_CHARACTERS_MAX = 4_000;
const EFFECTS: readonly Effect[] = ["read", "write", "run", "network"];

const modes: Readonly<Record<string, "sandbox" | "compose">> = {
  sandbox: "sandbox",
  code: "sandbox",
  javascript: "sandbox",
  js: "sandbox",
  typescript: "sandbox",
  ts: "sandbox",
  script: "sandbox",
  function: "sandbox",
  compose: "compose",
  composed: "compose",
  composition: "compose",
  chain: "compose",
  pipeline: "compose",
  steps: "compose",
  workflow: "compose",
};

/** Reads the arguments of a call of `forge_tool`. Throws `Refused`. */
export function readForgeRequest(args: JsonObject): ForgeRequest {
  const name = textOf(args["name"]).trim();
  if (!NAME.test(name))
    throw new Refused("shape", `\`${name}\` is not a tool name`, [
      "use at most 64 letters, digits, `_` and `-`, starting with a letter or `_`",
    ]);
  const inputSchema = schemaIn(args, "inputSchema");
  const outputSchema = schemaIn(args, "outputSchema");
  const title = textOf(args["title"]).trim();
  const effects = effectsIn(args["effects"]);
  return {
    name,
    ...(title === "" ? {} : { title }),
    description: descriptionIn(args["description"], name),
    ...(inputSchema ? { inputSchema } : {}),
    ...(outputSchema ? { outputSchema } : {}),
    implementation: implementationIn(args["implementation"]),
    testCases: testCasesIn(args["testCases"]),
    ...(effects ? { effects } : {}),
  };
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : "";
}

/** Models send JSON as text. Text that is not JSON stays text. */
function unfolded(value: Json | undefined): Json | undefined {
  if (typeof value !== "string") return value;
  let read: Json;
  try {
    read = JSON.parse(value) as Json;
  } catch {
    return value;
  }
  // The gate has not looked into texts.
  if (isDeeper(read, TEXT_DEPTH_MAX))
    throw new Refused("shape", `JSON in a text of the request is nested deeper than ${TEXT_DEPTH_MAX} levels`, [
      "nest it less",
    ]);
  return read;
}

function descriptionIn(value: Json | undefined, name: string): string {
  const text = textOf(value)
    .split(/\r\n|\r|\n/)
    .map((line) => line.trimEnd())
    .join("\n")
    .trim();
  if (text === "")
    throw new Refused("shape", "the tool has no `description`", [
      `say in a sentence what \`${name}\` does and when to call it`,
    ]);
  if (text.length > DESCRIPTION_CHARACTERS_MAX)
    throw new Refused("shape", `the description has ${text.length} characters`, [
      `at most ${DESCRIPTION_CHARACTERS_MAX} are accepted`,
    ]);
  return text;
}

function schemaIn(args: JsonObject, key: "inputSchema" | "outputSchema"): JsonObject | undefined {
  const value = unfolded(args[key]);
  if (value === undefined || value === null || value === "") return undefined;
  if (!isJsonObject(value))
    throw new Refused("schema", `\`${key}\` is not a JSON Schema`, [
      'write an object such as {"type": "object", "properties": {"a": {"type": "number"}}}, or leave it out',
    ]);
  return Object.keys(value).length === 0 ? undefined : value;
}

function implementationIn(given: Json | undefined): SandboxCode | Composition {
  const value = unfolded(given);
  // Code or steps alone say which mode is meant.
  if (typeof value === "string") return sandboxIn({ code: value });
  if (Array.isArray(value)) return composeIn({ steps: value as readonly Json[] });
  if (!isJsonObject(value))
    throw new Refused("shape", "the tool has no `implementation`", [
      'write {"mode": "sandbox", "code": "function execute(input) { … }"} or {"mode": "compose", "steps": […]}',
    ]);
  const written = textOf(value["mode"]).trim().toLowerCase();
  const guessed = value["steps"] === undefined ? "sandbox" : "compose";
  const mode = written === "" ? guessed : rowOf(modes, written);
  if (mode === undefined)
    throw new Refused("shape", `there is no mode \`${written}\`${didYouMean(written, Object.keys(modes))}`, [
      "`mode` is `sandbox` (JavaScript or TypeScript) or `compose` (steps that call tools)",
    ]);
  return mode === "sandbox" ? sandboxIn(value) : composeIn(value);
}

function sandboxIn(value: JsonObject): SandboxCode {
  const code = value["code"] ?? value["source"];
  if (typeof code !== "string" || code.trim() === "")
    throw new Refused("shape", "`implementation` has no `code`", [
      "write JavaScript such as `function execute(input) { return { sum: input.a + input.b }; }`",
    ]);
  return { mode: "sandbox", code: plainCode(code), allowlist: allowlistIn(unfolded(value["allowlist"])) };
}

/** Models write code as a module, or between fences, where the function alone is meant. */
function plainCode(code: string): string {
  const [, inside = code] = /^\s*```[\w-]*\r?\n([^]*?)\r?\n?```\s*$/.exec(code) ?? [];
  return inside
    .replace(/^export\s+default\s+(async\s+)?function\s*(?=\()/m, "$1function execute")
    .replace(/^export\s+(?:default\s+)?(?=(?:async\s+)?function\s+execute\b|(?:const|let|var)\s+execute\b)/m, "")
    .replace(
      /^(?:export\s+default\s+execute|export\s*\{\s*execute\s*\}|module\.exports\s*=\s*(?:execute|\{\s*execute\s*\}))\s*(?:;\s*)?$/m,
      "",
    );
}

export const CODE_HELP =
  "`code` is JavaScript or TypeScript: `return …` with `input`, or `function execute(input) { return …; }`, without `import` and `require`";

function allowlistIn(value: Json | undefined): readonly string[] {
  if (value === undefined || value === null || value === "") return [];
  const items = Array.isArray(value) ? (value as readonly Json[]) : [value];
  return items.flatMap((item): readonly string[] => {
    if (typeof item === "string") return [allowanceText(item)];
    if (!isJsonObject(item))
      throw new Refused("shape", "an entry of `allowlist` is neither a text nor an object", ALLOW_HELP);
    return Object.entries(item).flatMap(([name, places]) =>
      (Array.isArray(places) ? (places as readonly Json[]) : [places]).map((place) =>
        allowanceText(typeof place === "string" ? `${name} ${place}` : name),
      ),
    );
  });
}

/** `fetch:api.example.com` and `fetch(api.example.com)` become `fetch api.example.com`. */
function allowanceText(text: string): string {
  return (
    text
      .trim()
      .replace(/^([A-Za-z.]+)\s*\(([^()]*)\)$/, "$1 $2")
      .replace(/^([A-Za-z.]+)[:=]\s*(?!\/\/)/, "$1 ")
      .replaceAll(/\s+/g, " ")
      // An address stands for its host.
      .replace(/^fetch (?:https?:\/\/)?([^/ ]+)(?:\/\S*)?$/, (_all, host: string) => `fetch ${host.toLowerCase()}`)
      .trim()
  );
}

export const ALLOW_HELP = [
  "entries are `crypto`, `fs.readFile`, `fetch HOST` and `tools.call TOOL`, such as `fetch api.example.com`",
];

function composeIn(value: JsonObject): Composition {
  const steps = unfolded(value["steps"]);
  if (!Array.isArray(steps) || steps.length === 0)
    throw new Refused("shape", "`implementation` has no `steps`", [
      'write [{"name": "read", "tool": "read_file", "inputMapping": {"file_path": "$input.path"}}]',
    ]);
  if (steps.length > STEPS_MAX)
    throw new Refused("shape", `\`steps\` has ${steps.length} steps`, [`at most ${STEPS_MAX} are accepted`]);
  const read = (steps as readonly Json[]).map(stepIn);
  const twice = read.find(({ name }, index) => read.findIndex((other) => other.name === name) !== index);
  if (twice) throw new Refused("shape", `two steps are called \`${twice.name}\``, ["give each step its own name"]);
  return { mode: "compose", steps: read };
}

function stepIn(given: Json, index: number): ComposedStep {
  const step = unfolded(given);
  if (!isJsonObject(step))
    throw new Refused("shape", `\`steps[${index}]\` is not an object`, [
      'write {"name": "read", "tool": "read_file", "inputMapping": {"file_path": "$input.path"}}',
    ]);
  const tool = textOf(step["tool"] ?? step["toolName"]).trim();
  if (tool === "")
    throw new Refused("shape", `\`steps[${index}]\` names no tool`, ['add "tool", the name of the tool that it calls']);
  const name = textOf(step["name"]).trim() || `step${index + 1}`;
  if (!NAME.test(name))
    throw new Refused("shape", `\`${name}\` is not a name for a step`, [
      "use letters, digits, `_` and `-`, starting with a letter or `_`",
    ]);
  const mapping = unfolded(valueOf(step, "inputmapping") ?? step["input"] ?? step["arguments"]) ?? {};
  if (!isJsonObject(mapping))
    throw new Refused("shape", `the \`inputMapping\` of \`${name}\` is not an object`, [
      'write {"PARAMETER": "$input.VALUE"}',
    ]);
  const condition = textOf(step["condition"] ?? step["when"]).trim();
  return { name, tool, inputMapping: mapping, ...(condition === "" ? {} : { condition }) };
}

function testCasesIn(given: Json | undefined): readonly TestCase[] {
  const cases = unfolded(given);
  if (!Array.isArray(cases) || cases.length < TESTS_MIN)
    throw new Refused("shape", "`testCases` has no cases", [
      'write two or more: [{"input": {…}, "expectedOutput": …}, …]',
    ]);
  if (cases.length > TESTS_MAX)
    throw new Refused("shape", `\`testCases\` has ${cases.length} cases`, [`at most ${TESTS_MAX} are accepted`]);
  const read = (cases as readonly Json[]).map(testCaseIn);
  if (!read.some(({ expectedOutput }) => expectedOutput !== undefined))
    throw new Refused("shape", "no test case has an `expectedOutput`", [
      "a tool that is checked against nothing is not tested: say what at least one case returns",
    ]);
  return read;
}

function testCaseIn(given: Json, index: number): TestCase {
  const read = unfolded(given);
  const input = isJsonObject(read) ? (unfolded(read["input"] ?? read["arguments"]) ?? {}) : undefined;
  if (!isJsonObject(read) || !isJsonObject(input))
    throw new Refused("shape", `\`testCases[${index}]\` has no \`input\` object`, [
      'write {"input": {"a": 2, "b": 3}, "expectedOutput": {"sum": 5}}',
    ]);
  const own = valueOf(read, "expectedoutput");
  const expected = own === undefined ? read["expected"] : own;
  return { input, ...(expected === undefined ? {} : { expectedOutput: expected }) };
}

/** Returns the value of a key in any spelling: `expectedOutput`, `expected_output`. */
function valueOf(object: JsonObject, name: string): Json | undefined {
  const key = Object.keys(object).find((one) => one.replaceAll(/[-_]/g, "").toLowerCase() === name);
  return key === undefined ? undefined : object[key];
}

function effectsIn(given: Json | undefined): readonly Effect[] | undefined {
  const value = unfolded(given);
  if (value === undefined || value === null || value === "") return undefined;
  const words = (Array.isArray(value) ? (value as readonly Json[]) : String(value).split(/[\s,]+/)).map(String);
  const unknown = words.find((word) => !EFFECTS.some((effect) => effect === word));
  if (unknown !== undefined)
    throw new Refused("shape", `there is no effect \`${unknown}\`${didYouMean(unknown, EFFECTS)}`, [
      "`effects` are `read`, `write`, `run` and `network`: the most that the tool may do",
    ]);
  return EFFECTS.filter((effect) => words.includes(effect));
}
