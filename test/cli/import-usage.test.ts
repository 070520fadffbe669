// Specifications of usage: the words of our calls, judged by the corpus of usage itself. Each row of it has a
// specification, words, and what they bind. `bound` reads the words that our tools write as the corpus says, which the
// rows with such words show; then each of our calls must bind what it was given.
import { readFileSync } from "node:fs";
import { parse } from "@bgotink/kdl";
import type { Node } from "@bgotink/kdl";
import { runCommand } from "../../src/core/base/run-command.ts";
import { createToolBuilder } from "../../src/core/builder/tool-builder.ts";
import { analyzeToolFile } from "../../src/core/language/analyze.ts";
import { parseToolFile } from "../../src/core/language/syntax/parse.ts";
import type { JsonObject } from "../../src/core/schema/json.ts";
import { validateArguments } from "../../src/core/schema/validate.ts";
import { readUsageSpec } from "../../src/features/import/usage-spec.ts";
import { writtenTools } from "../../src/features/import/written-tools.ts";
import { assert, suite } from "../harness.ts";

const test = suite("features/import/usage-spec.ts");

type Value = string | boolean | readonly string[] | readonly boolean[];

interface Bound {
  readonly cmd?: readonly string[];
  readonly flags?: Readonly<Record<string, Value>>;
  readonly args?: Readonly<Record<string, Value>>;
}

interface Row {
  readonly id: string;
  readonly spec: string;
  readonly argv: readonly string[];
  readonly argv0?: string;
  readonly env?: object;
  readonly mounts?: true;
  readonly expect: { readonly ok?: Bound & { readonly external?: unknown }; readonly error?: string };
}

const [, ...rows] = readFileSync(new URL("../cases-data/usage-argv.jsonl", import.meta.url), "utf8")
  .trim()
  .split("\n")
  // `ex` is an editor, whose words are programs.
  .map((line) => JSON.parse(line.replaceAll(String.raw`bin \"ex\"`, String.raw`bin \"xx\"`)) as Row);

/** The commands on the way, outermost first: each sees its own options and those of others that are global. */
function pathTo(spec: string, words: readonly string[]): readonly { readonly nodes: readonly Node[] }[] {
  let nodes = parse(spec).nodes;
  const path = [{ nodes }];
  for (const word of words) {
    const found = nodes.find((node) => node.getName() === "cmd" && node.getArgument(0) === word);
    if (!found) break;
    nodes = found.children?.nodes ?? [];
    path.push({ nodes });
  }
  return path;
}

interface Flag {
  readonly name: string;
  readonly forms: readonly string[];
  readonly isValued: boolean;
  readonly isList: boolean;
  readonly isCount: boolean;
  readonly negate: unknown;
  readonly fallback: unknown;
}

