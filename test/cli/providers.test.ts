// `ask_model` as a person calls it: the whole program with its own `config.yaml`, and a server that speaks like the
// APIs.
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { KEY, startModelServer } from "../base/model-server.ts";
import { assert, suite } from "../harness.ts";
import { type TestProject, testProject, startingOnce } from "../test-project.ts";

const test = suite("cli providers");
const runLine = startingOnce();

const CONFIG = "home/.config/dottool/config.yaml";

test("ask_model without a provider shows the lines to write, and where", async () => {
  using bench = testProject();
  // Providers that a project names do not count.
  for (const path of ["config.yaml", ".tools/config.yaml", ".dottool/config.yaml", ".config/dottool/config.yaml"])
    bench.write(path, "providers: { echo: { kind: mock } }\n");
  assert.equal(await runLine(bench, ["ask_model", "hello"]), {
    stdout: "",
    stderr: `failed[unavailable]: \`ask_model\` cannot run here
  no model is configured
  = add your models to \`<bench>/home/.config/dottool/config.yaml\`, for example:

    providers:
      default: claude
      claude: { kind: command, command: ["claude", "-p"] }
      local: { kind: openai, url: "http://127.0.0.1:11434/v1", model: llama3 }
      anthropic:
        kind: anthropic
        url: https://api.anthropic.com
        model: MODEL
        key: env:ANTHROPIC_API_KEY
`,
    exitCode: 66,
  });
  assert.equal(
    (await runLine(bench, ["doctor", "--json"])).stdout.match(/"name": "ask_model",\n.*"works": (.*),/)?.[1],
    "false",
  );
});

test("the lines that ask_model shows are a configuration", async () => {
  using bench = testProject();
  const { stderr } = await runLine(bench, ["ask_model", "hello"]);
  bench.write(CONFIG, stderr.slice(stderr.indexOf("    providers:")));
  const { findings } = JSON.parse((await runLine(bench, ["doctor", "--json"])).stdout) as {
    findings: readonly { group: string; name: string; fact: string }[];
  };
  assert.equal(
    findings
      .filter(({ group }) => group === "Models")
      .map(({ name, fact }) => [name, fact.startsWith("/") ? "found" : fact])
      .slice(1),
    [
      ["local", "http://127.0.0.1:11434/v1, model llama3"],
      ["anthropic", "https://api.anthropic.com, model MODEL, the variable ANTHROPIC_API_KEY is not set"],
    ],
  );
  assert.equal(findings.find(({ group }) => group === "Models")?.name, "claude (default)");
});

test("ask_model asks the default, the one that is named, and says which there are", async () => {
  using bench = testProject({
    [CONFIG]:
      "providers: { default: echo, echo: { kind: mock }, loud: { kind: command, command: tr a-z A-Z }, odd: { kind: mok } }\n",
  });
  const calls = [
    ["ask_model", "hello"],
    ["--result", "model", "ask_model", "hello"],
    ["ask_model", "hello", "--provider", "loud"],
    ["ask_model", "hello", "--provider", "lowd"],
    ["ask_model", "hello", "--provider", "odd"],
  ];
  const runs = await Promise.all(calls.map((words) => runLine(bench, words)));
  const lost = "failed[unavailable]: `ask_model` cannot run here\n";
  assert.equal(runs, [
    { stdout: "hello\n", stderr: "", exitCode: 0 },
    { stdout: "hello\n", stderr: "", exitCode: 0 },
    { stdout: "HELLO\n", stderr: "", exitCode: 0 },
    {
      stdout: "",
      stderr: `${lost}  there is no provider \`lowd\`; did you mean \`loud\`?\n  = providers in \`<bench>/${CONFIG}\`: \`echo\`, \`loud\`, \`odd\`\n`,
      exitCode: 66,
    },
    {
      stdout: "",
      stderr: `${lost}  <bench>/${CONFIG}:1:110: unknown provider kind \`mok\`; did you mean \`mock\`?\n  = fix it there; \`dottool doctor\` checks all providers\n`,
      exitCode: 66,
    },
  ]);
});

test("ask_model asks for a choice where there are several providers, and no default", async () => {
  using bench = testProject({ [CONFIG]: "providers: { one: { kind: mock }, two: { kind: mock } }\n" });
  assert.equal(
    (await runLine(bench, ["ask_model", "hello"])).stderr,
    `failed[unavailable]: \`ask_model\` cannot run here\n  there are several providers, and no default\n  = pass \`provider\` (\`one\`, \`two\`), or write \`default: one\` below \`providers:\` in \`<bench>/${CONFIG}\`\n`,
  );
});

