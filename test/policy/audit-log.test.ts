import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AUDIT_BYTES_MAX, AUDIT_FILES_KEPT, AuditLog } from "../../src/core/policy/audit-log.ts";
import { createNodeHost } from "../../src/core/host/node-host.ts";
import { isJsonObject, type JsonObject } from "../../src/core/schema/json.ts";
import { assert, suite } from "../harness.ts";
import { testProject } from "../test-project.ts";
import { type PolicyFixture, statePath, withPolicy } from "./policy-fixture.ts";

const test = suite("audit-log");

const tools = {
  login: "@wrapped run_command\n@tags run\n@param token {string} [required secret] Which\n@command true {token}",
  steps: "@param token {string} [required secret] Which\n@step one uses login\n    token = {token}",
};

function lines(bench: PolicyFixture): readonly JsonObject[] {
  return (bench.read(statePath("audit.jsonl")) ?? "")
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as JsonObject);
}

test("each call leaves one line that says who called what, what was decided and how it went", async () => {
  await withPolicy(tools, async (bench) => {
    const opened = await bench.open("person");
    await opened.said("steps", { token: "hunter2222" });
    await opened.said("login", {});
    bench.answers.push("once");
    await (await bench.open("agent")).said("login", { token: "hunter3333" });
    const logged = lines(bench);
    const plain = logged.map(({ time, pid, ms, content, user, id, cwd, ...rest }) => [
      [typeof time, typeof pid, typeof ms, typeof content, typeof user, typeof id, cwd === bench.folder].join(" "),
      rest,
    ]);
    const facts = "string number number string string string true";
    const rules = { decision: "allow", rules: ["called by a person"] };
    assert.equal(plain, [
      [
        facts,
        { front_end: "person", tool: "login", within: ["steps"], arguments: { token: "•••" }, ...rules, status: "ok" },
      ],
      [facts, { front_end: "person", tool: "steps", arguments: { token: "•••" }, ...rules, status: "ok" }],
      [
        facts.replace("string string string true", "undefined string string true"),
        { front_end: "person", tool: "login", arguments: {}, status: "failed", failure: "invalid-arguments" },
      ],
      [
        facts,
        {
          front_end: "agent",
          tool: "login",
          arguments: { token: "•••" },
          decision: "ask",
          rules: [],
          answer: "once",
          status: "ok",
        },
      ],
    ]);
    assert.not(/hunter/.test(bench.read(statePath("audit.jsonl")) ?? ""));
    assert.is(statSync(join(bench.folder, statePath("audit.jsonl"))).mode & 0o777, 0o600);
  });
});

test("a secret that a tool passes on to another is no secret of that one, and still hidden", async () => {
  const plugin = `import { definePlugin, defineTool, string } from "dottool";
export default definePlugin({ name: "passer", tools: [defineTool({ name: "passer", description: "Passes.", effects: ["read"], parameters: { key: string("Which", { required: true, secret: true }) }, run: async ({ key }, context) => (await context.invoke("run_command", { argv: ["true", "--key=" + key] })).status })] });
`;
  await withPolicy({}, async (bench) => {
    bench.write("tools/plugins/passer.ts", plugin);
    await (await bench.open("person")).said("passer", { key: "hunter2222" });
    const text = bench.read(statePath("audit.jsonl")) ?? "";
    assert.equal(
      [
        text.includes("hunter"),
        lines(bench).map(({ tool, arguments: args }) => [
          tool,
          isJsonObject(args) ? (args["argv"] ?? args["key"]) : "",
        ]),
      ],
      [
        false,
        [
          ["run_command", ["true", "--key=•••"]],
          ["passer", "•••"],
        ],
      ],
    );
  });
});

