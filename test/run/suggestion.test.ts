// Properties of a suggestion, over random tools and random mistakes: each value that was sent is in the call or named.
import fc from "fast-check";
import { failureText } from "../../src/core/run/failure-text.ts";
import { repairedCall } from "../../src/features/repair/repair.ts";
import { suggestionOf } from "../../src/features/repair/suggested-call.ts";
import { array, boolean, choice, integer, number, object, path, string } from "../../src/core/schema/declare.ts";
import { isJsonObject, type Json, type JsonObject } from "../../src/core/schema/json.ts";
import { baseTool, okText } from "../../src/core/tool/base-tool.ts";
import type { Tool } from "../../src/core/tool/tool.ts";
import { assert, suite } from "../harness.ts";

const test = suite("suggestion");

const text = fc.stringMatching(/^[b-df-hj-np-tv-z]{6,12}$/);
/** A kind of parameter, and values that it accepts. */
const kinds = {
  string: [string("Any text", { required: true }), text],
  optional: [string("Any text"), text],
  path: [path("A file"), text.map((name) => `src/${name}`)],
  count: [integer("How many", { minimum: 1, maximum: 100 }), fc.integer({ min: 1, max: 100 })],
  share: [number("A part", { minimum: 0, maximum: 1 }), fc.constantFrom(0.25, 0.5)],
  flag: [boolean("Whether"), fc.boolean()],
  mode: [choice(["fast", "slow", "in_between"], "How"), fc.constantFrom("fast", "slow", "in_between")],
  list: [
    array(string("One"), "Several", { required: true, maximumItems: 3 }),
    fc.array(text, { minLength: 1, maxLength: 3 }),
  ],
  numbers: [
    array(integer("One"), "Several", { maximumItems: 5 }),
    fc.uniqueArray(fc.nat(99), { minLength: 1, maxLength: 3 }),
  ],
  place: [
    object({ street: string("Where", { required: true }), city: string("Where"), floor: integer("Which") }, "A place"),
    fc.record({ street: text, city: text, floor: fc.nat(9) }),
  ],
  edits: [
    array(
      object({ search: string("Old", { required: true }), replace: string("New", { required: true }) }, "One"),
      "All",
      {
        required: true,
      },
    ),
    fc.array(fc.record({ search: text, replace: text }), { minLength: 1, maxLength: 2 }),
  ],
} as const;
const names = ["cc", "state", "file_path", "query", "timeout_s", "replace", "count", "edits", "address", "max_bytes"];
/** Names that are only similar, or mean something else. */
const traps = ["bcc", "stage", "fill_path", "querx", "replace_all", "recount", "credits", "addressee", "min_bytes"];
const others = ["path", "q", "timeout", "limit", "colour", "description", "old_string", "new_string", "-A", "type"];

interface Sample {
  readonly tool: Tool;
  readonly fitting: JsonObject;
}

const sample: fc.Arbitrary<Sample> = fc
  .tuple(fc.subarray(names, { minLength: 2, maxLength: 5 }), fc.boolean())
  .chain(([chosen, isHarmless]) =>
    fc.tuple(...chosen.map(() => fc.constantFrom(...(Object.keys(kinds) as (keyof typeof kinds)[])))).chain((used) =>
      fc.tuple(...used.map((kind) => kinds[kind][1] as fc.Arbitrary<Json>)).map((values) => ({
        tool: baseTool({
          name: "made",
          title: "Made",
          description: "Made up.",
          effects: [isHarmless ? "read" : "write"],
          parameters: Object.fromEntries(chosen.map((name, index) => [name, kinds[used[index] ?? "flag"][0]])),
          execute: async () => okText(""),
        }),
        fitting: Object.fromEntries(chosen.map((name, index) => [name, values[index] ?? null])),
      })),
    ),
  );

type Fields = Readonly<Record<string, unknown>>;
type Mistake = (args: Fields, at: number) => unknown;

const changeOne =
  (change: (value: unknown) => unknown): Mistake =>
  (args, at) => {
    const name = Object.keys(args)[at % Object.keys(args).length] ?? "";
    return { ...args, [name]: change(args[name]) };
  };
const rename =
  (to: readonly string[]): Mistake =>
  (args, at) => {
    const name = Object.keys(args)[at % Object.keys(args).length] ?? "";
    const { [name]: value, ...rest } = args;
    return { ...rest, [to[at % to.length] ?? ""]: value };
  };
const mistakes: readonly Mistake[] = [
  rename(traps),
  rename(others),
  (args, at) => rename([(Object.keys(args)[at % Object.keys(args).length] ?? "").toUpperCase()])(args, at),
  (args, at) => rename([(Object.keys(args)[at % Object.keys(args).length] ?? "").slice(0, -1)])(args, at),
  (args, at) => ({ ...args, [[...traps, ...others][at % 19] ?? ""]: at % 2 === 0 ? "zzzextra" : at % 3 === 0 }),
  changeOne((value) => JSON.stringify(value)),
  changeOne((value) => [value, value]),
  changeOne((value) => ({ value })),
  changeOne((value) => (typeof value === "number" ? `${value} days` : `${JSON.stringify(value)} EUR`)),
  changeOne((value) => (typeof value === "number" ? value * 1_000 : value)),
  changeOne((value) => (Array.isArray(value) ? [...(value as unknown[]), { more: "zzzmore" }, 7] : 7.5)),
  changeOne((value) => (isJsonObject(value) ? { ...value, extra: "zzzwithin" } : [value, "zzzother"])),
  (args) => ({ input: args }),
  (args) => JSON.stringify(args),
  (args) => ({ name: "made", type: "text", arguments: args }),
  (args, at) => Object.fromEntries(Object.entries(args).filter((_entry, index) => index !== at % 5)),
];
const wrong = fc
  .tuple(sample, fc.array(fc.tuple(fc.nat(mistakes.length - 1), fc.nat(40)), { minLength: 1, maxLength: 3 }))
  .map(([{ tool, fitting }, steps]) => {
    let sent: unknown = fitting;
    for (const [which, at] of steps)
      if (isJsonObject(sent) && Object.keys(sent).length > 0) sent = mistakes[which]?.(sent, at);
    return { tool, sent };
  });

