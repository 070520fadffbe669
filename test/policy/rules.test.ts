import { symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Caller } from "../../src/core/tool/policy.ts";
import type { JsonObject } from "../../src/core/schema/json.ts";
import { allows, refuses, refusesAlways } from "../../src/core/policy/match-rule.ts";
import { readRules } from "../../src/core/policy/read-rules.ts";
import type { ConfiguredRule } from "../../src/core/policy/rule.ts";
import { assert, suite } from "../harness.ts";
import { memoryHost } from "../memory-host.ts";
import { withPolicy } from "./policy-fixture.ts";
import { wordList } from "../lines.ts";

const test = suite("rules");

/** Tools that change nothing, whatever is allowed. */
const tools = {
  git_push: "@wrapped run_command\n@tags run\n@param where {string} Where\n@command true push {where}",
  pusher: "@wrapped git_push",
  shell_push: "@wrapped run_command\n@shell sh\n@command : git push origin",
  looker: "@wrapped run_command\n@tags read\n@command true look",
  saver:
    "@wrapped write_file\n@param name {string} [required] Which\n@with file_path = notes/{name}.txt\n@with content = x\n@with create_dirs = true",
  fallen: "@wrapped run_command\n@tags run\n@command false\n@fallback true push",
  two: "@param where {string} Where\n@step first runs\n    true look\n@step second runs\n    true push {where}\n@tags run",
  indirect: "@param where {string} Where\n@step first uses git_push\n    where = {where}",
  each: "@step items runs\n    printf 'pull\\npush\\n'\n@step all runs [for-each={items}]\n    true {item}\n@tags run",
  later: "@step first runs\n    echo push\n@step second runs\n    true {first}\n@tags run",
  coded: "@step only python\n    print(1)",
};

/** Returns the kind of each failure, or `ok`. */
async function decided(
  rules: string,
  calls: readonly (readonly [tool: string, args?: JsonObject])[],
  frontEnd: Caller = "person",
): Promise<readonly string[]> {
  const kinds: string[] = [];
  await withPolicy(tools, async (bench) => {
    bench.rules(rules);
    const opened = await bench.open(frontEnd);
    for (const [tool, args] of calls)
      kinds.push((await opened.headline(tool, args)).replace(/^failed\[([\w-]+)\]: .*/, "$1"));
  });
  return kinds;
}

const deny = (rule: string): string => `policy:\n  - {decision: deny, ${rule}}\n`;
const everyTool = [
  ["git_push", { where: "x" }],
  ["pusher", { where: "x" }],
  ["shell_push"],
  ["fallen"],
  ["two", { where: "x" }],
  ["indirect", { where: "x" }],
  ["later"],
  ["coded"],
] as const;

test("a rule about a tool is about everything that stands on it", async () => {
  assert.equal(await decided("", everyTool), Array(8).fill("ok"));
  assert.equal(await decided(deny("tool: run_command"), [...everyTool, ["saver", { name: "a" }]]), [
    ...Array(8).fill("denied"),
    "ok",
  ]);
  assert.equal(await decided(deny("tool: git_push"), everyTool), wordList("denied denied ok ok ok denied ok ok"));
});

test("a rule about a command finds it behind other names, in scripts, fallbacks and steps, and when only the run tells", async () => {
  assert.equal(
    await decided(deny("command: true push"), everyTool),
    wordList("denied denied ok denied denied denied step-failed ok"),
  );
  assert.equal(await decided(deny("command: git push"), everyTool), wordList("ok ok denied ok ok ok ok ok"));
  assert.equal(
    [await decided("", [["each"]]), await decided(deny("command: true push"), [["each"]])],
    [["ok"], ["step-failed"]],
  );
  assert.equal(await decided(deny("command: python3"), everyTool), [...Array(7).fill("ok"), "denied"]);
});

