// Python in steps is in the sandbox unasked: what it reaches, what a failure says, and where it runs without.
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { assert, suite } from "../harness.ts";
import { needPrograms } from "../programs-needed.ts";
import { type TestProject, testProject } from "../test-project.ts";

const test = suite("cli python steps");

const SYSTEM_PATH = "/usr/bin:/bin";

const tool = (lines: readonly string[], code: readonly string[]): string =>
  ["Does it.", ...lines, "@step out python", ...code.map((line) => `    ${line}`), ""].join("\n");

const meta = (lines: readonly string[], code: readonly string[]): string =>
  [
    "description: Does it",
    "steps:",
    "  - type: code",
    "    output_var: out",
    "    code: |",
    ...code.map((line) => `      ${line}`),
    ...lines,
    "",
  ].join("\n");

async function inFixture(
  files: Readonly<Record<string, string>>,
  work: (said: (words: readonly string[], path?: string) => Promise<string>, bench: TestProject) => Promise<void>,
): Promise<void> {
  needPrograms("bwrap", "python3");
  using bench = testProject({ "home/key": "canary-1789", "here/given": "7", ...files });
  await work(async (words, path = SYSTEM_PATH) => {
    const { stdout, stderr } = await bench.run(words, { cwd: "here", environment: { PATH: path } });
    return `${stdout}${stderr}`;
  }, bench);
}

const readsKey = ["import os", "out = open(os.path.expanduser('~/key')).read()"];

test("Python reads and writes the working folder", () =>
  inFixture(
    {
      ".tools/made.tool": tool(
        [],
        ["open('made', 'w').write('8')", "out = open('given').read() + open('made').read()"],
      ),
    },
    async (said, bench) => {
      assert.is(await said(["made"]), "78\n");
      assert.is(readFileSync(join(bench.folder, "here/made"), "utf8"), "8");
    },
  ));

test("what it cannot reach fails with what to write, and each of these lets it", async () => {
  const hits: string[] = [];
  const server = createServer((request, response) => {
    hits.push(request.url ?? "");
    response.end("answered");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const asks = ["import urllib.request", `out = urllib.request.urlopen('http://127.0.0.1:${port}/x').read().decode()`];
  const writes = ["open('../other/made', 'w').write('8')", "out = 'wrote'"];
  try {
    await inFixture(
      {
        "other/kept": "",
        ".tools/reads.tool": tool([], readsKey),
        ".tools/reads_all.tool": tool(["@sandbox none"], readsKey),
        ".tools/writes.tool": tool([], writes),
        ".tools/writes_there.tool": tool(["@writes ../other"], writes),
        ".tools/asks.tool": tool([], asks),
        ".tools/asks_there.tool": tool([`@network 127.0.0.1:${port}`], asks),
        ".tools/yaml.yaml": meta([], readsKey),
        ".tools/yaml_all.yaml": meta(["x-dottool: {sandbox: {level: none}}"], readsKey),
        ".tools/yaml_asks.yaml": meta([`x-dottool: {sandbox: {network: ["127.0.0.1:${port}"]}}`], asks),
      },
      async (said, bench) => {
        for (const name of ["reads", "writes", "asks", "yaml"]) {
          const text = await said([name]);
          assert.match(text, "Python in a step runs in the sandbox: it reads and writes the working folder");
          if (name !== "yaml") assert.match(text, "`@network HOST`, `@writes PATH` or `@sandbox none`");
          assert.not.match(text, "canary");
        }
        assert.equal(hits, []);
        assert.is(existsSync(join(bench.folder, "other/made")), false);
        assert.is(await said(["reads_all"]), "canary-1789\n");
        assert.is(await said(["writes_there"]), "wrote\n");
        assert.is(await said(["asks_there"]), "answered\n");
        assert.is(await said(["yaml_all"]), "canary-1789\n");
        assert.is(await said(["yaml_asks"]), "answered\n");
      },
    );
  } finally {
    server.close();
  }
});

test("a mistake of its own says nothing of the sandbox", () =>
  inFixture({ ".tools/wrong.tool": tool([], ["out = 1 / 0"]) }, async (said) => {
    const text = await said(["wrong"]);
    assert.match(text, "ZeroDivisionError");
    assert.not.match(text, "sandbox");
  }));

test("what its Python may reach comes before the call", () =>
  inFixture(
    { ".tools/held.tool": tool([], ["out = 1"]), ".tools/free.tool": tool(["@sandbox none"], ["out = 1"]) },
    async (said, bench) => {
      const here = join(bench.folder, "here");
      assert.match(
        await said(["explain", "held"]),
        /Python +strict, [^]*reads:\s+the\s+system's\s+programs,\s+<bench>.here\s+writes:\s+<bench>.here\s+network: none/,
      );
      assert.not.match(await said(["explain", "free"]), /^Python/m);
      assert.match(await said(["trust", "--show", join(here, "../.tools")]), "Python, in the sandbox where that works");
      assert.match(await said(["trust", "--show", join(here, "../.tools")]), "Python, outside the sandbox");
    },
  ));

test("it runs without the sandbox where that would show the home folder", () =>
  inFixture({ ".tools/plain.tool": tool([], readsKey) }, async (_said, bench) => {
    const { stdout, stderr } = await bench.run(["plain"], { cwd: "home", environment: { PATH: SYSTEM_PATH } });
    assert.equal([stdout, stderr], ["canary-1789\n", ""]);
  }));

/** Makes a virtual environment as `python3 -m venv` does, with a module. */
function makeEnvironment(bench: TestProject, name: string): string {
  const folder = join(bench.folder, "home", name);
  mkdirSync(join(folder, "bin"));
  symlinkSync("/usr/bin/python3", join(folder, "bin", "python3"));
  return join(folder, "bin");
}

const environmentFiles = (name: string): Readonly<Record<string, string>> => ({
  [`home/${name}/pyvenv.cfg`]: "home = /usr/bin\ninclude-system-site-packages = false\n",
  [`home/${name}/secret`]: "canary-1790",
  ...Object.fromEntries(
    ["3.9", "3.10", "3.11", "3.12", "3.13", "3.14"].map((version) => [
      `home/${name}/lib/python${version}/site-packages/own_module.py`,
      "said = 'of its own'\n",
    ]),
  ),
});

test("an interpreter in the home folder has its modules, and nothing else of its folder", () =>
  inFixture(
    {
      ...environmentFiles("env"),
      ".tools/imports.tool": tool([], ["import own_module", "out = own_module.said"]),
      ".tools/looks.tool": tool([], ["import sys", "out = open(sys.prefix + '/secret').read()"]),
    },
    async (said, bench) => {
      const path = `${makeEnvironment(bench, "env")}:${SYSTEM_PATH}`;
      assert.is(await said(["imports"], path), "of its own\n");
      assert.not.match(await said(["looks"], path), "canary");
    },
  ));

test("a definition cannot name a program in a folder to see the files beside it", () =>
  inFixture(
    {
      ...environmentFiles("project"),
      ".tools/looks.tool": [
        "Looks.",
        "@sandbox strict",
        "@env PATH=../home/project/bin:/usr/bin:/bin",
        "@command python3 -c 'import own_module; print(own_module.said)'",
        "",
      ].join("\n"),
      ".tools/path.tool": [
        "Looks.",
        "@sandbox strict",
        "@command ../home/project/bin/python3 -c 'import own_module; print(own_module.said)'",
        "",
      ].join("\n"),
    },
    async (said, bench) => {
      makeEnvironment(bench, "project");
      assert.not.match(await said(["looks"]), "of its own");
      assert.not.match(await said(["path"]), "of its own");
    },
  ));

test.run();
