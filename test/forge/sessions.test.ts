// `dottool forge from`: conversations are recorded by `dottool agent` with real commands, a real web server and a real
// MCP server, and what is made of them does the same in a fresh folder, without a model.
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type AgentServer, startAgentServer } from "../agent/agent-server.ts";
import { done, KEY, type ReplyTurn, type Turn } from "../agent/scripted-turn.ts";
import { startServer, type WebServer } from "../base/web-server.ts";
import { assert, present, suite } from "../harness.ts";
import { serverLines } from "../mcp/client-fixture.ts";
import { type TestProject, testProject, type ToolRun } from "../test-project.ts";
import { type SessionRow, sessionRows } from "./session-rows.ts";

const test = suite("forge sessions");

const everything = fileURLToPath(
  new URL("../../node_modules/@modelcontextprotocol/server-everything/dist/index.js", import.meta.url),
);
const pages: Readonly<Record<string, readonly [type: string, text: string]>> = {
  "/hello": ["text/plain", "Hello, world.\n"],
  "/page/7": ["text/plain", "Page seven.\n"],
  "/page/12": ["text/plain", "Page twelve."],
  "/items/b-22": ["text/plain", "The second item.\n"],
};

const startPages = (): Promise<WebServer> =>
  startServer(({ path, headers }, response) => {
    const items = {
      items: ["a-11", "b-22"].map((id) => ({ id, path: `http://${String(headers["host"])}/items/${id}` })),
    };
    const page = path === "/items" ? (["application/json", JSON.stringify(items)] as const) : pages[path];
    if (page) response.writeHead(200, { "content-type": page[0] }).end(page[1]);
    else response.writeHead(404, { "content-type": "text/plain" }).end("nothing here");
  });

const tools = {
  "tools/say.tool": "@name say\n@wrapped mcp:every/echo\n",
  "tools/add.tool": "@name add\n@wrapped mcp:every/get-sum\n",
  "tools/weather.tool": "@name weather\n@wrapped mcp:every/get-structured-content\n",
};

const config = (model: AgentServer, web: WebServer): string => `providers:
  default: local
  local: { kind: openai, url: "${model.origin}/v1", model: big-1, key: env:API_KEY }
policy:
${["run_command", "web_fetch", "write_file", "edit_file", "say", "add", "weather", "mcp:every/*", "login"].map((tool) => `  - { decision: allow, tool: "${tool}" }\n`).join("")}web:
  allow_hosts: "${web.host}"
mcp_servers:
  every:
    ${serverLines(everything, "stdio").replace("NOTES: NOTES_FOLDER, ", "")}
`;

interface Scene {
  readonly bench: TestProject;
  readonly web: WebServer;
  /** Records the conversation in a folder of its own, and returns its id. */
  record(row: Pick<SessionRow, "task" | "turns" | "files">): Promise<string>;
  /** Runs the program in a folder of the bench. */
  run(folder: string, ...words: readonly string[]): Promise<ToolRun>;
  /** The same as a process of its own. */
  replay(folder: string, ...words: readonly string[]): Promise<ToolRun>;
}

const CONVERSATIONS = "home/.local/state/dottool/agents";

async function scene(body: (scene: Scene) => Promise<void>): Promise<void> {
  const web = await startPages();
  const turns: Turn[] = [];
  let asked = 0;
  const next = (): Turn => present(turns[asked++]);
  const model = await startAgentServer(...Array.from({ length: 200 }, () => next));
  using bench = testProject(tools);
  bench.write("home/.config/dottool/config.yaml", config(model, web));
  const folders = ["--tools", join(bench.folder, "kept"), "--tools", join(bench.folder, "tools")];
  const environment = { API_KEY: KEY };
  const run = (cwd: string, ...words: readonly string[]): Promise<ToolRun> =>
    bench.here([...folders, ...words], { cwd, environment });
  const replay = (cwd: string, ...words: readonly string[]): Promise<ToolRun> =>
    bench.run([...folders, ...words], { cwd, environment });
  let sessions = 0;
  try {
    mkdirSync(join(bench.folder, "kept"));
    assert.is((await run(".", "pin", "every")).exitCode, 0);
    await body({
      bench,
      web,
      run,
      replay,
      record: async (row) => {
        const folder = `recorded-${++sessions}`;
        mkdirSync(join(bench.folder, folder));
        for (const [path, text] of Object.entries(row.files ?? {})) bench.write(join(folder, path), text);
        const before = conversationsIn(bench);
        turns.push(...row.turns.map((turn) => inFolder(turn, join(bench.folder, folder))));
        const ran = await run(folder, "agent", "--bundled", row.task);
        assert.equal([ran.exitCode, turns.length - asked], [0, 0]);
        return present(conversationsIn(bench).find((id) => !before.includes(id)));
      },
    });
  } finally {
    await model.close();
    await web.close();
  }
}

