// A call reads a definition as `check --fix` would write it, so that a slip with one meaning refuses nobody; `check`
// reports it all the same.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { assert, suite } from "../harness.ts";
import { testProject } from "../test-project.ts";

const test = suite("cli mended");

interface Slip {
  readonly lines: readonly string[];
  readonly words: readonly string[];
  readonly said: string;
}

/** How people write definitions who have seen one page of the documents, and other programs. */
const slips: Readonly<Record<string, Slip>> = {
  "the places of values as in just, Mustache, Go and GitHub Actions": {
    lines: [
      '@param a="x" First',
      "@param b",
      "@param c",
      "@param d",
      "@command echo {{a}} {{ b }} '{{ .c }}' ${{ inputs.d }}",
    ],
    words: ["--b", "1", "--c", "2", "--d", "3"],
    said: "x 1 2 3\n",
  },
  "the places of values as in make, and in a usage text": {
    lines: ["@param DIR {path} [default=src] Where", "@param word", "@command echo $(DIR) <word>"],
    words: ["--word", "a b"],
    said: "src a b\n",
  },
  "the optional parameters of JSDoc": {
    lines: [
      "@param {number} [limit=10] - How many",
      '@param {string} [who="you all"]',
      "@param [x]",
      "@cmd echo {limit} {who} {x}",
    ],
    words: [],
    said: "10 you all\n",
  },
  "choices without quotes and a default behind `=`": {
    lines: ["@param env {dev|prod} = dev Where", "@command echo {env}"],
    words: [],
    said: "dev\n",
  },
  "a default behind a colon": {
    lines: ["@param count {integer} [default: 3]", "@command echo {count}"],
    words: [],
    said: "3\n",
  },
  "types without braces": {
    lines: ["@param n int How many", "@param loud bool", "@param who str Whom", "@command echo {n} loud={loud} {who}"],
    words: ["--n", "2", "--loud", "--who", "Ana"],
    said: "2 loud=true Ana\n",
  },
  "types that dottool does not tell apart": {
    lines: ["@param to {email} [required] Whom", "@param all {array} Items", "@command echo {to} {all}"],
    words: ["--all", "a", "--all", "b", "--to", "x@y.z"],
    said: "x@y.z a b\n",
  },
  "brackets as in a usage text": {
    lines: ["@param since {string} When", "@param k {int} Many", "@command echo [--from={since}] [-k {k}] x"],
    words: ["--k", "2"],
    said: "-k 2 x\n",
  },
  "steps without a kind": {
    lines: ["@step one", "  echo 1", "@step two [when={one.ok}]", "  echo {one}2", "@output {two}"],
    words: [],
    said: "12\n",
  },
  "a name with a question mark": { lines: ["@param tag? Which", "@command echo x{tag}"], words: [], said: "x\n" },
  "a type with a question mark": {
    lines: ["@param tag {string?} Which", "@command echo x {tag}"],
    words: [],
    said: "x\n",
  },
  "types of other languages": {
    lines: ["@param files {path[]} [required] Which", "@param n {int} [default=2] Many", "@command echo {n} {files}"],
    words: ["a", "b"],
    said: "2 a b\n",
  },
  "a command without its annotation": {
    lines: ["@param who {string} [required] Whom", "echo hello {who}"],
    words: ["Ana"],
    said: "hello Ana\n",
  },
  "a command without its annotation below a blank line": {
    lines: ["@param who {string} [required] Whom", "", "echo hello {who}"],
    words: ["Ana"],
    said: "hello Ana\n",
  },
  "a misspelt annotation": { lines: ["@comand echo hi"], words: [], said: "hi\n" },
};

/** What is accepted as it is. */
const accepted: Readonly<Record<string, Slip>> = {
  "durations and sizes in words": {
    lines: ["@timeout 5 minutes", "@limit output=10mb", "@command echo hi"],
    words: [],
    said: "hi\n",
  },
};

const definition = ({ lines }: Slip): string => ["Does it.", "", ...lines, ""].join("\n");

for (const [name, slip] of Object.entries(slips))
  test(`${name}: a call takes it as meant, check reports it, and --fix writes what the call has read`, async () => {
    using bench = testProject({ ".tools/t.tool": definition(slip) });
    const call = (): Promise<unknown> => bench.here(["t", ...slip.words]).then(({ stdout, stderr }) => stdout + stderr);
    assert.is(await call(), slip.said);
    const checked = await bench.here(["check"]);
    assert.equal([checked.exitCode !== 0, checked.stdout.includes("= fix: ")], [true, true], checked.stdout);
    const fixed = await bench.here(["check", "--fix"]);
    assert.is(fixed.exitCode, 0, `${fixed.stdout}${fixed.stderr}`);
    assert.not.equal(readFileSync(join(bench.folder, ".tools/t.tool"), "utf8"), definition(slip));
    assert.is(await call(), slip.said);
  });

