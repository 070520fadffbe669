// Attacks on the reading tools in the executable, by a value or an environment variable: each is tried with a canary.
// The git tools have wrapped-git-tools.test.ts.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { callTool } from "../src/core/run/call-tool.ts";
import { failureText } from "../src/core/run/failure-text.ts";
import type { Json } from "../src/core/schema/json.ts";
import { outputTextOf, type ToolResult } from "../src/core/tool/call.ts";
import { type CheckFixture, withCheckFixture } from "./check/check-fixture.ts";
import { assert, suite } from "./harness.ts";
import { changedPaths, folderContents } from "./hostile/folder-contents.ts";
import { git } from "./hostile/git-traps.ts";
import { wordList } from "./lines.ts";

const test = suite("wrapped-tools-attacks");
const signal = new AbortController().signal;

function call({ session }: CheckFixture, tool: string, args: Json): Promise<ToolResult> {
  return callTool({ id: "attack", tool, arguments: args }, session, signal);
}

function said(result: ToolResult, tool: string): string {
  if (result.status === "failed") return failureText(result.failure, { audience: "person", tool });
  return result.process ? outputTextOf(result.process, "stdout") : "";
}

async function withDatabase(body: (bench: CheckFixture) => Promise<void>): Promise<void> {
  await withCheckFixture({}, async (bench) => {
    execFileSync("sqlite3", [join(bench.folder, "a.db"), "create table t(x); insert into t values ('a;b')"]);
    await body(bench);
  });
}

const wholeArchive = "insert into temp.z(name, data) values ('a', 'b')";
const writing = [
  `create virtual table temp.z using zipfile('stolen.zip'); ${wholeArchive}`,
  `select 1; create virtual table temp.z using "ZipFile"('stolen.zip'); ${wholeArchive};`,
  `with a as (select 1) select * from a; create virtual table temp.z using [zipfile]('stolen.zip'); ${wholeArchive}`,
  `explain select 1;;create virtual table temp.z using zipfile('stolen.zip');${wholeArchive}`,
  `pragma table_info(t);\n-- '\ncreate virtual table temp.z using zipfile('stolen.zip'); ${wholeArchive}; -- '`,
  `/* select */ create virtual table temp.z using zipfile('stolen.zip'); ${wholeArchive}`,
  "with a as (select 1) insert into zipfile(name, data, z) select 'a', 'b', 'stolen.zip' from a",
  "with a as (select 1) insert into t select * from a",
  "update t set x = 1",
  "drop table t",
  "create temp table z as select 1",
  "vacuum into 'stolen.db'",
  "attach 'stolen.db' as z",
  "attach 'stolen.db' as z; create table z.a(b)",
  "pragma journal_mode = wal",
  "pragma user_version = 7",
  "pragma lock_proxy_file = 'stolen'",
  "pragma optimize",
  "pragma wal_checkpoint",
  ".shell touch stolen",
  " .shell touch stolen",
  "\n.shell touch stolen",
  "select 1;\n.shell touch stolen",
  "select 1\n.shell touch stolen",
  "select writefile('stolen', 'x')",
  "select edit('x', 'touch stolen')",
  "select load_extension('./stolen')",
  "select zipfile('a', 'b')",
];

test("no query makes sqlite_query write, or run anything", async () => {
  await withDatabase(async (bench) => {
    const before = folderContents(bench.folder);
    for (const query of writing) {
      const result = await call(bench, "sqlite_query", { file: "a.db", query });
      assert.equal([query, changedPaths(before, folderContents(bench.folder))], [query, []]);
      assert.is(result.status, "failed", query);
    }
  });
});

const answers = {
  "select x from t;": "x\na;b\n",
  "SELECT replace(x, char(59), '-') AS x FROM t\n": "x\na-b\n",
  " with a as (select 2 as b)\nselect b from a": "b\n2\n",
  "values (1)": "column1\n1\n",
  "pragma table_info(t)": 'cid,name,type,notnull,dflt_value,pk\n0,x,"",0,,0\n',
  "PRAGMA main.table_xinfo('t');": 'cid,name,type,notnull,dflt_value,pk,hidden\n0,x,"",0,,0,0\n',
  "pragma index_list(t)": "",
  "select name from sqlite_schema": "name\nt\n",
  "select count(*) from t where x like 'a%' -- all": "count(*)\n1\n",
};

test("sqlite_query takes a statement that reads", async () => {
  await withDatabase(async (bench) => {
    for (const [query, answer] of Object.entries(answers)) {
      const result = await call(bench, "sqlite_query", { file: "a.db", query });
      assert.equal([query, said(result, "sqlite_query")], [query, answer]);
    }
  });
});

test("sqlite_query says what a query is", async () => {
  const kinds = "one statement that begins with select, with, values or explain, or pragma table_info and the like";
  await withDatabase(async (bench) => {
    for (const query of ["select 1; select 2", "delete from t", "pragma user_version = 7", "select ';'", ""]) {
      const result = await call(bench, "sqlite_query", { file: "a.db", query });
      assert.match(said(result, "sqlite_query"), `${kinds}; write \`;\` in a string as char(59)`);
    }
  });
});

test("sqlite_query takes a path for the database, and no address with settings of its own", async () => {
  await withDatabase(async (bench) => {
    const query = async (file: string): Promise<string> => {
      return said(await call(bench, "sqlite_query", { file, query: "select x from t" }), "sqlite_query");
    };
    for (const address of ["file:a.db?vfs=unix-dotfile", "file:new.db?mode=rwc", "file:a.db"]) {
      assert.match(await query(address), "; a path; a file whose name begins with `file:` is written ./file:NAME");
    }
    assert.is(await query("./a.db"), "x\na;b\n");
  });
});

