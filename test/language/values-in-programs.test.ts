// A value within a program's own text is refused, and following the advice leads to a tool that takes any value as data.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { analyzeToolFile } from "../../src/core/language/analyze.ts";
import { parseToolFile } from "../../src/core/language/syntax/parse.ts";
import type { Parameter } from "../../src/core/schema/parameter.ts";
import { assert, suite } from "../harness.ts";
import { needPrograms } from "../programs-needed.ts";
import { runHere } from "../run-here.ts";
import { commandOf, parameter } from "./command-fixture.ts";

const test = suite("values in programs");

const free: Parameter = parameter("key", { type: "string" }, { required: true });
const optional: Parameter = parameter("o", { type: "string" });

function isRefused(template: string, shell: "none" | "sh"): boolean {
  return commandOf(template, shell, [free, optional]).diagnostics.some(({ code }) => code === "unsafe-placeholder");
}

const filters = [
  "jq -r '.{key}.value' f.json",
  "jq '{key}|.a' f.json",
  "jq -rf x --arg a b '{key}.a' f.json; jq '{key}.a'",
  "jq --indent 2 --arg a b '.{key}' f.json",
  "jq f/{key}.json",
  "jq '{key}{o}' f.json",
  "jq {o} '.{key}' f.json",
  "yq '.{key}.value' f.yaml",
  "yq -o json './{key}' f.yaml",
  "yq eval '.{key}.value' f.yaml",
  "yq -n --expression '.{key}'",
  "gojq '.{key}'",
  "fq .{key} f.bin",
  "gh api a --jq=.{key}",
  "xmllint --xpath /a/{key}/b f.xml",
  "xmlstarlet sel -t -m /a/{key} -v . f.xml",
];
const statements = [
  "sqlite3 -safe a.db \"insert into t values ('{key}')\"",
  "sqlite3 -safe -readonly a.db \"select '{key}'\"",
  "sqlite3 -safe a.db \".param set :x '{key}'\" 'select :x'",
  "sqlite3 -safe -cmd '.print {key}' a.db 'select 1'",
  "duckdb -safe a.db \"select '{key}'\"",
  "clickhouse local -q \"select '{key}'\"",
  "sqlite-utils query a.db \"select '{key}'\"",
  "redis-cli eval \"return '{key}'\" 0",
];

test("a list before the command of a wrapper is refused, since one of its items would be the program", () => {
  const list = parameter("x", { type: "array", items: { type: "string" } });
  const problems = (template: string): readonly string[] =>
    commandOf(template, "none", [list])
      .diagnostics.filter(({ severity }) => severity === "error")
      .map(({ code }) => code);
  for (const template of [
    "env -u {x} ls",
    "nice -n {x} ls",
    "sudo -u {x} ls",
    "timeout -s {x} 5 ls",
    "orb -u {x} ls",
    "multipass exec -d {x} vm ls",
    "xargs -n {x} ls",
    "docker exec {x} ls",
    "timeout {x} ls",
    "ssh {x} ls",
    "flock {x} ls",
    "kubectl exec {x} -- ls",
    "chroot {x} ls",
  ])
    assert.is(problems(template).length > 0, true, template);
  for (const template of ["grep -e {x} f", "cargo test -p {x}", "find . -name {x}", "docker exec c ls {x}"])
    assert.equal(problems(template), [], template);
});

test("a value within a filter or a statement is refused, with and without a shell", () => {
  const templates = [...filters.filter((one) => !one.includes(";")), ...statements];
  assert.equal(
    templates.filter((template) => !isRefused(template, "none")),
    [],
  );
  assert.equal(
    [...filters, ...statements].filter((template) => !isRefused(template, "sh")),
    [],
  );
  const through = [
    'v=.{key}; jq "$v" f',
    'v=.{key}; w="${v}"; yq "$w" f',
    'v={key}; v+=.x; jq "$v" f',
    "jq \"$(printf '.%s' {key})\" f",
  ];
  assert.equal(
    [...through, "printf -v v '.%s' {key}; jq \"$v\" f"].filter((script) => !isRefused(script, "sh")),
    [],
  );
  const whole = [
    'v={key}; jq "$v" f',
    'v={key}; w="$v"; jq "$w" f',
    'f="x-{key}.json"; jq .a "$f"',
    'jq "$(cat a.jq)" {key}',
  ];
  assert.equal(
    whole.filter((script) => isRefused(script, "sh")),
    [],
  );
  assert.equal(isRefused("printf \"select '%s'\" {key} | sqlite3 -safe a.db", "sh"), true);
});

