import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { aliasStarter, commandStarter, exampleStarter } from "../../src/features/new/starter.ts";
import { starterRows } from "./starter-rows.ts";
import { testProject } from "../test-project.ts";
import { runCommand } from "../../src/core/base/run-command.ts";
import { webFetch } from "../../src/features/web/web-fetch.ts";
import { createToolBuilder } from "../../src/core/builder/tool-builder.ts";
import { analyzeToolFile } from "../../src/core/language/analyze.ts";
import { parseToolFile } from "../../src/core/language/syntax/parse.ts";
import { isJsonObject, type JsonObject } from "../../src/core/schema/json.ts";
import { validateArguments } from "../../src/core/schema/validate.ts";
import type { Diagnostic } from "../../src/core/text/diagnostic.ts";
import type { Tool } from "../../src/core/tool/tool.ts";
import { assert, suite } from "../harness.ts";

const test = suite("starter");

const none: ReadonlySet<number> = new Set();
const options = { name: "try_it", base: runCommand };

function build(text: string): { readonly tool?: Tool; readonly diagnostics: readonly Diagnostic[] } {
  const analyzed = analyzeToolFile(parseToolFile({ path: "try_it.tool", text }));
  if (!analyzed.value) return { diagnostics: analyzed.diagnostics };
  const bases = new Map([runCommand, webFetch].map((tool) => [tool.definition.name.value, tool]));
  const built = createToolBuilder({
    platform: "linux",
    definition: () => undefined,
    baseTool: (name) => bases.get(name),
    names: () => [...bases.keys()],
  }).build(analyzed.value);
  return {
    diagnostics: [...analyzed.diagnostics, ...built.diagnostics],
    ...(built.value ? { tool: built.value } : {}),
  };
}

/** Returns the command of a call without arguments. */
function argvOf(text: string, args: JsonObject = {}): unknown {
  const { tool } = build(text);
  if (!tool?.expand) return undefined;
  const checked = validateArguments(tool.parameters, args, { owner: "try_it", environment: () => undefined });
  return checked.arguments && tool.expand(checked.arguments).arguments["argv"];
}

test("commandStarter makes parameters of what looks like values", () => {
  assert.is(
    commandStarter('find . -name "*.ts" -size +10k', options, none).text,
    `Run \`find . -name "*.ts" -size +10k\`, or the same with other values.

@title Try It
@name try_it
@wrapped run_command
@command find {folder} -name {name} -size {size}
@param folder {path} [default="."] The folder
@param name {string} [default="*.ts"] Value of \`-name\`
@param size {string} [default="+10k"] Value of \`-size\`
@example {"folder":".","name":"*.ts","size":"+10k"}
`,
  );
});

test("commandStarter leaves plain words and options alone, and ties values to --option=", () => {
  assert.is(
    commandStarter("git log --oneline --since=yesterday -n 5", options, none).text.match(/@command .*/)?.[0],
    "@command git log --oneline --since={since} -n {count}",
  );
  assert.is(
    commandStarter("git log '--since=2 days'", options, none).text.match(/@command .*/)?.[0],
    "@command git log --since={since}",
  );
});

test("new --from keeps program and subcommand, and names each value by what it is", async () => {
  using bench = testProject({ ".tools/keep": "" });
  const got: (readonly [string, string, string])[] = [];
  for (const [index, [line]] of starterRows.entries()) {
    const made = await bench.here(["new", `line_${index}`, "--from", line]);
    assert.is(made.exitCode, 0, `${line}: ${made.stderr}`);
    const text = readFileSync(join(bench.folder, `.tools/line_${index}.tool`), "utf8");
    got.push([
      line,
      /^@command (.*)$/m.exec(text)?.[1] ?? "",
      [...text.matchAll(/^@param (\S+) \{(\w+)\}/gm)].map(([, name, type]) => `${name}:${type}`).join(" "),
    ]);
  }
  assert.equal(got, starterRows);
  assert.is((await bench.run(["check"])).stdout, `${starterRows.length} definitions checked: no problems\n`);
});

test("commandStarter asks for a shell where the line needs one", () => {
  for (const line of ["a | b", "ls *.ts", "cat ~/x", "a > b", "echo $HOME", "FOO=1 env", "a; b", "echo `date`"]) {
    const text = commandStarter(line, options, none).text;
    assert.ok(text.includes("@shell sh\n@command "), line);
    assert.equal(argvOf(text), ["sh", "-c", line, "dottool"], line);
  }
});

test("commandStarter keeps lines of a script and braces that are names", () => {
  const text = commandStarter("for x in 1 2; do\n  echo ${x} {y}\ndone", options, none).text;
  assert.equal(argvOf(text), ["sh", "-c", "for x in 1 2; do\n  echo ${x} {y}\ndone", "dottool"]);
});

test("commandStarter leaves the marks of find -exec alone", () => {
  const lines = ["find . -exec wc -l {} +", "find . -exec wc -l {} \\;"].map(
    (line) => commandStarter(line, options, none).text.match(/@command .*/)?.[0],
  );
  assert.equal(lines, ["@command find {folder} -exec wc -l {} +", "@command find {folder} -exec wc -l {} ';'"]);
});

