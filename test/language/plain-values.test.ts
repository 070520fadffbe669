// Values that the author chooses are checked as if they were written out, and a pattern of plain words makes a value
// harmless where such a word can only be data.
import type { Parameter } from "../../src/core/schema/parameter.ts";
import type { Shell } from "../../src/core/tool/command.ts";
import { commandWrap } from "../../src/core/base/bind-command.ts";
import { assert, suite } from "../harness.ts";
import { commandOf, parameter } from "./command-fixture.ts";

const test = suite("plain values");
const plain = (source: string): Parameter =>
  parameter("x", { type: "string", pattern: { source, flags: "" } }, { required: true });
const choices = (...texts: readonly string[]): Parameter =>
  parameter("x", { type: "string", choices: texts }, { required: true });

type Template = readonly [shell: Shell | "none", template: string];
const none = (...templates: readonly string[]): readonly Template[] => templates.map((one) => ["none", one]);
const bash = (...templates: readonly string[]): readonly Template[] => templates.map((one) => ["bash", one]);

const problems = ([shell, template]: Template, declared: Parameter): readonly string[] =>
  commandOf(template, shell, [declared]).diagnostics.map(({ code }) => `${template}: ${code}`);

test("a parameter with choices is accepted wherever each choice could be written", () => {
  const templates = [
    ...none("{x} --version", "sudo {x}", "timeout 5 {x} a", "docker exec box {x}", "ssh host {x}", "npx {x}"),
    ...none("sh -c 'echo a | {x}'", "bash -c {x}", "sed -n {x}p f", "node -e 'console.{x}(1)'", "git -c {x} log"),
    ...bash("eval {x}", "cmd={x}; $cmd a", "trap {x} EXIT", "[[ {x} -eq 1 ]]", "echo $(( {x} + 1 ))", "{x} a | {x} b"),
  ];
  assert.equal(
    templates.flatMap((template) => problems(template, choices("sort", "cat"))),
    [],
  );
});

test("a choice is refused where its text would be, and beside a value that is dangerous with one of the choices", () => {
  const shellOf: Parameter = parameter("x", { type: "string", choices: ["cat", "sh -c"] }, { required: true });
  assert.equal(problems(["bash", "echo `echo {x}`"], shellOf), ["echo `echo {x}`: unsafe-placeholder"]);
  const free = parameter("p", { type: "string" }, { required: true });
  const found = (...texts: readonly string[]): readonly string[] =>
    commandOf("{x} -c {p}", "none", [choices(...texts), free]).diagnostics.map(({ code }) => code);
  assert.equal([found("wc", "head"), found("wc", "sh")], [[], ["unsafe-placeholder"]]);
});

test("a plain word is accepted in a shell's arguments, in a statement, and as digits anywhere", () => {
  const words = [
    ...none("ssh -- host systemctl restart {x}", "ssh host sudo systemctl restart {x}", "sh -c 'cd {x} && ls'"),
    ...none("node -p {x}", "node -e 'console.log(\"{x}\")'", "python3 -c 'print(\"{x}\")'"),
    ...none("psql -c 'select * from {x}'", "sqlite3 f.db 'select * from {x}'", "mongosh --eval 'db.{x}.find()'"),
    ...none("make {x}", "sed s/a/{x}/ f"),
  ];
  assert.equal(
    words.flatMap((template) => problems(template, plain("[a-z0-9_]+"))),
    [],
  );
  const numbers = [...none("sed -n {x}p f", "psql -c 'select {x}'"), ...bash("echo $(( {x} + 1 ))", "[[ {x} -eq 1 ]]")];
  assert.equal(
    numbers.flatMap((template) => problems(template, plain("\\d+"))),
    [],
  );
});

test("a plain word is refused where it names a program, a module or an option", () => {
  const refused = [
    ...none(
      "{x} --version",
      "ssh host {x}",
      "ssh host sudo {x}",
      "sh -c 'cd / && {x}'",
      "sh -c '$({x})'",
      "bash -c {x}",
    ),
    ...none("sed -n {x}p f", "python3 -m {x}", "node -r ./{x} a.js", "node -e 'require(\"{x}\")'", "ruby -r{x} -e 1"),
    ...none("python3 -c 'import {x}'", "perl -e 'use {x};'", "sqlite3 f.db '.{x} a'", "docker exec box {x}", "npx {x}"),
    ...bash("eval {x}", "trap {x} EXIT"),
  ];
  assert.equal(
    refused.filter((template) => problems(template, plain("[a-z0-9_]+")).length === 0),
    [],
  );
});

test("a plain word is refused among qualifiers of a pattern where zsh reads, or may read, the script", () => {
  const templates = [
    ...none('zsh -c "ls *({x})"', 'sudo zsh -c "ls *({x})"', "ssh host 'ls *({x})'", "sh -c \"zsh -c 'ls *({x})'\""),
    ...bash('zsh -c "ls *({x})"'),
  ];
  assert.equal(
    templates.filter((template) =>
      ["[\\w.\\/:@]+", "[\\w.]+"].some((one) => problems(template, plain(one)).length === 0),
    ),
    [],
  );
  assert.equal(problems(["none", 'zsh -c "ls {x}"'], plain("[\\w.]+")), []);
});