test("a value beside a filter or a statement is accepted, and so is one that is the whole", () => {
  const templates = [
    ...["jq {key} f.json", "jq --arg k {key} '.[$k]' f.json", "jq -r .a f/{key}.json", "jq -nr '$ARGS' --args a{key}"],
    ...["jq --rawfile t f/{key} '.a' f.json", "jq -f x.jq f/{key}.json", "jq --indent 2 .a f/{key}.json"],
    ...["yq -o json . f/{key}.yaml", "yq eval .a f/{key}.yaml", "yq -I 4 .a f/{key}", "gh api a --jq={key}"],
    ...["sqlite3 -safe a.db {key}", "sqlite3 f/{key}.db 'select 1'", "sqlite-utils query a.db 'select :k' -p k a{key}"],
    ...["clickhouse local --param_k=a{key} -q 'select {k:String}'", "bq query --parameter=k::{key} 'select @k'"],
    ...["xmlstarlet ed -u /a -v a{key} f.xml", "redis-cli eval 'return ARGV[1]' 0 a{key}"],
    ...["mlr put -s k={key} '$a = @k' f.csv", "psql -v k={key} -f x.sql", "awk -v k={key} '{{print k}}' f"],
  ];
  assert.equal(
    templates.filter((template) => isRefused(template, "none")),
    [],
  );
});

/** What a value tries in a filter, a string of SQL, a line and a shell. */
const attacks = [
  "x | env",
  ".a, env",
  'a"] | $ENV | ["',
  "'); delete from t; --",
  "' || (select x from t) || '",
  "');\n.shell touch mark\n",
  "$(touch mark)",
  "plain words",
  "",
  'a\tb\nc "d" \u00e9 \u{1f600}',
  "a\u001eb\u001fc",
];

/** Returns what a tool with this text prints for each attack, in a folder that `prepare` fills. */
async function printedFor(text: string, prepare: (folder: string) => void): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "values-"));
  try {
    prepare(folder);
    writeFileSync(join(folder, "tried.tool"), `Tries it.\n\n@name tried\n${text}@param key {string} [required] Text\n`);
    const printed: string[] = [];
    for (const attack of attacks) {
      const { stdout, stderr } = await runHere(["--tools", folder, "tried", "--key", attack], folder);
      printed.push(`${stdout}${stderr}`);
    }
    assert.is(existsSync(join(folder, "mark")), false);
    return printed;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function adviceFor(template: string): string | undefined {
  return commandOf(template, "none", [free]).diagnostics[0]?.help[0];
}

test("`--arg`, as the advice has it, reads a key of any text", async () => {
  needPrograms("jq");
  assert.is(
    adviceFor("jq -r '.{key}.value' f.json"),
    "pass it beside the filter, which is in single quotes then: `--arg key {key} '… .[$key] …'`",
  );
  const made = Object.fromEntries(attacks.map((text, at) => [text, { value: `value ${at}` }]));
  const printed = await printedFor("@command jq -r --arg key {key} '.[$key].value' f.json\n@tags read\n", (folder) =>
    writeFileSync(join(folder, "f.json"), JSON.stringify(made)),
  );
  assert.equal(
    printed,
    attacks.map((_text, at) => `value ${at}\n`),
  );
});

test("a shell replaces `$name` outside of single quotes, so a value passed beside it is not read", () => {
  const problem = (template: string): readonly string[] => {
    const text = `Reads.\n\n@name tool\n@shell sh\n@command ${template}\n@param key {string} [required] K\n`;
    const { diagnostics } = analyzeToolFile(parseToolFile({ path: "tool.tool", text }));
    return diagnostics.flatMap(({ severity, message, fix }) => (severity === "error" && !fix ? [message] : []));
  };
  const message = "`$key` is a variable of the shell that nothing sets: a value is written `{key}`";
  assert.equal(problem('jq -r --arg key {key} ".[$key].value" f.json | sort'), [message]);
  assert.equal(problem("jq -r --arg key {key} .[$key] f.json"), [message]);
  for (const right of [
    "jq -r --arg key {key} '.[$key].value' f.json | sort",
    'key={key}; jq -r --arg key {key} ".a" "$key"',
    'jq -r --arg key {key} ".[\\$key].value" f.json',
  ])
    assert.equal(problem(right), []);
});

test("an inserted value, as the advice of sqlite3 has it, is stored as it is and changes nothing else", async () => {
  const [sqlite = ""] = needPrograms("sqlite3");
  assert.is(
    adviceFor("sqlite3 a.db \"insert into t values ('{key}')\""),
    'send the value through `@stdin` and read it as a value: `sqlite3 FILE "create temp table v(x)" ".mode ascii" \'.separator "\\375" "\\376"\' ".import |cat v" ".mode list" "… coalesce((select x from v), \'\') …"`',
  );
  const parts = [
    '"create temp table v(x)"',
    '".mode ascii"',
    `'.separator "\\375" "\\376"'`,
    '".import |cat v"',
    '".mode list"',
    "\"insert into t values (coalesce((select x from v), ''))\"",
  ];
  const command = `sqlite3 a.db ${parts.join(" ")} "select json_group_array(x) from t"`;
  const printed = await printedFor(`@command ${command}\n@stdin {key}\n@tags write\n`, (folder) => {
    spawnSync(sqlite, [join(folder, "a.db"), "create table t(x)"]);
  });
  assert.equal(
    printed,
    attacks.map((_text, at) => `${JSON.stringify(attacks.slice(0, at + 1))}\n`),
  );
});

test.run();
