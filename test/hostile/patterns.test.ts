// Patterns on which a backtracking engine would never finish, in every place where an author, a caller or a model may
// write one. The real program is killed after 30 s (test-project.ts), and then has no exit code.
import { assert, present, suite } from "../harness.ts";
import { hello, request, startLines } from "../mcp/line-client.ts";
import { testProject } from "../test-project.ts";

const test = suite("hostile patterns");

const a60 = "a".repeat(60);

/** Options of a parameter, by the name of the tool. None of the texts matches. */
const bombs: Readonly<Record<string, string>> = {
  doubled: `pattern=/(a|a)*b/, default=${a60}`,
  nested: `pattern=/(a+)+$/, default="${a60}!"`,
  anything: `pattern=/(.*)*x/, default=${a60}`,
  words: `pattern=/(\\w+\\s?)*$/, default="${"aaaa ".repeat(12)}!"`,
  mail: `pattern=/^(([a-z])+.)+[A-Z]([a-z])+$/, default=${a60}`,
  ahead: `pattern=/(?=(a|a)*b)a+/, default=${a60}`,
  polynomial: `pattern=/a*a*a*a*b/, default=${"a".repeat(4_000)}`,
  example: `pattern=/(a|a)*b/, example=${a60}`,
};
const mismatched = Object.keys(bombs).map((name) => `error[${name === "example" ? "example" : "default"}-mismatch]`);

const tool = (name: string, options: string, command = "echo {word}"): string =>
  `Says a word.\n\n@title Say\n@name ${name}\n@wrapped run_command\n@param word {string} [${options}] The word\n@command ${command}\n`;
const yaml = `name: listed\ndescription: Says a word.\nparameters:\n  word:\n    type: string\n    description: The word\n    validation:\n      pattern: "^(a|a)*b$"\n    default: ${a60}\nbash: echo {word}\n`;
const files = Object.fromEntries([
  ...Object.entries(bombs).map(([name, options]) => [`.tools/${name}.tool`, tool(name, options)]),
  [".tools/listed.yaml", yaml],
]);

for (const isTrusted of [false, true]) {
  test(`${isTrusted ? "trusted" : "untrusted"} definitions with such patterns hold no command up`, async () => {
    using bench = testProject(files, { isTrusted });
    for (const words of [["list"], ["list", "--json"], ["schema"], ["ls", "home"], ["__complete", "doubled", ""]]) {
      assert.is((await bench.run(words)).exitCode, 0, words.join(" "));
    }
    for (const words of [
      ["show", "doubled"],
      ["schema", "mail"],
      ["call", "nested"],
      ["explain", "words"],
    ])
      assert.is((await bench.run(words)).exitCode, 65, words.join(" "));
    const { stdout, exitCode } = await bench.run(["check"]);
    assert.equal(
      [exitCode, (stdout.match(/^error\[.*?\]/gm) ?? []).sort()],
      [65, [...mismatched, "error[default-mismatch]"].sort()],
    );
  });
}

/** Here the caller's text does not match, or the pattern has a back-reference. */
const called: Readonly<Record<string, string>> = {
  doubled: "pattern=/(a|a)*b/",
  refused: "reject=/(a+)+$b/",
  back: "pattern=/(a+)+\\1b/",
  squared: "reject=/\\s+$/",
};

test("a server lists and calls tools with such patterns, and answers whatever is sent to them", async () => {
  using bench = testProject({
    "home/.config/dottool/config.yaml":
      "policy:\n  - {decision: allow, tool: [doubled, refused, back, squared], front_end: mcp}\n",
    ...Object.fromEntries(
      Object.entries(called).map(([name, options]) => [`.tools/${name}.tool`, tool(name, options)]),
    ),
  });
  const lines = startLines(bench);
  try {
    const calls = [
      ["doubled", "a".repeat(100_000)],
      ["refused", "a".repeat(100_000)],
      ["back", a60],
      ["squared", `${" ".repeat(100_000)}x`],
    ] as const;
    lines.send(hello);
    await lines.count(1);
    for (const line of [
      request("list", "tools/list"),
      ...calls.map(([name, word]) => request(name, "tools/call", { name, arguments: { word } })),
      request("ping", "ping"),
    ])
      lines.send(line);
    const answers = new Map((await lines.count(calls.length + 3)).map((message) => [message.id, message]));
    const listed = (present(answers.get("list")?.result).tools as readonly { readonly name: string }[]).map(
      ({ name }) => name,
    );
    assert.equal(
      Object.keys(called).filter((name) => !listed.includes(name)),
      [],
    );
    const said = calls.map(([name]) =>
      (answers.get(name)?.result?.content as readonly { readonly text: string }[] | undefined)?.[0]?.text.slice(0, 50),
    );
    assert.equal(said, [
      "failed[invalid-arguments]: `doubled` does not acce",
      a60.slice(0, 50),
      "failed[limit]: stopped at the limit of 1000 ms to ",
      " ".repeat(50),
    ]);
  } finally {
    await lines.end();
  }
});

test.run();