function conversationsIn({ folder }: TestProject): readonly string[] {
  try {
    return readdirSync(join(folder, CONVERSATIONS)).flatMap((name) => /^(.*)\.jsonl$/.exec(name)?.[1] ?? []);
  } catch {
    return [];
  }
}

/** A model writes absolute paths too. */
function inFolder(turn: Turn, folder: string): Turn {
  return JSON.parse(JSON.stringify(turn).replaceAll("FOLDER/", `${folder}/`)) as ReplyTurn;
}

test("conversations become tools that give the recorded results in a fresh folder, without a model", () =>
  scene(async ({ bench, web, record, run, replay }) => {
    const rows = sessionRows(web.origin);
    const wrong: string[] = [];
    for (const [index, row] of rows.entries()) {
      const id = await record(row);
      const name = `made_${index + 1}`;
      const kept = await run(".", "forge", "from", id, name, "--keep", "--yes");
      const text = kept.exitCode === 0 ? readFileSync(join(bench.folder, "kept", `${name}.tool`), "utf8") : "";
      const said = (what: string): void => void wrong.push(`${row.about}: ${what}\n${text}${kept.stderr}`);
      if (kept.exitCode !== 0) said("not kept");
      for (const part of row.has) if (!text.includes(part)) said(`no \`${part}\``);
      for (const part of row.hasNot ?? []) if (text.includes(part)) said(`\`${part}\``);
      const recorded = recordedResult(bench, id, row.result);
      if (recorded !== undefined) said(`the conversation has no result ${recorded}`);
      const fresh = `fresh-${index + 1}`;
      mkdirSync(join(bench.folder, fresh));
      for (const [file, text] of Object.entries(row.files ?? {})) bench.write(join(fresh, file), text);
      const again = await replay(fresh, "call", name, "--json", recordedArguments(text));
      if (again.exitCode !== 0 || again.stdout.replace(/\n$/, "") !== row.result)
        said(`gives ${JSON.stringify(again.stdout)} ${again.stderr}`);
    }
    assert.equal(wrong, []);
    const checked = await run(".", "check", "kept");
    assert.equal([checked.exitCode, checked.stdout], [0, `${rows.length} definitions checked: no problems\n`]);
    assert.is((await run(".", "fmt", "--check", "kept")).exitCode, 0);
  }));

/** Returns the arguments that the conversation had: the examples of the parameters. */
function recordedArguments(text: string): string {
  const examples = text.matchAll(/^@param (\S+) .*?\bexample=("(?:[^"\\]|\\.)*"|[\d.]+)/gm);
  return JSON.stringify(Object.fromEntries([...examples].map(([, name, value = ""]) => [name, JSON.parse(value)])));
}

/** Returns the result again if the conversation does not have it. */
function recordedResult({ folder }: TestProject, id: string, result: string): string | undefined {
  const entries = readFileSync(join(folder, CONVERSATIONS, `${id}.jsonl`), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { readonly kind: string; readonly text?: string });
  return entries.some(({ kind, text }) => kind === "result" && text === `${result}\n`) ? undefined : result;
}

