// `dottool export docker` by the built executable: a linter of Dockerfiles reads what it wrote, and the image's command
// line runs in an empty folder. docker-image.test.ts does all steps.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { validate, ValidationCode } from "dockerfile-utils";
import { assertGolden } from "../golden.ts";
import { assert, suite } from "../harness.ts";
import { packagedFile } from "../run-variables.ts";

const test = suite("docker");
const root = mkdtempSync(join(tmpdir(), "dottool docker-"));
process.on("exit", () => rmSync(root, { recursive: true, force: true }));
const environment = { PATH: "/usr/bin:/bin", HOME: join(root, "home") };

const files = {
  "team/greet.tool": "Greets a person.\n@command echo hello {name}\n@param name [required] Who\n@tags read\n",
  "team/tidy.tool":
    "Shows JSON.\n@command jq . {file}\n@param file {path} [required] Which\n@requires jq, git, acmectl\n@env KEY=secret:ACME_KEY\n@tags read\n",
  "team/count.tool":
    "Counts words.\n@shell bash\n@command curl -s {url} | tr a-z A-Z | acmesort | wc -w\n@param url [required] Which\n@tags read\n",
  "team/wrapped.tool": "Runs programs behind others.\n@command env LANG=C timeout 5 rg x\n@tags read\n",
  "team/inner.tool": 'Runs a text.\n@command bash -c "make x; constructor; python3 x.py"\n@tags read\n',
  "team/script.tool":
    'Runs a script.\n@shell bash\n@command own() { /usr/bin/tree; }; for i in a b; do if own; then pandoc "$i"; fi; done\n@tags read\n',
  "team/named.tool": "Names a word of JavaScript.\n@command constructor x\n@requires toString\n@tags read\n",
  "team/package.json": '{"name":"acme","version":"1.2.0 \\"$HOME\\"","license":"MIT"}',
};
for (const [path, text] of Object.entries(files)) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function run(...words: readonly string[]): readonly [number | null, string] {
  const { stdout, stderr, status } = spawnSync(packagedFile, words, { cwd: root, env: environment, encoding: "utf8" });
  return [status, stdout + stderr];
}

const exported = run("export", "docker", "team", "-o", "image", "--base", packagedFile);
const dockerfile = readFileSync(join(root, "image/Dockerfile"), "utf8");

test("the Dockerfile is as in golden/Dockerfile.txt, and a linter accepts it", () => {
  assert.is(exported[0], 0, exported[1]);
  assertGolden("packaged/golden/Dockerfile.txt", dockerfile.replaceAll(/linux\/(?:amd64|arm64)/g, "linux/ARCH"));
  assert.equal(validate(dockerfile), []);
  assert.equal(
    validate(dockerfile.replace("USER tools", "USE tools")).map(({ code }) => code),
    [ValidationCode.UNKNOWN_INSTRUCTION],
  );
});

test("the command line of the image serves the tools in an empty folder", async () => {
  const [, copied = ""] = /^COPY .* (\S+) /m.exec(dockerfile) ?? [];
  const [program, ...own] = [.../^(?:ENTRYPOINT|CMD) (.*)$/gm[Symbol.matchAll](dockerfile)].flatMap(
    ([, words = ""]) => JSON.parse(words) as string[],
  );
  const installed = join(root, "system", program ?? "");
  mkdirSync(dirname(installed), { recursive: true });
  copyFileSync(join(root, "image", copied), installed);
  const work = join(root, "empty");
  mkdirSync(work);
  const client = new Client({ name: "test", version: "1" }, { capabilities: {} });
  await client.connect(
    new StdioClientTransport({ command: installed, args: own, cwd: work, env: environment, stderr: "inherit" }),
  );
  try {
    const { tools } = await client.listTools();
    assert.equal(
      tools.map(({ name }) => name),
      // The others need programs that are not there.
      ["count", "greet", "inner", "script", "wrapped"],
    );
    const { content } = await client.callTool({ name: "greet", arguments: { name: "Ana" } });
    assert.equal(content, [{ type: "text", text: "hello Ana\n" }]);
  } finally {
    await client.close();
  }
});

test("an executable for another system makes no image", () => {
  const bytes = readFileSync(packagedFile);
  // The machine of the ELF header: 8 is MIPS.
  writeFileSync(join(root, "other"), bytes.fill(8, 18, 19));
  assert.is(run("export", "docker", "team", "-o", "new", "--base", "other")[0], 65);
});

test.run();
