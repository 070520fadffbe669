// What `dottool export` writes, before the validators of the clients themselves. They are installed for this test alone,
// because they are large.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import JSZip from "jszip";
import { elf, machO, pe } from "../bundle/executables.ts";
import { assert, suite } from "../harness.ts";
import { packagedFile } from "../run-variables.ts";

const test = suite("validators");
const root = mkdtempSync(join(tmpdir(), "dottool-validators-"));
process.on("exit", () => rmSync(root, { recursive: true, force: true }));

const validators = {
  "@anthropic-ai/claude-code": "2.1.332",
  "@anthropic-ai/mcpb": "2.1.2",
  "@google/gemini-cli": "0.61.0",
  "skills-ref": "0.1.5",
};
const files = {
  "team/greet.tool":
    'Greets: "a person" | {you} & `me`.\n\n@command echo hello {name}\n@param name [required] Who, # or [what]\n@tags read\n',
  "team/ask.tool": "Asks the service.\n\n@command env asking\n@env ACME=secret:ACME_KEY\n",
  "team/package.json": '{"name":"ops","version":"1.2.0","author":"Ana <ana@acme.example>","license":"MIT"}',
};

const environment = { PATH: process.env["PATH"] ?? "", HOME: join(root, "home") };

function setUp(): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  mkdirSync(environment.HOME);
  writeFileSync(join(root, "package.json"), '{"private": true}\n');
  const packages = Object.entries(validators).map(([name, version]) => `${name}@${version}`);
  execFileSync("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", ...packages], {
    cwd: root,
    stdio: "pipe",
  });
}

function exported(form: string, output: string, ...more: readonly string[]): string {
  const words = ["export", form, "team", "-o", output, ...more];
  const { status, stderr } = spawnSync(packagedFile, words, { cwd: root, env: environment, encoding: "utf8" });
  assert.is(status, 0, stderr);
  return join(root, output);
}

function validated(program: string, ...words: readonly string[]): readonly [exitCode: number | null, said: string] {
  const file = join(root, "node_modules/.bin", program);
  const { status, stdout, stderr } = spawnSync(file, words, { cwd: root, env: environment, encoding: "utf8" });
  return [status, stdout + stderr];
}

setUp();

test("claude plugin validate --strict accepts the plugin, and refuses a broken one", () => {
  const folder = exported("claude-plugin", "claude");
  const [exitCode, said] = validated("claude", "plugin", "validate", "--strict", folder);
  assert.is(exitCode, 0, said);
  writeFileSync(join(folder, ".claude-plugin/plugin.json"), "{}");
  assert.is(validated("claude", "plugin", "validate", "--strict", folder)[0], 1);
});

test("gemini extensions validate accepts the extension, and refuses a broken one", () => {
  const folder = exported("gemini-extension", "gemini");
  const [exitCode, said] = validated("gemini", "extensions", "validate", folder);
  assert.is(exitCode, 0, said);
  writeFileSync(join(folder, "gemini-extension.json"), "{}");
  assert.is(validated("gemini", "extensions", "validate", folder)[0], 1);
});

test("mcpb validate accepts the manifest of an mcpb for each system, and refuses a broken one", async () => {
  const manifest = join(root, "manifest.json");
  for (const [base, bytes] of Object.entries({ linux: elf(), mac: machO(), windows: pe() })) {
    writeFileSync(join(root, base), bytes);
    const { files: packed } = await JSZip.loadAsync(readFileSync(exported("mcpb", `${base}.mcpb`, "--base", base)));
    writeFileSync(manifest, (await packed["manifest.json"]?.async("nodebuffer")) ?? "");
    const [exitCode, said] = validated("mcpb", "validate", manifest);
    assert.is(exitCode, 0, said);
  }
  writeFileSync(manifest, "{}");
  assert.is(validated("mcpb", "validate", manifest)[0], 1);
});

test("skills-ref validate accepts the skill, and refuses a broken one", () => {
  const folder = exported("skill", "ops");
  const [exitCode, said] = validated("skills-ref", "validate", folder);
  assert.is(exitCode, 0, said);
  writeFileSync(join(folder, "SKILL.md"), "# no head\n");
  assert.is(validated("skills-ref", "validate", folder)[0], 1);
});

test.run();