test("that a program only reads is a reason to let a model call it: a person has trusted who says so", async () => {
  const claims = {
    ...tools,
    peek: "@wrapped looker",
    stepped: "@step only runs\n    true look\n@tags read",
    over: "@step only uses looker",
    glob_here: "@wrapped glob",
    listed: "@wrapped list_dir\n@with dir_path = .",
    coded_only: "@code javascript\n    return 1",
  };
  await withPolicy(claims, async (bench) => {
    const opened = await bench.open("mcp");
    const kinds = await Promise.all(
      ["looker", "peek", "stepped", "over", "glob_here", "list_dir", "coded_only"].map(async (tool) =>
        (await opened.headline(tool, tool === "glob_here" ? { arguments: [".", "-maxdepth", "0"] } : {})).replace(
          /^failed\[([\w-]+)\]: .*/,
          "$1",
        ),
      ),
    );
    assert.equal(kinds, ["ok", "ok", "ok", "ok", "ok", "ok", "ok"]);
  });
});

test("a refused command is found however it is written", async () => {
  const lines = [
    "git push",
    "git  push",
    "git -C . push",
    "/usr/bin/git push",
    "env A=1 git push",
    "true; git push",
    "GIT push",
    'g""it push',
    "g\\it push",
    "git --no-pager\tpush origin --force",
    "sh -c 'git push'",
    "git\u200b push",
    "\uff47it push",
    "git${IFS}push",
    "git.exe push",
    "git pu\\\nsh",
    "g=git; $g push",
    "{git,push}",
    "git $(echo push)",
  ];
  const calls = lines.map((command) => ["run_command", { command: `: ${command}` }] as const);
  assert.equal(
    await decided(deny("command: git push"), calls),
    lines.map(() => "denied"),
  );
  const words = [
    ["git", "push"],
    ["git", "--git-dir=x", "push"],
    ["/bin/git", "push"],
    ["env", "git", "push"],
    ["sh", "-c", "git push"],
  ];
  assert.equal(
    await decided(
      deny("command: git push"),
      words.map((argv) => ["run_command", { argv }] as const),
    ),
    words.map(() => "denied"),
  );
  assert.equal(
    await decided(deny('command: ["true --force"]'), [
      ["run_command", { argv: ["true", "--force=yes"] }],
      ["run_command", { argv: ["true", "--forced"] }],
    ]),
    ["denied", "ok"],
  );
  assert.equal(await decided(deny("command: git push"), [["run_command", { command: ": push git" }]]), ["ok"]);
});

test("what is allowed is the call as it was made, word for word, and nothing else", async () => {
  const rules = 'policy:\n  - {decision: allow, command: [true look, "true say *"]}\n';
  const calls: readonly (readonly [string, JsonObject?])[] = [
    ["run_command", { command: "true look" }],
    ["run_command", { argv: ["true", "say", "a", "b"] }],
    ["run_command", { argv: ["true", "say"] }],
    ["run_command", { command: "true look; true" }],
    ["run_command", { command: "true LOOK" }],
    ["run_command", { argv: ["./true", "look"] }],
    ["run_command", { command: "true say $(id)" }],
    ["run_command", { argv: ["true", "look"], env: { LD_PRELOAD: "x" } }],
    ["run_command", { argv: ["true", "look"], inherit_env: true }],
    ["run_command", { argv: ["true", "look"], pass_env: ["LD_PRELOAD"] }],
    ["run_command", { argv: ["true", "look"], working_dir: "/tmp" }],
    ["fallen"],
    ["two", { where: "x" }],
  ];
  assert.equal(await decided(rules, calls, "exec"), ["ok", "ok", "ok", ...Array(10).fill("denied")]);
});

