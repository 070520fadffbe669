// The secrets with which the server was started: no client sees any, whatever it calls and whatever its person agrees
// to.
import process from "node:process";
import type { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { assert, suite } from "../harness.ts";
import { type TestProject, testProject } from "../test-project.ts";
import { connectTo } from "./server-fixture.ts";

const test = suite("mcp/server secrets");

const CANARY = "canary-of-the-server";
const secrets = {
  GITHUB_TOKEN: `${CANARY}-1`,
  PLAIN_NAME: `${CANARY}-2`,
  DATABASE_URL: `postgres://ana:${CANARY}-3@db/x`,
  DOTTOOL_MCP_TOKEN: `${CANARY}-4`,
};

const spies = (name: string, more = ""): string =>
  `Looks around.\n@name ${name}\n@title Spy\n@wrapped run_command\n@shell sh\n${more}@script\n    env; tr '\\0' '\\n' < /proc/$PPID/environ; echo "has \${#DECLARED}"\n`;

const files = {
  "home/.config/dottool/config.yaml": "secrets:\n  KEY: env:PLAIN_NAME\n",
  "home/.config/dottool/tools/spy.tool": spies("spy"),
  "home/.config/dottool/tools/spy_all.tool": spies("spy_all", "@env-inherit yes\n"),
  "home/.config/dottool/tools/spy_declared.tool": spies("spy_declared", "@env DECLARED=secret:KEY\n"),
  "home/.ssh/id_ed25519": `${CANARY}-5\n`,
  "a.txt": "plain\n",
  "deploy/.env": `KEY=${CANARY}-6\n`,
  "deploy/ci.key": `${CANARY}-7\n`,
  "deploy/python.env/pyvenv.cfg": "plain\n",
};

interface Served {
  readonly asked: string[];
  /** Answers for the next questions. After them, no question is agreed to. */
  readonly answers: string[];
  readonly processId: number;
  call(
    name: string,
    args?: Readonly<Record<string, unknown>>,
  ): Promise<{ readonly isError: boolean; readonly text: string }>;
}

async function withServer(body: (served: Served) => Promise<void>, words: readonly string[] = []): Promise<void> {
  using bench = testProject(files);
  const withSecrets: TestProject = {
    ...bench,
    program: { ...bench.program, environment: { ...bench.program.environment, ...secrets } },
  };
  const [asked, answers]: [string[], string[]] = [[], []];
  const client = await connectTo(withSecrets, {
    era: "2026-07-28",
    words,
    capabilities: { elicitation: {} },
    prepare: (made) =>
      made.setRequestHandler("elicitation/create", ({ params }) => {
        asked.push(params.message);
        return { action: "accept", content: { decision: answers.shift() ?? "denied" } };
      }),
  });
  try {
    const processId = (client.transport as StdioClientTransport).pid ?? 0;
    await body({
      asked,
      answers,
      processId,
      call: async (name, args = {}) => {
        const { isError = false, content } = await client.callTool({ name, arguments: args });
        return { isError, text: JSON.stringify(content) };
      },
    });
  } finally {
    await client.close();
  }
}

if (process.platform === "linux") {
  test("`head` of the server's environment is asked about, and shows nothing of it when somebody agrees", () =>
    withServer(async ({ asked, answers, processId, call }) => {
      const files = [`/proc/${processId}/environ`];
      const denied = await call("head", { files });
      answers.push("once");
      const agreed = await call("head", { files });
      assert.equal(
        [denied.isError, agreed.isError, denied.text.includes(CANARY), agreed.text.includes(CANARY)],
        [true, false, false, false],
      );
      const reason = `processes: \`/proc/${processId}/environ\` shows the data of a process, such as its environment, so each call that uses it needs approval`;
      assert.equal(
        asked.map((message) => message.split("\n").includes(reason)),
        [true, true],
      );
      assert.ok(denied.text.includes("a person has to run it, or approve this one call when asked"));
    }));

  test("what a tool starts finds no secret in its variables, nor in those of the server, but the one that it names", () =>
    withServer(async ({ answers, call }) => {
      answers.push("once", "once", "once");
      const seen = [await call("spy"), await call("spy_all"), await call("spy_declared")];
      assert.equal(
        seen.map(({ text }) => text.includes(CANARY)),
        [false, false, false],
      );
      assert.equal(
        seen.map(({ text }) => /has (\d+)/.exec(text)?.[1]),
        ["0", "0", String(secrets.PLAIN_NAME.length)],
      );
      assert.ok(seen[2]?.text.includes("DECLARED=•••"));
    }));
}

test("reading keys and dottool's own state is asked about in every tool, and looking through the home folder passes them over", () =>
  withServer(async ({ asked, call }) => {
    const calls: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
      ["read_file", { file_path: "home/.ssh/id_ed25519" }],
      ["head", { files: ["home/.ssh/../.ssh/id_ed25519"] }],
      ["grep", { arguments: ["-r", "canary", "home"] }],
      ["grep", { arguments: ["-r", "canary", "."] }],
      ["Read", { file_path: "home/.local/state/dottool/audit.jsonl" }],
    ];
    for (const [name, args] of calls) assert.equal([name, args, (await call(name, args)).isError], [name, args, true]);
    assert.is(asked.length, calls.length);
    const found = await call("search_text", { pattern: "canary", path: "home", hidden: true });
    const listed = await call("find_files", { patterns: ["*"], path: "home", hidden: true, ignored: true });
    const plain = await call("read_file", { file_path: "a.txt" });
    assert.equal(
      [found, listed, plain].map(({ isError, text }) => [isError, text.includes(CANARY), text.includes("id_ed25519")]),
      [
        [false, false, false],
        [false, false, false],
        [false, false, false],
      ],
    );
    assert.match(found.text, /skipped: .*`\.ssh`, because each needs approval; a call that names one asks for it/);
    assert.is(asked.length, calls.length);
  }));

test("a project's `.env` is asked about where a call names it, and passed over where a folder is searched", () =>
  withServer(async ({ asked, call }) => {
    const named = await call("read_file", { file_path: "deploy/.env" });
    const found = await call("search_text", { pattern: "canary|KEY|plain", path: "deploy", hidden: true });
    const listed = await call("find_files", { patterns: ["*"], path: "deploy", hidden: true });
    assert.equal(
      [
        named.isError,
        asked.length,
        found.text.includes(CANARY),
        listed.text.includes(".env"),
        listed.text.includes("skipped"),
      ],
      [true, 1, false, true, false],
    );
    assert.match(found.text, /python\.env\/pyvenv\.cfg.*skipped: `\.env`, `ci\.key`, because each needs approval/);
  }));

test("a yes for `write_file` that lasts covers the project, and nothing that others execute", () =>
  withServer(async ({ asked, answers, call }) => {
    answers.push("session");
    const write = async (path: string): Promise<boolean> =>
      (await call("write_file", { file_path: path, content: "x", create_dirs: true })).isError;
    assert.equal([await write("src/a.ts"), await write("src/b.ts"), asked.length], [false, false, 1]);
    assert.equal(
      [
        await write(".git/hooks/pre-commit"),
        await write("package.json"),
        await write(".envrc"),
        await write("src/c.ts"),
        asked.length,
      ],
      [true, true, true, false, 4],
    );
    assert.ok(
      asked[1]?.includes(
        "executed files: `.git/hooks/pre-commit` can make other programs run code: git runs its hooks and the programs that its settings name, so each call that uses it needs approval",
      ),
    );
    answers.push("once");
    assert.equal([await write("package.json"), await write("package.json")], [false, true]);
  }));

test.run();