test("commandStarter reads a script's variables from the environment, secrets as secrets", () => {
  const { text } = commandStarter(
    "curl -H \"Authorization: Bearer $TOKEN\" https://x.example/$REGION | awk '{print $NF}'; N=1; echo $N $HOME",
    options,
    none,
  );
  assert.equal(
    text.split("\n").filter((line) => /^@(env|param|example)/.test(line)),
    [
      "@env TOKEN={token}",
      "@param token {string} [required, secret, env=TOKEN] From the environment",
      "@env REGION={region}",
      "@param region {string} [required, env=REGION] From the environment",
    ],
  );
  assert.ok(text.includes(' https://x.example/"$REGION" |'), text);
  assert.equal(build(text).diagnostics, []);
});

test("a starter has neither errors nor warnings", () => {
  for (const text of [
    exampleStarter(options),
    aliasStarter({ name: "try_it", base: webFetch }),
    commandStarter("wc -l 'a b.txt'", options, none).text,
    commandStarter("du -sh . | sort", options, none).text,
  ]) {
    assert.equal(build(text).diagnostics, [], text);
  }
});

const word = fc.oneof(
  fc.stringMatching(/^[-a-zA-Z0-9./=:{}@%+,*?"' \\]{1,8}$/),
  fc.constantFrom("{x}", "{}", "-n", "--a=b", "007", "5", "https://example.com/?a=1", "a'b", "\\"),
);
const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

test("commandStarter writes no secret of the line, but a parameter from the environment", () => {
  const rows: readonly (readonly [line: string, command: string])[] = [
    ["curl -H 'Authorization: Bearer s3cretvalue' https://x.org", "curl -H 'Authorization: Bearer {token}' {url}"],
    ["curl -H 'X-Api-Key: s3cretvalue' https://x.org", "curl -H 'X-Api-Key: {token}' {url}"],
    ["curl -u me:s3cretvalue https://x.org", "curl -u me:{password} {url}"],
    ["curl 'https://x.org?api_key=s3cretvalue&x=1'", "curl 'https://x.org?api_key={api_key}&x=1'"],
    [`curl -d '{"token": "s3cretvalue"}' https://x.org`, `curl -d '{{"token": "{token}"}}' {url}`],
    ["mysql -u root --password=s3cretvalue shop", "mysql -u {user} --password={password} {database}"],
    ["mysql -u root --password s3cretvalue shop", "mysql -u {user} --password {password} {database}"],
    ["psql postgres://me:s3cretvalue@localhost/db", "psql postgres://me:{password}@localhost/db"],
    ["API_KEY=s3cretvalue node x.js", "API_KEY={api_key} node x.js"],
    ["TOKEN='a s3cretvalue b' node x.js", "TOKEN='{token}' node x.js"],
    ["sshpass -p s3cretvalue ssh me@host", "sshpass -p {password} ssh {text}"],
    ["docker login -u me -p s3cretvalue", "docker login -u me -p {password}"],
    ["curl -H 'Cookie: session=s3cretvalue; a=b' https://x.org", "curl -H 'Cookie: {cookie}' {url}"],
    ["curl --data-urlencode 'token=s3cretvalue' https://x.org", "curl --data-urlencode token={token} {url}"],
    ["curl -U me:s3cretvalue https://x.org", "curl -U me:{password} {url}"],
    ["mysql -u root -ps3cretvalue shop", "mysql -u {user} -p{password} {database}"],
    ["redis-cli -a s3cretvalue ping", "redis-cli -a {password} ping"],
    ["vault login s3cretvalue", "vault login {password}"],
    ["curl https://hooks.slack.com/services/T0/B0/s3cretvalue", "curl https://hooks.slack.com/services/{token}"],
    ["git clone https://s3cretvalue0@github.com/a/b", "git clone https://{token}@github.com/a/b"],
    ["echo s3cretvalue | docker login --password-stdin", "echo {password} | docker login --password-stdin"],
    ["git push https://ghp_s3cretvalue00@github.com/x/y", "git push https://{token}@github.com/x/y"],
    ["A=$TOKEN curl -H 'X-Api-Key: s3cretvalue' https://x.org", "A=$TOKEN curl -H 'X-Api-Key: {token2}' https://x.org"],
  ];
  for (const [line, command] of rows) {
    const { text, secretVariables } = commandStarter(line, options, none);
    assert.is(text.match(/^@command (.*)$/m)?.[1], command);
    assert.not.match(text, /s3cret/);
    assert.is(secretVariables.length, 1);
    assert.ok(
      build(text).diagnostics.every(({ severity }) => severity === "warning"),
      line,
    );
  }
  for (const line of [
    'git commit -m "fix: token handling"',
    "sort --key 2 x.txt",
    "pass --token-file x.txt",
    "sed 's/password: .*/x/' a.yml",
    "curl -H 'Accept: text/html' https://x.org",
    'gh api -H "Authorization: Bearer $TOKEN" /user',
  ])
    assert.equal(commandStarter(line, options, none).secretVariables, [], line);
});

test("commandStarter makes a tool that runs the very line when called without arguments", () => {
  fc.assert(
    fc.property(fc.constantFrom("echo", "git", "./run.sh"), fc.array(word, { maxLength: 6 }), (program, words) => {
      const line = [program, ...words.map(quote)].join(" ");
      for (const fixed of [none, new Set(words.map((_word, index) => index + 1))]) {
        const { text } = commandStarter(line, options, fixed);
        const { tool } = build(text);
        // Where the analyzer refuses a parameter, `new` leaves the word as it is.
        if (!tool && fixed === none) continue;
        assert.equal(argvOf(text), [program, ...words], text);
        const [example] = tool?.definition.examples ?? [];
        if (isJsonObject(example)) assert.equal(argvOf(text, example), [program, ...words], text);
      }
    }),
    { numRuns: 100 },
  );
});

test.run();
