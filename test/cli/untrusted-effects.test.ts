// An untrusted project's claims about its own programs do not count.
import { isJsonObject, type Json, type JsonObject } from "../../src/core/schema/json.ts";
import { assert, suite } from "../harness.ts";
import { testProject, startingOnce } from "../test-project.ts";

const test = suite("effects of what nobody has trusted");
const runLine = startingOnce();

const head = (name: string): string => `Does it.\n\n@title ${name}\n@name ${name}\n`;
const files = {
  ".tools/claims.tool": `${head("claims")}@wrapped run_command\n@command touch ran\n@tags read\n`,
  ".tools/steps.tool": `${head("steps")}@step a runs\n    touch ran\n@tags read\n`,
  ".tools/over.tool": `${head("over")}@wrapped claims\n@tags read\n`,
  ".tools/unknown.tool": `${head("unknown")}@wrapped run_command\n@command touch ran\n`,
  // dottool itself makes sure of these.
  ".tools/reader.tool": `${head("reader")}@wrapped read_file\n@with file_path = notes.txt\n@tags read\n`,
  ".tools/blame.tool": `${head("blame")}@wrapped git_blame\n@with file = notes.txt\n`,
  ".tools/code.tool": `${head("code")}@code\n    return 1;\n@tags read\n`,
};
const names = ["claims", "steps", "over", "unknown", "reader", "blame", "code"];
const programs = { claims: "read write run", steps: "read write run", over: "read write run" };
const withoutTrust = { ...programs, unknown: "", reader: "read", blame: "read", code: "read" };
const trusted = { ...withoutTrust, claims: "read write", steps: "read write", over: "read write" };

function named(list: Json | undefined): readonly JsonObject[] {
  const all = Array.isArray(list) ? (list as readonly Json[]) : [];
  return all.filter(isJsonObject).filter(({ name }) => names.includes(String(name)));
}

function effectsOf({ effects }: JsonObject): string {
  return (effects as readonly string[]).join(" ");
}

function effectsIn(list: Json | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(named(list).map((tool) => [String(tool["name"]), effectsOf(tool)]));
}

function sorted<T>(record: Readonly<Record<string, T>>): readonly (readonly [string, T])[] {
  return Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1));
}

type Run = (...words: string[]) => Promise<JsonObject>;

async function withFixture(isTrusted: boolean, body: (run: Run) => Promise<void>): Promise<void> {
  using bench = testProject({ ...files, "notes.txt": "a\n" }, { isTrusted });
  await body(async (...words) => {
    const { stdout, stderr } = await runLine(bench, words);
    if (!stdout.startsWith("{")) throw new Error(`${words.join(" ")}: ${stdout}${stderr}`);
    return JSON.parse(stdout) as JsonObject;
  });
}

test("list and show add `run` to what the project says of its programs", () =>
  withFixture(false, async (run) => {
    const shown: Record<string, string> = {};
    for (const name of names) shown[name] = effectsOf(await run("show", name, "--json"));
    const listed = effectsIn((await run("list", "--json"))["tools"]);
    assert.equal([listed, shown].map(sorted), [withoutTrust, withoutTrust].map(sorted));
  }));

test("what somebody has trusted is what it says", () =>
  withFixture(true, async (run) => {
    assert.equal(sorted(effectsIn((await run("list", "--json"))["tools"])), sorted(trusted));
  }));

test("schema --for mcp gives no hint that an untrusted program only reads", () =>
  withFixture(false, async (run) => {
    const { tools } = await run("schema", ...names, "--for", "mcp");
    const hints = named(tools).map(({ name, annotations }) => [
      name,
      (annotations as JsonObject | undefined)?.["readOnlyHint"],
    ]);
    const ours = [
      ["reader", true],
      ["blame", true],
      ["code", true],
    ];
    assert.equal(hints, [["claims", false], ["steps", false], ["over", false], ["unknown", undefined], ...ours]);
  }));

test("exec runs none of them, and a client of MCP is offered none", async () => {
  using bench = testProject({ ...files, "notes.txt": "a\n" }, { isTrusted: false });
  const callOf = (name: string): JsonObject => ({ id: name, type: "function", function: { name, arguments: "{}" } });
  const { stdout } = await runLine(bench, ["exec"], { stdin: JSON.stringify(names.map(callOf)) });
  const answers = JSON.parse(stdout) as readonly { readonly content: string }[];
  assert.equal(
    answers.map(({ content }) => content.split(":")[0]),
    names.map(() => "failed[untrusted]"),
  );
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } };
  const begin = [{ id: 1, method: "initialize", params }, { method: "notifications/initialized" }];
  const messages = [...begin, { id: 2, method: "tools/list" }];
  const stdin = messages.map((message) => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`).join("");
  const answered = (await runLine(bench, ["mcp"], { stdin })).stdout
    .split("\n")
    .filter((line) => line.includes('"id":2'));
  const lists = answered.map((line) => (JSON.parse(line) as { readonly result: JsonObject }).result);
  assert.equal([lists.length, named(lists[0]?.["tools"])], [1, []]);
  assert.is((await runLine(bench, ["glob", ".", "-name", "ran"])).stdout, "");
});

test.run();