test("a path is the file that it leads to", async () => {
  await withPolicy(tools, async (bench) => {
    bench.write("secrets/key.txt", "1");
    bench.write("plain.txt", "2");
    symlinkSync(join(bench.folder, "secrets"), join(bench.folder, "open"));
    bench.rules(deny('tool: read_file, arguments: {file_path: "secrets/*"}'));
    const opened = await bench.open("person");
    const paths = [
      "secrets/key.txt",
      "./secrets/key.txt",
      "secrets//key.txt",
      "open/key.txt",
      "x/../secrets/key.txt",
      join(bench.folder, "secrets/key.txt"),
      "SECRETS/key.txt",
      "plain.txt",
    ];
    const heads = await Promise.all(paths.map((file_path) => opened.headline("read_file", { file_path })));
    assert.equal(
      heads.map((head) => head.startsWith("failed[denied]")),
      [true, true, true, true, true, true, true, false],
    );
  });
  await withPolicy(tools, async (bench) => {
    bench.write("src/a.txt", "1");
    symlinkSync("/etc", join(bench.folder, "src/out"));
    bench.rules('policy:\n  - {decision: allow, tool: write_file, arguments: {file_path: "src/*"}}\n');
    const opened = await bench.open("exec");
    const paths = ["src/b.txt", "src/../b.txt", "src/out/b.txt", "SRC/b.txt"];
    const heads = [];
    for (const file_path of paths)
      heads.push(await opened.headline("write_file", { file_path, content: "x", create_dirs: true }));
    assert.equal(
      heads.map((head) => head === "ok"),
      [true, false, false, false],
    );
  });
});

test("an address is the host that it leads to", async () => {
  const urls = [
    "http://localhost/x",
    "http://LOCALHOST:80/x",
    "http://localhost./x",
    "http://%6cocalhost/",
    "https://localhost/x",
  ];
  const kinds = await decided(
    deny('tool: web_fetch, arguments: {url: "http://localhost/*"}'),
    urls.map((url) => ["web_fetch", { url }]),
  );
  assert.equal(
    kinds.map((kind) => kind === "denied"),
    [true, true, true, true, false],
  );
});

test("a value in a list or a map is enough to refuse, and all of them are needed to allow", async () => {
  const edits = (search: readonly string[]): JsonObject => ({
    file_path: "a",
    edits: search.map((text) => ({ search: text, replace: "" })),
  });
  assert.equal(
    await decided(deny('tool: edit_file, arguments: {edits: "*password*"}'), [
      ["edit_file", edits(["a", "my Password"])],
      ["edit_file", edits(["a"])],
    ]),
    ["denied", "file"],
  );
  assert.equal(
    await decided(deny('tool: run_command, arguments: {argv: "*true push*"}'), [
      ["run_command", { argv: ["true", "push"] }],
      ["run_command", { argv: ["true", "pull"] }],
    ]),
    ["denied", "ok"],
  );
  const allow = 'policy:\n  - {decision: allow, tool: run_command, arguments: {argv: ["true", {regex: "[a-z]"}]}}\n';
  assert.equal(
    await decided(
      allow,
      [
        ["run_command", { argv: ["true", "b"] }],
        ["run_command", { argv: ["true", "B"] }],
      ],
      "exec",
    ),
    ["ok", "denied"],
  );
  assert.equal(
    await decided(deny('tool: run_command, arguments: {env.PATH: "*"}'), [
      ["run_command", { argv: ["/bin/true"], env: { PATH: "/x" } }],
      ["run_command", { argv: ["/bin/true"], env: { A: "1" } }],
    ]),
    ["denied", "ok"],
  );
});

test("an expression that refuses finds other forms of its characters", async () => {
  const rules = deny('tool: run_command, arguments: {stdin: {regex: "delete"}}');
  const calls = ["\uff44elete", "other"].map((stdin) => ["run_command", { command: "true", stdin }] as const);
  assert.equal(await decided(rules, calls), ["denied", "ok"]);
});

test("a list or a map without items is not what a rule allows", async () => {
  const rules = 'policy:\n  - {decision: allow, tool: run_command, arguments: {env: "a*"}}\n';
  const calls: readonly (readonly [string, JsonObject])[] = [
    ["run_command", { command: "true", env: { A: "abc" } }],
    ["run_command", { command: "true", env: {} }],
  ];
  assert.equal(await decided(rules, calls, "exec"), ["ok", "denied"]);
});

