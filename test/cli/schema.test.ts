import { readFileSync } from "node:fs";
import { testProject, startingOnce } from "../test-project.ts";
import { assert, suite } from "../harness.ts";

const test = suite("cli/schema");
const runLine = startingOnce();

const greet = (name: string): string =>
  `Greets.\n\n@title Greet\n@name ${name}\n@wrapped run_command\n@command echo hello {name}\n@param name {string} [required] Whom\n@tags read\n`;

test("schema prints tools by the names that an API takes, and exec knows them by these", async () => {
  using bench = testProject({ "tools/ana/greet.tool": greet("greet") });
  const { stdout, stderr, exitCode } = await runLine(bench, [
    "--tools",
    "tools",
    "schema",
    "ana/greet",
    "--for",
    "openai",
    "--strict",
  ]);
  assert.equal(
    [JSON.parse(stdout), stderr, exitCode],
    [
      [
        {
          type: "function",
          function: {
            name: "ana__greet",
            description: "Greets.",
            parameters: {
              type: "object",
              properties: { name: { description: "Whom", type: "string" } },
              required: ["name"],
              additionalProperties: false,
            },
            strict: true,
          },
        },
      ],
      "",
      0,
    ],
  );
  const exec = async (): Promise<string> =>
    (
      JSON.parse(
        (
          await runLine(bench, ["--tools", "tools", "exec"], {
            stdin: JSON.stringify({
              type: "function",
              id: "a",
              function: { name: "ana__greet", arguments: '{"name":"Eve"}' },
            }),
          })
        ).stdout,
      ) as { content: string }[]
    )
      .map(({ content }) => content)
      .join("");
  assert.is(await exec(), "hello Eve\n");
});

test("schema --strict makes each tool strict that can be, and names the others with the place", async () => {
  using bench = testProject();
  const both = await runLine(bench, ["schema", "run_command", "Read", "--for", "openai-responses", "--strict"]);
  assert.equal(
    [
      (JSON.parse(both.stdout) as Readonly<Record<string, unknown>>[]).map((one) => [one["name"], one["strict"]]),
      both.stderr,
      both.exitCode,
    ],
    [
      [
        ["run_command", false],
        ["Read", true],
      ],
      "note: not strict: `run_command`: `env` accepts any properties, which a strict schema cannot express; declare them with a type, or export without `--strict`\n",
      0,
    ],
  );
  const all = await runLine(bench, ["schema", "--for", "anthropic", "--strict"]);
  assert.match(all.stderr, /^note: not strict, because one request takes no more: `.+`\n$/m);
  assert.equal(all.exitCode, 0);
  assert.equal(await runLine(bench, ["schema", "run_command", "--for", "openai-responses", "--strict"]), {
    stdout: "",
    stderr:
      "failed[strict]: `run_command`: `env` accepts any properties, which a strict schema cannot express; declare them with a type, or export without `--strict`\n",
    exitCode: 65,
  });
  assert.equal(await runLine(bench, ["schema", "Read", "--for", "gemini", "--strict"]), {
    stdout: "",
    stderr:
      "failed[usage]: `gemini` does not support `--strict`; `openai`, `openai-responses`, `anthropic` do\n  = `dottool schema --help` shows the usage\n",
    exitCode: 64,
  });
});

test("schema offers ask_model to models only where it is named, and says when there are more tools than a request takes", async () => {
  using bench = testProject(
    Object.fromEntries(Array.from({ length: 90 }, (_, index) => [`tools/t${index}.tool`, greet(`t${index}`)])),
  );
  const all = await runLine(bench, ["--tools", "tools", "schema", "--for", "openai"]);
  const names = (JSON.parse(all.stdout) as { function: { name: string } }[]).map((tool) => tool.function.name);
  assert.equal(
    [names.includes("ask_model"), names.includes("t89"), all.stderr, all.exitCode],
    [
      false,
      true,
      `note: \`openai\` accepts at most 128 tools per request, and there are ${names.length}; name the ones you need\n`,
      0,
    ],
  );
  assert.match((await runLine(bench, ["schema", "ask_model", "--for", "ollama"])).stdout, /"name": "ask_model"/);
});

test("schema --for yaml prints the schema that lies in grammar/", async () => {
  using bench = testProject({ "tools/ana/greet.tool": greet("greet") });
  const printed = await runLine(bench, ["schema", "--for", "yaml"]);
  assert.equal(
    JSON.parse(printed.stdout),
    JSON.parse(readFileSync(new URL("../../grammar/tools.schema.json", import.meta.url), "utf8")),
  );
  const named = await runLine(bench, ["schema", "greet", "--for", "yaml"]);
  assert.is(
    named.stderr.split("\n")[0],
    "failed[usage]: `--for yaml` prints the schema of YAML definitions; leave out `greet`",
  );
});

test.run();