const odd: readonly string[] = [
  "",
  " ",
  "\n",
  "a\n\n  b \n",
  "\t\ta\r\nb",
  '"quoted"',
  "'single' \\ \\n",
  "{x} {{y}} {cat.output} {WORKSPACE}",
  "$input.a $$ ${input.b} $HOME `id` $(id)",
  "@name evil\n@code\n    return 1",
  "fallback:\n  fallback: sh",
  "--help",
  "[1, 2",
  '{"a": "{b}"}',
  "null",
  "\u202e\u0007\u001b[2Jx",
  "x0value x0valuen0x x0valuen1x",
  "😀 \u00e9",
];

test("odd texts stay what they are, in steps, in parameters and in results", () =>
  scene(async ({ bench, record, run }) => {
    const write = (name: string, content: string): Turn => ({
      calls: [{ name: "write_file", arguments: { file_path: name, content } }],
    });
    const id = await record({
      task: "@name evil\n@code\n    return 1;\n\n@test x",
      turns: [
        ...odd.map((text, index) => write(`${index}.txt`, text)),
        { calls: [{ name: "run_command", arguments: { argv: ["printf", "%s|", ...odd.slice(0, 15)] } }] },
        done("Done."),
      ],
    });
    const kept = await run(".", "forge", "from", id, "odd", "--keep", "--yes");
    assert.is(kept.exitCode, 0);
    const path = join(bench.folder, "kept/odd.tool");
    assert.equal([(await run(".", "check", path)).exitCode, (await run(".", "fmt", "--check", path)).exitCode], [0, 0]);
    mkdirSync(join(bench.folder, "fresh"));
    const again = await run("fresh", "call", "odd", "--json", recordedArguments(readFileSync(path, "utf8")));
    assert.is(again.exitCode, 0);
    for (const index of odd.keys())
      assert.is(
        readFileSync(join(bench.folder, `fresh/${index}.txt`), "utf8"),
        readFileSync(join(bench.folder, `recorded-1/${index}.txt`), "utf8"),
      );
  }));

test("two hidden arguments of one call are two parameters", () =>
  scene(async ({ bench, record, run }) => {
    bench.write(
      "tools/login.tool",
      "Log in.\n\n@name login\n@shell sh\n@script\n    printf '%s' {password}{api_key} | wc -c\n@param password {string} [required, secret] The password\n@param api_key {string} [required, secret] The key\n",
    );
    const id = await record({
      task: "Log in",
      turns: [
        { calls: [{ name: "login", arguments: { password: "battery-1", api_key: "staple-22" } }] },
        done("Done."),
      ],
    });
    const { stdout, exitCode } = await run(".", "forge", "from", id, "log_in");
    assert.is(exitCode, 0);
    assert.match(stdout, "password = {password}");
    assert.match(stdout, "api_key = {api_key}");
    assert.not.match(stdout, /battery|staple/);
  }));

test("secrets are parameters, whether the conversation hides them or not, and nothing of them is written", () =>
  scene(async ({ bench, record, run }) => {
    const [hidden, shown] = ["correct-horse-battery", "ghp_0123456789abcdefghij"];
    bench.write(
      "tools/login.tool",
      "Log in.\n\n@title Log in\n@name login\n@shell sh\n@script\n    printf '%s' {password} | wc -c\n@param password {string} [required, secret] The password\n",
    );
    const id = await record({
      task: `Log in with ${hidden}, then show the header with ${shown}`,
      turns: [
        { calls: [{ name: "login", arguments: { password: hidden } }] },
        { calls: [{ name: "run_command", arguments: { command: `echo 'Authorization: Bearer ${shown}' | wc -c` } }] },
        { calls: [{ name: "write_file", arguments: { file_path: "t.txt", content: `token ${shown}\n` } }] },
        done("Done."),
      ],
    });
    const { stdout, stderr, exitCode } = await run(".", "forge", "from", id, "log_in");
    assert.is(exitCode, 0);
    for (const text of [hidden, shown]) assert.not.match(stdout + stderr, text);
    assert.match(stdout, "@param password {string} [required, secret]");
    assert.match(stdout, "password = {password}");
    assert.match(stdout, "Bearer {token}'");
    assert.match(stdout, 'content = "token {token}\\n"');
    const kept = await run(".", "forge", "from", id, "log_in", "--keep", "--yes");
    assert.is(kept.exitCode, 0);
    mkdirSync(join(bench.folder, "fresh"));
    const args = JSON.stringify({ password: "12345", token: "abcdefgh" });
    assert.is((await run("fresh", "call", "log_in", "--json", args)).exitCode, 0);
    assert.is(readFileSync(join(bench.folder, "fresh/t.txt"), "utf8"), "token abcdefgh\n");
  }));