test("a word that may begin with a dash is accepted in a shell's arguments, and refused in a call that does", () => {
  const word = plain("[a-z-]+");
  const found = ([shell, template]: Template): readonly string[] => {
    const { value: command, diagnostics } = commandOf(template, shell, [word]);
    if (!command) return diagnostics.map(({ code }) => code);
    return ["-a", "a-b"].map((x) => {
      const surroundings = { environment: [], inheritsEnvironment: false };
      const issues = commandWrap.check({ command, parameters: [word], surroundings }, { x });
      return issues.length > 0 ? "refused" : "accepted";
    });
  };
  const templates = [
    ...none("ssh host 'systemctl restart {x}'", 'ssh host "ls "{x}""', "sh -c 'tar xf {x}'", "sh -c 'ls $y{x}'"),
    ...bash("ssh host 'systemctl restart {x}'", "sh -c 'ls {x} && ls'", 'docker exec web sh -c "ls {x}"'),
  ];
  assert.equal(
    templates.map(found),
    templates.map(() => ["refused", "accepted"]),
  );
  const within = [...none("ssh host 'tail /var/log/{x}'"), ...bash("ssh host 'ls --name={x}'")];
  assert.equal(
    within.map(found),
    within.map(() => ["accepted", "accepted"]),
  );
});

test("a value within a filter is refused with the way to pass it, and the whole filter may be the caller's", () => {
  const text = parameter("x", { type: "string" }, { required: true });
  const refused = [
    ...none(
      "jq '.a == \"{x}\"' f.json",
      "jq '.{x}' f.json",
      "yq '.name = \"{x}\"' f.yaml",
      "gh api a --jq '.[] | .{x}'",
    ),
    ...none("xmllint --xpath '//a[text()=\"{x}\"]' f.xml", "jaq -r '.[\"{x}\"]'"),
    ...bash('n={x}; jq ".[\\"$n\\"]" f.json'),
  ];
  assert.equal(
    refused.map((template) => problems(template, text)),
    refused.map(([, template]) => [`${template}: unsafe-placeholder`]),
  );
  const accepted = [
    ...none("jq {x} f.json", "jq --arg n {x} '.a == $n' f.json", "jq -r .a -- {x}", "jq . data/{x}.json", "jq . ./{x}"),
    ...none("gh api a --jq {x}", "gh pr create -t {x}", "yq . {x}"),
  ];
  const flagged: Parameter = parameter("o", { type: "boolean" }, { flag: "--raw-output" });
  assert.equal(commandOf("jq {o} {x} ./a.json", "none", [flagged, text]).diagnostics, []);
  const options = (template: Template): readonly string[] =>
    problems(template, text).filter((problem) => problem.includes("unsafe-placeholder"));
  assert.equal(accepted.flatMap(options), []);
  assert.equal(problems(["none", "jq '.{x}' f.json"], plain("[a-z]+")), []);
});

test("a plain word is refused where a statement calls it or a shell reads it again", () => {
  const refused = [
    ...none("perl -ne 'print {x}' f", "perl -pe 's/(.*)/a/{x}' f", "perl -e '{x} \"id\"'", "perl -e '`{x}`'"),
    ...none("python3 -c '{x}(input())'", "python3 -c '__import__(\"{x}\")'", "python3 -c 'print(*map({x}, [1]))'"),
    ...none("node -e '{x}(\"id\")'", 'node -e \'this["{x}"]("id")\'', "ruby -e 'IO.popen(\"{x}\")'", "php -r '`{x}`;'"),
    ...none("sqlite3 f.db '{x} mark'", "sqlite3 f.db 'select {x}(1, 2)'", "sqlite3 f.db \"select edit('a', '{x}')\""),
    ...none("psql -c 'create extension {x}'", "julia -e 'using {x}'", "gnuplot -e 'plot \"<{x}\"'"),
    ...none("sh -c 'cat <<EOF\n{x}\nid\nEOF\n'", "sh -c 'cat <<{x}\nid\nEOF\n'", "sh -c '${x} a'", "sh -c 'eval ${x}'"),
    ...none("fish -c 'true; and {x}'", "zsh -c 'ls; - {x}'", "zsh -c 'if [[ a ]] {x}'"),
  ];
  assert.equal(
    refused.filter((template) => problems(template, plain("[\\w.]+")).length === 0),
    [],
  );
});

test("more combinations of choices than can be tried are checked as values, at once", () => {
  const many = (name: string, last: string): Parameter => {
    const texts = Array.from({ length: 1_000 }, (_none, index) => `${name}${index}`);
    return parameter(name, { type: "string", choices: [...texts, last] }, { required: true });
  };
  const free = parameter("p", { type: "string" }, { required: true });
  const found = (template: string): readonly string[] =>
    commandOf(template, "none", [many("x", "sh"), many("y", "-c"), free]).diagnostics.map(({ code }) => code);
  assert.equal([found("{x} {y} {p}"), found("echo {x} {y} {p}")], [["unsafe-placeholder", "parameter-as-program"], []]);
});

test("a long script of sed is read at once, also one that is not harmless", () => {
  const scripts = ["b x; ", "1,2!p; ", "s/[a]/b/; "].map((one) => `${one.repeat(200)}s/a/{x}/; e`);
  assert.equal(
    scripts.map((script) => problems(["none", `sed '${script}' f`], plain("[a-z]+")).length),
    scripts.map(() => 1),
  );
});

test.run();