function flagsOf(path: readonly { readonly nodes: readonly Node[] }[]): readonly Flag[] {
  const all = path.flatMap(({ nodes }, depth) =>
    nodes.filter(
      (node) => node.getName() === "flag" && (depth === path.length - 1 || node.getProperty("global") === true),
    ),
  );
  return all.map((node) => {
    const text = String(node.getArgument(0));
    const forms = text.split(" ").filter((word) => word.startsWith("-"));
    const name = (forms.find((form) => form.startsWith("--")) ?? forms[0] ?? "").replace(/^-+/, "");
    return {
      name,
      forms,
      isValued: /[<[]/.test(text),
      isList: node.getProperty("var") === true || /\.{3}|…/.test(text),
      isCount: node.getProperty("count") === true,
      negate: node.getProperty("negate"),
      fallback: node.getProperty("default"),
    };
  });
}

function operandsOf(path: readonly { readonly nodes: readonly Node[] }[]): readonly Node[] {
  return (path.at(-1)?.nodes ?? []).filter((node) => node.getName() === "arg");
}

/** Returns undefined for words that no tool of ours writes. */
function bound(spec: string, argv: readonly string[]): Bound | undefined {
  const cmd = pathTo(spec, argv).length - 1;
  const path = pathTo(spec, argv.slice(0, cmd));
  const flags: Record<string, Value> = {};
  const [before, after]: [string[], string[]] = [[], []];
  const words = argv.slice(cmd);
  const isKept = operandsOf(path).some((node) => node.getProperty("double_dash") === "preserve");
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (word === "--" && isKept) before.push(word);
    else if (word === "--") {
      after.push(...words.slice(at + 1));
      break;
    }
    if (word === "--") continue;
    const [, form = word, value] = /^(--[^=]+)=(.*)$/s.exec(word) ?? [];
    const flag = flagsOf(path).find(
      (one) =>
        one.forms.includes(form) ||
        one.negate === form ||
        (one.isCount && /^-(\w)\1*$/.test(word) && one.forms.includes(word.slice(0, 2))),
    );
    if (!flag && word.startsWith("-")) return undefined;
    else if (!flag) before.push(word);
    else if (flag.isCount)
      flags[flag.name] = [...((flags[flag.name] ?? []) as boolean[]), ...[...word.slice(1)].map(() => true)];
    else if (!flag.isValued) flags[flag.name] = flag.negate !== form;
    else {
      const given = value ?? words[++at];
      if (given === undefined || (value === undefined && given.startsWith("-"))) return undefined;
      flags[flag.name] = flag.isList ? [...((flags[flag.name] ?? []) as string[]), given] : given;
    }
  }
  const args: Record<string, Value> = {};
  const rest = [...before];
  const nodes = operandsOf(path);
  const separate = nodes.findIndex((node) => /^[<[]--/.test(String(node.getArgument(0))));
  if (separate === -1) rest.push(...after);
  for (const [index, node] of nodes.entries()) {
    const text = String(node.getArgument(0));
    const name = text.replaceAll(/\.{3}|…|[<>[\]]|-- /g, "");
    const from = index === separate ? after : rest;
    const isList = node.getProperty("var") === true || /\.{3}|…/.test(text);
    const most = isList ? Number(node.getProperty("var_max") ?? Number.POSITIVE_INFINITY) : 1;
    const taken = from.splice(0, most);
    if (taken.length > 0) args[name] = isList ? taken : (taken[0] ?? "");
  }
  if (rest.length > 0) return undefined;
  return {
    ...(cmd === 0 ? {} : { cmd: argv.slice(0, cmd) }),
    ...(Object.keys(flags).length === 0 ? {} : { flags }),
    ...(Object.keys(args).length === 0 ? {} : { args }),
  };
}

/** Whether the program sets it by itself. */
function isLeft(value: Value, flag: Flag | undefined): boolean {
  return value === flag?.fallback || (value === false && typeof flag?.negate !== "string");
}

/** As our tool is called for it. */
function argumentsFor({ spec, expect: { ok = {} } }: Row): JsonObject {
  const flags = flagsOf(pathTo(spec, ok.cmd ?? []));
  const given: Record<string, unknown> = { ...ok.args };
  for (const [name, value] of Object.entries(ok.flags ?? {})) {
    const flag = flags.find((one) => one.name === name);
    const short = flag?.forms.find((form) => /^-\w$/.test(form));
    if (isLeft(value, flag)) continue;
    else if (value === false) given[String(flag?.negate).replace(/^-+/, "")] = true;
    else if (flag?.isCount) given[name] = `-${(short ?? "").slice(1).repeat((value as unknown[]).length)}`;
    else given[name] = value;
  }
  return given as JsonObject;
}

function toolFor(spec: string, cmd: readonly string[]) {
  const source = readUsageSpec({ fileName: "ex.usage.kdl", text: spec, neighbours: new Set() });
  const { tools } = writtenTools(source, { folder: undefined, taken: new Set() });
  const original = [/bin "([^"]+)"/.exec(spec)?.[1] ?? "", ...cmd].join("-");
  const text = tools.find((tool) => tool.original === original)?.text;
  if (text === undefined) throw new Error(`no tool ${original} of ${spec}`);
  const { value: definition, diagnostics } = analyzeToolFile(parseToolFile({ path: `${original}.tool`, text }));
  assert.equal(diagnostics, [], text);
  if (!definition) throw new Error(text);
  const builder = createToolBuilder({
    platform: "linux",
    definition: () => undefined,
    baseTool: (name) => (name === "run_command" ? runCommand : undefined),
    names: () => [],
  });
  const { value: tool } = builder.build(definition);
  if (!tool) throw new Error(text);
  return { tool, parameters: definition.parameters, text };
}