test("what cannot be made is said with the reason, and nothing is written without a yes", () =>
  scene(async ({ bench, record, run }) => {
    const from = async (...words: readonly string[]): Promise<string> => {
      const { stdout, stderr, exitCode } = await run(".", "forge", "from", ...words);
      return `${exitCode} ${stdout}${stderr}`;
    };
    assert.match(
      await from("last"),
      "1 failed[forge]: this folder has no conversation\n  = SESSION is `last` or the id of a conversation that `dottool agent TASK` saved",
    );
    for (const [session, said] of [
      ["20200101-000000-abcd", "there is no conversation `20200101-000000-abcd`\n"],
      ["../x", "there is no conversation `../x`\n"],
      ["audit.jsonl", "there is no conversation `audit.jsonl`\n"],
    ] as const)
      assert.match(await from(session), `1 failed[forge]: ${said}  = SESSION is \`last\` or the id`);
    assert.match(await from(), "needs a SESSION");
    const nothing = await record({
      task: "Read a file",
      turns: [{ calls: [{ name: "read_file", arguments: { file_path: "no.txt" } }] }, done("There is none.")],
    });
    assert.match(
      await from(nothing),
      /^1 failed\[forge\]: no tool can be made from .*: no call of the conversation succeeded/,
    );
    const id = await record({
      task: "Count the words of a.txt",
      files: { "a.txt": "one two\n" },
      turns: [{ calls: [{ name: "run_command", arguments: { command: "wc -w < a.txt" } }] }, done("2")],
    });
    assert.match(await from("audit"), "the log of calls has no results");
    const silent = await record({ task: "Say hello", turns: [done("Hello.")] });
    assert.match(await from(silent), "no tool was called in the conversation, so there is nothing to do again");
    const [begin = ""] = readFileSync(join(bench.folder, CONVERSATIONS, `${silent}.jsonl`), "utf8").split("\n");
    const file = (letters: string, text: string): void =>
      bench.write(`${CONVERSATIONS}/20200101-000000-${letters}.jsonl`, text);
    file("aaaa", "");
    file("bbbb", `${begin}\n{broken\n`);
    file("cccc", `${begin}\n`);
    mkdirSync(join(bench.folder, CONVERSATIONS, "20200101-000000-dddd.jsonl"));
    for (const [letters, said] of [
      ["aaaa", "aaaa.jsonl` is empty"],
      ["bbbb", "bbbb.jsonl` has a line 2 that is not an entry of a conversation"],
      ["cccc", "no tool was called in the conversation"],
    ] as const) {
      const text = await from(`20200101-000000-${letters}`);
      assert.match(text, said);
      assert.match(text, "= SESSION is `last`");
    }
    assert.match(await from("20200101-000000-dddd"), "dddd.jsonl`: it is a directory");
    assert.match(await from(id, "1x"), "is not a tool name");
    assert.match(await from(id), "@name count_words");
    assert.match(await from(id, "words", "--keep"), /^1 new file kept\/words\.tool\n\+ Count[^]*add `--yes`/);
    assert.match(await from(id, "say", "--keep", "--yes"), "there is a tool `say` already");
    const inside = await bench.here(["forge", "from", id, "words", "--keep", "--yes"], {
      environment: { DOTTOOL_RUN_ID: "0".repeat(32) },
    });
    assert.is(inside.exitCode === 0, false);
    assert.equal(readdirSync(join(bench.folder, "kept")), []);
    assert.match((await run(".", "forge", "list", "--keep")).stderr, "`--keep` belongs to `forge from`");
  }));

test.run();
