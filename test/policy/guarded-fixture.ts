// Tools of every kind in a folder beside a home folder with keys, and the files about which a model's calls are asked.
import { symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { guardedFiles } from "../../src/core/policy/guarded-files.ts";
import { prepareCall } from "../../src/core/run/prepare.ts";
import type { JsonObject } from "../../src/core/schema/json.ts";
import { assert } from "../harness.ts";
import { type PolicyFixture, withPolicy } from "./policy-fixture.ts";
import { wordList } from "../lines.ts";

const command = (line: string, parameter: string, more = ""): string =>
  `@wrapped run_command\n@command ${line}\n${more}@param ${parameter}`;
const free = "args {array<string>} [required, flags, reject=/^--col/] Words";

const tools = {
  show: command("cat -- {file}", "file {path} [required] The file", "@tags read\n"),
  words: command("prog {args}", "args {array<string>} [required, flags] Words"),
  copy: command("cp a {to}", "to {string} [required] Where to"),
  lines: command("grep {args}", free, "@tags read\n"),
  names: command("ls {args}", free, "@tags read\n"),
  draw: command("tree -- {path}", 'path {path} [default="."] The folder', "@tags read\n"),
  scripted: command("cat {file} | wc -l", "file {string} [required] The file", "@shell sh\n"),
  process: command("cat /proc/{id}/environ", "id {integer} [required] Which", "@tags read\n"),
  authors: command(
    "grep {what} /home/somebody/.aws/config /proc/self/environ",
    "what {string} [required] What",
    "@tags read\n",
  ),
  choice: command("cat {which}", 'which {"/etc/shadow"|"/etc/hosts"} [required] Which', "@tags read\n"),
  message: command("git commit -F -", "text {string} [required] What", "@stdin {text}\n"),
  note: "@wrapped write_file\n@with file_path = {to}\n@with content = text\n@param to {path} [required] Where to",
  again: "@wrapped note\n@with to = {where}\n@param where {path} [required] Where to",
  made: "@param to {path} [required] Where to\n@step one uses write_file\n    file_path = {to}\n    content = text",
  looks: "@param file {string} [required] The file\n@step one runs\n    cat {file}",
};

const plugin = `import { anyObject, array, definePlugin, defineTool, string } from "dottool";
const takes = defineTool({
  name: "takes_file", description: "Takes a file.", run: () => "done",
  parameters: { file: string("The file", { required: true }), text: string("What"), more: array(anyObject("More"), "More") },
});
export default definePlugin({ name: "takes", tools: [takes] });
`;

const files = wordList(`
  ../home/.ssh/id_ed25519 ../home/.config/nvim/init.lua ../home/papers/a.txt ../state/dottool/trust.json
  ../config/dottool/config.yaml a src/app.ts .git/config
  app/.env app/.env.example app/server.key app/node_modules/tls/test.key
`);
const links = { keys: "../home/.ssh", linked: ".git", "notes.txt": ".git/config", "new.txt": ".git/hooks/pre-commit" };

export interface GuardedFixture {
  /** The folder that holds all. */
  readonly root: string;
  /** Returns the reasons, by the names of the rules that ask. */
  reasons(tool: string, args: JsonObject): Promise<readonly (readonly [rule: string, reason: string])[]>;
}

export async function withGuarded(body: (bench: GuardedFixture) => Promise<void>): Promise<void> {
  const { HOME: home, PATH: path = "" } = process.env;
  try {
    await withPolicy(tools, async (bench) => {
      const root = dirname(bench.folder);
      Object.assign(process.env, { HOME: join(root, "home"), PATH: `${join(root, "bin")}:${path}` });
      for (const file of files) bench.write(file, "");
      for (const [link, target] of Object.entries(links)) symlinkSync(target, join(bench.folder, link));
      bench.write("tools/plugins/takes.ts", plugin);
      await body({ root, reasons: await reasonsOf(bench) });
    });
  } finally {
    process.env["PATH"] = path;
    if (home === undefined) delete process.env["HOME"];
    else process.env["HOME"] = home;
  }
}

async function reasonsOf(bench: PolicyFixture): Promise<GuardedFixture["reasons"]> {
  const { session } = await bench.open("agent");
  const { host, cwd, guard } = session;
  return async (tool, args) => {
    const step = await prepareCall({ id: "1", tool, arguments: args }, session);
    if ("failure" in step) throw new Error(JSON.stringify(step.failure));
    const { rules } = guardedFiles(step.prepared, { host, cwd, toolFolders: guard?.toolFolders() ?? [] });
    return rules.map(({ name, reason }) => [name, reason]);
  };
}

/** `asked` is `keys: ~/.netrc` for each file. `<root>` stands for the folder that holds all. */
export type GuardedRow = readonly [tool: string, args: JsonObject, asked?: string];

/** `asked` is for rows without their own. */
export async function requireRows(rows: readonly GuardedRow[], asked: string): Promise<void> {
  await withGuarded(async ({ root, reasons }) => {
    const wrong: string[] = [];
    for (const [tool, args, own = asked] of rows) {
      const given = JSON.parse(JSON.stringify(args).replaceAll("<root>", root)) as JsonObject;
      const told = (await reasons(tool, given)).map(
        ([rule, reason]) => `${rule}: ${/`([^`]*)`/.exec(reason)?.[1] ?? ""}`,
      );
      const seen = told.join("; ").replaceAll(root, "<root>");
      if (seen !== own) wrong.push(`${tool} ${JSON.stringify(args)}\n  seen: ${seen}\n  must: ${own}`);
    }
    assert.equal(wrong, []);
  });
}
