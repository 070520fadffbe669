// A secret that comes from the environment is no parameter of a model, whichever way it comes in: no declaration has
// it, a value that a model makes up is refused, and a person may give one.
import { declarationForms } from "../../src/features/dialects/dialects.ts";
import { string } from "../../src/core/schema/declare.ts";
import { baseTool, okText } from "../../src/core/tool/base-tool.ts";
import { runScript } from "../agent/agent-fixture.ts";
import { call, done } from "../agent/scripted-turn.ts";
import { assert, suite } from "../harness.ts";
import { connectTo } from "../mcp/server-fixture.ts";
import { startingOnce, testProject } from "../test-project.ts";

const test = suite("cli/sourced secrets");
const runLine = startingOnce();

const FILES = {
  "home/.config/dottool/config.yaml": "policy:\n  - {decision: allow, tool: [ask_api, ask_twice, dottool/run_code]}\n",
  ".tools/ask_api.tool": `Ask the API.

@title Ask API
@name ask_api
@wrapped run_command
@shell sh
@command printf '%s with %s characters\\n' {question} "\${#TOKEN}"
@env TOKEN={token}
@param token {string} [required, secret, env=API_TOKEN] The token
@param question {string} [required] What to ask
@example token=made-up question=why
@tags read
`,
  ".tools/ask_twice.tool": `Ask as the author does.

@title Ask Twice
@name ask_twice
@param question {string} [required] What to ask
@step one uses ask_api
    token = four
    question = {question}
@tags read
`,
};

const SET = { API_TOKEN: "real-token" };
const REFUSED = "the value comes from the environment variable `API_TOKEN`, and no model gives it; leave it out";

test("no declaration for a model has a secret that comes from the environment", async () => {
  using bench = testProject(FILES);
  for (const form of declarationForms) {
    const { stdout, exitCode } = await runLine(bench, ["schema", "ask_api", "--for", form]);
    assert.equal([form, exitCode, stdout.includes("question"), stdout.includes("token")], [form, 0, true, false]);
  }
  for (const form of ["openai", "openai-responses", "anthropic"]) {
    const { stdout } = await runLine(bench, ["schema", "ask_api", "--strict", "--for", form]);
    assert.equal([form, stdout.includes("question"), stdout.includes("token")], [form, true, false]);
  }
});

test("exec refuses a model's value for such a secret, and its suggestion leaves it out", async () => {
  using bench = testProject(FILES);
  const sent = (args: object): string =>
    JSON.stringify([{ id: "a", type: "function", function: { name: "ask_api", arguments: JSON.stringify(args) } }]);
  const answer = async (args: object, environment: Record<string, string>): Promise<string> => {
    const { stdout } = await runLine(bench, ["exec"], { stdin: sent(args), environment });
    return (JSON.parse(stdout) as readonly { readonly content: string }[])[0]?.content ?? "";
  };
  assert.equal(await answer({ question: "why" }, SET), "why with 10 characters\n");
  const refused = await answer({ question: "why", token: "made up" }, SET);
  assert.equal(
    [refused.includes(REFUSED), refused.includes('{"question":"why"}'), refused.includes("made up")],
    [true, true, false],
  );
  assert.equal(
    await answer({ question: "why" }, {}),
    "failed[unavailable]: `ask_api` cannot run here\n  `token` comes from the environment variable `API_TOKEN`, which is not set\n  = the person who runs dottool sets `API_TOKEN`\n",
  );
});

test("a person's value for such a secret is accepted, and so is that of an author's step", async () => {
  using bench = testProject(FILES);
  const words = ["ask_api", "--question", "why"];
  assert.equal(
    (await runLine(bench, [...words, "--token", "own"], { environment: SET })).stdout,
    "why with 3 characters\n",
  );
  const { stderr } = await runLine(bench, words);
  assert.match(stderr, "expected string, got nothing; give it, or set API_TOKEN");
  const { stdout } = await runLine(bench, ["exec"], {
    stdin: JSON.stringify([
      { id: "a", type: "function", function: { name: "ask_twice", arguments: '{"question":"why"}' } },
    ]),
    environment: SET,
  });
  assert.match(stdout, "why with 4 characters");
});