function argvOf({ tool, text }: ReturnType<typeof toolFor>, given: JsonObject): readonly string[] {
  const expanded = tool.expand?.(given);
  const argv = expanded?.arguments["argv"];
  if (!Array.isArray(argv)) throw new Error(text);
  return argv.slice(1).map(String);
}

const shape = ({ cmd = [], flags = {}, args = {} }: Bound): Bound => ({ cmd, flags, args });

/** Left to the program: an applet that its own name chooses, and commands that only it knows. */
const isOurs = ({ expect: { ok }, argv0, mounts }: Row): boolean =>
  ok !== undefined && ok.external === undefined && argv0 === undefined && mounts !== true;

test("`bound` reads the words of the corpus that are as ours", () => {
  const read = rows.filter((row) => isOurs(row) && bound(row.spec, row.argv) !== undefined);
  const isDirect = read.filter(
    ({ id, env, spec }) =>
      env === undefined && !/default|overrides|multicall|delimiter|automatic/.test(`${id} ${spec}`),
  );
  for (const { id, spec, argv, expect } of isDirect)
    assert.equal(shape(bound(spec, argv) ?? {}), shape(expect.ok ?? {}), id);
  assert.ok(isDirect.length >= 50, `${isDirect.length} rows`);
});

/** A flag that is not global, before the word of a command: what a caller of the command seldom wants. */
const notOffered: ReadonlySet<string> = new Set(["cmd-flag-before", "default-flag-before-the-word"]);

test("each call binds what it was given", () => {
  const ours = rows.filter((row) => isOurs(row) && !notOffered.has(row.id));
  for (const row of ours) {
    const made = toolFor(row.spec, row.expect.ok?.cmd ?? []);
    const given = argumentsFor(row);
    const { issues } = validateArguments(made.parameters, given, { owner: "x", environment: () => undefined });
    assert.equal(issues, [], row.id);
    const words = argvOf(made, given);
    assert.equal(shape(bound(row.spec, words) ?? {}), shape(typedOf(row)), `${row.id}: ${words.join(" ")}`);
  }
  assert.ok(ours.length >= 140, `${ours.length} rows`);
});

test("what a specification refuses is refused before the program starts, unless it depends on other options", () => {
  const wrong = rows.filter(
    ({ expect, mounts }) => /^(?:missing_required|invalid_choice|var_too)/.test(expect.error ?? "") && mounts !== true,
  );
  const passed = wrong.flatMap((row) => {
    const words = bound(row.spec, row.argv);
    if (words === undefined) throw new Error(row.id);
    const { parameters } = toolFor(row.spec, words.cmd ?? []);
    const given = { ...words.flags, ...words.args } as JsonObject;
    const { issues } = validateArguments(parameters, given, { owner: "x", environment: () => undefined });
    return issues.length > 0 ? [] : [row.id];
  });
  assert.equal(passed, [
    "choice-checked-on-a-value-from-the-environment",
    "required-unless-unsatisfied",
    "requires-if-value-matches",
    "requires-if-environment-is-explicit",
    "default-if-choice-is-checked",
  ]);
});

/** Without what the program sets by itself. */
function typedOf({ spec, expect: { ok = {} } }: Row): Bound {
  const flags = flagsOf(pathTo(spec, ok.cmd ?? []));
  const own = Object.entries(ok.flags ?? {}).filter(
    ([name, value]) =>
      !isLeft(
        value,
        flags.find((one) => one.name === name),
      ),
  );
  return { ...ok, flags: Object.fromEntries(own) };
}

test.run();