test("what is given to no parameter may be a misnamed secret", async () => {
  await withPolicy(tools, async (bench) => {
    const opened = await bench.open("person");
    await opened.said("login", { tokn: "hunter2222" });
    await opened.said("lgin", { token: "hunter2222" });
    assert.equal(
      lines(bench).map((line) => [line["tool"], line["arguments"], line["failure"]]),
      [
        ["login", { tokn: "•••" }, "invalid-arguments"],
        ["lgin", { token: "•••" }, "unknown-tool"],
      ],
    );
  });
});

test("`audit: off` is for what persons call", async () => {
  await withPolicy(tools, async (bench) => {
    bench.rules("audit: off\n");
    for (const frontEnd of ["person", "exec"] as const)
      await (await bench.open(frontEnd)).said("login", { token: "hunter2222" });
    assert.equal(
      lines(bench).map((line) => line["front_end"]),
      ["exec"],
    );
  });
});

test("long arguments are cut, the log is rotated by size, and four older ones are kept", async () => {
  await withPolicy({}, async (bench) => {
    await bench.open("person");
    const host = createNodeHost();
    const log = new AuditLog({ host, warn: (text) => void bench.warnings.push(text) });
    log.write({ arguments: { text: "x".repeat(1_000_000), many: Array(1_000).fill("y".repeat(2_000)) } });
    const [line = {}] = lines(bench);
    assert.match(String(line["arguments"]), /… \(\d+ characters\)$/);
    const path = join(bench.folder, statePath("audit.jsonl"));
    for (let round = 0; round < AUDIT_FILES_KEPT + 2; round++) {
      writeFileSync(path, `${"z".repeat(AUDIT_BYTES_MAX)}${round}\n`);
      log.write({ arguments: { round } });
    }
    log.write({ arguments: {} });
    assert.equal(bench.list(statePath("")), [
      "audit.1.jsonl",
      "audit.2.jsonl",
      "audit.3.jsonl",
      "audit.4.jsonl",
      "audit.jsonl",
    ]);
    assert.equal(
      [1, 2, 3, 4].map((number) => (bench.read(statePath(`audit.${number}.jsonl`)) ?? "").trimEnd().split("\n").at(-1)),
      [5, 4, 3, 2].map((round) => JSON.stringify({ arguments: { round } })),
    );
    assert.equal([lines(bench), bench.warnings], [[{ arguments: {} }], []]);
  });
});

test("a log that another process has rotated meanwhile is not rotated again", async () => {
  await withPolicy({}, async (bench) => {
    await bench.open("person");
    const host = createNodeHost();
    const append = (path: string, text: string): number => host.shared.append(path, text) + AUDIT_BYTES_MAX;
    new AuditLog({ host: { ...host, shared: { ...host.shared, append } }, warn: () => undefined }).write({
      arguments: {},
    });
    assert.equal([bench.list(statePath("")), lines(bench)], [["audit.jsonl"], [{ arguments: {} }]]);
  });
});

test("a log that cannot be written to fails no call, and is told once", async () => {
  await withPolicy(tools, async (bench) => {
    mkdirSync(join(bench.folder, statePath("audit.jsonl")), { recursive: true });
    const opened = await bench.open("person");
    assert.equal(
      [await opened.headline("login", { token: "a" }), await opened.headline("login", { token: "b" })],
      ["ok", "ok"],
    );
    assert.equal(
      bench.warnings.map((text) => text.replace(/`.*`/, "FILE")),
      ["warning[audit]: calls are not logged: FILE cannot be written to (EISDIR)\n"],
    );
  });
});

test("the lines of processes that call at once stay whole", async () => {
  using bench = testProject();
  const long = "a".repeat(900);
  await Promise.all(Array.from({ length: 5 }, () => bench.run(["run_command", "--argv", "true", "--argv", long])));
  const read = createNodeHost().instant.readBytes(
    join(bench.folder, "home/.local/state/dottool/audit.jsonl"),
    1_000_000,
  );
  const logged = new TextDecoder()
    .decode(read)
    .trimEnd()
    .split("\n")
    .map((line) => (JSON.parse(line) as JsonObject)["tool"]);
  assert.equal(logged, Array(5).fill("run_command"));
});

test.run();