test("the MCP server neither lists such a secret nor takes it, also in code mode", async () => {
  using bench = testProject(FILES);
  const served = { ...bench, program: { ...bench.program, environment: { ...bench.program.environment, ...SET } } };
  const client = await connectTo(served, { era: "2026-07-28" });
  const coding = await connectTo(served, { era: "2026-07-28", words: ["--mode", "code"] });
  try {
    const { tools } = await client.listTools();
    const listed = tools.find(({ name }) => name === "ask_api");
    assert.equal(listed?.inputSchema.required, ["question"]);
    assert.equal(JSON.stringify(listed).includes("token"), false);
    const asked = (args: Record<string, string>): Promise<unknown> =>
      client.callTool({ name: "ask_api", arguments: args });
    assert.match(JSON.stringify(await asked({ question: "why" })), "why with 10 characters");
    assert.ok(JSON.stringify(await asked({ question: "why", token: "x" })).includes(REFUSED));
    const declared = JSON.stringify(await coding.listTools());
    assert.equal(
      [declared.includes("function ask_api(args: { "), /ask_api\(args: [^}]*token/.test(declared)],
      [true, false],
    );
    const ran = (code: string): Promise<unknown> => coding.callTool({ name: "run_code", arguments: { code } });
    assert.match(
      JSON.stringify(await ran('return await tools.ask_api({ question: "why" });')),
      "why with 10 characters",
    );
    assert.ok(
      JSON.stringify(await ran('return await tools.ask_api({ question: "why", token: "x" });')).includes(REFUSED),
    );
  } finally {
    await Promise.all([client.close(), coding.close()]);
  }
});

/** Where a secret of `@env X=secret:NAME` can be, with what only dottool may know of it. */
const PLACES = ["op://team/api/token", "bw://api", "vault:secret/api#token", "pass:api", "keychain:api", "gh", "env:A"];

test("a secret with a place is no parameter at all, whatever its place, and a model's value for it is refused", async () => {
  const names = PLACES.map((_place, index) => `from_${index}`);
  using bench = testProject({
    "home/.config/dottool/config.yaml": `secrets:\n${PLACES.map((place, index) => `  S${index}: ${place}\n`).join("")}policy:\n  - {decision: allow, tool: ["from_*"]}\n`,
    ...Object.fromEntries(
      names.map((name, index) => [
        `.tools/${name}.tool`,
        `Ask.\n\n@title Ask\n@name ${name}\n@wrapped run_command\n@command echo {question}\n@param question {string} [required] What\n@env TOKEN=secret:S${index}${index % 2 === 0 ? " for=api.example.org" : ""}\n`,
      ]),
    ),
  });
  for (const name of names)
    for (const form of ["openai", "anthropic", "mcp"].filter((one) =>
      declarationForms.some((known) => known === one),
    )) {
      const { stdout } = await runLine(bench, ["schema", name, "--for", form]);
      assert.equal([name, form, stdout.includes("question"), /TOKEN|S\d/.test(stdout)], [name, form, true, false]);
    }
  for (const given of ["TOKEN", "S0", "env"]) {
    const made = { name: "from_0", arguments: JSON.stringify({ question: "why", [given]: "made-up" }) };
    const stdin = JSON.stringify([{ id: "a", type: "function", function: made }]);
    const { stdout } = await runLine(bench, ["exec"], { stdin });
    assert.match(stdout, `${given}  \`from_0\` has no such parameter; it has \`question\``);
    assert.not.match(stdout, "made-up");
  }
});

test("an agent's model is not told of such a secret, and its value is refused", async () => {
  const tool = baseTool({
    name: "ask_api",
    title: "Ask",
    description: "Asks.",
    effects: ["read"],
    parameters: {
      token: string("The token", { required: true, secret: true, environment: "API_TOKEN" }),
      question: string("What", { required: true }),
    },
    execute: async ({ question }) => okText(question),
  });
  const ran = await runScript([{ calls: [call("ask_api", { question: "why", token: "x" })] }, done("Done.")], {
    tools: [tool],
  });
  const results = ran.entries.flatMap((entry) => (entry.kind === "result" ? [entry.text] : []));
  assert.ok(results[0]?.includes(REFUSED), results[0]);
  assert.equal(JSON.stringify(ran.server.bodies[0]?.["tools"]).includes("token"), false);
});

test.run();
