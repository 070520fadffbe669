// Logins in addresses of packages: they fetch, and reach neither the lock nor a message. The next installation takes
// them from `.npmrc`, and says so.
import { readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { assert, suite } from "../harness.ts";
import { packageArchive } from "../packages/package-fixture.ts";
import { type TestProject, testProject, type ToolRun } from "../test-project.ts";

const test = suite("cli/package-logins");
const TOKEN = "canary-1789";
const LOGIN = Buffer.from(`ana:${TOKEN}`).toString("base64");

type Run = (...words: readonly string[]) => Promise<ToolRun>;

/** `host` is that of a server which gives an archive to whoever logs in, and everything else a 404. */
async function withServer(work: (run: Run, bench: TestProject, host: string) => Promise<void>): Promise<void> {
  const server = createServer(({ url = "", headers }, response) => {
    const isKnown = headers.authorization === `Basic ${LOGIN}` || url.includes(`api_key=${TOKEN}`);
    if (url.startsWith("/words.tgz") && isKnown) response.end(packageArchive());
    else response.writeHead(url.startsWith("/words.tgz") ? 401 : 404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  using bench = testProject({ "project/kept": "", "home/.npmrc": "registry=http://127.0.0.1:9/\n" });
  try {
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    await work((...words) => bench.here(words, { cwd: "project" }), bench, host);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

const lockIn = ({ folder }: TestProject): string => readFileSync(join(folder, "project/dottool.lock"), "utf8");
const forget = ({ folder }: TestProject): void =>
  rmSync(join(folder, "home/.local/state/dottool"), { recursive: true });

test("a login in an address reaches neither lock nor message, and `.npmrc` has it for the next installation", () =>
  withServer(async (run, bench, host) => {
    const added = await run("add", `http://ana:${TOKEN}@${host}/words.tgz`);
    const said = [added.stdout + added.stderr, lockIn(bench)].join("\n");
    assert.equal([added.exitCode, said.includes(TOKEN), said.includes(LOGIN)], [0, false, false], said);
    const { packages } = JSON.parse(lockIn(bench)) as { packages: { words: { source: string } } };
    assert.is(packages.words.source, `http://${host}/words.tgz`);
    const help = `your \`.npmrc\` can have a login for it: \`//${host}/:_authToken=TOKEN\`, or \`//${host}/:_auth=\` with the base64 of \`USER:PASSWORD\``;
    assert.is(
      added.stderr.slice(
        -`note[package]: \`dottool.lock\` has \`http://${host}/words.tgz\` without its login\n  = ${help}\n`.length,
      ),
      `note[package]: \`dottool.lock\` has \`http://${host}/words.tgz\` without its login\n  = ${help}\n`,
    );
    forget(bench);
    const refused = await run("install");
    assert.equal(
      [refused.exitCode, refused.stderr],
      [
        77,
        `failed[package]: \`http://${host}/words.tgz\` does not let you have \`http://${host}/words.tgz\` (401)\n  = ${help}\n`,
      ],
    );
    bench.write("home/.npmrc", `//${host}/:_auth=${LOGIN}\n`);
    assert.is((await run("install")).exitCode, 0);
  }));

test("what fails with a login in its address names the address without it", () =>
  withServer(async (run, _bench, host) => {
    for (const word of [
      `http://ana:${TOKEN}@${host}/gone.tgz`,
      `http://${TOKEN}@${host}/gone.tgz`,
      `http://ana:${TOKEN}@${host}/gone`,
      `git+http://ana:${TOKEN}@${host}/gone.git`,
      `http://${host}/gone.tgz?api_key=${TOKEN}&name=a.tgz`,
    ]) {
      const { exitCode, stdout, stderr } = await run("add", word);
      assert.equal([exitCode === 0, (stdout + stderr).includes(TOKEN)], [false, false], stderr);
    }
  }));

test("a secret in a query is not locked, and install says what is missing", () =>
  withServer(async (run, bench, host) => {
    const added = await run("add", `http://${host}/words.tgz?api_key=${TOKEN}&name=words.tgz`);
    assert.equal([added.exitCode, lockIn(bench).includes(TOKEN), added.stdout.includes(TOKEN)], [0, false, false]);
    forget(bench);
    const refused = await run("install");
    assert.equal(
      [refused.exitCode, refused.stderr.split("\n", 1)[0]],
      [
        77,
        `failed[package]: the address of \`words\` in \`dottool.lock\` has no secret any more: \`http://${host}/words.tgz?api_key=•••&name=words.tgz\``,
      ],
    );
    const again = await run("add", `http://${host}/words.tgz?api_key=${TOKEN}&name=words.tgz`);
    assert.is(again.exitCode, 0, again.stderr);
  }));

test("a lock that has a login already is used without it, and written without it", () =>
  withServer(async (run, bench, host) => {
    await run("add", `http://ana:${TOKEN}@${host}/words.tgz`);
    bench.write("project/dottool.lock", lockIn(bench).replace("http://", `http://ana:${TOKEN}@`));
    bench.write("home/.npmrc", `//${host}/:_auth=${LOGIN}\n`);
    forget(bench);
    const installed = await run("install");
    assert.equal(
      [installed.exitCode, installed.stderr.includes(TOKEN), lockIn(bench).includes(TOKEN)],
      [0, false, true],
    );
    const listed = await run("list", "--packages");
    assert.is(listed.stdout.includes(TOKEN), false);
  }));

test.run();
