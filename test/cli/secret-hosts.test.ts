// `@env X=secret:NAME for=HOST` through the real program: what the commands see, what the host gets, and which calls
// are refused because nothing would hold the value back.
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { secretEnvironment } from "../../src/core/builder/secret-environment.ts";
import { openAuthority } from "../../src/features/confinement/host/call-authority.ts";
import { assert, suite } from "../harness.ts";
import { needPrograms } from "../programs-needed.ts";
import { withModels } from "../base/model-context.ts";
import { config, inFixture } from "./sandbox-fixture.ts";

const test = suite("cli/secret-hosts");

const VALUE = "ghp_canary0123456789abcdef";

const ask = (port: number, ...lines: readonly string[]): string =>
  [
    "Ask.",
    "",
    "@title Ask",
    "@name ask",
    "@wrapped run_command",
    "@shell sh",
    `@env TOKEN=secret:API for=localhost:${port}`,
    "@script",
    '    echo "in the environment: $TOKEN"',
    `    printf 'Authorization: Bearer %s' "$TOKEN" | curl -sS -H @- https://localhost:${port}/`,
    ...lines,
    "",
  ].join("\n");

/** Answers with the header that it gets, and with the first half of it. */
async function withServer(work: (server: { port: number; seen: string[]; authority: string }) => Promise<void>) {
  needPrograms("bwrap", "curl");
  const authority = openAuthority();
  const seen: string[] = [];
  const server = createServer(authority.certify("localhost"), ({ headers: { authorization = "" } }, response) => {
    seen.push(authorization);
    response.end(`it said ${authorization}\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, "localhost", resolve));
  try {
    await work({ port: (server.address() as AddressInfo).port, seen, authority: authority.cert });
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

test("a tool's commands have a stand-in, and its host gets the secret of a key store", () =>
  withServer(({ port, seen, authority }) =>
    inFixture(
      {
        ...config("secrets: { API: pass:team/api }\n"),
        ".tools/ask.tool": ask(port),
        ".tools/steps.tool": `Ask.\n\n@title Steps\n@name steps\n@env TOKEN=secret:API for=localhost:${port}\n@step one sh\n    curl -sS -u "ana:$TOKEN" https://localhost:${port}/\n`,
        "authority.pem": authority,
        "bin/pass": `#!/bin/sh\n[ "$*" = "show team/api" ] && echo ${VALUE}\n`,
      },
      async (_call, bench) => {
        const { chmodSync } = await import("node:fs");
        chmodSync(join(bench.folder, "bin/pass"), 0o700);
        const environment = {
          NODE_EXTRA_CA_CERTS: join(bench.folder, "authority.pem"),
          PATH: `${join(bench.folder, "bin")}:${process.env["PATH"] ?? ""}`,
        };
        const { stdout, stderr } = await bench.run(["ask"], { cwd: "here", environment });
        const standIn = /^in the environment: ([0-9a-f]{26})$/m.exec(stdout)?.[1] ?? stderr;
        assert.is(stdout, `in the environment: ${standIn}\nit said Bearer ${standIn}\n`);
        const steps = await bench.run(["steps"], { cwd: "here", environment });
        assert.match(steps.stdout, "it said Basic ");
        assert.equal(seen, [`Bearer ${VALUE}`, `Basic ${Buffer.from(`ana:${VALUE}`).toString("base64")}`]);
        const { stdout: explained } = await bench.run(["explain", "ask"], { cwd: "here", environment });
        assert.match(explained, `localhost:${port}`);
        assert.not.ok(`${stdout}${stderr}${steps.stdout}${explained}`.includes(VALUE));
      },
    ),
  ));

const refused: readonly (readonly [settings: string, value: string, said: string])[] = [
  [
    "sandbox: { level: custom, custom: [env] }\n",
    VALUE,
    "the secret `API` is for localhost:8443 alone, and this call runs at the sandbox level `custom`",
  ],
  ["", "short", "the secret `API` is missing: its value is too short to be told from other text"],
];

for (const [settings, value, said] of refused)
  test(`a call is refused, and nothing runs: ${said}`, () =>
    inFixture({ ...config(settings), ".tools/ask.tool": ask(8443) }, async (_call, bench) => {
      const { stdout, stderr } = await bench.run(["ask"], { cwd: "here", environment: { API: value } });
      assert.is(stdout, "");
      assert.match(stderr, `failed[unavailable]: \`ask\` cannot run here\n  ${said}\n`);
    }));

test("such a call never runs without the sandbox, also where another one may", () =>
  withModels("", async (bench) => {
    const hosts = ["localhost:8443"];
    const sandbox = { level: "strict", folder: bench.folder, writes: [], reads: [], hosts } as const;
    const context = bench.context({ environment: { API: VALUE } });
    const found = await secretEnvironment(
      { environment: [], inheritsEnvironment: false, secrets: [{ variable: "TOKEN", secret: "API", hosts }] },
      { ...context, confinement: { ...sandbox, isBestEffort: true } },
    );
    const text = ("environment" in found && found.environment["TOKEN"]) || "";
    assert.match(text, /^[0-9a-f]{26}$/);
    assert.equal(found, {
      environment: { TOKEN: text },
      confinement: { ...sandbox, standIns: [{ text, value: VALUE, hosts }] },
    });
  }));

test("a person who is asked to trust it sees the hosts, and YAML keeps them", () =>
  inFixture({ ".tools/ask.tool": ask(8443, "@tags network") }, async (call) => {
    const { stdout, stderr } = await call(["convert", "ask", "--to", "yaml"]);
    assert.match(stdout + stderr, "TOKEN: API for=localhost:8443");
    const trust = await call(["trust", "--show"]);
    assert.match(
      trust.stdout + trust.stderr,
      "with your secret `API` in requests to localhost:8443 alone, for the variable TOKEN",
    );
  }));

test.run();
