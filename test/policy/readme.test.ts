import { readFileSync } from "node:fs";
import process from "node:process";
import { decisionsOf } from "../../src/features/explain/decisions.ts";
import { decideCases, readCases } from "../../src/features/explain/policy-cases.ts";
import { prepareCall } from "../../src/core/run/prepare.ts";
import type { JsonObject } from "../../src/core/schema/json.ts";
import type { Caller } from "../../src/core/tool/policy.ts";
import { assert, suite } from "../harness.ts";
import { withPolicy } from "./policy-fixture.ts";

const test = suite("docs/policy.md");
const page = readFileSync(new URL("../../docs/policy.md", import.meta.url), "utf8");

const blocks = [...page.matchAll(/```yaml\n(.*?)```/gs)].map(([, text = ""]) => text);

/** A call for each row of the first table, by its first column. */
const calls: Readonly<Record<string, readonly [string, JsonObject]>> = {
  "a tool that only reads": ["reads", {}],
  "a trusted tool that writes or runs": ["builds", {}],
  "a tool with `@confirm`": ["confirms", {}],
  "a `{code}` value": ["queries", { sql: "select 1" }],
  "a base tool as it is, such as `run_command`": ["run_command", { command: "make" }],
  "a tool that reads a guarded file, such as a key in `~/.ssh`": ["shows", { file: "~/.ssh/id_rsa" }],
};

test("the first table says who is asked", () =>
  withPolicy(
    {
      reads: "@wrapped run_command\n@command ls\n@tags read",
      builds: "@wrapped run_command\n@command make all",
      confirms: "@wrapped run_command\n@command ls\n@tags read\n@confirm Really?",
      queries: "@wrapped run_command\n@command sqlite3 a.db {sql}\n@param sql {code} [required] What\n@tags read",
      shows: "@wrapped run_command\n@command cat -- {file}\n@param file {path} [required] Which\n@tags read",
    },
    async (bench) => {
      delete process.env["MCP_APPROVAL"];
      const words: Readonly<Record<string, string>> = { allow: "not asked", ask: "asked", deny: "refused" };
      const opened = await bench.open("person", { isAtTerminal: true });
      const rows = [];
      for (const [row, [tool, args]] of Object.entries(calls)) {
        const step = await prepareCall({ id: "1", tool, arguments: args }, opened.session);
        if (!("prepared" in step)) throw new Error(`${tool} is refused`);
        const decisions = await decisionsOf(step.prepared, opened.session);
        const of = (name: Caller): string =>
          words[decisions.find(({ frontEnd }) => frontEnd === name)?.decision ?? ""] ?? "";
        assert.is(of("exec"), of("agent"));
        rows.push([row, of("person"), of("mcp"), of("exec")]);
      }
      const table = /\| --- \| --- .*\n((?:\|.*\n)+)/.exec(page)?.[1] ?? "";
      assert.equal(
        table.trimEnd().split("\n"),
        rows.map((row) => `| ${row.join(" | ")} |`),
      );
    },
  ));

const command = (text: string): readonly [string, JsonObject] => ["run_command", { command: text }];

for (const [at, who, expected] of [
  [
    0,
    "mcp",
    [
      [command("npm test"), "allow"],
      [command("npm test; rm x"), "ask"],
      [command("git push origin main"), "ask"],
      [command("git push --force"), "deny"],
    ],
  ],
  [
    1,
    "agent",
    [
      [command("git push"), "deny"],
      [command("cd infra && terraform apply"), "deny"],
      [["write_file", { file_path: "a", content: "" }], "ask"],
      [["write_file", { file_path: "/srv/a", content: "" }], "deny"],
      [command("rm -rf ../x"), "deny"],
      [["list_dir", {}], "allow"],
    ],
  ],
  [
    1,
    "person",
    [
      [command("git push"), "allow"],
      [command("terraform apply"), "deny"],
      [command("rm -rf ../x"), "allow"],
    ],
  ],
  [
    2,
    "agent",
    [
      [["build", {}], "allow"],
      [["deploy", {}], "ask"],
      [["web_fetch", { url: "https://example.org" }], "deny"],
    ],
  ],
] as const)
  test(`the ${["first", "second", "third"][at]} file to begin with does what it says for ${who}`, () =>
    withPolicy(
      {
        build: "@wrapped run_command\n@command make all",
        deploy: "@wrapped run_command\n@command make deploy",
      },
      async (bench) => {
        bench.rules(blocks[at] ?? "");
        const opened = await bench.open("person");
        const decided = [];
        for (const [[tool, args]] of expected) {
          const step = await prepareCall({ id: "1", tool, arguments: args }, opened.session);
          if (!("prepared" in step)) throw new Error(`${tool} is refused`);
          const decisions = await decisionsOf(step.prepared, opened.session);
          decided.push(decisions.find(({ frontEnd }) => frontEnd === who)?.decision);
        }
        assert.equal(
          decided,
          expected.map(([, decision]) => decision),
        );
      },
    ));

test("the cases of the page hold for the team's rules", () =>
  withPolicy({}, async (bench) => {
    bench.rules(blocks[1] ?? "");
    const { cases, problems } = readCases(blocks[4] ?? "");
    const decided = await decideCases(cases, { ...(await bench.open("person")), cwd: bench.folder });
    assert.equal([problems, decided.map(({ holds }) => holds)], [[], Array(5).fill(true)]);
  }));

test("the rules of the README are rules, and do what it says", async () => {
  const rules = blocks[3] ?? "";
  await withPolicy({}, async (bench) => {
    bench.rules(rules);
    const opened = await bench.open("person");
    assert.is(
      await opened.said("run_command", { command: "git push" }),
      "failed[denied]: policy denies `run_command`\n  <bench>/config/dottool/config.yaml:2:5: open a pull request instead",
    );
    assert.is(
      await opened.headline("write_file", { file_path: "a", content: "" }),
      "failed[denied]: `write_file` was not approved",
    );
    assert.is(await opened.headline("list_dir", {}), "ok");
    const decided = async (url: string): Promise<string | undefined> => {
      const step = await prepareCall({ id: "1", tool: "web_fetch", arguments: { url } }, opened.session);
      return "prepared" in step
        ? (await decisionsOf(step.prepared, opened.session)).find(({ frontEnd }) => frontEnd === "mcp")?.decision
        : undefined;
    };
    assert.equal(
      [
        await decided("https://docs.example.com@127.0.0.1/"),
        await decided("https://docs.example.com/x"),
        await decided("HTTPS://docs.example.com:443/x"),
      ],
      ["ask", "allow", "allow"],
    );
  });
});

test.run();