interface Leaf {
  readonly value: string | number | boolean;
  /** The names on the way to it. */
  readonly names: readonly string[];
}

/** Here a text that is JSON is what it holds, as far as it is an object or a list. */
function leavesOf(value: unknown, on: readonly string[] = []): readonly Leaf[] {
  if (Array.isArray(value)) return value.flatMap((item) => leavesOf(item, on));
  if (isJsonObject(value)) return Object.entries(value).flatMap(([name, item]) => leavesOf(item, [...on, name]));
  if (typeof value === "string" && /^[[{"].*[\]}"]$/.test(value)) return leavesOf(JSON.parse(value), on);
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
    ? [{ value, names: on }]
    : [];
}

function isIn(leaf: Leaf, call: readonly Leaf[]): boolean {
  return call.some(({ value }) =>
    typeof leaf.value === "boolean" || typeof value === "boolean"
      ? typeof value === "boolean" && String(leaf.value) === String(value)
      : String(value) === String(leaf.value),
  );
}

/** Returns the names in the lines that say what is with the values, and the roots of their places. */
function namedIn(lines: string): readonly string[] {
  return [...lines.matchAll(/`([^`]*)`/g)].flatMap(([, place = ""]) => place.split(/[.[\]]+/));
}

function messageOf(tool: Tool, sent: unknown): { readonly call: JsonObject | undefined; readonly lines: string } {
  const suggestion = suggestionOf(repairedCall(tool, sent));
  const whole = failureText(
    { kind: "invalid-arguments", tool: "made", issues: [], ...suggestion },
    { audience: "model", tool: "made" },
  );
  const lines = whole.split("\n").filter((line) => line.startsWith("  = ") && !line.includes("call it like this"));
  return { call: suggestion.example, lines: lines.join("\n") };
}

test("each value that was sent is in the suggested call, or is named", () => {
  let shown = 0;
  fc.assert(
    fc.property(wrong, ({ tool, sent }) => {
      const { call, lines } = messageOf(tool, sent);
      if (!call) return;
      shown++;
      const [there, named] = [leavesOf(call), namedIn(lines)];
      const missing = leavesOf(sent).filter(
        (leaf) => !isIn(leaf, there) && !leaf.names.some((name) => named.includes(name)) && !isEnvelope(leaf),
      );
      // What has changed or is to be filled in is named by the parameter, which the caller may have called otherwise.
      const changed = lines
        .split("\n")
        .filter((line) => /not the ones? you gave|takes one value|placeholders?;/.test(line));
      const roots = new Set(missing.map(({ names: on }) => on[0] ?? ""));
      assert.ok(
        roots.size <= changed.flatMap((line) => [...line.matchAll(/`/g)]).length / 2,
        JSON.stringify({ sent, call, lines }),
      );
    }),
    { numRuns: 3_000 },
  );
  assert.ok(shown > 1_000, `${shown} suggestions`);
});

/** The name of the tool beside its arguments. */
function isEnvelope({ names: on, value }: Leaf): boolean {
  return on.at(-1) === "name" && value === "made";
}

test("no value goes to a parameter whose name is only similar, and none that changes something goes without one", () => {
  let withheld = 0;
  fc.assert(
    fc.property(sample, fc.nat(traps.length - 1), ({ tool, fitting }, at) => {
      const trap = traps[at] ?? "";
      const { call, lines } = messageOf(tool, { ...fitting, [trap]: "zzztrap" });
      assert.ok(!JSON.stringify(call ?? {}).includes("zzztrap"), JSON.stringify(call));
      assert.match(lines, `\`${trap}\``);
      if (tool.effects.includes("write")) {
        withheld++;
        assert.is(call, undefined);
      }
    }),
    { numRuns: 500 },
  );
  assert.ok(withheld > 100, String(withheld));
});

test("an object never becomes text, and a number with a unit that nobody declared no number", () => {
  fc.assert(
    fc.property(sample, fc.nat(40), ({ tool, fitting }, at) => {
      const name = Object.keys(fitting)[at % Object.keys(fitting).length] ?? "";
      const { call = {} } = messageOf(tool, { ...fitting, [name]: { zzz: "zzz" } });
      assert.ok(!JSON.stringify(call).includes('{\\"zzz'), JSON.stringify(call));
      const { call: other = {} } = messageOf(tool, { ...fitting, [name]: "777 days" });
      assert.ok(!leavesOf(other).some(({ value }) => value === 777), JSON.stringify(other));
    }),
    { numRuns: 500 },
  );
});

test.run();
