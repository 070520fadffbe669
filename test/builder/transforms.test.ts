// What a tool passes on to those that wrap it: parameters that change their values, defaults made of others, and its
// needs.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTools } from "../../src/dottool.ts";
import type { JsonObject } from "../../src/core/schema/json.ts";
import { assert, suite } from "../harness.ts";

const test = suite("transforms and what stands on them");

const base =
  "Say.\n\n@title Say\n@name say\n@wrapped run_command\n@command echo {word} {loud}\n@param word {string} [required, pattern=/[a-z]+/, transform=\"value.split('').reverse().join('')\"] W\n@param loud {boolean} [flag=-l] L\n";

async function withTools(
  files: Readonly<Record<string, string>>,
  use: (said: (name: string, args?: JsonObject) => Promise<string>) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "dottool-transforms-"));
  try {
    mkdirSync(join(folder, ".tools"));
    for (const [name, text] of Object.entries({ say: base, ...files }))
      writeFileSync(join(folder, ".tools", `${name}.tool`), text);
    const tools = await openTools({ cwd: folder, toolFolders: [join(folder, ".tools")] });
    await use(async (name, args = {}) => {
      const result = await tools.call(name, args);
      return result.status === "failed"
        ? tools.explain(result)
        : result.content.map((item) => (item.type === "text" ? item.text : "")).join("");
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test("a transform happens once, whatever the tool is called through", () =>
  withTools(
    {
      fed: 'F.\n\n@title F\n@name fed\n@wrapped run_command\n@command echo {n} {m}\n@param n {integer} [required, max=10, transform="value * 2", example=2] N\n@param m {string} [required, pattern=/x/, transform="\'x\'"] M\n',
      alias: "@name alias\n@wrapped say\n",
      fixed: "@name fixed\n@wrapped say\n@with loud = true\n",
      steps: "S.\n\n@title S\n@name steps\n@param w {string} W\n@step one uses say\n    word = {w}\n",
    },
    async (said) => {
      assert.equal(
        await Promise.all([
          said("say", { word: "abc" }),
          said("alias", { word: "abc" }),
          said("fixed", { word: "abc" }),
          said("steps", { w: "abc" }),
        ]),
        ["cba\n", "cba\n", "cba -l\n", "cba\n"],
      );
      assert.match(await said("say", { word: "1" }), "word  expected text that matches /[a-z]+/");
      assert.is(
        (await said("fed", { n: 6, m: "1" })).split("\n").at(-2),
        '  = call it like this: {"name":"fed","arguments":{"n":"<n>","m":"1"}}',
      );
    },
  ));

test("a wrap that would pass a transform by is refused", () =>
  withTools(
    {
      wrap: "W.\n\n@title W\n@name wrap\n@wrapped say\n@with word = x{w}\n@param w {string} [required] W\n",
      own: "W.\n\n@title W\n@name own\n@wrapped say\n@param word {string} [required] W\n",
      literal: "@name literal\n@wrapped say\n@with word = abc\n",
    },
    async (said) => {
      assert.match(await said("wrap", { w: "a" }), "`wrap` cannot run until its definition is fixed");
      assert.match(await said("own", { word: "a" }), "`own` cannot run until its definition is fixed");
      assert.is(await said("literal"), "abc\n");
    },
  ));

test("an endless transform is ended", () =>
  withTools(
    {
      endless:
        'E.\n\n@title E\n@name endless\n@wrapped run_command\n@command echo {a}\n@param a {string} [transform="(() => { while (true); })()"] A\n',
    },
    async (said) => {
      assert.match(await said("endless", { a: "x" }), "failed[");
      assert.is(await said("endless"), "\n");
    },
  ));

test("an alias's default of other parameters is checked like a value", () =>
  withTools(
    {
      put: "P.\n\n@title P\n@name put\n@wrapped run_command\n@command echo {to} {n}\n@param to {string} [required, pattern=/\\.\\/[a-z0-9]+/] T\n@param n {integer} N\n",
      mine: "@name mine\n@wrapped put\n@default to = ./{n}\n",
    },
    async (said) => {
      assert.equal([await said("mine", { n: 7 }), await said("mine", { to: "./x" })], ["./7 7\n", "./x\n"]);
      assert.match(await said("mine", { n: -7 }), "to  expected text that matches");
      assert.match(await said("mine"), "is needed for the default of `to`; give it, or `to` itself");
      assert.is(
        (await said("mine")).split("\n").at(-2),
        '  = call it like this: {"name":"mine","arguments":{"n":"<n>"}}',
      );
    },
  ));

test("an alias's default of other parameters is held to what a wrap's values are", () =>
  withTools(
    {
      put: "P.\n\n@title P\n@name put\n@wrapped run_command\n@command echo {to} {from}\n@param to {path} [required] T\n@param from {url} [required] F\n@param n {string} N\n",
      mine: "@name mine\n@wrapped put\n@default to = ./notes/{n}\n@default from = https://example.com/{n}\n",
      runs: "@name runs\n@wrapped run_command\n@default command = echo {working_dir}\n",
    },
    async (said) => {
      assert.is(await said("mine", { n: "a&b" }), "./notes/a&b https://example.com/a%26b\n");
      assert.match(await said("mine", { n: "../x" }), "failed[invalid-arguments]");
      assert.match(
        await said("runs", { working_dir: "$(touch mark)" }),
        "`runs` cannot run until its definition is fixed",
      );
    },
  ));

test("what a tool needs is needed under every other name of it", () =>
  withTools(
    {
      elsewhere:
        "E.\n\n@title E\n@name elsewhere\n@wrapped run_command\n@command echo hi\n@platforms windows\n@depends not_there\n",
      needy: "N.\n\n@title N\n@name needy\n@wrapped read_file\n@with file_path = x\n@requires no-such-program\n",
      alias: "@name alias\n@wrapped elsewhere\n",
      fixed: "@name fixed\n@wrapped needy\n@with show_lines = true\n",
    },
    async (said) => {
      assert.match(await said("alias"), /it only runs on windows; this is \w+\n.*it depends on the tool `not_there`/);
      assert.match(await said("fixed"), "it needs the program `no-such-program`");
    },
  ));

test.run();