/** Each is a variable in which a program looks for options, or for another program to run. */
function hostileVariables(program: string, settings: string): Readonly<Record<string, string>> {
  const programs = wordList("GIT_EXTERNAL_DIFF GIT_PAGER GIT_SSH_COMMAND GIT_ASKPASS GIT_EDITOR PAGER EDITOR BASH_ENV");
  return {
    ...Object.fromEntries(programs.map((name) => [name, program])),
    GIT_CONFIG_COUNT: "1",
    GIT_CONFIG_KEY_0: "core.fsmonitor",
    GIT_CONFIG_VALUE_0: program,
    RIPGREP_CONFIG_PATH: settings,
    TAR_OPTIONS: `--checkpoint=1 --checkpoint-action=exec=${program}`,
    GREP_OPTIONS: "-r",
    UNZIP: "-o",
    MAGIC: settings,
    LESSOPEN: `|${program} %s`,
    PERL5OPT: "-Mcanary",
  };
}

async function withVariables(variables: Readonly<Record<string, string>>, body: () => Promise<void>): Promise<void> {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, variables);
  try {
    await body();
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}

const ordinaryCalls: readonly (readonly [tool: string, args: Json])[] = [
  ["checksum", { files: ["a.txt"] }],
  ["file_type", { files: ["a.txt"] }],
  ["git_branches", {}],
  ["git_compare", { from: "HEAD~1" }],
  ["git_log", {}],
  ["git_show", {}],
  ["glob", { arguments: ["."] }],
  ["grep", { arguments: ["one", "a.txt"] }],
  ["jq", { filter: ".", file: "a.json" }],
  ["ripgrep", { pattern: "one" }],
  ["sort_lines", { files: ["a.txt"] }],
  ["tar_list", { archive: "a.tar" }],
];

const loading: readonly string[] = [
  'import "\\u0064ata" as $d {search: "\\u002e/"}; $d',
  ' \n# a\n#\n import#b\n"data" as $d {search: "./"}; $d',
  'module {}; import "data" as $d {search: "./"}; $d',
  '# \\\nimport "data" as $d {search: "./"}; $d',
  '# \rimport "data" as $d {search: "./"}; $d',
  'include "data" {search: "./"}; .',
  '"data" | modulemeta',
];

test("no filter makes jq read another file", async () => {
  await withCheckFixture(
    { files: { "data.json": '"canary"', "data.jq": "1", "a.json": '{"import": 7}' } },
    async (bench) => {
      const { folder } = bench;
      const [first = ""] = loading;
      assert.match(execFileSync("jq", [first, "a.json"], { cwd: folder, encoding: "utf8" }), "canary");
      for (const filter of loading) {
        const result = await call(bench, "jq", { filter, file: "a.json" });
        assert.match(said(result, "jq"), "so `jq` would read a file");
      }
      for (const filter of [".import", "# a\n.import", '{"include": .import} | .include', '"import" as $m | 7'])
        assert.is(said(await call(bench, "jq", { filter, file: "a.json" }), "jq"), "7\n", filter);
    },
  );
});

test("a secret of the environment is in no filter of jq", async () => {
  await withCheckFixture({ files: { "a.json": "{}" } }, async (bench) => {
    await withVariables({ SOME_TOKEN: "canary" }, async () => {
      for (const filter of ["env", "$ENV"])
        assert.equal(said(await call(bench, "jq", { filter, file: "a.json" }), "jq").includes("canary"), false);
    });
  });
});

test("no variable of the environment makes a reading tool run anything, or write", async () => {
  await withCheckFixture({ files: { "a.txt": "one\n", "a.json": "{}\n" } }, async (bench) => {
    const { folder } = bench;
    const beside = (name: string): string => join(folder, "..", name);
    const program = beside("program");
    const settings = beside("settings");
    const canary = beside("canary");
    writeFileSync(program, `#!/bin/sh\ntouch '${canary}'\ncat\n`, { mode: 0o755 });
    writeFileSync(settings, `--pre=${program}\n`);
    git(folder, "init", "--quiet");
    for (const message of ["first", "second"]) git(folder, "commit", "--quiet", "--allow-empty", "-m", message);
    execFileSync("tar", ["-C", folder, "-cf", join(folder, "a.tar"), "a.txt"]);
    await withVariables(hostileVariables(program, settings), async () => {
      // The attack is real: programs that get the variables run what these name. Their version decides which ones do.
      const attempts = ["rg one .", "tar -tf a.tar", "git status"].map((line) => {
        const [name = "", ...words] = line.split(" ");
        const { status, stdout, stderr, error } = spawnSync(name, words, {
          cwd: folder,
          encoding: "utf8",
          input: "",
          env: process.env,
        });
        const isReal = existsSync(canary);
        rmSync(canary, { force: true });
        return { line, isReal, status, stdout, stderr, error: error?.message };
      });
      assert.ok(attempts.filter(({ isReal }) => isReal).length >= 2, JSON.stringify(attempts));
      const before = folderContents(folder);
      for (const [tool, args] of ordinaryCalls) {
        const { status } = await call(bench, tool, args);
        assert.equal([tool, status, existsSync(canary)], [tool, "ok", false]);
      }
      assert.equal(changedPaths(before, folderContents(folder)), []);
    });
  });
});

test.run();
