import { isShellSafe } from "../../src/core/shell/shell-safe.ts";
import { assert, suite } from "../harness.ts";
import { commandOf, parameter } from "./command-fixture.ts";

const test = suite("isShellSafe");

/** Returns which of the patterns are accepted in the command for its `{p}`. */
function acceptedIn(template: string): readonly string[] {
  return ["[\\w .-]+", "[\\w.:/@-]+", "[\\w.:/@]+", "[\\w.-]+", "[\\w.]+"].filter((source) => {
    const schema = { type: "string", pattern: { source, flags: "" } } as const;
    const { diagnostics } = commandOf(template, "none", [parameter("p", schema, { required: true })]);
    return diagnostics.every(({ severity }) => severity !== "error");
  });
}

test("each place takes the patterns in which a value is data there", () => {
  const places = [
    "sed s/a/{p}/g f",
    "sed s-a-{p}-g f",
    "sed 's a {p} ' f",
    "sed s/a/b/{p} f",
    "sed s/.*/{p}/e f",
    "sed s/a/{p}/w f",
    "sed 's/a/{p}/ew f' f",
    "sed 's/a/{p}/;1e' f",
    "sed -e s/a/{p}/ -e '$e' f",
    "sed -f s -e s/a/{p}/ f",
    "sed 'w f;s/a/{p}/' f",
    "sed 's/[/]/b/;s/{p}/x/' f",
    "sed -ne '/^[^{p}]$/,$!{s|a|{p}|gp;d}' f",
    "ssh host cat {p}",
    "ssh host {p}",
    "ssh host \"sed 's/a/{p}/' f\"",
    "adb shell pm clear {p}",
    "duckdb -c \"copy t to '{p}'\"",
    "psql -c \"copy t to program '{p}'\"",
    'psql -c "select {p} from t"',
    "perl -e 'print \"{p}\"'",
  ];
  const [words, paths] = [
    ["[\\w.-]+", "[\\w.]+"],
    ["[\\w.:/@-]+", "[\\w.:/@]+"],
  ];
  assert.equal(Object.fromEntries(places.map((place) => [place, acceptedIn(place)])), {
    "sed s/a/{p}/g f": ["[\\w .-]+", ...words],
    "sed s-a-{p}-g f": [],
    "sed 's a {p} ' f": [],
    "sed s/a/b/{p} f": [],
    "sed s/.*/{p}/e f": [],
    "sed s/a/{p}/w f": [],
    "sed 's/a/{p}/ew f' f": [],
    "sed 's/a/{p}/;1e' f": [],
    "sed -e s/a/{p}/ -e '$e' f": [],
    "sed -f s -e s/a/{p}/ f": [],
    "sed 'w f;s/a/{p}/' f": [],
    "sed 's/[/]/b/;s/{p}/x/' f": [],
    "sed -ne '/^[^{p}]$/,$!{s|a|{p}|gp;d}' f": ["[\\w .-]+", ...words],
    "ssh host cat {p}": [...paths, ...words],
    "ssh host {p}": [],
    "ssh host \"sed 's/a/{p}/' f\"": words,
    "adb shell pm clear {p}": [...paths, ...words],
    "duckdb -c \"copy t to '{p}'\"": [...paths, ...words],
    "psql -c \"copy t to program '{p}'\"": [],
    'psql -c "select {p} from t"': ["[\\w.]+"],
    "perl -e 'print \"{p}\"'": [],
  });
});

test("a string of SQL takes paths where it is compared, stored or copied, and no word where it names anything else", () => {
  const accepted = [
    "select * from t where a = '{p}' and lower(b) like '%{p}%'",
    "insert into t (a, b) values ('{p}', now())",
    "update t set a = '{p}'",
    "copy t from '{p}' (format csv)",
    "begin; delete from t where a in ('x', '{p}'); commit",
  ];
  const refused = [
    "COPY t FROM PROGRAM/**/'{p}'",
    "CREATE FUNCTION f() RETURNS int AS '{p}', 'g' LANGUAGE c",
    "ALTER ROLE x SET session_preload_libraries = '{p}'",
    "ALTER ROLE x SET session_preload_libraries = {p}",
    "select dblink('{p}')",
    "select dblink(a) from (select '{p}' a)",
    "CREATE SUBSCRIPTION s CONNECTION '{p}' PUBLICATION p",
    "select sys_exec('{p}')",
    "xp_cmdshell '{p}'",
    "select 1 xp_cmdshell '{p}'",
    "CREATE FUNCTION f RETURNS STRING SONAME '{p}'",
    "select 1; ALTER SYSTEM SET archive_library = '{p}'",
    "select 1 into outfile '{p}'",
  ];
  const paths = ["[\\w.:/@-]+", "[\\w.:/@]+", "[\\w.-]+", "[\\w.]+"];
  for (const program of ["psql -c", "mysql -e", "trino -e"])
    assert.equal(
      [...accepted, ...refused].map((statement) => [statement, acceptedIn(`${program} "${statement}"`)]),
      [...accepted.map((one) => [one, paths]), ...refused.map((one) => [one, []])],
    );
});

test("a command takes a text with a dash only behind an option that takes any word", () => {
  const guarded = [
    "git commit -m {p}",
    "git commit -m {l}",
    "git commit -a {p}",
    "git log --author {p}",
    "git merge -m {p} b",
    "git commit --cleanup -m {p}",
    "git commit --pathspec-from-file -m {p}",
    "git commit --unknown -m {p}",
  ].map((template) =>
    JSON.stringify(
      commandOf(template, "none", [
        parameter("p", { type: "string" }, { required: true }),
        parameter("l", { type: "array", items: { type: "string" } }, { required: true }),
      ]).value,
    ).includes('"reader"'),
  );
  assert.equal(guarded, [false, true, true, true, false, true, true, true]);
});

test("a pattern without case also matches other letters, so it is not shell-safe", () => {
  const safe = [/[a-z]+/, /[a-z]+/i, /.+/, /a;b/].map((pattern) =>
    isShellSafe({ type: "string", pattern: { source: pattern.source, flags: pattern.flags } }),
  );
  assert.equal(safe, [true, false, false, false]);
});

test("a pattern matches whole values, so its ends need not be written and may be", () => {
  const safe = [/^[A-Z]\w*$/, /^(?:a|b)$/, /^a|b$/, /^\^$/, /\$/, /^.+$/, /^a$b/].map(({ source, flags }) =>
    isShellSafe({ type: "string", pattern: { source, flags } }),
  );
  assert.equal(safe, [true, true, true, false, false, false, false]);
});

test.run();