test("a pattern that would take for ever refuses, and allows nothing", async () => {
  const text = `${"a".repeat(40)}!`;
  const call = [["run_command", { argv: ["true", text] }]] as const;
  // A pattern that is matched in linear time is shown as such.
  assert.equal(await decided(deny('tool: run_command, arguments: {argv: {regex: "(a+)+b"}}'), call), ["ok"]);
  assert.equal(await decided(deny('tool: run_command, arguments: {argv: {regex: "(a+)+!"}}'), call), ["denied"]);
  assert.equal(await decided(deny("tool: run_command, arguments: {argv: {regex: '(a+)+\\1?b'}}"), call), ["denied"]);
  assert.equal(
    await decided(
      'policy:\n  - {decision: allow, tool: run_command, arguments: {argv: ["true", {regex: "(a+)+b"}]}}\n',
      call,
      "exec",
    ),
    ["denied"],
  );
  assert.equal(
    await decided(
      "policy:\n  - {decision: allow, tool: run_command, arguments: {argv: [\"true\", {regex: '(a+)+\\1?b|a+!'}]}}\n",
      call,
      "exec",
    ),
    ["denied"],
  );
});

test("what a tool may do decides: unknown and programs may do anything", async () => {
  assert.equal(
    await decided(deny("effect: write"), [
      ["looker"],
      ["saver", { name: "b" }],
      ["run_command", { command: "true" }],
      ["todo_write", { todos: [] }],
    ]),
    ["ok", "denied", "denied", "ok"],
  );
  assert.equal(await decided(deny("effect: [network, write]"), [["looker"], ["saver", { name: "b" }]]), [
    "ok",
    "denied",
  ]);
  assert.equal(
    await decided(
      "policy:\n  - {decision: allow, effect: [read, run]}\n",
      [["looker"], ["run_command", { command: "true" }], ["saver", { name: "c" }]],
      "mcp",
    ),
    ["ok", "ok", "denied"],
  );
});

test("a rule about effects meets a tool whose effects nobody knows as one that may do anything", () => {
  const views = [{ name: "remote", effects: [], arguments: {} }];
  const context = { host: memoryHost(), cwd: "/" };
  const ruleOf = (effect: string): ConfiguredRule => {
    const { rules } = readRules(`policy:\n  - {decision: allow, effect: ${effect}}\n`, {
      path: "config.yaml",
      owner: "user",
      host: context.host,
    });
    assert.is(rules.length, 1);
    return rules[0] as ConfiguredRule;
  };
  const met = (effect: string): readonly boolean[] => [
    refuses(ruleOf(effect), { views, names: new Set(["remote"]) }, context),
    refusesAlways(ruleOf(effect), { names: new Set(["remote"]), effects: [] }),
    allows(ruleOf(effect), views, context),
  ];
  assert.equal(met("read"), [true, true, false]);
  assert.equal(met("[read, write, run, network]"), [true, true, false]);
  assert.equal(met("unknown"), [true, true, true]);
});

test("deny goes over ask, and ask over allow, whatever their order; a rule is for its front ends", async () => {
  const [allow, ask, refuse] = ["allow", "ask", "deny"].map(
    (decision) => `  - {decision: ${decision}, tool: looker}\n`,
  );
  assert.equal(await decided(`policy:\n${refuse}${ask}${allow}`, [["looker"]]), ["denied"]);
  assert.equal(await decided(`policy:\n${ask}${allow}`, [["looker"]]), ["denied"]);
  assert.equal(await decided(`policy:\n${allow}`, [["looker"]]), ["ok"]);
  const forAgents = deny("tool: looker, front_end: [mcp, agent]");
  assert.equal(
    [await decided(forAgents, [["looker"]]), await decided(forAgents, [["looker"]], "mcp")],
    [["ok"], ["denied"]],
  );
});

test("without rules, models may read, and a program and a person may do what they like", async () => {
  const calls = [["list_dir"], ["saver", { name: "d" }], ["run_command", { command: "true" }], ["shell_push"]] as const;
  const said = await Promise.all(
    (["person", "program", "mcp", "exec", "agent"] as const).map(async (frontEnd) => [
      frontEnd,
      ...(await decided("", calls, frontEnd)),
    ]),
  );
  assert.equal(said, [
    ["person", "ok", "ok", "ok", "ok"],
    ["program", "ok", "ok", "ok", "ok"],
    ...["mcp", "exec", "agent"].map((frontEnd) => [frontEnd, "ok", "denied", "denied", "denied"]),
  ]);
});

test.run();