test("no key comes out of ask_model, wherever it is from and whatever the API makes of it", async () => {
  const server = await startModelServer({ pieces: ["your key is ", KEY.slice(0, 9), KEY.slice(9), "!"] });
  const refusing = await startModelServer({
    status: 400,
    body: { error: { message: `no: ${KEY}`, type: "invalid_request_error" } },
  });
  try {
    const { origin } = server;
    using bench = testProject({
      [CONFIG]: `
secrets: { STORE: command:cat store }
providers:
  variable: { kind: openai, url: "${origin}/v1", model: small-1, key: env:API_KEY }
  file: { kind: anthropic, url: "${origin}", model: small-1, key: file:~/key }
  store: { kind: anthropic, url: "${origin}/v1", model: small-1, key: secret:STORE, stream: false }
  refused: { kind: openai, url: "${refusing.origin}/v1", model: small-1, key: env:API_KEY }
`,
    });
    for (const name of ["key", "store"]) {
      bench.write(`home/${name}`, `${KEY}\n`);
      chmodSync(join(bench.folder, "home", name), 0o600);
    }
    const environment = { API_KEY: KEY };
    const ask = (provider: string, ...before: readonly string[]): ReturnType<TestProject["run"]> =>
      runLine(bench, [...before, "ask_model", "which key?", "--provider", provider], { environment });
    const runs = await Promise.all([
      ask("variable"),
      ask("file"),
      ask("store"),
      ask("variable", "--result", "json"),
      ask("variable", "--result", "model"),
      ask("refused"),
      ask("refused", "--result", "json"),
      runLine(bench, ["doctor"], { environment }),
      runLine(bench, ["explain", "ask_model", "which key?"], { environment }),
    ]);
    assert.equal(
      runs.slice(0, 3),
      ["variable", "file", "store"].map(() => ({ stdout: "your key is •••!\n", stderr: "", exitCode: 0 })),
    );
    const wanted = (request: { readonly headers: Readonly<Record<string, unknown>> }): unknown =>
      request.headers["x-api-key"] ?? request.headers["authorization"];
    assert.equal(server.seen.map(wanted).sort(), [`Bearer ${KEY}`, `Bearer ${KEY}`, `Bearer ${KEY}`, KEY, KEY]);
    assert.equal(
      runs.filter(({ stdout, stderr }) => `${stdout}${stderr}`.includes(KEY.slice(3))),
      [],
    );
    assert.is(
      runs[5]?.stderr.split("\n")[0],
      `failed[network]: \`${refusing.origin}/v1/chat/completions\`: \`refused\` answered with status 400`,
    );
  } finally {
    await server.close();
    await refusing.close();
  }
});

test("a config.yaml that is no YAML is a finding of doctor, and not a bug of the tools that need it", async () => {
  using bench = testProject({ [CONFIG]: 'providers: {\n  key: "sk-SECRET }\n' });
  const [{ stdout, exitCode }, ...runs] = await Promise.all([
    runLine(bench, ["doctor", "--json"]),
    runLine(bench, ["ask_model", "hello"]),
    runLine(bench, ["google_search", "hello"]),
  ]);
  const { findings } = JSON.parse(stdout) as { findings: readonly { group: string; name: string; works: unknown }[] };
  assert.equal(
    [findings.filter(({ name }) => name === "config.yaml").map(({ group, works }) => [group, works]), exitCode],
    [
      [
        ["Settings", false],
        ["Models", false],
        ["Models", false],
      ],
      0,
    ],
  );
  assert.equal(
    runs.map(({ stderr, exitCode: code }) => [stderr.split("\n").slice(0, 2), code]),
    ["ask_model", "google_search"].map((tool) => [
      [
        `failed[unavailable]: \`${tool}\` cannot run here`,
        `  <bench>/${CONFIG}:3:1: not valid YAML: a quote is not closed`,
      ],
      66,
    ]),
  );
  assert.not.match(JSON.stringify([stdout, runs]), "SECRET");
});

test("ask_model is listed, and told to models only where it is named", async () => {
  using bench = testProject();
  const [listed, all, named] = await Promise.all([
    runLine(bench, ["list", "--bundled"]),
    runLine(bench, ["schema", "--for", "mcp"]),
    runLine(bench, ["schema", "ask_model", "--for", "mcp"]),
  ]);
  assert.equal(
    [listed, all, named].map(({ stdout }) => /\bask_model\b/.test(stdout)),
    [true, false, true],
  );
});

test("a prompt step asks the provider that it names, else the default", async () => {
  using bench = testProject({
    [CONFIG]: "providers: { default: echo, echo: { kind: mock }, loud: { kind: command, command: tr a-z A-Z } }\n",
  });
  bench.write(
    ".tools/sum.tool",
    "Sum up a text.\n\n@title Sum Up\n@name sum\n@param text {string} [required] The text\n@step ask prompt\n    Sum up: {text}\n@step loud prompt [provider=loud]\n    again: {ask}\n",
  );
  assert.equal(await runLine(bench, ["sum", "--text", "a {ask} $HOME"]), {
    stdout: "AGAIN: SUM UP: A {ASK} $HOME\n",
    stderr: "",
    exitCode: 0,
  });
});

test.run();