/** Rarer slips: one message each, which says what is accepted, and a call that is refused. */
for (const [name, lines, said] of [
  ["a default in words", ["@param n {int} default 3", "@command echo {n}"], "write options as `[required, default=5]`"],
  ["a type and a default without brackets", ["@param n int = 2", "@command echo {n}"], "write `{integer}`"],
  [
    "a flag as the command has it",
    ["@param --loud Loudly", "@command echo {loud}"],
    "`@param NAME {TYPE} [OPTIONS] text`",
  ],
  ["a variable of a shell", ["@param who {string}", "@command echo $who"], "a value is written `{who}`, without a `$`"],
  ["a step with a command", ["@step one", "@command echo 1"], "write what a step runs below its `@step`"],
  ["a step with the name of a tool", ["@step a find_files"], "`@step NAME KIND [OPTIONS]`"],
  ["an option of argc", ["@option --out Where", "@command echo {out}"], "write it in brackets after a `@param`"],
] as const)
  test(`${name}: a call is refused, and told what is accepted`, async () => {
    using bench = testProject({ ".tools/t.tool": `Does it.\n\n${lines.join("\n")}\n` });
    const { stdout, stderr, exitCode } = await bench.here(["t"]);
    assert.equal([stdout, exitCode], ["", 65]);
    assert.match(stderr, said);
  });

for (const [name, slip] of Object.entries(accepted))
  test(`${name} are no mistake`, async () => {
    using bench = testProject({ ".tools/t.tool": definition(slip) });
    assert.is((await bench.here(["t", ...slip.words])).stdout, slip.said);
    assert.is((await bench.here(["check"])).exitCode, 0);
  });

test("a mistake without one meaning is refused, also beside one that has it", async () => {
  using bench = testProject({ ".tools/t.tool": "Does it.\n\n@timeout soon\n@param n {int} Many\n@command echo {n}\n" });
  const { exitCode, stderr } = await bench.here(["t"]);
  assert.ok(exitCode !== 0);
  assert.match(stderr, "cannot run until its definition is fixed");
});

test("a sentence about a default, a secret and a value of another type are not repaired into what nobody wrote", async () => {
  const text = [
    "@param branch string default: value to use when it is absent",
    "@param n {integer} [required]",
    "@param key {string} [required, secret, env=KEY]",
    "@example three",
    "@example 3 abc",
    "@command echo {branch} {n}",
    "@env KEY={key}",
  ];
  using bench = testProject({ ".tools/t.tool": `Does it.\n\n${text.join("\n")}\n` });
  const { exitCode } = await bench.here(["check", "--fix"]);
  assert.is(exitCode, 0);
  assert.is(readFileSync(join(bench.folder, ".tools/t.tool"), "utf8"), `Does it.\n\n${text.join("\n")}\n`);
});

test("whether a shell reads a command is not guessed, and following the fix is accepted", async () => {
  using bench = testProject({ ".tools/t.tool": 'Does it.\n\n@env HI=hi\n@command echo "$HI you" | tr a-z A-Z\n' });
  const { exitCode, stderr } = await bench.here(["t"]);
  assert.ok(exitCode !== 0);
  assert.match(stderr, "= fix: add `@shell sh`");
  assert.is((await bench.here(["check", "--fix"])).exitCode, 0);
  assert.is((await bench.here(["t"])).stdout, "HI YOU\n");
});

test("what is said later of a definition points to its places in the file", async () => {
  using bench = testProject({
    ".tools/t.tool":
      "Does it.\n\n@param n {int} Many\n@param all bool Everything\n@step one uses no_such_tool\n    n = {n}\n",
  });
  const { stderr } = await bench.here(["t"]);
  assert.match(stderr, "@step one uses no_such_tool");
  assert.match(stderr, ".tools/t.tool:5:16");
});

test("trust shows what is run, not what is written", async () => {
  using bench = testProject({ ".tools/t.tool": "Does it.\n\n@param who {string} [required]\n@command echo {{who}}\n" });
  const { stdout } = await bench.here(["trust", "--show"]);
  assert.match(stdout, "echo {who}");
  assert.not.match(stdout, "{{who}}");
});

test.run();
